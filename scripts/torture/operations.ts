// Everything that writes: each hook and each verb that leaves something behind, called in a way that makes it do so.
import { as, aTeam, inboxOf } from "../../test/support/a-team.ts";
import type { Home } from "../../test/support/home-at.ts";
import { BOB, LEAD } from "./fixture.ts";
import { type Ran, type Start, startHook, startVerb } from "./processes.ts";

export interface Operation {
  name: string;
  isHook: boolean;
  start: (home: Home, more?: Start) => Promise<Ran>;
  /** What it takes away, also when it was interrupted and repeated, in the words of `missing`. */
  takes?: string[];
  /** A text that must be in somebody's inbox once it said yes. */
  sends?: string;
  /** In each of these readers' mail; otherwise in anybody's. */
  to?: string[];
}

const hook = (script: string, payload: object, env: Record<string, string> = as("bob")): Operation => ({
  name: script,
  isHook: true,
  start: (home, more = {}) =>
    startHook(home, script, { ...BOB, ...payload }, { ...more, env: { ...env, ...more.env } }),
});

const verb = (args: string[], more: Partial<Operation> = {}, agent = "bob"): Operation => ({
  name: `swarm ${args.slice(0, ["task", "effort", "lead", "status", "statusline"].includes(args[0] ?? "") ? 2 : 1).join(" ")}`,
  isHook: false,
  start: (home, start = {}) =>
    startVerb(home, args, {
      ...start,
      env: {
        ...as(agent),
        CLAUDE_CODE_SESSION_ID: agent === "bob" ? BOB.session_id : LEAD.session_id,
        ...start.env,
      },
    }),
  ...more,
});

const subagent = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
const bash = { tool_name: "Bash", tool_input: { command: "make test" }, tool_use_id: "t-1" };
const lead = as("team-lead");

export const HOOKS: Operation[] = [
  hook("session-start", { source: "startup" }),
  hook("user-prompt-submit", { prompt: "go on" }),
  hook("pre-tool-use", bash),
  {
    ...hook(
      "pre-tool-use",
      { ...LEAD, tool_name: "Agent", tool_input: { name: "carl", prompt: "x", subagent_type: "Explore" } },
      lead,
    ),
    name: "pre-tool-use Agent",
  },
  {
    ...hook("pre-tool-use", { tool_name: "TaskUpdate", tool_input: { taskId: "3", status: "in_progress" } }),
    name: "pre-tool-use TaskUpdate",
  },
  hook("post-tool-use", { ...bash, tool_response: "ok" }),
  hook("post-tool-use-failure", { ...bash, error: "no" }),
  hook("permission-request", bash),
  hook("notification", { message: "waits", notification_type: "idle_prompt" }),
  hook("subagent-start", subagent),
  hook("subagent-stop", { ...subagent, last_assistant_message: "found it" }),
  hook("stop", { last_assistant_message: "all done" }),
  hook("stop-failure", { error: "rate_limit", last_assistant_message: "half done" }),
  { ...hook("file-changed", { event: "change" }), name: "file-changed", start: pushed },
  hook("teammate-idle", { teammate_name: "bob", team_name: "atm-dev" }),
  hook("task-completed", {
    task_id: "1",
    task_subject: "task 1",
    teammate_name: "bob",
    team_name: "atm-dev",
  }),
  hook("pre-compact", { trigger: "manual" }),
  hook("session-end", { reason: "other" }),
  { ...hook("session-end", { ...LEAD, reason: "other" }, lead), name: "session-end of the lead" },
];

function pushed(home: Home, more: Start = {}): Promise<Ran> {
  const file_path = home.path(inboxOf("bob"));
  return startHook(
    home,
    "file-changed",
    { ...BOB, event: "change", file_path },
    { ...more, env: { ...as("bob"), ...more.env } },
  );
}

/** More readers than a broadcast writes to one by one. */
const MANY = Array.from({ length: 32 }, (_, n) => `reader-${n}`);

function broadcastToMany(home: Home, start: Start = {}): Promise<Ran> {
  aTeam(home, ["team-lead", "alice", "bob", ...MANY]);
  return startVerb(home, ["broadcast", "to a large team"], { ...start, env: { ...as("bob"), ...start.env } });
}

export const VERBS: Operation[] = [
  verb(["send", "alice", "sent now"], { sends: "sent now" }),
  verb(["send", "alice", "the answer", "--reply-to", "f-3"], {
    name: "swarm send --reply-to",
    sends: "the answer",
  }),
  verb(["broadcast", "to all of you"], { sends: "to all of you" }),
  {
    ...verb(["broadcast", "to a large team"]),
    name: "swarm broadcast, large team",
    start: broadcastToMany,
    sends: "to a large team",
    to: MANY,
  },
  verb(["inbox"]),
  verb(["task", "create", "a new one", "--blocked-by", "3"]),
  verb(["task", "claim", "3"]),
  verb(["task", "done", "1"]),
  verb(["task", "release", "1"]),
  verb(["task", "delete", "3"], { takes: ["task 3"] }),
  verb(["effort", "start", "review", "--dir", "other"]),
  verb(["effort", "log", "did this"]),
  verb(["effort", "phase", "2: build"]),
  verb(["effort", "dehydrate", "where it stands", "--next", "go on"]),
  verb(["effort", "finish", "it works"]),
  verb(["status", "set", "reading"]),
  {
    ...verb(["create", "second", "another team"]),
    start: (home, start = {}) =>
      startVerb(home, ["create", "second"], {
        ...start,
        env: { CLAUDE_CODE_SESSION_ID: "s-new", ...start.env },
      }),
  },
  // Bob becomes the lead and gives up his name; his mail and tasks are the lead's.
  verb(["lead", "take", "atm-dev", "--force"], { takes: ["member bob"] }),
  verb(["suspend"], {}, "team-lead"),
  verb(["statusline", "install"]),
];
