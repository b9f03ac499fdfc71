// What an expression of another language stands for: constants, their joins, known paths; everything else is unknown.
import { clip, subshell, taintOf, UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";
import {
  environment,
  joinPath,
  lastName,
  method,
  ownerName,
  passesOn,
  result,
  type Scope,
  type Value,
} from "./results.ts";
import type { Token } from "./tokens.ts";

const MODIFIERS = wordSet("new await return my our local const let var not lambda async throw yield");
const ENVIRONMENTS = wordSet("os.environ process.env ENV $ENV _ENV $_ENV $_SERVER ENVIRON");

type Parsed = { value: Value; next: number };

const isMark = (token: Token | undefined, text: string) => token?.kind === "mark" && token.text === text;

/** The expressions between a bracket at `open` and its end. */
export function listAt(scope: Scope, open: number, depth: number): { items: Value[]; next: number } {
  const items: Value[] = [];
  let at = open + 1;
  while (at < scope.tokens.length && !/^[)\]}]$/.test(markAt(scope, at))) {
    if (markAt(scope, at) === "," || markAt(scope, at) === "\n") {
      at++;
      continue;
    }
    const start = at;
    const spread = spreadAt(scope, at);
    const { value, next } = expression(scope, at + spread, depth + 1);
    at = Math.max(next, start + 1);
    if (spread && value.list) {
      items.push(...value.list.map((text) => ({ text })));
      continue;
    }
    items.push({
      ...value,
      raw: scope.tokens
        .slice(start, at)
        .map(({ text }) => text)
        .join(" "),
    });
  }
  return { items, next: at + 1 };
}

/** `*list` and `...list`: how many marks stand before it. */
function spreadAt(scope: Scope, at: number): number {
  if (markAt(scope, at) === "*") return 1;
  return [at, at + 1, at + 2].every((one) => markAt(scope, one) === ".") ? 3 : 0;
}

const markAt = (scope: Scope, at: number) =>
  scope.tokens[at]?.kind === "mark" ? (scope.tokens[at]?.text ?? "") : "";

/** `name: value` and `name=value` inside a call: the value counts. */
const isLabel = (scope: Scope, at: number) =>
  (scope.tokens[at]?.kind === "name" || scope.tokens[at]?.kind === "string") &&
  /^[=:]$/.test(markAt(scope, at + 1)) &&
  !/^[=>]$/.test(markAt(scope, at + 2));

