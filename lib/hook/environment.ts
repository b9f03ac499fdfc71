// The only file that touches what surrounds a run: the environment, the clock and the process's own streams.

import { fstatSync, readSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { hasCode, ifThere } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import { type Env, sleepSync } from "../core/process.ts";
import { plainText } from "../core/text.ts";

const UNATTENDED_MODES = ["mission", "background", "autonomous"] as const;
export type Mode = "interactive" | (typeof UNATTENDED_MODES)[number];

/** The entry of an event that the client does not wait for, where it has one that it waits for too. */
export const BESIDE_TURN = "beside-turn";

export function readEnvironment(env: Env = process.env) {
  return {
    paths: pathsFrom(env),
    now: new Date(),
    projectDir: given(env["CLAUDE_PROJECT_DIR"]),
    /** The client's process: `CLAUDE_PID`, or on older clients our parent (exec form starts us without a shell). */
    clientPid: wholeNumber(env["CLAUDE_PID"]) ?? process.ppid,
    /** False when a person runs a script by hand: then our parent is a shell and no client. */
    insideClient: env["CLAUDECODE"] === "1" || wholeNumber(env["CLAUDE_PID"]) !== undefined,
    clientVersion: versionIn(env["AI_AGENT"]),
    /** `cli` on a screen, `sdk-cli` in `-p`. */
    entrypoint: given(env["CLAUDE_CODE_ENTRYPOINT"]),
    sessionId: given(env["CLAUDE_CODE_SESSION_ID"]),
    /** `CLAUDE_SESSION_ID` as a spawn wrapper sets it (Claude OS hooks). */
    wrapperId: given(env["CLAUDE_SESSION_ID"]),
    role: given(env["CLAUDE_SESSION_ROLE"]),
    mode: modeOf(env["CLAUDE_SESSION_MODE"]),
    missionId: given(env["MISSION_EXECUTION_ID"]),
    /** `PROJECT_PATH`: the project a role of Claude OS hooks works on, where that is not the one the client runs in. */
    projectPath: given(env["PROJECT_PATH"]),
    /** The size at which the person set the client to compact, or to which the large window was cut, in tokens. */
    compactWindow: wholeNumber(env["CLAUDE_CODE_AUTO_COMPACT_WINDOW"]) ?? withoutLargeWindow(env),
    /** False where no person watches: `-p`, pane teammates. */
    attended: yesOrNo(env["CLAUDE_CODE_SESSION_ATTENDED"]),
    pane: given(env["TMUX_PANE"]),
    tmux: given(env["TMUX"]),
    envFile: given(env["CLAUDE_ENV_FILE"]),
    pluginRoot: given(env["CLAUDE_PLUGIN_ROOT"]),
    /** Where these scripts come from, also in the Bash tool, which does not know the plugin's root. */
    ownRoot: resolve(__dirname, "..", ".."),
    /** What a client started by us inherits; read for nothing else. */
    env,
    /** The client to start teammates with: a person's choice, or the very one this session runs in. */
    teammateCommand: given(env["CLAUDE_CODE_TEAMMATE_COMMAND"]),
    clientProgram: given(env["CLAUDE_CODE_EXECPATH"]),
    /** A person's choice of where teammates live (Claude Swarm hooks). */
    multiplexer: given(env["SWARM_MULTIPLEXER"]) ?? given(env["CLAUDE_CODE_TEAMMATE_MODE"]),
    kitty: {
      socket: given(env["KITTY_LISTEN_ON"]),
      mode: given(env["SWARM_KITTY_MODE"]),
      window: given(env["KITTY_WINDOW_ID"]),
    },
    /** Variables of Claude Swarm hooks, set for a client that was started as a member of a named team. */
    named: {
      team: given(env["CLAUDE_CODE_TEAM_NAME"]),
      agent: given(env["CLAUDE_CODE_AGENT_NAME"]),
      agentId: given(env["CLAUDE_CODE_AGENT_ID"]),
      agentType: given(env["CLAUDE_CODE_AGENT_TYPE"]),
      leadId: given(env["CLAUDE_CODE_TEAM_LEAD_ID"]),
    },
    /** What the client was allowed: its own teams, and the Task tools where they are off by default. */
    clientFlags: {
      teams: given(env["CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"]),
      taskTools: given(env["CLAUDE_CODE_ENABLE_TODO_TOOLS"]),
    },
    /** `CLAUDE_CODE_TASK_LIST_ID`: the list the client's own Task tools work on, whatever the team. */
    taskList: given(env["CLAUDE_CODE_TASK_LIST_ID"]),
    /** Variables of ATM hooks. */
    atm: { team: given(env["ATM_TEAM"]), identity: given(env["ATM_IDENTITY"]) },
    /** Engine hooks: the fleet's name for this agent. */
    fleetId: given(env["AGENT_ID"]),
    keepAlive: env["SWARM_KEEP_ALIVE"] === "true",
    path: env["PATH"] ?? "",
    /** `NO_COLOR`: a person's wish for plain text everywhere. */
    noColour: given(env["NO_COLOR"]) !== undefined,
    nodeVersion: process.versions.node,
    /** `linux x64`. */
    system: `${process.platform} ${process.arch}`,
    /** False where a file's mode says nothing about who may read it. */
    knowsModes: process.platform !== "win32",
    /** `NODE_EXTRA_CA_CERTS`: makes the start of Node 20 three times as long. */
    extraCertificates: given(env["NODE_EXTRA_CA_CERTS"]),
    disabled: new Set(env["SWARM_DISABLE"]?.split(/[\s,]+/).filter(Boolean)),
    /** What hooks.json says behind the script, where one event has two entries. */
    entry: process.argv[2],
  };
}

type Read = ReturnType<typeof readEnvironment>;

/** A client that another agent started has the variables of that agent, and they are left out. */
export interface Environment extends Omit<Read, "named" | "atm"> {
  named: Partial<Read["named"]>;
  atm: Partial<Read["atm"]>;
}

const withoutLargeWindow = (env: Env) =>
  /^(1|true|yes|on)$/i.test(env["CLAUDE_CODE_DISABLE_1M_CONTEXT"] ?? "") ? 200_000 : undefined;

function pathsFrom(env: Env): Paths {
  const home =
    given(env["HOME"]) ??
    given(env["USERPROFILE"]) ??
    (require("node:os") as typeof import("node:os")).homedir();
  return {
    home,
    base: resolve(given(env["CLAUDE_CONFIG_DIR"]) ?? `${home}/.claude`),
    atmHome: given(env["ATM_HOME"]) ?? home,
    tmp: given(env["TMPDIR"]) ?? given(env["TEMP"]) ?? given(env["TMP"]) ?? "/tmp",
  };
}

/**
 * Where this node keeps the bytecode of our scripts: code that was compiled by another version or under other options is rejected
 * by V8. The client names a directory for the plugin's data; run by hand there is none.
 */
export function bytecodePlace(env: Env = process.env): string {
  const options = [process.version, process.arch, ...process.execArgv, env["NODE_OPTIONS"] ?? ""].join(" ");
  const cache = given(env["CLAUDE_PLUGIN_DATA"]) ?? `${pathsFrom(env).base}/swarm/cache`;
  return `${cache}/bytecode/${encodeURIComponent(options.trim()).slice(0, 200)}`;
}

/** Not part of the environment: a payload names the directory, and asking costs. */
export function workingDirectory(home: string): string {
  return ifThere(() => process.cwd()) ?? home; // the directory may have been deleted under us
}

const given = (value: string | undefined) => (value === undefined || value.trim() === "" ? undefined : value);

/** `claude-code_2-1-325_harness` is 2.1.325. */
function versionIn(agent = ""): string | undefined {
  const [program, version = ""] = agent.split("_");
  const numbers = version.split("-").slice(0, 3).map(Number);
  return program === "claude-code" && numbers.length === 3 && numbers.every(Number.isInteger)
    ? numbers.join(".")
    : undefined;
}

function wholeNumber(value: string | undefined): number | undefined {
  const pid = Number(value);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

const yesOrNo = (value: string | undefined) => (value === "1" || value === "0" ? value === "1" : undefined);

function modeOf(value: string | undefined): Mode {
  const mode = value?.trim().toLowerCase();
  return UNATTENDED_MODES.find((one) => one === mode) ?? "interactive";
}

/** Whether a person can answer a question in this very session. */
export type Attendance = "attended" | "unattended";

/**
 * Unattended: mission, background and autonomous sessions, headless clients, and clients that were started as a teammate, which show a
 * question in a pane where usually nobody looks. Unknown counts as attended: an interactive client shows the question in every
 * permission mode, and `-p` takes it for a denial.
 */
export function attendanceOf(
  session: Pick<Environment, "mode" | "attended" | "entrypoint" | "named">,
): Attendance {
  const { mode, attended, entrypoint, named } = session;
  const isHeadless = attended === false || entrypoint === "sdk-cli";
  const isTeammate = named.agentId !== undefined && named.agentId !== named.leadId;
  return mode !== "interactive" || isHeadless || isTeammate ? "unattended" : "attended";
}

// The streams. Synchronous: node's own streams cost a fifth of a start.

const LARGEST_INPUT_CHARACTERS = 64 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const PAUSE_MS = 2;

/** Not by `readFileSync`, which loses what it has read where a pipe is not ready for the next piece. */
export function readStdin(): string {
  let bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  let end = 0;
  for (let length = readPiece(bytes, 0); length > 0; length = readPiece(bytes, end)) {
    end += length;
    if (end === bytes.length) bytes = Buffer.concat([bytes], 2 * end);
  }
  const text = bytes.toString("utf8", 0, end);
  if (text.length > LARGEST_INPUT_CHARACTERS)
    throw new Error(`the input has ${text.length} characters, too many`);
  return text;
}

/** How many bytes it is; none at the end, and where there is no input at all. */
function readPiece(into: Buffer, at: number, ...ends: string[]): number {
  const read = () => readSync(0, into, at, into.length - at, null);
  return ifThere(() => whenReady(read), "EOF", "EBADF", "ENXIO", ...ends) ?? 0;
}

function whenReady<T>(work: () => T): T {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!hasCode(error, "EAGAIN")) throw error;
      sleepSync(PAUSE_MS);
    }
  }
}

