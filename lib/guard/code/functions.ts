// Functions that code defines for itself: what they do with what they are given is looked at where they are called.
import { UNKNOWN } from "../shell/unknowns.ts";
import type { Value } from "./results.ts";
import type { Language, Token } from "./tokens.ts";

/** `head` is where it begins, `from` and `to` are the body's tokens; a starred parameter takes all that is left. */
export type Definition = {
  head: number;
  parameters: readonly { name: string; takesRest: boolean }[];
  from: number;
  to: number;
};

const MAX_HEAD = 80;
/** Perl's functions take all they are given under one name. */
const PERLS = [{ name: "@_", takesRest: true }];

/** Behind the bracket that is opened at `open`. */
function behind(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { kind, text } = tokens[at] ?? { kind: "mark", text: "" };
    if (kind !== "mark") continue;
    if ("([{".includes(text)) depth++;
    if (")]}".includes(text) && --depth === 0) return at + 1;
  }
  return tokens.length;
}

/** The names between two paths that are no defaults and no types. */
function parametersIn(tokens: readonly Token[], from: number, to: number): Definition["parameters"] {
  const found: { name: string; takesRest: boolean }[] = [];
  for (let at = from; at < to; at++) {
    const before = tokens[at - 1]?.text ?? "";
    const isFirst = at === from || before === "," || before === "*" || before === "." || before === "&";
    if (tokens[at]?.kind === "name" && isFirst)
      found.push({ name: tokens[at]?.text ?? "", takesRest: before === "*" || before === "." });
  }
  return found;
}

/** The first token of a line that is no further in than the one at `head`, or the end of that very line. */
function dedent(tokens: readonly Token[], head: number, start: number): number {
  const margin = tokens[head]?.column ?? 0;
  for (let at = start; at < tokens.length; at++)
    if (tokens[at - 1]?.text === "\n" && tokens[at]?.text !== "\n" && (tokens[at]?.column ?? 0) <= margin)
      return at;
  return tokens.length;
}

function lineEnd(tokens: readonly Token[], from: number): number {
  for (let at = from; at < tokens.length; at++)
    if (tokens[at]?.kind === "mark" && (tokens[at]?.text === "\n" || tokens[at]?.text === ";")) return at;
  return tokens.length;
}

/** Where the body that begins at `from` ends: with its braces, its indentation or its line. */
const bodyEnd = (tokens: readonly Token[], head: number, from: number, language: Language) =>
  tokens[from]?.text === "{"
    ? behind(tokens, from)
    : ["python", "ruby", "lua"].includes(language) && tokens[from]?.text !== "="
      ? dedent(tokens, head, from)
      : lineEnd(tokens, from);

/** `def f(a, *b):`, `function f(a, ...b) {`, `f = (a) => …`, `f = lambda a: …`. */
function definitionAt(
  tokens: readonly Token[],
  at: number,
  language: Language,
): [string, Definition] | undefined {
  const token = tokens[at];
  const second = tokens[at + 1];
  const third = tokens[at + 2];
  if (token?.kind !== "name") return undefined;
  if (
    ["def", "function", "sub", "fn"].includes(token.text) &&
    second?.kind === "name" &&
    third?.text === "("
  ) {
    const from = behind(tokens, at + 2);
    const parameters = parametersIn(tokens, at + 3, from - 1);
    return [second.text, { head: at, parameters, from, to: bodyEnd(tokens, at, from, language) }];
  }
  if (token.text === "sub" && second?.kind === "name" && third?.text === "{")
    return [second.text, { head: at, parameters: PERLS, from: at + 2, to: behind(tokens, at + 2) }];
  if (second?.text !== "=" || second.kind !== "mark") return undefined;
  const start = third?.text === "async" ? at + 3 : at + 2;
  if (tokens[start]?.text === "lambda") {
    const head = tokens.slice(start, start + MAX_HEAD);
    const colon = start + head.findIndex(({ text, kind }) => kind === "mark" && text === ":");
    if (colon < start) return undefined;
    return [
      token.text,
      {
        head: at,
        parameters: parametersIn(tokens, start + 1, colon),
        from: colon + 1,
        to: lineEnd(tokens, colon),
      },
    ];
  }
  const isNamed = tokens[start]?.text === "function";
  const open = isNamed ? start + 1 : start;
  const isBare = tokens[open]?.kind === "name" && tokens[open + 1]?.text === "=";
  if (tokens[open]?.text !== "(" && !isBare) return undefined;
  const end = isBare ? open + 1 : behind(tokens, open);
  const isArrow = tokens[end]?.text === "=" && tokens[end + 1]?.text === ">";
  if (!isArrow && !isNamed) return undefined;
  const from = isArrow ? end + 2 : end;
  const parameters = isBare ? parametersIn(tokens, open, open + 1) : parametersIn(tokens, open + 1, end - 1);
  return [token.text, { head: at, parameters, from, to: bodyEnd(tokens, at, from, language) }];
}

export function functionsIn(tokens: readonly Token[], language: Language): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  if (language === "osascript") return found;
  tokens.forEach((_, at) => {
    const [name, definition] = definitionAt(tokens, at, language) ?? [];
    if (name && definition) found.set(name, definition);
  });
  return found;
}

/** The parameters as variables. */
export const bound = ({ parameters }: Definition, args: readonly Value[]): [string, Value][] =>
  parameters.map(({ name, takesRest }, at) => [
    name,
    takesRest
      ? { text: UNKNOWN, list: args.slice(at).flatMap(({ text, list }) => list ?? text) }
      : (args[at] ?? { text: UNKNOWN }),
  ]);
