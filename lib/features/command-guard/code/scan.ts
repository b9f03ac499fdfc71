// Searches code of other languages for calls that do harm. A dangerous text that no call receives is only text.
import { isAmong, isOneOf } from "../../../parse/among.ts";
import { checkSource } from "../commands/shells.ts";
import { writeFile } from "../effects.ts";
import { DECODED, PIDS, taintOf } from "../holes.ts";
import { deeper, mayGoOn, report, type Shell, subshell } from "../shell.ts";
import { aliasesIn } from "./aliases.ts";
import { lastName, type Scope, type Value } from "./results.ts";
import { type Effect, sinkOf } from "./sinks.ts";
import { type Language, type Token, tokenise } from "./tokens.ts";
import { expression, listAt } from "./values.ts";

export type { Language };

/** Patterns are looked for only where one of these words stands. */
const mentions = (text: string, ...words: string[]) => words.some((word) => text.includes(word));

const isForkBomb = (text: string) =>
  [
    /\bfork\s*(\(\s*\))?\s*(while|until)\b/,
    /\bwhile\b[^;{:]{0,40}(\{|:|do\b)?[^;]{0,40}\bfork\s*(\(|;|\}|$)/,
    /\b(loop|forever)\s*(do|\{)[^}]{0,60}\bfork\b/,
    /\bfor\s*\(\s*;\s*;\s*\)[^;]{0,60}\b(fork|spawn)\b/,
    /\brange\s*\(\s*(\d{4}|10\s*\*\*)[^\n]{0,30}:\s*[^\n]{0,40}\bfork\s*\(/,
    /\bfork\s*\(\s*\)\s*for\b[^\]]{0,60}(\b(iter|count|cycle|repeat)\s*\(|\brange\s*\(\s*(\d{4}|10\s*\*\*))/,
    /\bwhile\s*\(\s*(true|1)\s*\)[^;]{0,80}\bspawn\w*\s*\(\s*process\.(argv|execPath)/,
  ].some((pattern) => pattern.test(text));
const killsFound = (text: string) =>
  /\b(process_iter|pids\(\)|GetProcessesByName|ps-list|psList|find-process)\b/.test(text) &&
  /\b(kill|terminate|send_signal|suspend|Kill)\s*\(/.test(text);
const mayDecode = (text: string) =>
  mentions(
    text,
    "decode",
    "hex",
    "atob",
    "decompress",
    "rot",
    "chr(",
    "pack",
    "base64",
    "%c",
    "fromCharCode",
  ) &&
  /\b(b64decode|fromhex|unhexlify|atob|decode64|base64_decode|decode_base64|decompress|rot_?13|chr\(|unpack|fromCharCode|pack\s*\(?\s*["'][HhmC])|%c|,\s*["']base64["']/.test(
    text,
  );

/** zx's `$`. */
const isDollar = (name: string) => name === "$" || name.endsWith(".$");

function apply(effect: Effect, language: Language, shell: Shell): string {
  if ("argv" in effect) {
    checkSource(effect.argv.join(" "), shell);
    return shell.run.argv(effect.argv, subshell(shell, { stdin: "" }));
  }
  const text = "code" in effect ? effect.code : effect.source;
  checkSource(text, shell);
  const plain = text.replaceAll(DECODED, "");
  return "code" in effect
    ? shell.run.code(plain, subshell(shell, { stdin: "" }))
    : scanCode(plain, language, shell);
}

const SHELL_MODULES = /child_process|shelljs|\bzx\b|execa/;

/** Names that mean something else unless their owner says so: `regexp.exec(text)`, `list.remove(x)`. */
function isMeant(name: string, language: Language, isMethod: boolean, whole: string): boolean {
  const last = lastName(name);
  const isOwned = isMethod || name !== last;
  if (language === "php" && isOwned) return false;
  if (language === "javascript" && last === "exec") return !isOwned || SHELL_MODULES.test(whole);
  if (last === "write") return /^(File|IO|Bun|FileUtils|Pathname)\b/.test(name);
  if (isAmong(last, "copy move remove delete")) return isOwned || language !== "javascript";
  return true;
}

function callSink(
  called: string,
  args: readonly Value[],
  scope: Scope,
  isMethod: boolean,
): string | undefined {
  const name = scope.aliases.get(called) ?? called;
  const last = lastName(name);
  const { language, shell, text } = scope;
  if (!isMeant(name, language, isMethod, text)) return undefined;
  const effects =
    last === "exec" && language === "python" ? [{ source: args[0]?.text ?? "" }] : sinkOf(last)?.(args, last);
  return effects?.length ? effects.map((effect) => apply(effect, language, shell)).join("") : undefined;
}

const OWNED = "unlink rmdir write_text write_bytes touch open rename replace symlink_to chmod execute";

/** `Path(x).unlink()`, `p.write_text(…)`: the owner is the path. */
function ownerOf(scope: Scope, at: number): Value | undefined {
  const name = scope.tokens[at]?.text ?? "";
  if (scope.language === "javascript" || !isAmong(lastName(name), OWNED)) return undefined;
  const owner = name.replace(/(\.|::|->)?[\w]+[!?]?$/, "");
  if (owner) return scope.names.get(owner);
  if (scope.tokens[at - 1]?.text !== ".") return undefined;
  if (scope.tokens[at - 2]?.kind === "string") return { text: scope.tokens[at - 2]?.text ?? "" };
  let depth = 0;
  for (let back = at - 2; back >= 0; back--) {
    const { kind, text } = scope.tokens[back] ?? { kind: "mark", text: "" };
    if (kind === "mark" && text === ")") depth++;
    if (kind === "mark" && text === "(" && --depth === 0)
      return expression(scope, scope.tokens[back - 1]?.kind === "name" ? back - 1 : back).value;
  }
  return undefined;
}

/** Arguments in brackets, or bare ones as Perl, Ruby and Lua allow. */
function argumentsAt(scope: Scope, at: number): Value[] | undefined {
  const next = scope.tokens[at + 1];
  const isNested =
    next?.kind === "name" &&
    isAmong(scope.language, "perl ruby") &&
    sinkOf(lastName(scope.tokens[at]?.text ?? "")) !== undefined;
  if (next?.kind === "mark" && next.text === "(") return listAt(scope, at + 1, 0).items;
  const isBare =
    next &&
    (next.kind === "string" ||
      next.kind === "number" ||
      isNested ||
      (next.kind === "name" && (isOneOf(next.text.charAt(0), "$@") || next.text === "glob")) ||
      next.text === "-");
  if (!isBare || (scope.tokens[at + 2]?.text === ":" && next.kind === "string")) return undefined;
  const items: Value[] = [];
  for (let from = at + 1; from < scope.tokens.length && items.length < 16; ) {
    const { value, next: after } = expression(scope, from);
    items.push(value);
    if (scope.tokens[after]?.text !== ",") break;
    from = after + 1;
  }
  return items;
}

function remember(scope: Scope, at: number): void {
  const [name, equals, after] = scope.tokens.slice(at, at + 3);
  if (
    name?.kind !== "name" ||
    equals?.text !== "=" ||
    equals.kind !== "mark" ||
    (after?.kind === "mark" && isOneOf(after.text, "=>~"))
  )
    return;
  scope.names.set(name.text, expression(scope, at + 2).value);
}

/** `for f in glob("/etc/*")`, also behind what is done with it: f is any of them. */
function bindLoops(scope: Scope): void {
  scope.tokens.forEach(({ text }, at) => {
    const [name, word] = [scope.tokens[at + 1], scope.tokens[at + 2]];
    if (text === "for" && name?.kind === "name" && isAmong(word?.text ?? "", "in of")) {
      scope.names.set(name.text, expression(scope, at + 3).value);
    }
  });
}

/** `print | "cmd"`, `"cmd" | getline`, `print > "file"`. */
function awkStreams(tokens: readonly Token[], at: number, shell: Shell): void {
  const text = tokens[at]?.text ?? "";
  if (tokens[at]?.kind !== "string") return;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (before?.text === "|" || after?.text === "|") shell.run.code(text, subshell(shell));
  if (before?.text === ">" && tokens.slice(0, at).some((token) => /^printf?$/.test(token.text)))
    writeFile(text, shell);
}

function appleScript(text: string, shell: Shell): void {
  for (const [, code = ""] of text.matchAll(/\bdo\s+shell\s+script\s+"((?:\\.|[^"\\])*)"/gi))
    shell.run.code(code.replace(/\\(.)/g, "$1"), subshell(shell));
  if (/with administrator privileges/i.test(text)) report(shell, "elevate");
  if (/\b(shut down|restart|log out|sleep)\b/i.test(text) && /System Events|Finder|loginwindow/i.test(text))
    report(shell, "power");
}

function lisp(text: string, shell: Shell): void {
  for (const [, code = ""] of text.matchAll(
    /\((?:async-)?shell-command(?:-to-string)?\s+"((?:\\.|[^"\\])*)"/g,
  )) {
    shell.run.code(code, subshell(shell));
  }
}

function checkWhole(text: string, language: Language, shell: Shell): void {
  if (mentions(text, "fork", "spawn") && isForkBomb(text)) report(shell, "fork-bomb");
  if (mentions(text, "kill", "Kill", "terminate", "send_signal", "suspend") && killsFound(text))
    report(shell, "kill-by-search");
  if (mentions(text, "eval") && /\bfetch\s*\(.*\.then\(\s*eval\s*\)/s.test(text))
    report(shell, "remote-code");
  if (language === "osascript") appleScript(text, shell);
  if (language === "other") lisp(text, shell);
}

function checkToken(scope: Scope, at: number, language: Language): void {
  const { tokens, shell } = scope;
  const token = tokens[at];
  if (!token) return;
  if (token.kind === "shell") return void apply({ code: token.text }, language, shell);
  if (language === "awk") awkStreams(tokens, at, shell);
  if (language === "javascript" && token.kind === "string" && isDollar(tokens[at - 1]?.text ?? ""))
    apply({ code: token.text }, language, shell);
  const isKey =
    token.kind === "string" &&
    isOneOf(tokens[at + 1]?.text ?? "", "](,)") &&
    isOneOf(tokens[at - 1]?.text ?? "", "[,") &&
    sinkOf(token.text) !== undefined &&
    tokens[at + 2]?.text === "(";
  if (isKey) {
    callSink(token.text, listAt(scope, at + 2, 0).items, scope, false);
    return;
  }
  if (token.kind !== "name") return;
  remember(scope, at);
  const args = argumentsAt(scope, at);
  if (!args) return;
  const owner = ownerOf(scope, at);
  callSink(token.text, owner ? [owner, ...args] : args, scope, tokens[at - 1]?.text === ".");
}

/** What the code may print, as far as it can be told. */
export function scanCode(text: string, language: Language, shell: Shell): string {
  return deeper(shell, undefined, () => {
    checkWhole(text, language, shell);
    const tokens = tokenise(text, language);
    const scope: Scope = {
      tokens,
      text,
      language,
      shell,
      names: new Map(),
      aliases: aliasesIn(tokens),
      run: (name, args) => callSink(name, args, scope, true),
    };
    bindLoops(scope);
    for (let at = 0; at < tokens.length && mayGoOn(shell); at++) checkToken(scope, at, language);
    if (text.includes(PIDS)) return PIDS;
    return mayDecode(text) ? DECODED : taintOf(shell.stdin);
  });
}