function primary(scope: Scope, at: number, depth: number): Parsed {
  const token = scope.tokens[at];
  if (!token) return { value: { text: UNKNOWN }, next: at + 1 };
  if (token.kind === "string")
    return {
      value: token.isList ? { text: token.text, list: token.text.trim().split(/\s+/) } : { text: token.text },
      next: at + 1,
    };
  if (token.kind === "shell")
    return { value: { text: scope.shell.run.code(token.text, subshell(scope.shell)) }, next: at + 1 };
  if (token.kind === "number") return { value: { text: token.text.replaceAll("_", "") }, next: at + 1 };
  if (token.kind === "mark" && /^[([{]$/.test(token.text)) {
    const { items, next } = listAt(scope, at, depth);
    const isTuple = markAt(scope, next - 2) === ",";
    if (token.text === "(" && items.length === 1 && !isTuple)
      return { value: items[0] ?? { text: "" }, next };
    const nested = items.find(({ list }) => list)?.list;
    return {
      value: {
        text: taintOf(items.map(({ text }) => text).join("")),
        list: token.text === "{" ? (nested ?? []) : items.map(({ text }) => text),
      },
      next,
    };
  }
  if (token.text === ":" && scope.tokens[at + 1]?.kind === "name")
    return { value: { text: scope.tokens[at + 1]?.text ?? "" }, next: at + 2 };
  if (token.text === "-" && scope.tokens[at + 1]?.kind === "number")
    return { value: { text: `-${scope.tokens[at + 1]?.text}` }, next: at + 2 };
  if (token.kind !== "name") return { value: { text: UNKNOWN }, next: at + 1 };
  if (MODIFIERS.has(token.text)) return primary(scope, at + 1, depth);
  if (isMark(scope.tokens[at + 1], "(") && depth < 24) {
    const { items, next } = listAt(scope, at + 1, depth);
    const list = token.text.endsWith(".slice")
      ? scope.names.get(token.text.slice(0, -".slice".length))?.list
      : undefined;
    if (list) return { value: { text: UNKNOWN, list: list.slice(Number(items[0]?.text) || 0) }, next };
    return { value: result(token.text, items, scope), next };
  }
  const key = scope.tokens[at + 2];
  if (ENVIRONMENTS.has(token.text) && /^[[{]$/.test(markAt(scope, at + 1)) && key)
    return { value: { text: environment(key.text, scope.shell) }, next: at + 4 };
  if (token.text.startsWith("process.env."))
    return {
      value: { text: environment(token.text.slice("process.env.".length), scope.shell) },
      next: at + 1,
    };
  if (scope.tokens[at + 1]?.kind === "string" && passesOn(token.text)) return primary(scope, at + 1, depth);
  return {
    value: scope.names.get(token.text) ?? inputField(token.text, scope) ?? dottedName(token.text, scope),
    next: at + 1,
  };
}

/** awk's `$2`, Perl's `$_`, Python's `sys.stdin`: what is read. */
function inputField(name: string, { language, names, shell }: Scope): Value | undefined {
  if (name === "$_" && names.has("@_")) return names.get("@_");
  const isAll = ["sys.stdin", "$_"].includes(name) || (language === "awk" && name === "$0");
  if (isAll && shell.stdin) return { text: shell.stdin.trim() };
  return language === "awk" && name.startsWith("$") ? { text: taintOf(shell.stdin) } : undefined;
}

/** `x.text` where x is known; `Path.home` and the like. */
function dottedName(name: string, scope: Scope): Value {
  const known = scope.names.get(ownerName(name));
  if (!known)
    return ["Dir.home", "Path.home", "os.homedir"].includes(name)
      ? { text: scope.shell.run.situation.home }
      : { text: UNKNOWN };
  return passesOn(lastName(name)) ? known : { text: taintOf(known.text) };
}

/** Chains behind a value: indexes, methods, properties. */
function postfix(scope: Scope, start: Parsed, depth: number): Parsed {
  let { value, next } = start;
  for (let guard = 0; guard < 16; guard++) {
    const mark = markAt(scope, next);
    if (
      mark === "[" &&
      scope.tokens
        .slice(next, next + 6)
        .map(({ text }) => text)
        .join("") === "[::-1]"
    ) {
      value = { text: [...value.text].reverse().join("") };
      next += 6;
    } else if (mark === "[" && value.list && scope.tokens[next + 1]?.kind === "number") {
      const at = Number(scope.tokens[next + 1]?.text);
      const isSlice = markAt(scope, next + 2) === ":";
      value = isSlice ? { text: value.text, list: value.list.slice(at) } : { text: value.list[at] ?? "" };
      next += isSlice ? 4 : 3;
    } else if (mark === "." && scope.tokens[next + 1]?.kind === "name") {
      const name = scope.tokens[next + 1]?.text ?? "";
      if (!isMark(scope.tokens[next + 2], "(")) {
        value = passesOn(name) ? value : { text: taintOf(value.text) };
        next += 2;
      } else {
        const { items, next: after } = listAt(scope, next + 2, depth);
        value = bounded(method(value, name, items, scope));
        next = after;
      }
    } else break;
  }
  return { value, next };
}

/** Texts side by side are one; in awk everything is. */
function isAdjacent(scope: Scope, at: number): boolean {
  const [before, token] = [scope.tokens[at - 1], scope.tokens[at]];
  if (scope.language === "awk")
    return (
      token !== undefined && token.kind !== "mark" && before?.text !== "\n" && !isStatementStart(scope, at)
    );
  return token?.kind === "string" && before?.kind === "string";
}

export function expression(scope: Scope, from: number, depth = 0): Parsed {
  if (depth > 24) return { value: { text: UNKNOWN }, next: from + 1 };
  const start = isLabel(scope, from) ? from + 2 : from;
  let { value, next } = postfix(scope, primary(scope, start, depth), depth);
  while (next < scope.tokens.length) {
    const mark = markAt(scope, next);
    const adjacent = isAdjacent(scope, next);
    if (!adjacent && !/^[+./%~]$/.test(mark)) break;
    const right = postfix(
      scope,
      primary(
        scope,
        adjacent ? next : next + (mark === "." && markAt(scope, next + 1) === "." ? 2 : 1),
        depth + 1,
      ),
      depth + 1,
    );
    value = bounded(combine(value, mark, right.value));
    next = right.next;
  }
  while (
    next < scope.tokens.length &&
    !/^[,)\]};\n]$/.test(markAt(scope, next)) &&
    !isStatementStart(scope, next)
  )
    next++;
  return { value: bounded(value), next };
}

const MAX_ITEMS = 4096;

/** What is joined to itself again and again would soon fill the memory. */
export const bounded = (value: Value): Value =>
  value.text.length > MAX_ITEMS || (value.list?.length ?? 0) > MAX_ITEMS
    ? { ...value, text: clip(value.text), ...(value.list && { list: value.list.slice(0, MAX_ITEMS) }) }
    : value;

/** Without a separator in sight, a new call or keyword ends the expression. */
const isStatementStart = (scope: Scope, at: number) =>
  scope.tokens[at]?.kind === "name" &&
  ["if", "for", "while", "unless", "and", "or", "do", "then", "end", "foreach", "in", "getline"].includes(
    scope.tokens[at]?.text ?? "",
  );

function combine(left: Value, mark: string, right: Value): Value {
  if (left.list && right.list && mark === "+")
    return { text: left.text, list: [...left.list, ...right.list] };
  if (mark === "/") return { text: joinPath([left.text, right.text]) };
  if (mark === "%") {
    const values = [...(right.list ?? [right.text])];
    return { text: left.text.replace(/%[-\d.]*[sdrx]/g, () => values.shift() ?? UNKNOWN) };
  }
  return { text: left.text + right.text };
}
