// Every hook that matters, as the client runs it, with the ratio to an empty script it is held to.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { identityIn, quietHome, teamHome } from "./homes.ts";
import type { Case } from "./measure.ts";

export const ROOT = join(import.meta.dirname ?? __dirname, "..", "..");

export interface HookCase extends Case {
  target: number;
  /** Milliseconds of its own beyond that. */
  extraMs?: number;
}

const flags = (event: string): string[] => {
  const { hooks } = JSON.parse(readFileSync(join(ROOT, "hooks.json"), "utf8"));
  return hooks[event].at(-1).hooks[0].args.slice(0, -1);
};
const script = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

export function hook(home: string, event: string, name: string, target: number, payload: object): HookCase {
  const input = { session_id: "bench-1", cwd: join(home, "project"), transcript_path: "", ...payload };
  return {
    name,
    target,
    argv: [process.execPath, ...flags(event), join(ROOT, "dist", "hooks", `${script(event)}.cjs`)],
    input: `${JSON.stringify({ hook_event_name: event, ...input })}\n`,
    env: { HOME: home, TMPDIR: home, CLAUDE_PROJECT_DIR: input.cwd, ...identityIn(home) },
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
  const read = call("Read", { file_path: join(quiet, "project", "x") });
  const bash = (command: string) => call("Bash", { command });
  return [
    hook(quiet, "PreToolUse", "PreToolUse, not concerned (Read, no team)", 0.95, read),
    hook(team, "PreToolUse", "PreToolUse, typical (Read, settings, team)", 1.1, read),
    hook(quiet, "PreToolUse", "PreToolUse, guarded Bash, plain at a glance", 1.25, bash(PLAIN)),
    hook(quiet, "PreToolUse", "PreToolUse, guarded Bash, parsed (a loop with a pipe)", 1.25, bash(LOOP)),
    hook(quiet, "PreToolUse", "PreToolUse, guarded Bash, parsed (curl into python -c)", 1.25, bash(PYTHON)),
    hook(team, "PreToolUse", "PreToolUse, guarded Bash, parsed (settings, team)", 1.25, bash(LOOP)),
    hook(quiet, "PreToolUse", "PreToolUse, guarded Bash, denied (sudo)", 1.25, bash("sudo ls")),
    hook(quiet, "PreToolUse", "PreToolUse, guarded Bash, asked (rm and tar)", 1.25, bash(REMOVAL)),
    hook(
      team,
      "PreToolUse",
      "PreToolUse, guarded Bash, asked (rm and tar, settings, team)",
      1.25,
      bash(REMOVAL),
    ),
    hook(team, "PostToolUse", "PostToolUse (async)", 1.25, { ...read, tool_response: {} }),
    hook(team, "UserPromptSubmit", "UserPromptSubmit, team and mail check", 1.25, { prompt: "go on" }),
    hook(team, "Stop", "Stop, team and mail check", 1.25, { last_assistant_message: "done" }),
    hook(team, "SubagentStart", "SubagentStart", 1.6, { agent_id: "a1", agent_type: "Explore" }),
    hook(team, "SessionStart", "SessionStart, full team", 1.6, { source: "startup" }),
    hook(team, "SessionEnd", "SessionEnd", 1.6, { reason: "clear" }),
  ];
}
