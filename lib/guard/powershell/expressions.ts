// The values of PowerShell's expressions: texts with variables in them, lists, tables, members, operators.
import { DECODED, deeper, taintOf, UNKNOWN } from "../shell/state.ts";
import { type Cursor, group, inside, isEnd, isMark, isOpen, peek, type Token, tokenise } from "./tokens.ts";
import { method, NOTHING, only, property, staticMember, textOf, type Value, variable } from "./values.ts";

/** Where the bracket that `$(` opens is closed. */
function closing(text: string): number {
  for (let at = 1, depth = 0; at < text.length; at++) {
    if (text.charAt(at) === "(") depth++;
    if (text.charAt(at) === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** `"… $x … $(code) …"` */
function filled(text: string, around: Cursor): string {
  let out = "";
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const [escaped] = /^`./s.exec(rest) ?? [];
    const [name] = /^\$(\{[^}]*\}|[A-Za-z_]\w*(:\w+)?)/.exec(rest) ?? [];
    if (rest.startsWith("$(")) {
      const end = closing(rest);
      out += textOf(around.walk(inside(around, tokenise(rest.slice(2, end)))));
      at += end + 1;
    } else if (escaped) {
      out += escaped === "`n" ? "\n" : escaped.charAt(1);
      at += 2;
    } else if (name) {
      out += textOf(held(name.slice(1).replace(/[{}]/g, "").toLowerCase(), around));
      at += name.length;
    } else out += text.charAt(at++);
  }
  return out;
}

function table(cursor: Cursor): Value {
  const inner = inside(cursor, group(cursor));
  const entries = new Map<string, readonly string[]>();
  while (inner.at < inner.tokens.length) {
    const key = peek(inner);
    inner.at++;
    if (!key || !isMark(peek(inner), "=")) continue;
    inner.at++;
    entries.set(key.text.toLowerCase(), operation(inner).items);
  }
  return { items: [UNKNOWN], table: entries };
}

function primary(cursor: Cursor): Value {
  const token = peek(cursor);
  if (!token) return NOTHING;
  if (token.kind === "open") {
    if (token.text === "@{") return table(cursor);
    const tokens = group(cursor);
    return token.text === "{" ? { items: [UNKNOWN], block: tokens } : cursor.walk(inside(cursor, tokens));
  }
  cursor.at++;
  if (token.kind === "literal") return only(token.text);
  if (token.kind === "text") return only(filled(token.text, cursor));
  if (token.kind === "variable") return held(token.text, cursor);
  if (token.kind === "type") return typed(cursor, token.text);
  return only(token.text);
}

export const held = (name: string, { scope, shell }: Cursor): Value =>
  scope.values.get(name === "psitem" ? "_" : name) ?? only(variable(name, shell));

/** `[type]::member(…)`, or a cast. */
function typed(cursor: Cursor, first: string): Value {
  let type = first;
  for (let next = peek(cursor); next?.kind === "type"; next = peek(cursor)) {
    type = next.text;
    cursor.at++;
  }
  if (isMark(peek(cursor), "::")) {
    cursor.at++;
    const name = peek(cursor)?.text ?? "";
    cursor.at++;
    return staticMember(type, name, isOpen(peek(cursor), "(") ? argumentsOf(cursor) : [], cursor.shell);
  }
  if (isEnd(peek(cursor)) || isMark(peek(cursor), "=")) return only(UNKNOWN);
  const value = argument(cursor);
  return /^char/.test(type) ? only(DECODED) : value;
}

function argumentsOf(cursor: Cursor): Value[] {
  const inner = inside(cursor, group(cursor));
  const values: Value[] = [];
  while (inner.at < inner.tokens.length) {
    if (isMark(peek(inner), ",") || isMark(peek(inner), ";")) inner.at++;
    else values.push(operation(inner, argument));
  }
  return values;
}

/** A text becomes code; one that runs itself is run once. */
export function runText(given: string, cursor: Cursor): Value {
  const text = given.replaceAll(DECODED, "");
  return only(deeper(cursor.shell, text, () => textOf(cursor.walk(inside(cursor, tokenise(text))))));
}

/** A piece of code in braces, for one item. */
export function runBlock(block: readonly Token[], item: string, cursor: Cursor): Value {
  cursor.scope.values.set("_", only(item));
  return cursor.walk(inside(cursor, block));
}

/** Members and indexes behind a value. */
function postfix(cursor: Cursor, start: Value): Value {
  let value = start;
  for (let token = peek(cursor); token?.glued; token = peek(cursor)) {
    if (isMark(token, ".")) {
      const name = cursor.tokens[cursor.at + 1]?.text ?? "";
      cursor.at += 2;
      if (!isOpen(peek(cursor), "(") || !peek(cursor)?.glued) value = property(value, name);
      else {
        const args = argumentsOf(cursor);
        for (const { block } of [value, ...args])
          if (block) for (const item of value.items) runBlock(block, item, cursor);
        if (/^invoke(script|returnasis)?$/i.test(name)) runText(textOf(args[0] ?? value), cursor);
        value = method(value, name, args, cursor.shell);
      }
    } else if (isOpen(token, "[")) group(cursor);
    else break;
  }
  return value;
}

/** One argument: everything up to a blank. */
export function argument(cursor: Cursor): Value {
  const start = cursor.at;
  const value = postfix(cursor, primary(cursor));
  let text: string | undefined;
  for (let token = peek(cursor); token?.glued && !isEnd(token) && token.kind !== "mark"; token = peek(cursor))
    text = (text ?? textOf(value)) + textOf(postfix(cursor, primary(cursor)));
  if (cursor.at === start) cursor.at++;
  return text === undefined ? value : only(text);
}

/** Arguments with commas between them are a list. */
export function list(cursor: Cursor): Value {
  const first = argument(cursor);
  const items = [...first.items];
  while (isMark(peek(cursor), ",")) {
    cursor.at++;
    items.push(...argument(cursor).items);
  }
  return items.length === first.items.length ? first : { items };
}

/** Values joined by operators. */
export function operation(cursor: Cursor, operand: (cursor: Cursor) => Value = list): Value {
  while (isMark(peek(cursor), "!") || /^-(not|join|split)$/i.test(peek(cursor)?.text ?? "")) cursor.at++;
  let value = operand(cursor);
  for (
    let token = peek(cursor);
    token && (isMark(token, "+") || /^-[a-z]+$/i.test(token.text));
    token = peek(cursor)
  ) {
    cursor.at++;
    const right = isEnd(peek(cursor)) ? NOTHING : operand(cursor);
    value = combined(value, token.text.toLowerCase(), right);
  }
  return value;
}

function combined(left: Value, operator: string, right: Value): Value {
  if (operator === "+")
    return left.items.length === 1 && right.items.length === 1
      ? only(textOf(left) + textOf(right))
      : { items: [...left.items, ...right.items] };
  if (operator === "-join") return only(left.items.join(textOf(right)));
  if (operator === "-f")
    return only(textOf(left).replace(/\{(\d+)[^}]*\}/g, (_, at: string) => right.items[Number(at)] ?? ""));
  if (operator === "-replace") return only(DECODED + taintOf(textOf(left)));
  return left;
}
