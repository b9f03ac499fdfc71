// Cuts a simple command line into its commands, without the parser. Anything out of the ordinary gives nothing back.

import { isDigit, isOneOf, nameLength } from "../../../parse/among.ts";

/** Stands for what a variable holds. */
export const UNSEEN = "\u0001";

export type Piece = { words: string[]; writes: string[]; reads: string[] };

const SPECIAL = "\\'\"`$(){}<>|&;#";
const TILDE = 126;

/** Where the plain signs that begin here end. */
function plainEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPlain =
      code > TILDE
        ? !/[\s\uE000-\uE00F]/.test(text.charAt(at))
        : code > " ".charCodeAt(0) && !SPECIAL.includes(text.charAt(at));
    if (!isPlain) break;
  }
  return at;
}

const LONGEST_NAME = 64;

/** A `$` and what follows it: how many characters, or nothing when it is more than a name. */
function variableAt(text: string, at: number): number | undefined {
  const rest = text.slice(at + 1, at + 2 + LONGEST_NAME);
  const first = rest.charAt(0);
  if (first === "{") {
    const length = nameLength(rest, 1);
    return length > 0 && rest.charAt(length + 1) === "}" ? length + 3 : undefined;
  }
  if (isDigit(first) || isOneOf(first, "?!$@#*-")) return 2;
  const length = nameLength(rest);
  if (length > 0) return length + 1;
  return first === "" || isOneOf(first, ' \t\n\r"') ? 0 : undefined;
}

type Quoted = { text: string; next: number };

function doubleQuoted(text: string, from: number): Quoted | undefined {
  let out = "";
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return { text: out, next: at + 1 };
    if (char === "`") return undefined;
    if (text.startsWith("\\\n", at)) at++;
    else if (char === "\\") out += text.charAt(++at);
    else if (char === "$") {
      const length = variableAt(text, at);
      if (length === undefined) return undefined;
      out += length === 0 ? "$" : UNSEEN;
      at += Math.max(0, length - 1);
    } else out += char;
  }
  return undefined;
}

function singleQuoted(text: string, from: number): Quoted | undefined {
  const end = text.indexOf("'", from);
  return end < 0 ? undefined : { text: text.slice(from, end), next: end + 1 };
}

type Redirect = { length: number; isCopy: boolean };

/** `2>&1`, `>file`, `&>file`, `<file`: how far it goes, and whether it is whole or a target must follow. */
function redirectAt(rest: string): Redirect | undefined {
  const [first, second = "", third = "", fourth = ""] = rest;
  if (first === "&") return second === ">" ? { length: third === ">" ? 3 : 2, isCopy: false } : undefined;
  if (first === "<") return isOneOf(second, "<&(>") ? undefined : { length: 1, isCopy: false };
  if (second === "&") {
    const isCopy = (isDigit(third) || third === "-") && (fourth === "" || isOneOf(fourth, " \t\n;|&"));
    return isCopy ? { length: 3, isCopy } : undefined;
  }
  if (second === "(") return undefined;
  const isDouble = isOneOf(second, ">|") && !isOneOf(third, "&(");
  return { length: isDouble ? 2 : 1, isCopy: false };
}

const isEmptyPiece = (piece?: Piece) =>
  piece?.words.length === 0 && piece.writes.length === 0 && piece.reads.length === 0;

export function piecesOf(text: string): Piece[] | undefined {
  const pieces: Piece[] = [{ words: [], writes: [], reads: [] }];
  let word: string | undefined;
  let target: "writes" | "reads" | undefined;
  let goesOn = false;
  const close = () => {
    const piece = pieces.at(-1);
    if (word === undefined || !piece) return;
    if (target === undefined) piece.words.push(word);
    else piece[target].push(word);
    target = undefined;
    word = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const end = plainEnd(text, at);
    if (end > at) {
      word = (word ?? "") + text.slice(at, end);
      at = end;
      continue;
    }
    const char = text.charAt(at);
    const rest = text.slice(at, at + 4);
    const quoted =
      char === "'" ? singleQuoted(text, at + 1) : char === '"' ? doubleQuoted(text, at + 1) : undefined;
    const redirect = "<>&".includes(char) ? redirectAt(rest) : undefined;
    if (quoted) {
      word = (word ?? "") + quoted.text;
      at = quoted.next;
    } else if (redirect) {
      if (word !== undefined && isDigit(word)) word = undefined;
      close();
      if (target !== undefined) return undefined;
      if (!redirect.isCopy) target = char === "<" ? "reads" : "writes";
      at += redirect.length;
    } else if (
      rest.startsWith("&&") ||
      rest.startsWith("||") ||
      char === "|" ||
      char === ";" ||
      char === "\n"
    ) {
      if (rest.startsWith(";;") || rest.startsWith("|&")) return undefined;
      close();
      const isEmpty = isEmptyPiece(pieces.at(-1));
      if (target !== undefined || (isEmpty && char !== "\n")) return undefined;
      if (!isEmpty) goesOn = char !== "\n" && char !== ";";
      pieces.push({ words: [], writes: [], reads: [] });
      at += rest.startsWith("&&") || rest.startsWith("||") ? 2 : 1;
    } else if (char === " " || char === "\t") {
      close();
      at++;
    } else if (rest.startsWith("\\\n")) {
      at += 2; // the line goes on, and so does the word
    } else if (char === "#" && word === undefined) {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
    } else if (char === "$") {
      const length = variableAt(text, at);
      if (!length) return undefined;
      word = (word ?? "") + UNSEEN;
      at += length;
    } else if (rest.startsWith("{}") || char === "#") {
      const taken = rest.startsWith("{}") ? "{}" : char;
      word = (word ?? "") + taken;
      at += taken.length;
    } else return undefined;
  }
  close();
  return target !== undefined || (goesOn && isEmptyPiece(pieces.at(-1))) ? undefined : pieces;
}