/** False where nobody listens any more. */
export function writeAll(fd: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) {
    const taken = ifThere(() => whenReady(() => writeSync(fd, bytes, at)), "EPIPE", "EBADF");
    if (taken === undefined) return false;
    at += taken;
  }
  return true;
}

/** For everything a person or a model reads: no escape sequence, nothing hidden. */
export const print = (fd: 1 | 2, text: string): void => {
  writeAll(fd, plainText(text));
};

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/** Asked only by verbs that draw: the stream behind it costs a fifth of a start, and is loaded only where there may be a terminal. */
export function terminal(): { isTerminal: boolean; columns: number; rows: number } {
  const isDevice = ifThere(() => fstatSync(1).isCharacterDevice(), "EBADF");
  const isTerminal = isDevice === true && process.stdout.isTTY === true;
  const { columns, rows } = isTerminal ? process.stdout : {};
  return { isTerminal, columns: columns || USUAL_COLUMNS, rows: rows || USUAL_ROWS };
}

/** Shows a text and waits for a yes; `undefined` where nobody can be asked. */
export function askPerson(text: string): boolean | undefined {
  const { isatty } = require("node:tty") as typeof import("node:tty");
  if (!isatty(0) || !terminal().isTerminal) return undefined;
  print(1, `${text} [y/N] `);
  return /^y(es)?$/i.test(readAnswer().trim());
}

/** To the end of the line: a terminal hands over one at a time. */
function readAnswer(): string {
  const line = Buffer.alloc(256);
  return line.toString("utf8", 0, readPiece(line, 0, "EIO"));
}
