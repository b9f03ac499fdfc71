// Several agents in one real repository: what each is answered before a call, and then the call itself, run for real.
import { spawnSync } from "node:child_process";
import * as guard from "../../lib/guard/hooks.ts";
import { PostToolUse, PreToolUse } from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import * as worktrees from "../../lib/worktrees/hooks/shared.ts";
import { aContext } from "./a-context.ts";
import { anAgent, gitEnvironment, type Repository } from "./a-repository.ts";

export interface Actor {
  session: string;
  /** What the hooks say to a shell command; a command they let through is run. */
  sh: (command: string, at?: string) => Outcome;
  /** Only asks, and runs nothing. */
  ask: (command: string, at?: string) => Outcome;
  /** What they say to an edit; without a denial the file is written. */
  edit: (file: string, at?: string) => Outcome;
  read: (file: string, at?: string) => void;
}

let calls = 0;
let last = 0;

/** Later than every moment before: two agents' calls within one millisecond would have no order. */
function aMoment(): Date {
  while (Date.now() <= last);
  last = Date.now();
  return new Date(last);
}

export function anActor({ home, put }: Repository, name: string, env: Record<string, string> = {}): Actor {
  const session = anAgent(home, name, { cwd: home.project });
  const before = (tool_name: string, tool_input: object, cwd: string) => {
    const tool_use_id = `call-${++calls}`;
    const input = { session_id: session, tool_name, tool_input, tool_use_id, cwd };
    const ctx = aContext(home, PreToolUse, input, { now: aMoment(), env });
    guard.preToolUse(ctx); // its verdict is its own matter here; what it read of the command counts
    const outcome = worktrees.preToolUse(ctx) ?? {};
    if (outcome.deny === undefined) sessions.preToolUse(ctx);
    return { outcome, tool_use_id };
  };
  const after = (tool_name: string, tool_input: object, cwd: string, tool_use_id: string) => {
    const input = { session_id: session, tool_name, tool_input, tool_use_id, cwd };
    const ctx = aContext(home, PostToolUse, input, { now: aMoment(), env });
    worktrees.postToolUse(ctx);
    sessions.postToolUse(ctx);
  };
  const shell = (command: string, cwd: string, isRun: boolean) => {
    const { outcome, tool_use_id } = before("Bash", { command }, cwd);
    if (isRun && outcome.deny === undefined) {
      const done = spawnSync("bash", ["-c", command], { cwd, encoding: "utf8", env: gitEnvironment(cwd) });
      if (done.status !== 0) throw new Error(`${command}: ${done.stdout}${done.stderr}`);
    }
    if (outcome.deny === undefined) after("Bash", { command }, cwd, tool_use_id);
    return outcome;
  };
  return {
    session,
    sh: (command, at = home.project) => shell(command, at, true),
    ask: (command, at = home.project) => shell(command, at, false),
    edit: (file, at = home.project) => {
      const file_path = `${at}/${file}`;
      const { outcome, tool_use_id } = before("Edit", { file_path }, at);
      if (outcome.deny !== undefined) return outcome;
      put(file, `${name} ${++calls}\n`, at);
      after("Edit", { file_path }, at, tool_use_id);
      return outcome;
    },
    read: (file, at = home.project) => after("Read", { file_path: `${at}/${file}` }, at, `call-${++calls}`),
  };
}
