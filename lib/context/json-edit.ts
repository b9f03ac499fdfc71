// Changes one member of a JSON object and not a byte besides: a person's settings file keeps its look.

interface Member {
  name: string;
  /** From the name's quote to the end of the value. */
  from: number;
  value: number;
  to: number;
}

/** `undefined` removes the member. The text must be a JSON object. */
export function withMember(text: string, name: string, value: unknown): string {
  const open = text.indexOf("{");
  const members = membersOf(text, open + 1);
  const at = members.findIndex((member) => member.name === name);
  const found = members[at];
  if (found && value === undefined) return without(text, members, at);
  if (found) return text.slice(0, found.value) + written(value, text, found.from) + text.slice(found.to);
  if (value === undefined) return text;
  return added(text, open, members, name, value);
}

function added(text: string, open: number, members: Member[], name: string, value: unknown): string {
  const last = members.at(-1);
  if (!last) {
    const rest = text.slice(open + 1).replace(/^\s*/, "");
    return `${text.slice(0, open + 1)}\n  ${JSON.stringify(name)}: ${indented(value, "  ")}\n${rest}`;
  }
  const lead = text.slice(0, last.from).match(/\s*$/)?.[0] ?? " ";
  const member = `${JSON.stringify(name)}: ${written(value, text, last.from)}`;
  return `${text.slice(0, last.to)},${lead}${member}${text.slice(last.to)}`;
}

function without(text: string, members: Member[], at: number): string {
  const [before, here, after] = [members[at - 1], members[at], members[at + 1]];
  if (!here) return text;
  if (before) return text.slice(0, before.to) + text.slice(here.to);
  if (after) return text.slice(0, here.from) + text.slice(after.from);
  return text.slice(0, here.from).trimEnd() + text.slice(here.to).trimStart();
}

/** On one line if its neighbours stand on one, else indented as they are. */
function written(value: unknown, text: string, near: number): string {
  const indent = text.slice(0, near).match(/\n([ \t]*)$/)?.[1];
  return indent === undefined ? JSON.stringify(value) : indented(value, indent);
}

const indented = (value: unknown, indent: string) =>
  JSON.stringify(value, null, indent.includes("\t") ? "\t" : indent || "  ").replaceAll("\n", `\n${indent}`);

function membersOf(text: string, from: number): Member[] {
  const members: Member[] = [];
  for (let at = skipBlank(text, from); text[at] === '"'; ) {
    const nameEnd = endOfValue(text, at);
    const value = skipBlank(text, skipBlank(text, nameEnd) + 1);
    const to = endOfValue(text, value);
    members.push({ name: JSON.parse(text.slice(at, nameEnd)) as string, from: at, value, to });
    const next = skipBlank(text, to);
    if (text[next] !== ",") break;
    at = skipBlank(text, next + 1);
  }
  return members;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? "")) at++;
  return at;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') at = endOfString(text, at);
    else if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
    if (depth === 0 && (/["}\]]/.test(sign) || /[\s,}\]]/.test(text[at + 1] ?? "}"))) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

export function memberOf(text: string, name: string): unknown {
  const content: unknown = JSON.parse(text);
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new Error("it must be an object");
  return (content as Record<string, unknown>)[name];
}
