// Walks PowerShell as it would be run: statements, pipelines, blocks of every branch, and the values they hand on.
import { writeFile } from "../shell/file-effects.ts";
import { clip, countStep, deeper, type Shell, subshell, UNKNOWN } from "../shell/state.ts";
import { runCommand } from "./commands.ts";
import { argument, held, list, operation, runBlock, runText } from "./expressions.ts";
import { fromHome, type Given, giveNamed, isSwitch } from "./items.ts";
import { type Cursor, group, inside, isEnd, isMark, isOpen, peek, tokenise } from "./tokens.ts";
import { NOTHING, only, textOf, type Value } from "./values.ts";

/** The words of a command: parameters, splatted tables and lists, and operands. */
function command(cursor: Cursor, input: readonly string[]): Value {
  const first = peek(cursor);
  if (!first) return NOTHING;
  const calls = isMark(first, "&") || (first.kind === "word" && first.text === ".");
  if (calls) cursor.at++;
  else if (first.kind !== "word" || /^[-\d]/.test(first.text)) return operation(cursor);
  const name = argument(cursor);
  if (name.block) return statements(inside(cursor, name.block));
  const given: Given = { named: new Map(), operands: [], blocks: [], words: [] };
  const isOwn = cursor.scope.functions.has(textOf(name).toLowerCase());
  while (!isEnd(peek(cursor))) readArgument(cursor, given, isOwn);
  return (
    callFunction(textOf(name).toLowerCase(), given, cursor) ??
    runCommand(textOf(name), given, input, {
      shell: cursor.shell,
      block: (tokens, item) => runBlock(tokens, item, cursor),
      code: (text) => runText(text, cursor),
    })
  );
}

function redirect(cursor: Cursor): void {
  cursor.at++;
  if (!isEnd(peek(cursor))) writeFile(fromHome(textOf(argument(cursor)), cursor.shell), cursor.shell);
}

/** The parameters of a function of one's own are not known as switches. */
function readArgument(cursor: Cursor, given: Given, isOwn: boolean): void {
  const token = peek(cursor);
  if (!token) return;
  if (token.kind === "mark" && token.text !== "!") {
    if (token.text === ">") redirect(cursor);
    else cursor.at++;
    return;
  }
  if (token.kind === "splat") {
    cursor.at++;
    const value = held(token.text, cursor);
    for (const [key, items] of value.table ?? []) giveNamed(given, key, items);
    if (!value.table) given.operands.push(...value.items);
    if (!value.table) given.words.push(...value.items);
    return;
  }
  const value = list(cursor);
  const [, name, inline] = token.kind === "word" ? (/^-([A-Za-z]\w*):?(.*)$/s.exec(textOf(value)) ?? []) : [];
  given.words.push(...value.items);
  if (value.block) given.blocks.push(value.block);
  if (name === undefined) return void given.operands.push(...value.items);
  const next = peek(cursor);
  const isAlone =
    inline !== "" ||
    (!isOwn && isSwitch(name.toLowerCase())) ||
    isEnd(next) ||
    next?.kind === "mark" ||
    (next?.kind === "word" && /^-[A-Za-z]/.test(next.text));
  if (isAlone) return void giveNamed(given, name.toLowerCase(), inline ? [inline] : []);
  const follows = list(cursor);
  if (follows.block) given.blocks.push(follows.block);
  given.named.set(name.toLowerCase(), follows.items);
  given.words.push(...follows.items);
}

function pipeline(cursor: Cursor): Value {
  let value = command(cursor, []);
  while (isMark(peek(cursor), ">")) redirect(cursor);
  while (isMark(peek(cursor), "|")) {
    cursor.at++;
    value = command(cursor, value.items);
  }
  return value;
}

/** What is joined to itself again and again would soon fill the memory. */
const MAX_ITEMS = 4096;

