// The client that a teammate is started with and its command line: program, plugins and agent as far as possible like the lead's.

import { resolve } from "node:path";
import { readClientSettings } from "../core/client-settings.ts";
import type { Environment } from "../hook/environment.ts";
import { lifeOfRecord, readSession } from "../sessions/store/sessions.ts";
import { findProgram, type RunningClient, readClient } from "../system/programs.ts";
import { readAgentDefinition } from "./store/agent-definitions.ts";
import { ALLOW_RULES } from "./store/setup.ts";

interface Caller extends Environment {
  cwd: string;
  session: string | undefined;
  flags: { "plugin-dir"?: string[] };
}

export function commandFor(call: Caller): string[] {
  const { teammateCommand, clientProgram, env } = call;
  if (teammateCommand) {
    const program = findProgram(teammateCommand, env["PATH"]);
    if (!program)
      throw new Error(
        `CLAUDE_CODE_TEAMMATE_COMMAND names ${teammateCommand}, which is not an executable program`,
      );
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

/** The lead's client by its session's record. The start time proves it, since process ids are reused. */
function runningClient({ paths, session }: Caller): RunningClient | undefined {
  const record = session ? readSession(paths, { session }) : undefined;
  return record?.pid && lifeOfRecord(record) === "alive" ? readClient(record.pid) : undefined;
}

/** A client loads installed plugins by itself; those that the lead has by `--plugin-dir` must be passed on. */
export function pluginDirsFor(call: Caller): string[] {
  const asked = (call.flags["plugin-dir"] ?? []).map((dir) => resolve(call.cwd, dir));
  const running = runningClient(call);
  const own = readClientSettings(call.paths).isInstalled ? [] : [call.ownRoot];
  const found = running ? pluginDirsOf(running.args, (dir) => resolve(startedIn(call), dir)) : own;
  return [...new Set([...found, ...asked])];
}

const startedIn = ({ paths, session, cwd }: Caller): string =>
  (session && readSession(paths, { session })?.project) || cwd;

/** Agent types that every client knows. A client that is given an unknown one ends at once. */
const BUILT_IN = new Set(["general-purpose", "Explore", "Plan"]);

/** A type without a definition is only shown in the roster and in the prompt; the client is not given it. */
export function agentFor(call: Caller, type: string | undefined, cwd: string): string | undefined {
  if (type === undefined) return undefined;
  if (BUILT_IN.has(type) || type.includes(":")) return type;
  return readAgentDefinition(call.paths, call.projectDir ?? cwd, type) ? type : undefined;
}

export interface ClientOptions {
  /** The program, or an interpreter and its script. */
  command: string[];
  session: string;
  /** Resumes the conversation of `session`. */
  isResumed: boolean;
  title: string;
  model?: string;
  agent?: string;
  permissionMode: string;
  pluginDirs: string[];
  /** The directory of a first prompt that is too long for the command line. */
  readable?: string;
  systemPrompt: string;
}

export function clientArguments(options: ClientOptions): string[] {
  return [
    ...options.command.slice(1),
    ...(options.isResumed ? ["--resume", options.session] : ["--session-id", options.session]),
    ...["--name", options.title],
    ...option("--model", options.model),
    ...option("--agent", options.agent),
    ...["--permission-mode", options.permissionMode],
    ...["--allowedTools", ALLOW_RULES.join(",")],
    ...options.pluginDirs.flatMap((dir) => ["--plugin-dir", dir]),
    ...option("--add-dir", options.readable),
    ...["--append-system-prompt", options.systemPrompt],
  ];
}

/** After `--` the prompt may begin with anything. */
export const interactiveArguments = (options: ClientOptions, prompt: string): string[] => [
  ...clientArguments(options),
  "--",
  prompt,
];

/** The prompt is given on stdin. */
export const headlessArguments = (options: ClientOptions): string[] => [
  ...clientArguments(options),
  "-p",
  ...["--output-format", "stream-json", "--verbose"],
];

const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);

/** The `--plugin-dir` values of the lead's client, made absolute. */
export function pluginDirsOf(args: readonly string[], absolute: (path: string) => string): string[] {
  return args.flatMap((word, at) => {
    if (word.startsWith("--plugin-dir=")) return absolute(word.slice("--plugin-dir=".length));
    const next = args[at + 1];
    return word === "--plugin-dir" && next !== undefined ? absolute(next) : [];
  });
}
