// Cuts a one-liner of another language into strings, names, numbers and marks; comments are dropped.
import { unescapeText } from "../shell/escapes.ts";
import { UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";

export type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "lua" | "awk" | "osascript";
/** `shell` is text in backticks that the language runs as a command. */
export type Token = {
  kind: "string" | "shell" | "name" | "number" | "mark";
  text: string;
  /** How far in its line it begins. */
  column?: number;
  /** `%w[a b]`, `qw(a b)`: a list. */
  isList?: boolean;
};

const HASH_COMMENTS = wordSet("python perl ruby php awk");
/** Backslashes in single quotes stand for themselves; text in backticks is run. */
const LIKE_PERL = wordSet("perl ruby php");
const CLOSERS: Record<string, string> = { "{": "}", "(": ")", "[": "]", "<": ">" };

const NUMBER = /0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?/iy;
const PERL_QUOTE = /(qx|qq|qw|q|%x|%w|%q|%Q)\s*([{([</|!])/y;

/** The end of a quoted text that began before `from`. */
function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === "\\") at++;
    else if (text.startsWith(quote, at)) return at;
  }
  return text.length;
}

/** Parts that are computed inside a string become unknown, unless they are plain strings themselves. */
const fill = (text: string, pattern: RegExp) =>
  text.replace(pattern, (_, inner: string) => /^\s*(['"])(.*)\1\s*$/s.exec(inner)?.[2] ?? UNKNOWN);

function decode(raw: string, quote: string, prefix: string, language: Language): string {
  const isRaw = prefix.includes("r") || (quote === "'" && LIKE_PERL.has(language));
  const text = isRaw ? raw.replace(/\\(['\\])/g, "$1") : unescapeText(raw);
  if (prefix.includes("f")) return fill(text, /\{([^{}]*)\}/g);
  if (language === "javascript" && quote === "`") return fill(text, /\$\{([^{}]*)\}/g);
  return language === "ruby" && quote !== "'" ? fill(text, /#\{([^{}]*)\}/g) : text;
}

type Step = { token?: Token; next: number };

/** The letters before a string in Python: `rb"…"`. */
function prefixAt(text: string, at: number, language: Language): string {
  let end = at;
  while (language === "python" && end < at + 2 && /^[rbfuRBFU]$/.test(text.charAt(end))) end++;
  return text.slice(at, end).toLowerCase();
}

function quoted(text: string, at: number, language: Language): Step | undefined {
  const prefix = prefixAt(text, at, language);
  const mark = text.charAt(at + prefix.length);
  if (mark === '"' || mark === "'") {
    const isLong = language === "python" && text.startsWith(mark.repeat(3), at + prefix.length);
    const quote = isLong ? mark.repeat(3) : mark;
    const from = at + prefix.length + quote.length;
    const end = closing(text, from, quote);
    return {
      token: { kind: "string", text: decode(text.slice(from, end), quote, prefix, language) },
      next: end + quote.length,
    };
  }
  if (text.charAt(at) !== "`") return undefined;
  const end = closing(text, at + 1, "`");
  const kind = LIKE_PERL.has(language) ? "shell" : "string";
  return { token: { kind, text: decode(text.slice(at + 1, end), "`", "", language) }, next: end + 1 };
}

/** Perl's and Ruby's own quotes: q{}, qx(), %w[]. */
function ownQuote(text: string, at: number, language: Language): Step | undefined {
  if (language !== "perl" && language !== "ruby") return undefined;
  const [found, glob = ""] =
    text.charAt(at) === "<" ? (/^<([~/][^>\n]*)>/.exec(text.slice(at, at + 200)) ?? []) : [];
  if (found) return { token: { kind: "string", text: glob }, next: at + found.length };
  PERL_QUOTE.lastIndex = at;
  const [whole = "", kind = "", open = ""] = PERL_QUOTE.exec(text) ?? [];
  if (!whole || /[\w$@%]/.test(text.charAt(at - 1))) return undefined;
  const end = closing(text, at + whole.length, CLOSERS[open] ?? open);
  return {
    token: {
      kind: kind.endsWith("x") ? "shell" : "string",
      text: unescapeText(text.slice(at + whole.length, end)),
      isList: kind.endsWith("w"),
    },
    next: end + 1,
  };
}

function comment(text: string, at: number, language: Language): number | undefined {
  const isLine =
    (text.charAt(at) === "#" && HASH_COMMENTS.has(language) && !/[$\w]/.test(text.charAt(at - 1))) ||
    (text.startsWith("//", at) &&
      (language === "javascript" || language === "php") &&
      text.charAt(at - 1) !== ":") ||
    (text.startsWith("--", at) && (language === "lua" || language === "osascript"));
  const isBlock = text.startsWith("/*", at) && (language === "javascript" || language === "php");
  if (!isLine && !isBlock) return undefined;
  const end = text.indexOf(isLine ? "\n" : "*/", at + 1);
  return end < 0 ? text.length : end + (isLine ? 0 : 2);
}

const REGEX_LANGUAGES = wordSet("javascript perl ruby awk php");
const BEFORE_REGEX =
  /^[(,=~!{};&|?:[\n]$|^(return|if|unless|and|or|not|split|grep|when|in|print|puts|while)$/;

/** A slash where a value is expected opens a regular expression; its quotes and hashes are its own. */
function regex(text: string, at: number, before: Token | undefined, language: Language): Step | undefined {
  if (text.charAt(at) !== "/" || !REGEX_LANGUAGES.has(language)) return undefined;
  if (before && (before.kind === "string" || !BEFORE_REGEX.test(before.text))) return undefined;
  const [whole] =
    /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/.exec(text.slice(at, at + 2000)) ?? [];
  return whole ? { token: { kind: "mark", text: "/" }, next: at + whole.length } : undefined;
}

const isNameSign = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;
const isNamePart = (code: number) => isNameSign(code) || (code >= 48 && code <= 57);
const LINKS = [".", "::", "->", "?."];

/** Where the name that begins here ends, with all its owners: `a.b::c->d!`. */
function nameEnd(text: string, from: number): number {
  if (!isNameSign(text.charCodeAt(from)) && text.charAt(from) !== "@") return from;
  for (let at = from + 1; ; at++) {
    while (isNamePart(text.charCodeAt(at))) at++;
    if (text.charAt(at) === "!" || text.charAt(at) === "?") at++;
    const link = LINKS.find((one) => text.startsWith(one, at)) ?? "";
    if (!link || !isNameSign(text.charCodeAt(at + link.length))) return at;
    at += link.length;
  }
}

function word(text: string, at: number): Step | undefined {
  const end = nameEnd(text, at);
  if (end > at) return { token: { kind: "name", text: text.slice(at, end) }, next: end };
  if (!/^\d$/.test(text.charAt(at))) return undefined;
  NUMBER.lastIndex = at;
  const number = NUMBER.exec(text)?.[0];
  return number ? { token: { kind: "number", text: number }, next: at + number.length } : undefined;
}

export function tokenise(text: string, language: Language): Token[] {
  const tokens: Token[] = [];
  let lineStart = 0;
  let lineEnd = text.indexOf("\n");
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (char === " " || char === "\t" || char === "\r") {
      at++;
      continue;
    }
    const skipped = comment(text, at, language);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const step =
      regex(text, at, tokens.at(-1), language) ??
      ownQuote(text, at, language) ??
      quoted(text, at, language) ??
      word(text, at);
    while (lineEnd >= 0 && lineEnd < at) {
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf("\n", lineStart);
    }
    const token: Token = step?.token ?? { kind: "mark", text: char };
    token.column = at - lineStart;
    tokens.push(token);
    at = step?.next ?? at + 1;
  }
  return tokens;
}
