// Cuts PowerShell into words, texts, variables and marks. Line breaks are `;`, comments are dropped.
import type { Shell } from "../shell/state.ts";
import type { Value } from "./values.ts";

export type Token = {
  kind: "word" | "literal" | "text" | "variable" | "splat" | "type" | "open" | "close" | "mark";
  text: string;
  /** Nothing is between it and the token before. */
  glued: boolean;
};

/** `text` is a quoted text in which variables are still to be filled in. */
type Piece = { kind: Token["kind"]; text: string; length: number };

const OPENERS = ["$(", "@(", "@{", "(", "{"];
const MARKS = ["&&", "||", "::", "+=", ";", "|", ",", "=", "&", "+", "!"];

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (quote === '"' && text.charAt(at) === "`") at++;
    else if (text.startsWith(quote + quote, at)) at++;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

/** `'…'`, `"…"` and the two kinds of here-strings. */
function quoted(rest: string): Piece | undefined {
  const [opening = "", mark = ""] = /^@(['"])\r?\n/.exec(rest) ?? /^(['"])/.exec(rest) ?? [];
  if (!mark) return undefined;
  const kind = mark === "'" ? "literal" : "text";
  if (opening.length === 1) {
    const end = quotedEnd(rest, 1, mark);
    return { kind, text: rest.slice(1, end).replaceAll(mark + mark, mark), length: end + 1 };
  }
  const end = rest.indexOf(`\n${mark}@`);
  return end < 0
    ? { kind, text: rest.slice(opening.length), length: rest.length }
    : { kind, text: rest.slice(opening.length, end), length: end + 3 };
}

function skipped(rest: string): number {
  const [blank = ""] = /^(?:[ \t\r]|`\r?\n)+/.exec(rest) ?? [];
  if (blank) return blank.length;
  if (rest.startsWith("<#")) return rest.includes("#>") ? rest.indexOf("#>") + 2 : rest.length;
  return rest.startsWith("#") ? (/^[^\n]*/.exec(rest)?.[0].length ?? 0) : 0;
}

const VALUE_ENDS = ["variable", "close", "literal", "text", "type"];
const endsValue = (token: Token | undefined) => token !== undefined && VALUE_ENDS.includes(token.kind);

/** `before` is the token that it is glued to. */
function pieceAt(rest: string, before: Token | undefined, isTable: boolean): Piece {
  const follows = endsValue(before);
  const [variable] = /^\$(\{[^}]*\}|[A-Za-z_]\w*(:\w+)?|[_?$^])/.exec(rest) ?? [];
  if (variable)
    return {
      kind: "variable",
      text: variable.slice(1).replace(/[{}]/g, "").toLowerCase(),
      length: variable.length,
    };
  const [splat] = follows ? [] : (/^@[A-Za-z_]\w*/.exec(rest) ?? []);
  if (splat) return { kind: "splat", text: splat.slice(1).toLowerCase(), length: splat.length };
  const found = quoted(rest);
  if (found) return found;
  const [type] = follows && before?.kind !== "type" ? [] : (/^\[[A-Za-z][\w.]*(\[\])?\]/.exec(rest) ?? []);
  if (type) return { kind: "type", text: type.slice(1, -1).toLowerCase(), length: type.length };
  if (follows && /^\.[A-Za-z]/.test(rest)) return { kind: "mark", text: ".", length: 1 };
  if (follows && rest.startsWith("[")) return { kind: "open", text: "[", length: 1 };
  const opener = OPENERS.find((one) => rest.startsWith(one));
  if (opener) return { kind: "open", text: opener, length: opener.length };
  if (/^[)}\]]/.test(rest)) return { kind: "close", text: rest.charAt(0), length: 1 };
  const [redirect] = /^(?:[\d*]?>>?)(?:&\d)?/.exec(rest) ?? [];
  if (redirect) return { kind: "mark", text: redirect.includes("&") ? "" : ">", length: redirect.length };
  if (rest.startsWith("\n")) return { kind: "mark", text: ";", length: 1 };
  const mark = MARKS.find((one) => rest.startsWith(one));
  if (mark) return { kind: "mark", text: mark, length: mark.length };
  const [word = rest.charAt(0)] =
    (isTable ? /^(?:`.|[^\s'"(){}|;,&>$=\]])+/s : /^(?:`.|[^\s'"(){}|;,&>$\]])+/s).exec(rest) ?? [];
  return { kind: "word", text: word.replace(/`(.)/gs, "$1"), length: word.length };
}

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  const opened: string[] = [];
  let glued = false;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const before = glued ? tokens.at(-1) : undefined;
    const blank = endsValue(before) && rest.startsWith("#") ? 0 : skipped(rest);
    if (blank > 0) {
      at += blank;
      glued = false;
      continue;
    }
    const { kind, text: word, length } = pieceAt(rest, before, opened.at(-1) === "@{");
    if (kind === "open") opened.push(word);
    if (kind === "close") opened.pop();
    if (kind !== "mark" || word !== "") tokens.push({ kind, text: word, glued });
    at += Math.max(1, length);
    glued = true;
  }
  return tokens;
}

// State of a walk through PowerShell: the tokens, what was set so far, and the shell it happens in.
/** What a text has set so far. */
type Scope = {
  values: Map<string, Value>;
  functions: Map<string, { parameters: readonly string[]; body: readonly Token[] }>;
};
export type Cursor = {
  tokens: readonly Token[];
  at: number;
  shell: Shell;
  scope: Scope;
  /** Runs the statements of a group or a block. */
  walk(cursor: Cursor): Value;
};

export const peek = ({ tokens, at }: Cursor) => tokens[at];
export const isMark = (token: Token | undefined, text: string) =>
  token?.kind === "mark" && token.text === text;
export const isOpen = (token: Token | undefined, text: string) =>
  token?.kind === "open" && token.text === text;
export const isEnd = (token: Token | undefined) =>
  token === undefined ||
  token.kind === "close" ||
  (token.kind === "mark" && /^(;|\||\|\||&&)$/.test(token.text));

/** The tokens between an opener at the cursor and its end; the cursor moves behind it. */
export function group(cursor: Cursor): readonly Token[] {
  const start = ++cursor.at;
  for (let depth = 1; cursor.at < cursor.tokens.length; cursor.at++) {
    const kind = peek(cursor)?.kind;
    if (kind === "open") depth++;
    if (kind === "close" && --depth === 0) break;
  }
  return cursor.tokens.slice(start, cursor.at++);
}

export const inside = (cursor: Cursor, tokens: readonly Token[]): Cursor => ({ ...cursor, tokens, at: 0 });
