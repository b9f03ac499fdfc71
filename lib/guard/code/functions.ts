// Functions that code defines for itself. A call of one reads its body with the parameters standing for what they are given.
import { UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";
import type { Value } from "./results.ts";
import type { Token } from "./tokens.ts";

/** The body ends with the next definition or with a line that begins no further in. A parameter with `rest` takes all that is left. */
export type Definition = { parameters: readonly { name: string; rest: boolean }[]; from: number; to: number };

const KEYWORDS = wordSet("def function sub fn");
/** A function that is a value: what may stand between `name =` and its parameters. */
const VALUE_KEYWORDS = ["async", "function", "lambda"];
const MAX_PARAMETERS = 80;

/** Where the parameters of the function that is defined here begin, and its name. */
function headAt(tokens: readonly Token[], at: number): { name: string; start: number } | undefined {
  const [token, next, third] = tokens.slice(at, at + 3);
  if (token?.kind !== "name" || next === undefined) return undefined;
  if (KEYWORDS.has(token.text) && next.kind === "name") return { name: next.text, start: at + 2 };
  if (next.text !== "=" || next.kind !== "mark" || third?.kind === "string") return undefined;
  let start = at + 2;
  while (VALUE_KEYWORDS.includes(tokens[start]?.text ?? "")) start++;
  const end = start + tokens.slice(start, start + MAX_PARAMETERS).findIndex(({ text }) => text === ">");
  const isArrow =
    end > start && tokens[end - 1]?.text === "=" && /^(\)|\w+)$/.test(tokens[end - 2]?.text ?? "");
  return start > at + 2 || isArrow ? { name: token.text, start } : undefined;
}

/** Perl's functions take all they are given under one name. */
const PERL_PARAMETERS = [{ name: "@_", rest: true }];

function parametersFrom(tokens: readonly Token[], start: number): Definition["parameters"] {
  if (tokens[start]?.text === "{") return PERL_PARAMETERS;
  const first = tokens[start]?.text === "(" ? start + 1 : start;
  const found: { name: string; rest: boolean }[] = [];
  for (let at = first; at < first + MAX_PARAMETERS; at++) {
    const { kind, text } = tokens[at] ?? { kind: "mark", text: ")" };
    const before = tokens[at - 1]?.text ?? "";
    if (kind === "mark" && (text === ")" || (first === start && /^[:=]$/.test(text)))) break;
    if (kind === "name" && (at === first || /^[,*.&]$/.test(before)) && text !== "self")
      found.push({ name: text, rest: before === "*" || before === "." });
  }
  return found;
}

export function functionsIn(tokens: readonly Token[]): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  let last: (Definition & { margin: number }) | undefined;
  tokens.forEach(({ column = 0 }, at) => {
    const head = headAt(tokens, at);
    const isOutside = last && tokens[at - 1]?.text === "\n" && column <= last.margin;
    if (last && (head || isOutside)) last.to = Math.min(last.to, at);
    if (!head) return;
    last = {
      parameters: parametersFrom(tokens, head.start),
      from: head.start,
      to: tokens.length,
      margin: column,
    };
    found.set(head.name, last);
  });
  return found;
}

/** The parameters as variables. */
export const bound = ({ parameters }: Definition, args: readonly Value[]): [string, Value][] =>
  parameters.map(({ name, rest }, at) => [
    name,
    rest
      ? { text: UNKNOWN, list: args.slice(at).flatMap(({ text, list }) => list ?? text) }
      : (args[at] ?? { text: UNKNOWN }),
  ]);
