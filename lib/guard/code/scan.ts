// Searches code of other languages for calls that do harm. A dangerous text that no call receives is only text.
import { checkSource } from "../commands/bash.ts";
import { resolvePath } from "../paths.ts";
import {
  clip,
  countStep,
  DECODED,
  deeper,
  FOUND_PIDS,
  hasUnknown,
  report,
  type Shell,
  subshell,
  taintOf,
  UNKNOWN,
} from "../shell/state.ts";
import { wordSet } from "../word-set.ts";
import { aliasesIn } from "./aliases.ts";
import { awkPrints, awkStreams } from "./awk.ts";
import { argumentsAt, bindCallback, bindLoop, ownerOf, remember } from "./calls.ts";
import { bound, type Definition, functionsIn } from "./functions.ts";
import { checkWhole, mayDecode } from "./patterns.ts";
import { lastName, ownerName, type Scope, type Value } from "./results.ts";
import { type Effect, sinkOf } from "./sinks.ts";
import { type Language, tokenise } from "./tokens.ts";
import { listAt } from "./values.ts";

export type { Language };

function apply(effect: Effect, scope: Scope): string {
  const { language, shell } = scope;
  const inside = subshell(shell, { stdin: effect.stdin ?? "" });
  const { home } = shell.run.situation;
  if (effect.cwd !== undefined) inside.cwd = resolvePath(effect.cwd, shell.cwd);
  if ("argv" in effect) {
    checkSource(effect.argv.join(" "), shell);
    const argv = effect.argv.map((word) =>
      word === "~" || word.startsWith("~/") ? home + word.slice(1) : word,
    );
    return note(shell.run.argv(argv, inside), scope);
  }
  const text = "code" in effect ? effect.code : effect.source;
  checkSource(text, shell);
  const plain = text.replaceAll(DECODED, "");
  return "code" in effect ? note(shell.run.code(plain, inside), scope) : scanCode(plain, language, shell);
}

function note(output: string, scope: Scope): string {
  scope.seen.pids ||= output.includes(FOUND_PIDS);
  return output;
}

const SHELL_MODULES = /child_process|shelljs|\bzx\b|execa/;

/** Names that mean something else unless their owner says so: `regexp.exec(text)`, `list.remove(x)`. */
function isMeant(name: string, language: Language, isMethod: boolean, whole: string): boolean {
  const last = lastName(name);
  const isOwned = isMethod || name !== last;
  if (language === "php" && isOwned) return false;
  if (language === "javascript" && last === "exec") return !isOwned || SHELL_MODULES.test(whole);
  if (last === "replace") return name.startsWith("os.");
  if (last === "write") return /^(File|IO|Bun|FileUtils|Pathname)\b/.test(name);
  if (last === "delete") return isOwned ? /^(File|Files|Dir|FileUtils|fs)\b/.test(name) : language === "ruby";
  if (last === "removeItem") return language === "ruby"; // Swift's; a browser's storage has one too
  if (["copy", "move", "remove"].includes(last)) return isOwned || language !== "javascript";
  return true;
}

const PRINTERS = wordSet("print puts say echo log");
const BY_NAME = wordSet("array_map array_walk call_user_func call_user_func_array send public_send __send__");

/** Calls that only change what later ones mean. */
function isSettled(name: string, args: readonly Value[], scope: Scope): boolean {
  const [first] = args;
  if (PRINTERS.has(lastName(name)) || name.endsWith("stdout.write"))
    scope.printed.push(`${args.map(({ text }) => text).join(" ")}\n`);
  else if (lastName(name) === "chdir" && first) scope.shell.cwd = resolvePath(first.text, scope.shell.cwd);
  else return false;
  return true;
}

const DELETERS = wordSet("unlink remove rm rmSync unlinkSync rmtree rmdir delete");

/** The parameter of a function that the code defines: without a call it deletes nothing. */
const isParameter = (value: Value | undefined, { names }: Scope) =>
  value?.text === UNKNOWN && /^\w+$/.test(value.raw ?? "") && !names.has(value.raw ?? "");

function callSink(
  called: string,
  args: readonly Value[],
  scope: Scope,
  isMethod: boolean,
): string | undefined {
  const name = scope.aliases.get(called) ?? called;
  const last = lastName(name);
  const { language, text } = scope;
  if (isSettled(name, args, scope)) return undefined;
  if (BY_NAME.has(last) && args.length > 1) return callSink(args[0]?.text ?? "", args.slice(1), scope, false);
  if (name.startsWith("sh.") && language === "python")
    return apply({ argv: [last, ...args.map((arg) => arg.text)] }, scope);
  if (!isMeant(name, language, isMethod, text)) return undefined;
  if (scope.names.get(ownerName(name))?.list) return undefined; // `list.remove(x)`
  const effects =
    last === "exec" && language === "python" ? [{ source: args[0]?.text ?? "" }] : sinkOf(last)?.(args, last);
  if (!effects?.length) return undefined;
  const isVague = args.some((arg) => hasUnknown(arg.text));
  const deletes = DELETERS.has(last);
  if (deletes && isParameter(args[0], scope)) return undefined;
  scope.seen.kills ||= isVague && ["kill", "killpg", "posix_kill"].includes(last);
  scope.seen.deletes ||= isVague && deletes;
  return effects.map((effect) => apply(effect, scope)).join("");
}

