// Every hook that matters, as the client runs it, with the ratio to an empty script it is held to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { identityIn, quietHome, relayedHome, repositoryHome, teamHome } from "./homes.ts";
import type { Case } from "./measure.ts";

export const ROOT = join(import.meta.dirname ?? __dirname, "..", "..");

export interface HookCase extends Case {
  target: number;
}

/** The node to measure: that of this process, or another one for `npm run budget`. */
export const NODE = process.env["SWARM_NODE"] ?? process.execPath;

const argsOf = (event: string): string[] => {
  const { hooks } = JSON.parse(readFileSync(join(ROOT, "hooks.json"), "utf8"));
  const args: string[] = hooks[event][0].hooks[0].args;
  return args.map((arg) => arg.replace("${CLAUDE_PLUGIN_ROOT}", join(ROOT, "plugin")));
};

export function hook(home: string, event: string, name: string, target: number, payload: object): HookCase {
  const input = { session_id: "bench-1", cwd: join(home, "project"), transcript_path: "", ...payload };
  return {
    name,
    target,
    argv: [NODE, ...argsOf(event)],
    input: `${JSON.stringify({ hook_event_name: event, ...input })}\n`,
    env: {
      HOME: home,
      TMPDIR: home,
      CLAUDE_PROJECT_DIR: input.cwd,
      CLAUDE_PLUGIN_DATA: join(home, "data"),
      ...identityIn(home),
    },
  };
}

/** A verb is started without the options of hooks, so that node rehashes its snapshot: with the same seed each time, to count the same. */
export const FIXED_SEED = "--hash-seed=1";

/** As an agent runs it, in its session. */
function verb(home: string, target: number, ...args: string[]): HookCase {
  return {
    name: `swarm ${args.join(" ")}`,
    target,
    argv: [NODE, FIXED_SEED, join(ROOT, "plugin", "bin", "swarm"), ...args],
    input: "",
    env: {
      HOME: home,
      TMPDIR: home,
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: "bench-1",
      CLAUDE_PROJECT_DIR: join(home, "project"),
      CLAUDE_PLUGIN_DATA: join(home, "data"),
      ...identityIn(home),
    },
  };
}

export const call = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, tool_use_id: "t" });

const PLAIN = "npm test -- --run && git status";
const PYTHON = "curl -s localhost:3000/health | python3 -c 'import json, sys; print(json.load(sys.stdin))'";
const REMOVAL = 'rm -rf "$dir"/x && tar xzf a.tgz -C "$dir"';
const LOOP = 'for f in *.ts; do sed -n 1,5p "$f" | grep -v import; done';