/** `$x = …`, with a cast before it or not. */
function assignment(cursor: Cursor): boolean {
  let at = cursor.at;
  while (cursor.tokens[at]?.kind === "type") at++;
  const name = cursor.tokens[at];
  const mark = cursor.tokens[at + 1];
  if (name?.kind !== "variable" || !(isMark(mark, "=") || isMark(mark, "+="))) return false;
  cursor.at = at + 2;
  const value = pipeline(cursor);
  const before = isMark(mark, "+=") ? held(name.text, cursor).items : [];
  const items = [...before, ...value.items].slice(0, MAX_ITEMS).map(clip);
  cursor.scope.values.set(name.text, { ...value, items });
  return true;
}

/** `foreach ($x in …) { … }` */
function loop(cursor: Cursor): void {
  const head = inside(cursor, group(cursor));
  const name = peek(head)?.text ?? "";
  head.at += 2;
  const { items } = pipeline(head);
  const body = isOpen(peek(cursor), "{") ? group(cursor) : [];
  for (const item of items.length ? items : [UNKNOWN]) {
    cursor.scope.values.set(name, only(item));
    statements(inside(cursor, body));
  }
}

function define(cursor: Cursor): void {
  const name = (peek(cursor)?.text ?? "").toLowerCase();
  cursor.at++;
  const head = isOpen(peek(cursor), "(") ? group(cursor) : [];
  const body = isOpen(peek(cursor), "{") ? group(cursor) : [];
  const inner = body[0]?.text.toLowerCase() === "param" ? group({ ...cursor, tokens: body, at: 1 }) : head;
  cursor.scope.functions.set(name, {
    parameters: inner.filter(({ kind }) => kind === "variable").map(({ text }) => text),
    body,
  });
}

/** A function of this very text, its parameters bound by name or by place. */
function callFunction(name: string, given: Given, cursor: Cursor): Value | undefined {
  const found = cursor.scope.functions.get(name);
  if (!found) return undefined;
  found.parameters.forEach((parameter, at) => {
    const items = given.named.get(parameter) ?? given.operands.slice(at, at + 1);
    cursor.scope.values.set(parameter, { items: items.length ? items : [UNKNOWN] });
  });
  return only(deeper(cursor.shell, found.body, () => textOf(statements(inside(cursor, found.body)))));
}

/** Behind these stands a condition in brackets. */
const CONDITIONS = /^(if|elseif|while|until|switch|for)$/i;
/** Behind these stands a statement or a block. */
const KEYWORDS = /^(else|try|catch|finally|do|return|throw|begin|process|end|exit)$/i;

function statement(cursor: Cursor): Value {
  const token = peek(cursor);
  if (!token) return NOTHING;
  const word = token.kind === "word" ? token.text.toLowerCase() : "";
  if (isOpen(token, "{")) return statements(inside(cursor, group(cursor)));
  if (word === "foreach" && isOpen(cursor.tokens[cursor.at + 1], "(")) {
    cursor.at++;
    loop(cursor);
  } else if (word === "function" || word === "filter") {
    cursor.at++;
    define(cursor);
  } else if (word === "param") {
    cursor.at++;
    if (isOpen(peek(cursor), "(")) group(cursor);
  } else if (CONDITIONS.test(word)) {
    cursor.at++;
    if (isOpen(peek(cursor), "(")) statements(inside(cursor, group(cursor)));
  } else if (KEYWORDS.test(word)) cursor.at++;
  else if (!assignment(cursor)) return pipeline(cursor);
  return NOTHING;
}

/** Every statement of it, whatever it depends on; what they print together. */
function statements(cursor: Cursor): Value {
  const items: string[] = [];
  let last = NOTHING;
  while (cursor.at < cursor.tokens.length) {
    countStep(cursor.shell);
    const start = cursor.at;
    if (isEnd(peek(cursor))) {
      cursor.at++;
      continue;
    }
    last = statement(cursor);
    items.push(...last.items);
    if (cursor.at === start) cursor.at++;
  }
  return items.length === last.items.length ? last : { items };
}

export function walkPowerShell(text: string, shell: Shell): string {
  const scope = { values: new Map(), functions: new Map() };
  const cursor: Cursor = { tokens: tokenise(text), at: 0, shell: subshell(shell), scope, walk: statements };
  return deeper(shell, undefined, () => textOf(statements(cursor)));
}
