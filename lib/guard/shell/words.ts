// Words to fields: quotes, tildes, variables, substitutions, braces and word splitting, as bash would do them.
import { parse, type Word, type WordPart } from "unbash";
import { parentOf } from "../paths.ts";
import { expandParameter } from "./parameters.ts";
import { clip, FOUND_PIDS, report, type Shell, UNKNOWN } from "./state.ts";
import { lookUp } from "./variables.ts";

type Segment = { list: readonly string[]; split: boolean };

const MAX_FIELDS = 4096;
const MAX_BRACED = 512;
const MAX_BRACED_SIGNS = 65_536;
const MAX_BRACES = 12;

function tilde(text: string, shell: Shell): string {
  const [, lead = "", user, rest = ""] = /^((?:[A-Za-z_]\w*=)?)~([\w.+-]*)((?:\/.*)?)$/s.exec(text) ?? [];
  if (user === undefined) return text;
  const home = shell.vars.get("HOME")?.[0]?.[0] ?? shell.run.situation.home;
  return lead + homeOf(user, home, shell) + rest;
}

function homeOf(user: string, home: string, shell: Shell): string {
  switch (user) {
    case "":
      return home;
    case "+":
      return shell.cwd;
    case "-":
      return shell.previous;
    case "root":
      return "/root";
    default:
      return `${parentOf(home) === "/" ? "/home" : parentOf(home)}/${user}`;
  }
}

const BLANKS = [" ", "\t", "\r", "\n"];

/** At white space, or at what the command has set IFS to. */
export function splitUp(text: string, shell: Shell): string[] {
  const ifs = shell.vars.get("IFS")?.[0]?.[0] ?? "";
  if (/^[,:;|/_.\n-]$/.test(ifs)) return text.replaceAll(ifs, "\n").split("\n");
  return BLANKS.some((blank) => text.includes(blank)) ? text.split(/[ \t\r\n]+/) : [text];
}

function withoutLastLines(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === "\n" || text.charAt(end - 1) === "\r") end--;
  return text.slice(0, end);
}

function joinSegments(segments: readonly Segment[], shell: Shell): string[] {
  const fields: string[] = [];
  let open: string | undefined;
  for (const { list, split } of segments) {
    // bash leaves a tilde that comes out of a variable alone, other shells and `eval` do not.
    const pieces = split
      ? list.flatMap((text) => splitUp(text, shell).map((one) => tilde(one, shell)))
      : list;
    if (split && pieces.every((piece) => piece === "")) {
      if (pieces.length > 1 && open !== undefined) fields.push(open);
      if (pieces.length > 1) open = undefined;
      continue;
    }
    pieces.forEach((piece, at) => {
      if (at > 0 && open !== undefined && (open !== "" || !split)) fields.push(open);
      open = at > 0 ? piece : (open ?? "") + piece;
    });
    if (split && open === "") open = undefined;
  }
  if (open !== undefined) fields.push(open);
  return fields.slice(0, MAX_FIELDS);
}

const only = (text: string, split = false): Segment => ({ list: [text], split });

/** In quotes, `$*` and `${list[*]}` become one word. */
const whole = (text: string, list: readonly string[], quoted: boolean): Segment =>
  quoted && ["*", "*]", "*}", "*]}"].some((end) => text.endsWith(end))
    ? only(list.join(" "))
    : { list, split: !quoted };

function segmentOf(part: WordPart, shell: Shell, quoted: boolean): Segment[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [only(part.value)];
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.length ? part.parts.flatMap((child) => segmentOf(child, shell, true)) : [only("")];
    case "SimpleExpansion":
      return [whole(part.text, lookUp(part.text.slice(1), shell) ?? [UNKNOWN], quoted)];
    case "ParameterExpansion": {
      const list = expandParameter(part, shell, (word) => expandOne(word, shell));
      return [whole(part.text, list, quoted)];
    }
    case "CommandExpansion":
      return [only(withoutLastLines(shell.run.substitute.output(part, shell)), !quoted)];
    case "ArithmeticExpansion":
      return [only(shell.run.substitute.arithmetic(part, shell))];
    case "ProcessSubstitution":
      return [only(shell.run.substitute.pipe(part, shell))];
    case "ExtendedGlob":
      return [only("*")];
    default:
      return [only(part.text)];
  }
}

function segmentsOf(word: Word, shell: Shell): Segment[] {
  const { parts } = word;
  if (!parts) return [only(word.text.includes("~") ? tildeWord(word, shell) : word.value)];
  const segments = parts.flatMap((part) => segmentOf(part, shell, false));
  const [first] = parts;
  if (first?.type === "Literal" && first.text.includes("~")) segments[0] = only(tilde(first.value, shell));
  return segments;
}