export function hookCases(root: string): HookCase[] {
  const quiet = quietHome(join(root, "quiet"));
  const team = teamHome(join(root, "team"));
  const starting = teamHome(join(root, "starting"));
  const relayed = relayedHome(join(root, "relayed"));
  const verbs = teamHome(join(root, "verbs"), { unread: 3, open: 20 });
  const lone = repositoryHome(join(root, "lone"), 0, 0);
  const shared = repositoryHome(join(root, "shared"), 1, 100_000);
  const inside = (home: string, name: string, tool: string, input: object, limit = 1.3) =>
    hook(home, "PreToolUse", `PreToolUse, ${name}`, limit, call(tool, input));
  const WRITE = "printf x > src/part-1/file-1.ts";
  const EDIT = (home: string) => ({ file_path: join(home, "project", "src", "part-1", "file-1.ts") });
  const read = call("Read", { file_path: join(quiet, "project", "x") });
  const alone = (name: string, limit: number, payload: object) =>
    hook(quiet, "PreToolUse", `PreToolUse, ${name}`, limit, payload);
  const guarded = (name: string, limit: number, command: string) =>
    alone(`guarded Bash, ${name}`, limit, call("Bash", { command }));
  const member = (event: string, name: string, limit: number, payload: object, home = team) =>
    hook(home, event, `${event}, ${name}`, limit, payload);
  const memberBash = (name: string, limit: number, command: string) =>
    member("PreToolUse", `guarded Bash, ${name} (team, settings)`, limit, call("Bash", { command }));
  return [
    alone("not concerned (Read, no team)", 1.12, read),
    member("PreToolUse", "team and settings (Read)", 1.2, read),
    guarded("plain", 1.3, PLAIN),
    guarded("a loop with a pipe", 1.3, LOOP),
    memberBash("a loop with a pipe", 1.3, LOOP),
    alone("guarded Write", 1.3, call("Write", { file_path: join(quiet, "project", "x"), content: "x" })),
    inside(lone, "Edit, alone in a repository", "Edit", EDIT(lone)),
    inside(lone, "guarded Bash, a write alone in a repository", "Bash", { command: WRITE }),
    inside(shared, "Edit, two agents, a ledger of 100,000", "Edit", EDIT(shared)),
    inside(shared, "guarded Bash, a write, two agents, a ledger of 100,000", "Bash", { command: WRITE }),
    guarded("other code (curl into python -c)", 1.5, PYTHON),
    guarded("denied (sudo)", 1.5, "sudo ls"),
    guarded("asked about (rm and tar)", 1.5, REMOVAL),
    memberBash("asked about (rm and tar)", 1.5, REMOVAL),
    memberBash("other code (curl into python -c)", 1.5, PYTHON),
    member("PostToolUse", "team", 1.3, { ...read, tool_response: {} }),
    member("UserPromptSubmit", "team and mail check", 1.3, { prompt: "go on" }),
    member("Stop", "team and mail check", 1.3, { last_assistant_message: "done" }),
    member("SubagentStart", "team", 1.3, { agent_id: "a1", agent_type: "Explore" }),
    member("SessionStart", "team", 1.5, { source: "startup" }, starting),
    member("SessionStart", "team on a relay", 1.5, { source: "startup" }, relayed),
    member("SessionEnd", "team", 1.5, { reason: "clear" }, starting),
    verb(verbs, 1.5, "send", "m1", "done, look at the parser"),
    verb(verbs, 1.5, "inbox", "--peek"),
    verb(verbs, 1.75, "task", "list"),
    verb(verbs, 2.1, "status"),
  ];
}

/** Every hook that the client waits for, in a team. */
export function waitedFor(home: string): HookCase[] {
  const agent = { agent_id: "a1", agent_type: "Explore" };
  const task = { task_id: "1", task_subject: "t", task_description: "" };
  const payloads: [string, object][] = [
    ["SessionStart", { source: "startup" }],
    ["UserPromptSubmit", { prompt: "go on" }],
    ["PreToolUse", call("Bash", { command: PLAIN })],
    ["PreToolUse", call("TaskUpdate", { taskId: "1" })],
    ["PostToolUse", { ...call("ExitPlanMode", {}), tool_response: {} }],
    ["SubagentStart", agent],
    ["SubagentStop", agent],
    ["Stop", { last_assistant_message: "done" }],
    ["TeammateIdle", { teammate_name: "m1", team_name: "bench" }],
    ["TaskCreated", task],
    ["TaskCompleted", task],
    ["PreCompact", { trigger: "manual" }],
    ["SessionEnd", { reason: "clear" }],
  ];
  return payloads.map(([event, payload]) => {
    const { tool_name: tool } = payload as { tool_name?: string };
    return hook(home, event, tool ? `${event} ${tool}` : event, Number.POSITIVE_INFINITY, payload);
  });
}

/** What the client would have done before: a session that has started is another one than a session nobody knows. */
export const starts = (cases: readonly HookCase[]): HookCase[] =>
  cases.map((one) => ({ ...one, ...startOf(one), name: "start", env: one.env }));

const startOf = ({ env }: HookCase) =>
  hook(env["HOME"] ?? "", "SessionStart", "start", Number.POSITIVE_INFINITY, { source: "startup" });
