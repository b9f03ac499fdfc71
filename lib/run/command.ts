// A verb of `swarm`: the reverse of a hook. It fails loud: one line on stderr, exit code 1, or 2 for a bad call.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readText } from "../store/read-text.ts";
import { readSession, type SessionRecord } from "../store/sessions.ts";
import { type LoadedSettings, readSettings } from "../store/settings.ts";
import { identify } from "./context.ts";
import type { Identity } from "./identity.ts";
import { readStdin, writeAll } from "./stdio.ts";
import { type Surroundings, surroundings, workingDirectory } from "./surroundings.ts";

type Flag = { type: "string" | "boolean"; short?: string; multiple?: boolean };
type Flags = Record<string, Flag>;
type ValueOf<F extends Flag> = F["type"] extends "boolean"
  ? boolean
  : F["multiple"] extends true
    ? string[]
    : string;

export interface Call<F extends Flags> extends Surroundings {
  cwd: string;
  words: string[];
  flags: { [N in keyof F]?: ValueOf<F[N]> } & { json?: boolean };
  readonly loaded: LoadedSettings;
  /** The calling agent, by `--session-id`, the client's environment, or the settings. */
  readonly identity: Identity;
  session: string | undefined;
  stdin: () => string;
  /** A file the person named. */
  readInput: (path: string) => string;
}

export interface Verb<F extends Flags> {
  usage: string;
  flags?: F;
  /** What it prints: text for a person, `data` for `--json`. */
  run: (call: Call<F>) => Answer | undefined | void | Promise<Answer | undefined>;
}

export interface Answer {
  text: string;
  data?: unknown;
  exitCode?: number;
}

/** A mistake in the call, not in the program: said in one line, with the way to the usage. */
export const badCall = (message: string): Error => Object.assign(new Error(message), { isCall: true });

export function runCommand<F extends Flags>(verb: Verb<F>): void {
  try {
    const { words, flags, help } = argumentsOf(verb);
    const answer = help ? { text: verb.usage } : verb.run(callOf(words, flags));
    if (answer instanceof Promise)
      answer.then((later) => print(later, flags.json)).catch((error) => fail(verb.usage, error));
    else print(answer, flags.json);
  } catch (error) {
    fail(verb.usage, error);
  }
}

function print(answer: Answer | undefined | void, asJson: boolean | undefined): void {
  if (!answer) return;
  const text = asJson ? JSON.stringify(answer.data ?? { text: answer.text }, null, 2) : answer.text;
  if (text) writeAll(1, `${text}\n`);
  process.exitCode = answer.exitCode ?? 0;
}

function fail(usage: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const isCall = (error as { isCall?: boolean } | undefined)?.isCall === true;
  writeAll(2, `swarm: ${message}\n${isCall ? `usage: ${usage.split("\n")[0]}\n` : ""}`);
  process.exitCode = isCall ? 2 : 1;
}

function argumentsOf<F extends Flags>(verb: Verb<F>) {
  const options = {
    ...verb.flags,
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      options,
      allowPositionals: true,
    });
    const { help, ...flags } = values as Record<string, unknown>;
    return { words: positionals, flags: flags as Call<F>["flags"], help: help === true };
  } catch (error) {
    throw badCall((error as Error).message.split(". ")[0] ?? "bad call");
  }
}

function callOf<F extends Flags>(words: string[], flags: Call<F>["flags"]): Call<F> {
  const around = surroundings();
  const given = (flags as Record<string, unknown>)["session-id"] as string | undefined;
  const session = given ?? around.sessionId;
  const cwd = workingDirectory(around.places.home);
  const loaded = readSettings(around.places, cwd, around.projectDir);
  const record = () => (session ? readSession(around.places, { session }) : undefined);
  return {
    ...around,
    cwd,
    words,
    flags,
    session,
    loaded,
    get identity() {
      return identify({ session_id: session }, withoutOlder(around, record()), record, () => loaded.values);
    },
    stdin: readStdin,
    readInput: (path) => inputFrom(resolve(cwd, path)),
  };
}

function inputFrom(path: string): string {
  const text = readText(path);
  if (text === undefined) throw badCall(`there is no file ${path}`);
  return text;
}

/** The shell's variables were exported at session start; a team that was made or joined since is in the record. */
const withoutOlder = (around: Surroundings, record: SessionRecord | undefined): Surroundings =>
  record?.team && record.agent ? { ...around, named: {}, atm: {} } : around;
