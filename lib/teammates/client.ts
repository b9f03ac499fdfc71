// The client that a teammate is started with: its command line, with program, plugins and agent as far as possible like the lead's, and
// its environment.

import { dirname, resolve } from "node:path";
import { readClientSettings } from "../core/client-settings.ts";
import { statIfThere } from "../core/files.ts";
import type { Env } from "../core/process.ts";
import { findSession, lifeOfRecord } from "../sessions/store/sessions.ts";
import { findProgram, readClient } from "../system/programs.ts";
import { leadOf, type Member, type Team } from "../teams/store/config.ts";
import type { Backend } from "./backends.ts";
import type { StartCall } from "./commands.ts";
import type { MemberPlan } from "./launch.ts";
import { inheritedMode } from "./policy.ts";
import { filePrompt, isLong, systemPrompt } from "./prompts.ts";
import { promptPath, readAgentDefinition } from "./store/member-files.ts";
import { ALLOW_RULES } from "./store/setup.ts";

/** The program, or an interpreter and its script. */
function commandFor({ teammateCommand, clientProgram, env }: StartCall, running: RunningClient): string[] {
  if (teammateCommand) {
    const program = findProgram(teammateCommand, env["PATH"]);
    if (program) return [program];
    throw new Error(
      `CLAUDE_CODE_TEAMMATE_COMMAND names ${teammateCommand}, which is not an executable program`,
    );
  }
  if (running) return running.command;
  const found =
    (clientProgram && findProgram(clientProgram, undefined)) || findProgram("claude", env["PATH"]);
  if (!found)
    throw new Error(
      "there is no `claude` on the PATH; CLAUDE_CODE_TEAMMATE_COMMAND can name the client to start",
    );
  return [found];
}

type RunningClient = ReturnType<typeof runningClient>;

/** The lead's client by its session's record. The start time proves it, since process ids are reused. */
function runningClient({ paths, session, cwd }: StartCall) {
  const record = findSession(paths, session);
  const client = record?.pid && lifeOfRecord(record) === "alive" ? readClient(record.pid) : undefined;
  return client && { ...client, startedIn: record?.project || cwd };
}

/** A client loads installed plugins by itself; those that the lead has by `--plugin-dir` must be passed on. */
function pluginDirsFor({ paths, flags, cwd, ownRoot }: StartCall, running: RunningClient): string[] {
  const asked = (flags["plugin-dir"] ?? []).map((dir) => resolve(cwd, dir));
  const own = readClientSettings(paths).isInstalled ? [] : [ownRoot];
  const found = running ? pluginDirsOf(running.args, (dir) => resolve(running.startedIn, dir)) : own;
  return [...new Set([...found, ...asked])];
}

/** Agent types that every client knows. A client that is given an unknown one ends at once. */
const BUILT_IN = new Set(["general-purpose", "Explore", "Plan"]);

/** A type that the client does not know is only shown in the roster and in the prompt. */
export function agentFor(call: StartCall, type: string | undefined, cwd: string): string | undefined {
  if (type === undefined) return undefined;
  if (BUILT_IN.has(type) || type.includes(":")) return type;
  return readAgentDefinition(call.paths, call.projectDir ?? cwd, type) ? type : undefined;
}

export type Launch = ReturnType<typeof launchOf>;

/** A member as its client is started. */
export function launchOf(call: StartCall, plan: MemberPlan, team: Team, member: Member, backend: Backend) {
  const { cwd, prompt } = plan;
  // tmux would start it in the home instead.
  if (!statIfThere(cwd)?.isDirectory()) throw new Error(`there is no directory ${cwd}`);
  const leadMode = inheritedMode(call, team);
  const running = runningClient(call);
  return {
    ...member,
    team: plan.team,
    lead: leadOf(team),
    leadId: team.leadAgentId,
    backend,
    cwd,
    /** The whole of it; a member's entry has only the beginning of a long one. */
    prompt,
    /** Where a prompt is written that is given on stdin, or is too long for the command line. */
    promptFile: promptPath(call.paths, plan.team, plan.name),
    command: commandFor(call, running),
    isResumed: plan.session !== undefined,
    clientAgent: agentFor(call, member.agentType, cwd),
    permissionMode: plan.permissionMode ?? leadMode,
    leadMode,
    pluginDirs: pluginDirsFor(call, running),
  };
}

