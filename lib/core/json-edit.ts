// Reads and changes one property of a JSON object with comments. All other bytes stay: a person's settings file keeps its look.
// Not by jsonc-parser's own formatter, which also reformats the properties beside the change.
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
export function propertyOf(text: string, name: string): unknown {
  const found = findNodeAtLocation(parseObject(text), [name]);
  return found && getNodeValue(found);
}

/** `undefined` removes the property. */
export function withProperty(text: string, name: string, value: unknown): string {
  const root = parseObject(text);
  const found = findNodeAtLocation(root, [name]);
  if (value === undefined) return found?.parent ? withoutProperty(text, root, found.parent, name) : text;
  const neighbour = found?.parent ?? root.children?.at(-1);
  const indent = neighbour ? indentOf(text, root, neighbour) : "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const json = written(value, indent, eol);
  if (found) return applyEdits(text, [{ offset: found.offset, length: found.length, content: json }]);
  const property = `${JSON.stringify(name)}: ${json}`;
  if (!neighbour)
    return applyEdits(text, [{ offset: root.offset + 1, length: 0, content: `${eol}  ${property}${eol}` }]);
  const content = indent === undefined ? `,${property}` : `,${eol}${indent}${property}`;
  return applyEdits(text, [{ offset: neighbour.offset + neighbour.length, length: 0, content }]);
}

function withoutProperty(text: string, root: Node, property: Node, name: string): string {
  const end = property.offset + property.length;
  const comma = /^\s*,\s*/.exec(text.slice(end))?.[0];
  if (property === root.children?.[0] && comma && root.children.length > 1)
    return text.slice(0, property.offset) + text.slice(end + comma.length);
  const rest = applyEdits(text, modify(text, [name], undefined, {}));
  return root.children?.length === 1 ? rest.replace(/^(\s*)\{\s+\}/, "$1{}") : rest;
}

/** The indentation of a property's line; `undefined` where the object is written on one line. */
function indentOf(text: string, root: Node, property: Node): string | undefined {
  const before = text.slice(root.offset, property.offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return lineStart === 0 ? undefined : /^[ \t]*/.exec(before.slice(lineStart))?.[0];
}

function written(value: unknown, indent: string | undefined, eol: string): string {
  if (indent === undefined) return JSON.stringify(value);
  const json = JSON.stringify(value, null, indent.includes("\t") ? "\t" : indent || "  ");
  return json.replaceAll("\n", `${eol}${indent}`);
}
