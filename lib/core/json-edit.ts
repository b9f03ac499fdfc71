// Reads and changes one member of a JSON object with comments. All other bytes stay: a person's settings file keeps its look.
// Not by jsonc-parser's own formatter, which also reformats the members beside the change.
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

function parseObject(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw new Error(`${printParseErrorCode(error.error)} at character ${error.offset}`);
  if (root?.type !== "object") throw new Error("it must be an object");
  return root;
}

/** `undefined` where there is none; throws where the text is no object. */
export function memberOf(text: string, name: string): unknown {
  const found = findNodeAtLocation(parseObject(text), [name]);
  return found && getNodeValue(found);
}

/** `undefined` removes the member. */
export function withMember(text: string, name: string, value: unknown): string {
  const root = parseObject(text);
  const found = findNodeAtLocation(root, [name]);
  if (value === undefined) return found?.parent ? withoutMember(text, root, found.parent, name) : text;
  const neighbour = found?.parent ?? root.children?.at(-1);
  const indent = neighbour ? indentOf(text, root, neighbour) : "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const json = written(value, indent, eol);
  if (found) return applyEdits(text, [{ offset: found.offset, length: found.length, content: json }]);
  const member = `${JSON.stringify(name)}: ${json}`;
  if (!neighbour)
    return applyEdits(text, [{ offset: root.offset + 1, length: 0, content: `${eol}  ${member}${eol}` }]);
  const content = indent === undefined ? `,${member}` : `,${eol}${indent}${member}`;
  return applyEdits(text, [{ offset: neighbour.offset + neighbour.length, length: 0, content }]);
}

function withoutMember(text: string, root: Node, member: Node, name: string): string {
  const end = member.offset + member.length;
  const comma = /^\s*,\s*/.exec(text.slice(end))?.[0];
  if (member === root.children?.[0] && comma && root.children.length > 1)
    return text.slice(0, member.offset) + text.slice(end + comma.length);
  const rest = applyEdits(text, modify(text, [name], undefined, {}));
  return root.children?.length === 1 ? rest.replace(/^(\s*)\{\s+\}/, "$1{}") : rest;
}

/** The indentation of a member's line; `undefined` where the object is written on one line. */
function indentOf(text: string, root: Node, member: Node): string | undefined {
  const before = text.slice(root.offset, member.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return lineStart === 0 ? undefined : /^[ \t]*/.exec(before.slice(lineStart))?.[0];
}

function written(value: unknown, indent: string | undefined, eol: string): string {
  if (indent === undefined) return JSON.stringify(value);
  const json = JSON.stringify(value, null, indent.includes("\t") ? "\t" : indent || "  ");
  return json.replaceAll("\n", `${eol}${indent}`);
}
