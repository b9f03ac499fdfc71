// A call in another language: what it is given, whose method it is, and what the names around it stand for.
import { wordSet } from "../word-set.ts";
import { lastName, ownerName, type Scope, type Value } from "./results.ts";
import { sinkOf } from "./sinks.ts";
import type { Token } from "./tokens.ts";
import { bounded, expression, listAt } from "./values.ts";

const LONGEST_CHAIN = 400;
const OWNED = wordSet("unlink rmdir write write_text write_bytes touch open rename symlink_to chmod execute");

/** `Path(x).unlink()`, `p.write_text(…)`: the owner is the path. */
export function ownerOf(scope: Scope, at: number): Value | undefined {
  const name = scope.tokens[at]?.text ?? "";
  if (scope.language === "javascript" || !OWNED.has(lastName(name))) return undefined;
  const owner = ownerName(name);
  if (owner) return scope.names.get(owner);
  if (scope.tokens[at - 1]?.text !== ".") return undefined;
  if (scope.tokens[at - 2]?.kind === "string") return { text: scope.tokens[at - 2]?.text ?? "" };
  const start = chainStart(scope, at);
  return start < 0 ? undefined : valueBetween(scope, start, at - 1);
}

/** What the tokens from `start` to `end` stand for. */
const valueBetween = (scope: Scope, start: number, end: number): Value =>
  expression({ ...scope, tokens: scope.tokens.slice(start, end) }, 0).value;

/** Where `a(…).b(…)` in front of a method begins. */
function chainStart(scope: Scope, at: number): number {
  let depth = 0;
  for (let back = at - 2; back >= Math.max(0, at - LONGEST_CHAIN); back--) {
    const { kind, text } = scope.tokens[back] ?? { kind: "mark", text: "" };
    if (kind === "mark" && text === ")") depth++;
    if (kind !== "mark" || text !== "(" || --depth > 0) continue;
    const start = scope.tokens[back - 1]?.kind === "name" ? back - 1 : back;
    return scope.tokens[start - 1]?.text === "." && scope.tokens[start - 2]?.text === ")"
      ? chainStart(scope, start)
      : start;
  }
  return -1;
}

/** Arguments in brackets, or bare ones as Perl, Ruby and Lua allow. */
export function argumentsAt(scope: Scope, at: number): Value[] | undefined {
  const next = scope.tokens[at + 1];
  const isNested =
    next?.kind === "name" &&
    ["perl", "ruby"].includes(scope.language) &&
    sinkOf(lastName(scope.tokens[at]?.text ?? "")) !== undefined;
  if (next?.kind === "mark" && next.text === "(") return listAt(scope, at + 1, 0).items;
  if (
    next?.text === "{" &&
    scope.language === "perl" &&
    ["system", "exec"].includes(scope.tokens[at]?.text ?? "")
  )
    return bareArguments(scope, listAt(scope, at + 1, 0).next); // system { program } list
  const isBare =
    next &&
    (next.kind === "string" ||
      next.kind === "shell" ||
      next.kind === "number" ||
      isNested ||
      (next.kind === "name" && (/^[$@]$/.test(next.text.charAt(0)) || next.text === "glob")) ||
      next.text === "-");
  if (!isBare || (scope.tokens[at + 2]?.text === ":" && next.kind === "string")) return undefined;
  return bareArguments(scope, at + 1);
}

function bareArguments(scope: Scope, start: number): Value[] {
  const items: Value[] = [];
  for (let from = start; from < scope.tokens.length && items.length < 16; ) {
    const { value, next } = expression(scope, from);
    items.push(value);
    if (scope.tokens[next]?.text !== ",") break;
    from = next + 1;
  }
  return items;
}

export function remember(scope: Scope, at: number): void {
  const [name, next, after] = scope.tokens.slice(at, at + 3);
  if (name?.kind !== "name") return;
  if (next?.text === "(") extend(scope, at, name.text);
  if (name.text === "as" && next?.kind === "name" && scope.tokens[at - 1]?.text === ")") {
    const start = chainStart(scope, at + 1);
    if (start >= 0) scope.names.set(next.text, valueBetween(scope, start, at));
  }
  const isAssignment = next?.text === "=" && next.kind === "mark";
  if (!isAssignment || (after?.kind === "mark" && /^[=>~]$/.test(after.text))) return;
  scope.names.set(name.text, expression(scope, at + 2).value);
}

/** `list.append(x)`, `list.push(x)`. */
function extend(scope: Scope, at: number, name: string): void {
  if (!["append", "push"].includes(lastName(name))) return;
  const owner = ownerName(name);
  const before = scope.names.get(owner);
  if (!before?.list) return;
  const items = listAt(scope, at + 1, 0).items.map(({ text }) => text);
  scope.names.set(owner, bounded({ ...before, list: [...before.list, ...items] }));
}

/** More names than a loop has. */
const MAX_NAMES = 16;
const isIn = (token: Token | undefined) => token?.text === "in" || token?.text === "of";

/** `for f in glob("/etc/*")`, `for d, _, f in walk(…)`, also behind what is done with it: each is any of them. */
export function bindLoop(scope: Scope, at: number): void {
  const names: string[] = [];
  let end = at + 1;
  while (["(", "const", "let", "var", "my"].includes(scope.tokens[end]?.text ?? "")) end++;
  for (; names.length < MAX_NAMES && scope.tokens[end]?.kind === "name" && !isIn(scope.tokens[end]); end++) {
    names.push(scope.tokens[end]?.text ?? "");
    if (scope.tokens[end + 1]?.text === ",") end++;
  }
  if (!isIn(scope.tokens[end])) return;
  const { value } = expression(scope, end + 1);
  for (const name of names) scope.names.set(name, value);
}

/** `["a", "b"].map`, `%w[a b].each`: the list itself. */
function literalBefore(scope: Scope, at: number): Value | undefined {
  if (scope.tokens[at - 1]?.text !== ".") return undefined;
  let start = at - 2;
  if (scope.tokens[start]?.text === "]")
    while (start > Math.max(0, at - LONGEST_CHAIN) && scope.tokens[start]?.text !== "[") start--;
  return valueBetween(scope, start, at - 1);
}

const EACH = wordSet("map forEach flatMap filter each each_with_index");

/** `list.map((x) => …)`, `list.each { |x| … }`: x is any of them. */
export function bindCallback(scope: Scope, at: number): void {
  const { tokens, names } = scope;
  const name = tokens[at]?.text ?? "";
  if (!EACH.has(lastName(name))) return;
  const owner = literalBefore(scope, at) ?? names.get(ownerName(name));
  let start = at + 1;
  while (
    start < at + 5 &&
    (/^[({|]$/.test(tokens[start]?.text ?? "") || ["async", "do"].includes(tokens[start]?.text ?? ""))
  )
    start++;
  if (start > at + 1 && owner?.list && tokens[start]?.kind === "name")
    names.set(tokens[start]?.text ?? "", owner);
}
