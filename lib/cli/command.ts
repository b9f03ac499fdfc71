// A verb of `swarm`: its declaration, its arguments, its answer. Exit code 0: done; 1: refused or not found; 2: wrong usage.
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { readText } from "../core/files.ts";
import { nearest } from "../core/nearest.ts";
import { whyNotSegment } from "../core/paths.ts";
import { once } from "../core/process.ts";
import { type LoadedSettings, readSettings } from "../core/settings.ts";
import { plainJson, plainLine, plainLines, plainText } from "../core/text.ts";
import type { Identity } from "../hook/context.ts";
import {
  askPerson,
  type Environment,
  readEnvironment,
  readStdin,
  workingDirectory,
} from "../hook/environment.ts";
import { readSession, sessionsBefore } from "../sessions/store/sessions.ts";
import { identityIn, speakerOf } from "./speaker.ts";
import { asTeamFlag, requireTeamName } from "./unknown-names.ts";

interface Values {
  text: string;
  /** May be repeated. */
  texts: string[];
  /** Has no value on the command line. */
  switch: boolean;
  /** The value may be left out and is then empty; a next word that holds a space or begins with a dash is not its value. */
  optional: string;
}
type Kind = keyof Values;
type Flags = Readonly<Record<string, Kind>>;

export interface Call<F extends Flags = Record<never, never>> extends Environment {
  cwd: string;
  words: string[];
  flags: { [N in keyof F]?: Values[F[N]] } & { json?: boolean };
  readonly loaded: LoadedSettings;
  /** Who speaks. Asking for it throws where the environment contradicts the session's record. */
  readonly identity: Identity;
  /** Whom `session` is on record as: the speaker itself, or the session a person named by `--session-id`. */
  readonly subject: Identity;
  session: string | undefined;
  stdin: () => string;
  readInput: (path: string) => string;
}

/** At most so many words; `any` where they are a text. */
type Count = number | "any";

export interface Command<F extends Flags> {
  name: string;
  /** One line, for `swarm help` and the reference. */
  summary: string;
  /** Its forms on the first line, then what it does. */
  usage: string;
  flags?: F;
  /** Its words, none by default; or its actions, each with the words after it. Any other word is refused. */
  words?: Count | Record<string, Count>;
  /**
   * What `--session-id` may name. `caller` (the default): only the session this runs in. `subject`: outside any session also the
   * one the verb is about, which gives the speaker no name. `data`: anything, the verb checks it.
   */
  sessionId?: "caller" | "subject" | "data";
  /** `--team` must name a team that exists, unless the verb checks it. */
  team?: "data";
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
  /** Runs when all of it is written: not where nobody reads it any more. */
  after?: () => void;
}

/** Keeps the types of its flags. */
export const command = <const F extends Flags>(one: Command<F>): Command<F> => one;

/** For a verb whose `words` are actions: runs the one that is named, else the first. */
export const byAction =
  <C extends { words: string[] }>(actions: Record<string, (call: C) => Answer>) =>
  (call: C): Answer => {
    const [name = Object.keys(actions)[0] ?? ""] = call.words;
    const run = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!run) throw badCall(`there is no action ${quoted(name)}`);
    return run(call);
  };

// biome-ignore lint/suspicious/noExplicitAny: any verb will do here
export type AnyCommand = Command<any>;

/** A mistake in the call, not in the program: said in one line, with the way to the usage. */
export const badCall = (message: string): Error => Object.assign(new Error(message), { isCall: true });

export function countOf(given: string | number, message: string): number {
  const count = Number(given);
  if (!Number.isSafeInteger(count) || count < 1) throw badCall(message);
  return count;
}

/** Refused or not found, with what to do instead. */
export const refused = (message: string, hint: string): Error => Object.assign(new Error(message), { hint });

/** Nothing by `--yes`, or where the person who is shown these lines agrees; else what to say: the lines too, where nobody was asked. */
export function unconfirmed(
  { yes, json }: { yes?: boolean; json?: boolean },
  lines: readonly string[],
  question: string,
  refusal: string,
): string | undefined {
  const answer = yes ?? (json ? undefined : askPerson(`${plainLines(lines)}\n${question}`));
  return answer ? undefined : plainLines([...(answer === undefined ? lines : []), refusal]);
}

/** Where a call comes from; tests give their own. */
export interface Caller {
  environment: Environment;
  cwd: string;
  stdin: () => string;
}

export function thisProcess(): Caller {
  const environment = readEnvironment();
  return { environment, cwd: workingDirectory(environment.paths.home), stdin: readStdin };
}

export interface Printed {
  stdout: string;
  stderr: string;
  exitCode: number;
  after?: () => void;
}

/** Without a promise where the verb needs none: the loader keeps the bytecode of what has run when the script's first turn is over. */
export function evaluate(verb: AnyCommand, args: string[], caller: () => Caller): Printed | Promise<Printed> {
  const asJson = args.includes("--json");
  const failed = (error: unknown) => failure(error, asJson, verb);
  try {
    const { words, flags, help } = argumentsOf(verb, args);
    if (help) return printed({ text: verb.usage }, flags.json);
    requireWords(verb, words, (word) =>
      verb.flags?.["team"] ? asTeamFlag(caller().environment.paths, word) : "",
    );
    const result = verb.run(callOf(verb, words, flags, caller()));
    if (!(result instanceof Promise)) return printed(result, flags.json);
    return result.then((answer) => printed(answer, flags.json)).catch(failed);
  } catch (error) {
    return failed(error);
  }
}