/** A script of many calls would use up all steps otherwise. */
const MAX_REREADS = 8000;
const MAX_NESTED_CALLS = 3;

/** A function of this very code, with what it is given. */
function callOwn(definition: Definition, args: readonly Value[], scope: Scope): void {
  const { from, to } = definition;
  const isKnown = args.some(({ text, list }) => text !== UNKNOWN || list);
  const { rereads } = scope;
  if (!isKnown || rereads.depth >= MAX_NESTED_CALLS || rereads.left < to - from) return;
  rereads.left -= to - from;
  rereads.depth++;
  const names = new Map([...scope.names, ...bound(definition, args)]);
  checkTokens({ ...scope, names }, from, to);
  rereads.depth--;
}

function checkTokens(scope: Scope, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    countStep(scope.shell);
    checkToken(scope, at);
  }
}

/** In case the same command runs the file later. */
function keepText(path: string, text: string, shell: Shell): void {
  const { files } = shell.run;
  const place = resolvePath(path, shell.cwd);
  const before = files.get(place) ?? "";
  files.set(place, before === UNKNOWN ? text : before + text);
}

function checkToken(scope: Scope, at: number): void {
  const { tokens, language } = scope;
  const token = tokens[at];
  if (!token) return;
  if (token.kind === "shell") return void apply({ code: token.text }, scope);
  if (language === "awk") {
    awkPrints(scope, at);
    awkStreams(scope, at, (code, stdin = "") => apply({ code, stdin }, scope));
  }
  const next = tokens[at + 1]?.text ?? "";
  const isKey =
    token.kind === "string" &&
    /^[\](,)]$/.test(next) &&
    /^[[,]$/.test(tokens[at - 1]?.text ?? "") &&
    sinkOf(token.text) !== undefined &&
    tokens[at + 2]?.text === "(";
  if (isKey) return void callSink(token.text, listAt(scope, at + 2, 0).items, scope, false);
  if (token.kind !== "name") return;
  if (token.text === "Dir" && next === "[") scope.seen.listed.push(tokens[at + 2]?.text ?? "");
  if (token.text === "for") bindLoop(scope, at);
  bindCallback(scope, at);
  remember(scope, at);
  const args =
    language === "awk" && ["print", "printf"].includes(token.text) ? undefined : argumentsAt(scope, at);
  if (!args) return;
  const own = scope.functions.get(token.text.replace(/^(self|this)\./, ""));
  if (own) return void callOwn(own, args, scope);
  const owner = ownerOf(scope, at);
  if (owner?.file !== undefined && lastName(token.text) === "write")
    return void keepText(owner.file, args[0]?.text ?? UNKNOWN, scope.shell);
  callSink(token.text, owner ? [owner, ...args] : args, scope, tokens[at - 1]?.text === ".");
}

/** What a search found is killed, what a listing gave is deleted, by whatever way it came there. */
function joinUp({ seen, shell }: Scope): void {
  if (seen.pids && seen.kills) report(shell, "kill-by-search");
  if (seen.deletes)
    for (const path of seen.listed) shell.run.argv(["rm", "-rf", "--", path], subshell(shell));
}

/** What the code may print, as far as it can be known. `known` are variables it starts with. */
export function scanCode(
  text: string,
  language: Language,
  outside: Shell,
  known: ReadonlyMap<string, Value> = new Map(),
): string {
  const shell = { ...outside };
  return deeper(shell, undefined, () => {
    checkWhole(text, language, shell);
    const tokens = tokenise(text, language);
    const scope: Scope = {
      tokens,
      text,
      language,
      shell,
      names: new Map(known),
      aliases: aliasesIn(tokens, language),
      seen: { pids: false, kills: false, deletes: false, listed: [] },
      printed: [],
      functions: functionsIn(tokens),
      rereads: { left: MAX_REREADS, depth: 0 },
      run: (name, args) => (scope.functions.has(name) ? undefined : callSink(name, args, scope, true)),
    };
    tokens.forEach(({ text: word }, at) => {
      if (word === "for") bindLoop(scope, at);
    });
    checkTokens(scope, 0, tokens.length);
    joinUp(scope);
    return outputOf(scope);
  });
}

function outputOf({ text, printed, shell }: Scope): string {
  const words = clip(printed.join(""));
  if (text.includes(FOUND_PIDS) && !words) return FOUND_PIDS;
  if (mayDecode(text)) return DECODED + (hasUnknown(words) ? "" : words);
  return words.trim() && words.trim() !== UNKNOWN ? words : taintOf(shell.stdin);
}
