// A verb of `swarm`: its declaration, its arguments, its answer. Exit code 0: done; 1: refused or not found; 2: wrong usage.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readText } from "../core/files.ts";
import { whyNotSegment } from "../core/paths.ts";
import { type LoadedSettings, readSettings } from "../core/settings.ts";
import { plainJson } from "../core/text.ts";
import { type Environment, readEnvironment, workingDirectory } from "../hook/environment.ts";
import type { Identity } from "../hook/identity.ts";
import { print, readStdin, writeAll } from "../hook/stdio.ts";
import { readSession, sessionsBefore } from "../sessions/store/sessions.ts";
import { identityIn, speakerOf } from "./speaker.ts";

/** `optional`: the value may be left out and is then empty; a next word that holds a space or begins with a dash is not its value. */
type Flag = { type: "string" | "boolean"; short?: string; multiple?: boolean; optional?: boolean };
type Flags = Record<string, Flag>;
type ValueOf<F extends Flag> = F["type"] extends "boolean"
  ? boolean
  : F["multiple"] extends true
    ? string[]
    : string;

export interface Call<F extends Flags> extends Environment {
  cwd: string;
  words: string[];
  flags: { [N in keyof F]?: ValueOf<F[N]> } & { json?: boolean };
  readonly loaded: LoadedSettings;
  /** Who speaks. Asking for it throws where the environment contradicts the session's record. */
  readonly identity: Identity;
  /** Whom `session` is on record as: the speaker itself, or the session a person named by `--session-id`. */
  readonly subject: Identity;
  session: string | undefined;
  stdin: () => string;
  /** A file the person named. */
  readInput: (path: string) => string;
}

export interface Command<F extends Flags> {
  name: string;
  /** One line, for `swarm help` and the reference. */
  summary: string;
  /** Its forms on the first line, then what it does. */
  usage: string;
  flags?: F;
  /**
   * What `--session-id` may name. `caller` (the default): only the session this runs in. `subject`: outside any session also the
   * one the verb is about, which gives the speaker no name. `data`: anything, the verb checks it.
   */
  sessionId?: "caller" | "subject" | "data";
  /** What it prints: text for a person, `data` for `--json`. */
  run: (call: Call<F>) => Result | Promise<Result>;
}

type Result = Answer | undefined | void;

export interface Answer {
  text: string;
  /** Printed as it is in place of `text`, for colours: every foreign part of it must have been cleaned before. */
  styled?: string;
  data?: unknown;
  exitCode?: number;
}

/** Keeps the types of its flags. */
export const command = <F extends Flags>(one: Command<F>): Command<F> => one;

// biome-ignore lint/suspicious/noExplicitAny: any verb will do here
export type AnyCommand = Command<any>;

/** A mistake in the call, not in the program: said in one line, with the way to the usage. */
export const badCall = (message: string): Error => Object.assign(new Error(message), { isCall: true });

export function runCommand<F extends Flags>(verb: Command<F>, args: string[]): void {
  try {
    const { words, flags, help } = argumentsOf(verb, args);
    const result = help ? { text: verb.usage } : verb.run(callOf(words, flags, verb.sessionId));
    if (result instanceof Promise)
      result
        .then((answer) => give(answer, flags.json))
        .catch((error) => fail(verb.usage, args.includes("--json"), error));
    else give(result, flags.json);
  } catch (error) {
    fail(verb.usage, args.includes("--json"), error);
  }
}

function give(answer: Result, asJson = false): void {
  if (!answer) return;
  if (asJson) writeAll(1, `${plainJson(answer.data ?? { text: answer.text }, 2)}\n`);
  else if (answer.styled) writeAll(1, `${answer.styled}\n`);
  else if (answer.text) print(1, `${answer.text}\n`);
  process.exitCode = answer.exitCode ?? 0;
}

/** With `--json` the error is an object on stdout, so that a program reads one stream. */
function fail(usage: string, asJson: boolean, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const isCall = (error as { isCall?: boolean } | undefined)?.isCall === true;
  const hint = isCall ? `usage: ${usage.split("\n")[0]}` : undefined;
  if (asJson) writeAll(1, `${plainJson({ error: message, hint }, 2)}\n`);
  else print(2, `swarm: ${message}\n${hint ? `${hint}\n` : ""}`);
  process.exitCode = isCall ? 2 : 1;
}

function argumentsOf<F extends Flags>(verb: Command<F>, args: string[]) {
  const options = {
    ...verb.flags,
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    const { values, positionals } = parseArgs({
      args: withOptionalValues(args, verb.flags ?? {}),
      options,
      allowPositionals: true,
    });
    const { help, ...flags } = values as Record<string, unknown>;
    return { words: positionals, flags: flags as Call<F>["flags"], help: help === true };
  } catch (error) {
    throw badCall((error as Error).message.split(". ")[0] ?? "bad call");
  }
}

function withOptionalValues(args: readonly string[], flags: Flags): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isOptional = (word: string | undefined) =>
    word?.startsWith("--") === true && flags[word.slice(2)]?.optional === true;
  return args.flatMap((word, at) => {
    if (at >= end) return [word];
    if (at > 0 && isOptional(args[at - 1]) && isValue(word)) return []; // taken by the flag before it
    if (!isOptional(word)) return [word];
    const next = at + 1 < end ? args[at + 1] : undefined;
    return [next !== undefined && isValue(next) ? `${word}=${next}` : `${word}=`];
  });
}

const isValue = (word: string) => /^[^-\s]\S*$/.test(word);

function callOf<F extends Flags>(
  words: string[],
  flags: Call<F>["flags"],
  sessionId: Command<F>["sessionId"],
): Call<F> {
  const environment = readEnvironment();
  const given = (flags as Record<string, unknown>)["session-id"] as string | undefined;
  const session = sessionFor(environment, given, sessionId);
  const cwd = workingDirectory(environment.paths.home);
  const loaded = readSettings(environment.paths, cwd, environment.projectDir);
  const speaker = () => speakerOf(environment, environment.sessionId, loaded.values["core.default_team"]);
  return {
    ...environment,
    cwd,
    words,
    flags,
    session,
    loaded,
    get identity() {
      return speaker();
    },
    get subject() {
      const isNamed = session !== undefined && environment.sessionId === undefined;
      return (isNamed && identityIn(readSession(environment.paths, { session }))) || speaker();
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

/** Nobody becomes another session by naming it. */
function sessionFor(
  { paths, sessionId: own, wrapperId }: Environment,
  given: string | undefined,
  may: Command<Flags>["sessionId"] = "caller",
): string | undefined {
  const bad = whyNotSegment(given ?? own ?? "none");
  if (bad) throw badCall(`the session id ${bad}`);
  if (given === undefined || may === "data") return given ?? own;
  if (own === undefined && may === "subject") return given;
  if (own === undefined)
    throw badCall(
      "--session-id does not make you that session: outside a session you speak as person, without it",
    );
  if (given === own || given === wrapperId || sessionsBefore(paths, own).includes(given)) return own;
  throw new Error(`this is session ${own}, not ${given}: leave --session-id out`);
}