/** After `--` a prompt may begin with anything; a headless client reads it from stdin. */
export function commandLine(launch: Launch): string[] {
  const { name, team, sessionId = "", prompt, promptFile } = launch;
  const isHeadless = launch.backend === "headless";
  const isInFile = !isHeadless && isLong(prompt);
  return [
    ...launch.command,
    ...[launch.isResumed ? "--resume" : "--session-id", sessionId],
    ...["--name", `${name}@${team}`],
    ...option("--model", launch.model),
    ...option("--agent", launch.clientAgent),
    ...["--permission-mode", launch.permissionMode],
    ...["--allowedTools", ALLOW_RULES.join(",")],
    ...launch.pluginDirs.flatMap((dir) => ["--plugin-dir", dir]),
    ...option("--add-dir", isInFile ? dirname(promptFile) : undefined),
    ...["--append-system-prompt", systemPrompt(launch)],
    ...(isHeadless
      ? ["-p", "--output-format", "stream-json", "--verbose"]
      : ["--", isInFile ? filePrompt(promptFile, prompt) : prompt]),
  ];
}

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);

export function pluginDirsOf(args: readonly string[], absolute: (path: string) => string): string[] {
  return args.flatMap((word, at) => {
    if (word.startsWith("--plugin-dir=")) return absolute(word.slice("--plugin-dir=".length));
    const next = args[at + 1];
    return word === "--plugin-dir" && next !== undefined ? absolute(next) : [];
  });
}

// The environment of a new client: the lead's variables, also where an older tmux server has others, without those that would give it
// the lead's identity.

/** The variables of Claude Swarm hooks. */
export const identityVariables = (launch: Launch): Record<string, string> => ({
  CLAUDE_CODE_TEAM_NAME: launch.team,
  CLAUDE_CODE_AGENT_ID: launch.agentId ?? "",
  CLAUDE_CODE_AGENT_NAME: launch.name,
  CLAUDE_CODE_AGENT_TYPE: launch.agentType ?? "teammate",
  CLAUDE_CODE_TEAM_LEAD_ID: launch.leadId ?? "",
});

/** Variables of one session and its process: with them a client would act as that session. The mode and the mission of Claude OS hooks
 * are passed on, or a teammate could do what its lead may not. */
export const SESSION_VARIABLES: readonly string[] = [
  "AGENT_ID",
  "AI_AGENT",
  "ATM_IDENTITY",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PID",
  "CLAUDE_PLUGIN_DATA",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_SESSION_ID",
  "CLAUDE_SESSION_ROLE",
];

/** Variables of one terminal: the new one has its own. */
const TERMINAL_VARIABLES = new Set(
  "_ COLUMNS GPG_TTY KITTY_PID KITTY_WINDOW_ID LINES OLDPWD PWD SHLVL SSH_TTY STY TERM TERMINFO TERM_PROGRAM TERM_PROGRAM_VERSION TERM_SESSION_ID TMUX TMUX_PANE WINDOW WINDOWID".split(
    " ",
  ),
);
/** Set first when there is not room for all. */
const NEEDED =
  /^(ANTHROPIC|ATM|AWS|CLAUDE|DISABLE|GOOGLE|IS_SANDBOX|NODE|SWARM)|_PROXY$|^(HOME|LANG|PATH|SHELL|USER)$/i;

/** For a headless process, which gets no other environment. */
export function wholeEnvironment(env: Env, own: Record<string, string>): Record<string, string> {
  return { ...Object.fromEntries(inherited(env)), ...own };
}

/** For a pane of a tmux server, which has its own environment: the variables that are missing or different there. */
export function missingEnvironment(
  env: Env,
  own: Record<string, string>,
  server: Env,
  roomBytes: number,
): { set: Record<string, string>; leftOut: string[] } {
  const differing = inherited(env).filter(([name, value]) => server[name] !== value && !(name in own));
  const ranked = differing.sort((a, b) => rank(a) - rank(b));
  const set: Record<string, string> = { ...own };
  const leftOut: string[] = [];
  let room = roomBytes - Object.entries(own).reduce((sum, pair) => sum + sizeOf(pair), 0);
  for (const pair of ranked) {
    const [name, value] = pair;
    if (sizeOf(pair) > room) leftOut.push(name);
    else {
      set[name] = value;
      room -= sizeOf(pair);
    }
  }
  return { set, leftOut };
}

function inherited(env: Env): [string, string][] {
  const isOwn = (name: string) => TERMINAL_VARIABLES.has(name) || SESSION_VARIABLES.includes(name);
  return Object.entries(env).flatMap(([name, value]) =>
    value === undefined || !/^[A-Za-z_]\w*$/.test(name) || isOwn(name) ? [] : [[name, value]],
  );
}

/** `-e`, the name, `=`, the value and two terminators. */
const sizeOf = ([name, value]: [string, string]) => Buffer.byteLength(name) + Buffer.byteLength(value) + 6;
const rank = (pair: [string, string]) => (NEEDED.test(pair[0]) ? 0 : 1_000_000) + sizeOf(pair);