function printed(answer: Result, asJson = false): Printed {
  const { text = "", styled, data, exitCode = 0, after } = answer ?? {};
  const shown = asJson && answer ? plainJson(data ?? { text }, 2) : styled || plainText(text);
  return { stdout: shown && `${shown}\n`, stderr: "", exitCode, ...(after && { after }) };
}

/** With `--json` the error is an object on stdout, so that a program reads one stream. */
export function failure(error: unknown, asJson: boolean, verb: Pick<AnyCommand, "name" | "usage">): Printed {
  const message = error instanceof Error ? error.message : String(error);
  const { isCall = false, hint: own } = error as { isCall?: boolean; hint?: string };
  const hint = own ?? (isCall ? `usage: ${verb.usage.split("\n")[0]}` : undefined);
  const exitCode = isCall ? 2 : 1;
  if (!asJson)
    return { stdout: "", stderr: plainText(`swarm: ${message}\n${hint ? `${hint}\n` : ""}`), exitCode };
  const data = { error: message, hint: hint ?? `swarm help ${verb.name}` };
  return { stdout: `${plainJson(data, 2)}\n`, stderr: "", exitCode };
}

function argumentsOf({ flags: declared = {} }: AnyCommand, args: string[]) {
  const options: NonNullable<ParseArgsConfig["options"]> = {
    ...Object.fromEntries(Object.entries<Kind>(declared).map(([name, kind]) => [name, optionOf(kind)])),
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  try {
    const config = { args: withOptionalValues(args, declared), options, allowPositionals: true };
    const { values, positionals: words } = parseArgs(config);
    const { help, ...flags } = values as Record<string, unknown>;
    return { words, flags: flags as Call["flags"], help };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const said = message.split(". ")[0] ?? "bad call";
    const [, given = ""] =
      code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" ? (said.match(/'(?:--)?(.*?)'/) ?? []) : [];
    throw badCall(`${said}${didYouMean(given, Object.keys(options), "--")}`);
  }
}

const optionOf = (kind: Kind) => ({
  type: kind === "switch" ? ("boolean" as const) : ("string" as const),
  multiple: kind === "texts",
});

function withOptionalValues(args: readonly string[], flags: Flags): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const isOptional = (word: string | undefined) =>
    word?.startsWith("--") === true && flags[word.slice(2)] === "optional";
  return args.flatMap((word, at) => {
    if (at >= end) return [word];
    if (at > 0 && isOptional(args[at - 1]) && isValue(word)) return []; // taken by the flag before it
    if (!isOptional(word)) return [word];
    const next = at + 1 < end ? args[at + 1] : undefined;
    return [next !== undefined && isValue(next) ? `${word}=${next}` : `${word}=`];
  });
}

const isValue = (word: string) => /^[^-\s]\S*$/.test(word);

/** `; did you mean …?`, or nothing. */
export function didYouMean(given: string, known: readonly string[], before = ""): string {
  const near = given === "" ? [] : nearest(given, known);
  return near.length > 0 ? `; did you mean ${near.map((one) => before + one).join(" or ")}?` : "";
}

/** `help`: what may have been meant by a word that has no place. */
function requireWords(
  { words: allowed = 0 }: AnyCommand,
  given: string[],
  help: (word: string) => string,
): void {
  const [action, ...others] = given;
  const actions = typeof allowed === "object" ? allowed : undefined;
  if (actions && action !== undefined && !Object.hasOwn(actions, action)) {
    const names = Object.keys(actions);
    const meant = help(action) || didYouMean(action, names);
    throw badCall(`the action is one of ${names.join(", ")}, not ${quoted(action)}${meant}`);
  }
  const most = typeof allowed === "object" ? (allowed[action ?? ""] ?? 0) : allowed;
  const stray = most === "any" ? undefined : (actions ? others : given)[most];
  if (stray !== undefined)
    throw badCall(
      `${quoted(stray)} is one word too many${help(stray) || "; a text with spaces needs quotes"}`,
    );
}

export const quoted = (word: string): string => JSON.stringify(plainLine(word));

function callOf(
  verb: AnyCommand,
  words: string[],
  flags: Call["flags"],
  { environment, cwd, stdin }: Caller,
): Call {
  const { "session-id": given, team } = flags as Record<string, string | undefined>;
  const session = sessionFor(environment, given, verb.sessionId);
  if (team !== undefined && verb.team !== "data") requireTeamName(environment.paths, team);
  const loaded = readSettings(environment.paths, cwd, environment.projectDir);
  const speaker = once(() =>
    speakerOf(environment, environment.sessionId, loaded.values["core.default_team"]),
  );
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
    stdin,
    readInput: (given) => {
      const path = resolve(cwd, given);
      const text = readText(path);
      if (text === undefined) throw badCall(`there is no file ${path}`);
      return text;
    },
  };
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
