// Cuts a simple command line into its commands, without the parser. Anything out of the ordinary gives nothing back.

/** Stands for what a variable holds. */
export const UNSEEN = "\u0001";

export type Piece = { words: string[]; writes: string[] };

const NAME = /^(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*|[?!$@#*\d-])/;
const PLAIN = /[^\s\\'"`$(){}<>|&;#\u0000-\u001f\uE000-\uE00F]+/y;

/** A `$` and what follows it: how many characters, or nothing when it is more than a name. */
function variableAt(text: string, at: number): number | undefined {
  const rest = text.slice(at + 1, at + 66);
  const [name] = NAME.exec(rest) ?? [];
  if (name !== undefined) return name.length + 1;
  return /^[\s"]|^$/.test(rest) ? 0 : undefined;
}

type Quoted = { text: string; next: number };

function doubleQuoted(text: string, from: number): Quoted | undefined {
  let out = "";
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return { text: out, next: at + 1 };
    if (char === "`") return undefined;
    if (char === "\\") out += text.charAt(++at);
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

/** `2>&1`, `>file`, `&>file`, `<file`: how far it goes and whether a target must follow. */
const REDIRECT = /^(?:>&(\d|-)(?=[\s;|&]|$)|&>>?|>[>|]?(?!&|\()|<(?![<&(>]))/;

export function piecesOf(text: string): Piece[] | undefined {
  const pieces: Piece[] = [{ words: [], writes: [] }];
  let word: string | undefined;
  let target: "write" | "read" | undefined;
  const close = () => {
    const piece = pieces.at(-1);
    if (word === undefined || !piece) return;
    if (target === undefined) piece.words.push(word);
    else if (target === "write") piece.writes.push(word);
    target = undefined;
    word = undefined;
  };
  for (let at = 0; at < text.length; ) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0];
    if (plain) {
      word = (word ?? "") + plain;
      at += plain.length;
      continue;
    }
    const char = text.charAt(at);
    const rest = text.slice(at, at + 4);
    const quoted =
      char === "'" ? singleQuoted(text, at + 1) : char === '"' ? doubleQuoted(text, at + 1) : undefined;
    const redirect = "<>&".includes(char) ? REDIRECT.exec(rest) : null;
    if (quoted) {
      word = (word ?? "") + quoted.text;
      at = quoted.next;
    } else if (redirect) {
      if (word !== undefined && /^\d$/.test(word)) word = undefined;
      close();
      if (target !== undefined) return undefined;
      if (redirect[1] === undefined) target = char === "<" ? "read" : "write";
      at += redirect[0].length;
    } else if (
      rest.startsWith("&&") ||
      rest.startsWith("||") ||
      char === "|" ||
      char === ";" ||
      char === "\n"
    ) {
      if (rest.startsWith(";;") || rest.startsWith("|&")) return undefined;
      close();
      if (target !== undefined) return undefined;
      pieces.push({ words: [], writes: [] });
      at += rest.startsWith("&&") || rest.startsWith("||") ? 2 : 1;
    } else if (char === " " || char === "\t" || rest.startsWith("\\\n")) {
      close();
      at += char === "\\" ? 2 : 1;
    } else if (char === "#" && word === undefined) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
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
  return target === undefined ? pieces : undefined;
}
