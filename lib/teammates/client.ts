// Which client a teammate is started with, with which plugins and as which agent: as far as possible the lead's own.

import { resolve } from "node:path";
import type { Environment } from "../hook/environment.ts";
import { readClientSettings } from "../ops/store/client-settings.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { lifeOf } from "../system/processes.ts";
import { findProgram, type RunningClient, readClient } from "../system/programs.ts";
import { readAgentDefinition } from "./store/agent-definitions.ts";

interface Asking extends Environment {
  cwd: string;
  session: string | undefined;
  flags: { "plugin-dir"?: string[] };
}

export function commandFor(call: Asking): string[] {
  const { teammateCommand, clientProgram, env } = call;
  if (teammateCommand) {
    const program = findProgram(teammateCommand, env["PATH"]);
    if (!program)
      throw new Error(`CLAUDE_CODE_TEAMMATE_COMMAND names ${teammateCommand}, which is no program to run`);
    return [program];
  }
  const running = runningClient(call)?.command;
  if (running) return running;
  const found =
    (clientProgram && findProgram(clientProgram, undefined)) || findProgram("claude", env["PATH"]);
  if (!found)
    throw new Error(
      "there is no `claude` on the PATH; CLAUDE_CODE_TEAMMATE_COMMAND can name the client to start",
    );
  return [found];
}

/** The lead's client, by its session's record: proven by its start time, since a number alone may be anybody's. */
function runningClient({ paths, session }: Asking): RunningClient | undefined {
  const record = session ? readSession(paths, { session }) : undefined;
  if (!record?.pid || lifeOf({ pid: record.pid, startedAt: record.pidStartedAt }) !== "alive")
    return undefined;
  return readClient(record.pid);
}

/** An installed plugin is there by itself; one that was given to the lead by `--plugin-dir` has to be given on. */
export function pluginDirsFor(call: Asking): string[] {
  const asked = (call.flags["plugin-dir"] ?? []).map((dir) => resolve(call.cwd, dir));
  const running = runningClient(call);
  const own = readClientSettings(call.paths).isInstalled ? [] : [call.ownRoot];
  const found = running ? pluginDirsOf(running.args, (dir) => resolve(startedIn(call), dir)) : own;
  return [...new Set([...found, ...asked])];
}

const startedIn = ({ paths, session, cwd }: Asking): string =>
  (session && readSession(paths, { session })?.project) || cwd;

/** Types every client knows; an unknown one would end it at once. */
const BUILT_IN = new Set(["general-purpose", "Explore", "Plan"]);

/** A type that no definition stands behind is a word for the roster and for the teammate, not for the client. */
export function agentFor(call: Asking, type: string | undefined, cwd: string): string | undefined {
  if (type === undefined) return undefined;
  if (BUILT_IN.has(type) || type.includes(":")) return type;
  return readAgentDefinition(call.paths, call.projectDir ?? cwd, type) ? type : undefined;
}

// The client's command line for a teammate: a list of words, so that nothing in them is ever read as a command.
export interface Start {
  /** The program, or an interpreter and its script. */
  command: string[];
  session: string;
  /** The conversation is there already and goes on. */
  again: boolean;
  title: string;
  model?: string;
  agent?: string;
  permissionMode?: string;
  pluginDirs: string[];
  /** The directory of a first prompt that was too long for a word. */
  readable?: string;
  systemPrompt: string;
}

export const BYPASS = "bypassPermissions";

export function clientWords(start: Start): string[] {
  return [
    ...start.command.slice(1),
    ...(start.again ? ["--resume", start.session] : ["--session-id", start.session]),
    ...["--name", start.title],
    ...option("--model", start.model),
    ...option("--agent", start.agent),
    ...(start.permissionMode === BYPASS
      ? ["--dangerously-skip-permissions"]
      : option("--permission-mode", start.permissionMode)),
    ...start.pluginDirs.flatMap((dir) => ["--plugin-dir", dir]),
    ...option("--add-dir", start.readable),
    ...["--append-system-prompt", start.systemPrompt],
  ];
}

/** What follows `--` is the prompt, whatever it begins with. */
export const interactiveWords = (start: Start, prompt: string): string[] => [
  ...clientWords(start),
  "--",
  prompt,
];

/** The prompt comes on stdin. */
export const headlessWords = (start: Start): string[] => [
  ...clientWords(start),
  "-p",
  ...["--output-format", "stream-json", "--verbose"],
];

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);

/** The `--plugin-dir`s of the lead's client, made absolute by where it was started. */
export function pluginDirsOf(args: readonly string[], absolute: (path: string) => string): string[] {
  return args.flatMap((word, at) => {
    if (word.startsWith("--plugin-dir=")) return absolute(word.slice("--plugin-dir=".length));
    const next = args[at + 1];
    return word === "--plugin-dir" && next !== undefined ? absolute(next) : [];
  });
}