/** A quoted or escaped tilde stands for itself. */
const tildeWord = (word: Word, shell: Shell) =>
  word.value === word.text || /^(\w+=)?~(\/|\w*$)/.test(word.text) ? tilde(word.value, shell) : word.value;

/** The words a brace makes of one, or undefined when there is none. */
function bracedWords(word: Word): Word[] | undefined {
  const [brace] = word.parts?.filter((part) => part.type === "BraceExpansion") ?? [];
  if (!brace) return undefined;
  const before = word.text.slice(0, brace.pos - word.pos);
  const after = word.text.slice(brace.end - word.pos);
  const words = expandBrace(brace.text).map((middle) => wordsIn(before + middle + after));
  return words.includes(undefined) ? undefined : words.flatMap((some) => some ?? []);
}

/** Each text for itself: a `$(` without an end would swallow all that stand behind it. */
function wordsIn(text: string): Word[] | undefined {
  const command = parse(`: ${text || "''"}`).commands[0]?.command;
  return command?.type === "Command" ? command.args.filter((arg) => arg.type === "Word") : undefined;
}

/** All braces of a word undone, one after the other, until there are more words than anyone writes. */
function withoutBraces(word: Word, shell: Shell): Word[] {
  const braces = word.parts?.filter((part) => part.type === "BraceExpansion").length ?? 0;
  if (braces > MAX_BRACES) report(shell, "unverifiable");
  if (braces > MAX_BRACES || braces === 0) return [word];
  const done: Word[] = [];
  const open = [word];
  let signs = 0;
  for (let next = open.shift(); next; next = open.shift()) {
    const words = bracedWords(next);
    if (!words) done.push(next);
    else open.unshift(...words);
    for (const { text } of words ?? []) signs += text.length;
    if (done.length + open.length > MAX_BRACED || signs > MAX_BRACED_SIGNS) {
      report(shell, "unverifiable");
      break;
    }
  }
  return done;
}

/** All fields a word becomes. */
export function expandWord(word: Word, shell: Shell): string[] {
  const words = word.text.includes("{") ? withoutBraces(word, shell) : [word];
  return words.flatMap((one) => joinSegments(segmentsOf(one, shell), shell).map(clip));
}

const asOne = (segments: readonly Segment[]): string =>
  clip(segments.map(({ list }) => list.join(" ")).join(""));

/** The word as one string, as in assignments and redirections. */
export const expandOne = (word: Word, shell: Shell): string => asOne(segmentsOf(word, shell));

/** The body of a here-document. */
export const expandParts = (parts: readonly WordPart[], shell: Shell): string =>
  asOne(parts.flatMap((part) => segmentOf(part, shell, true)));

// Brace expansion, which the parser marks but does not do: `{a,b}` and `{1..3}`.
/** A count is sampled: its numbers are alike. A list is always whole. */
const MAX_COUNT = 12;
/** So many numbers that, where they are killed, no one means each of them. */
const MANY = 999;

/** Splits the inside of a brace at its own commas, leaving nested braces and quotes alone. */
function alternatives(inner: string): string[] {
  const parts = [""];
  let depth = 0;
  let quote = "";
  for (let at = 0; at < inner.length; at++) {
    const char = inner.charAt(at);
    if (char === "\\") {
      parts[parts.length - 1] += char + inner.charAt(++at);
      continue;
    }
    if (quote) quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    if (char === "," && depth === 0 && !quote) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}

function sequence(inner: string): string[] | undefined {
  const [, from = "", to = "", step = "1"] =
    /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?(\d+))?$/.exec(inner) ?? [];
  if (!from) return undefined;
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const by = Math.max(1, Number(step)) * (first <= last ? 1 : -1);
  const all = Math.floor(Math.abs(last - first) / Math.abs(by)) + 1;
  const indexes = Array.from({ length: Math.min(all, MAX_COUNT) }, (_, at) =>
    at === MAX_COUNT - 1 ? all - 1 : at,
  );
  const items = indexes.map((at) =>
    isNumber ? String(first + at * by) : String.fromCharCode(first + at * by),
  );
  return all > MANY ? [...items, FOUND_PIDS] : items;
}

/** What one brace part such as `{a,b}` stands for. */
function expandBrace(text: string): string[] {
  const inner = text.slice(1, -1);
  return sequence(inner) ?? alternatives(inner);
}
