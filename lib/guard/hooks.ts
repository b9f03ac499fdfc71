// Dangerous commands and writes to protected paths are held back before they run, however they are spelled; harmless ones
// pass unseen. Each denial names its rule, a safer way and the setting that changes it.

import { existsSync, statSync } from "node:fs";
import { realPath } from "../core/files.ts";
import { beginGuarded } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import { type Context, noEffects } from "../hook/context.ts";
import { attendanceOf, type Environment } from "../hook/environment.ts";
import type * as events from "../hook/events.ts";
import { consumeBlock } from "../hook/gate.ts" with { loading: "lazy" };
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { SHELLS, WRITERS } from "../hook/tools.ts";
import { lifeOf, readProcesses } from "../system/processes.ts";
import { judge, judgePowerShell } from "./judge.ts" with { loading: "lazy" };
import { isAt, resolvePath } from "./paths.ts";
import { judgeWrite } from "./protected-paths.ts" with { loading: "lazy" };
import type { GuardSettings } from "./settings.ts";
import {
  type Agent,
  type AllowedCommand,
  DECISIONS,
  type Decision,
  type Policy,
  type Situation,
  type Verdict,
} from "./situation.ts";
import { outcomeOf } from "./verdict.ts" with { loading: "lazy" };

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  beginGuarded(ctx.paths);
  const text = textOf(ctx);
  if (text === undefined) return undefined;
  const verdict = verdictOn(text, ctx);
  return verdict && outcomeOf(verdict, ctx, text);
};

/** For the runner, when the guard itself has failed: the call goes on, and the person reads so once a session. */
export function unchecked(ctx: Context): Outcome | undefined {
  const { session_id, agent_id = "main" } = ctx.input;
  const isFirst = session_id === "" || consumeBlock(ctx.paths, session_id, agent_id, "guard:unchecked", 1);
  return isFirst
    ? { notice: "Swarm's command guard failed and did not check this call; `swarm doctor` tells why." }
    : undefined;
}

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

/** What the tool runs or writes. */
function textOf({ input: { tool_name, tool_input }, settings }: Call): string | undefined {
  const text = tool_input[SHELLS.includes(tool_name) ? "command" : (WRITERS.get(tool_name) ?? "")];
  return typeof text === "string" && text !== "" && settings["guard.enabled"] ? text : undefined;
}

function verdictOn(text: string, ctx: Call): Verdict | undefined {
  const { tool_name } = ctx.input;
  const situation = situationOf(ctx, ctx.loaded);
  if (!SHELLS.includes(tool_name)) return judgeWrite(text, situation);
  ctx.effects = situation.effects = noEffects();
  return tool_name === "Bash" ? judge(text, situation) : judgePowerShell(text, situation);
}

// The situation of a real run: the paths, the policy, the other agents on this machine.
/** A command is read in a few milliseconds; this much work means that it was made to take long. */
export const DEADLINE_MS = 250;

/** Of the settings, what concerns the guard. */
interface GuardedBy {
  values: GuardSettings;
  projectAsks: Readonly<Record<string, unknown>>;
}

type Around = Pick<
  Environment,
  "paths" | "projectDir" | "clientPid" | "now" | "mode" | "attended" | "entrypoint" | "named"
> & { cwd: string };

const plain = (path: string) => resolvePath(path, "/");

export function situationOf(environment: Around, settings: GuardedBy): Situation {
  const { paths, cwd, projectDir, clientPid, now } = environment;
  return {
    cwd,
    project: projectDir !== undefined && isAt(plain(cwd), plain(projectDir)) ? projectDir : cwd,
    home: paths.home,
    temp: paths.tmp,
    base: paths.base,
    agents: () => agentsOf(paths, clientPid),
    policy: policyOf(settings),
    attendance: attendanceOf(environment),
    probe: PROBE,
    now: now.getTime(),
    clock: workedMs,
    deadlineMs: DEADLINE_MS,
  };
}

/** WSL has Windows drives below /mnt; the guard writes `/mnt/c/x` as `/c/x`. */
export const onDisk = (path: string, exists = existsSync): string =>
  /^\/[a-z](?=\/|$)/.test(path) && !exists(path.slice(0, 2)) ? `/mnt${path}` : path;

const PROBE: Situation["probe"] = {
  realPath: (path) => realPath(onDisk(path)),
  isDirectory: (path) => isDirectory(onDisk(path)),
  exists: (path) => existsSync(onDisk(path)),
};

/** Absent, unreadable or going in circles is no directory. Behind its slash there is something only where it is one, save on
 *  Windows, where the slash is not looked at; the rest of the answer costs ten times as much. */
export function isDirectory(path: string, platform = process.platform): boolean {
  if (!existsSync(`${path}/`)) return false;
  return platform !== "win32" || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whom no command may end: the client itself and the other agents of ours. */
function agentsOf(paths: Paths, clientPid: number): Agent[] {
  const others = readProcesses(paths).filter((known) => known.pid !== clientPid && lifeOf(known) !== "gone");
  const agents = others.map(({ pid, pane, team, agent }) => ({
    name: agent ?? `process ${pid}`,
    pid,
    ...(pane === undefined ? {} : { pane }),
    ...(team && agent ? { session: `swarm-${team}-${agent}` } : {}),
  }));
  return [{ name: "this client", pid: clientPid }, ...agents];
}

/** Processor time, not the clock: a busy machine must not make work look slow. */
function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// The guard's policy from the settings files: the person's word first, a project's only where it is stricter.
const isDecision = (entry: [string, unknown]): entry is [string, Decision] =>
  DECISIONS.includes(entry[1] as Decision);

const decisions = (table: unknown): Record<string, Decision> =>
  Object.fromEntries(Object.entries(table ?? {}).filter(isDecision));

/** An entry without a reason is no permission. */
function allowedCommands(table: Record<string, unknown>): AllowedCommand[] {
  return Object.values(table).flatMap((entry) => {
    const { match, reason, expires } = (entry ?? {}) as Record<string, unknown>;
    if (typeof match !== "string" || typeof reason !== "string" || match === "" || reason === "") return [];
    return [{ match, reason, ...(expires === undefined ? {} : { expires: String(expires) }) }];
  });
}

export function policyOf({ values, projectAsks }: GuardedBy): Policy {
  return {
    rules: decisions(values["guard.rules"]),
    atLeast: decisions(projectAsks["guard.rules"]),
    protect: values["guard.protect"],
    protectInside: (projectAsks["guard.protect"] ?? []) as readonly string[],
    unprotect: values["guard.unprotect"],
    allowPaths: values["guard.allow_paths"],
    allowCommands: allowedCommands(values["guard.allow_commands"]),
  };
}
