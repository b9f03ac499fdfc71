// The small part of YAML that people write between `---` lines: scalars, lists and maps by indentation.

export type Value = string | Value[] | { [key: string]: Value };
export type Fields = { [key: string]: Value };

interface Line {
  indent: number;
  text: string;
}

/** Nothing between the marks, or no marks at all: no fields, and the whole text is the body. */
export function parseFrontmatter(text: string): { fields: Fields; body: string } {
  const match = text.replace(/^\ufeff/, "").match(/^---[ \t]*\r?\n([\s\S]*?)\r?\n?^---[ \t]*(?:\r?\n|$)/m);
  if (match?.index !== 0) return { fields: {}, body: text };
  const lines = (match[1] ?? "").split(/\r?\n/).flatMap(asLine);
  const fields = readBlock(lines, lines[0]?.indent ?? 0);
  return { fields: isMap(fields) ? fields : {}, body: text.slice(text.indexOf(match[0]) + match[0].length) };
}

const isMap = (value: Value): value is Fields => typeof value === "object" && !Array.isArray(value);

function asLine(raw: string): Line[] {
  const text = raw.trimEnd();
  if (text.trim() === "" || text.trimStart().startsWith("#")) return [];
  return [{ indent: text.length - text.trimStart().length, text: text.trimStart() }];
}

function readBlock(lines: Line[], indent: number): Value {
  return lines[0]?.text.startsWith("- ") || lines[0]?.text === "-"
    ? readList(lines, indent)
    : readMap(lines, indent);
}

function readList(lines: Line[], indent: number): Value[] {
  const items: Value[] = [];
  while (lines[0] && lines[0].indent === indent && /^-( |$)/.test(lines[0].text)) {
    const line = lines.shift() as Line;
    const rest = line.text.slice(1).trim();
    items.push(rest === "" ? readNested(lines, indent) : scalar(rest));
  }
  return items;
}

function readMap(lines: Line[], indent: number): Fields {
  const fields: Fields = Object.create(null);
  while (lines[0] && lines[0].indent >= indent) {
    const line = lines.shift() as Line;
    const pair =
      line.indent === indent ? line.text.match(/^("[^"]*"|'[^']*'|[^:#]+?)\s*:(?:\s+(.*))?$/) : undefined;
    if (!pair) continue; // what we cannot read is left out, the rest still counts
    const rest = (pair[2] ?? "").replace(/\s+#.*$/, "");
    fields[unquoted(pair[1] ?? "")] = rest === "" ? readNested(lines, indent) : scalar(rest);
  }
  return fields;
}

/** A list may stand at its key's own indentation. */
function readNested(lines: Line[], indent: number): Value {
  const next = lines[0];
  if (!next) return "";
  if (next.indent > indent) return readBlock(lines, next.indent);
  return next.indent === indent && /^-( |$)/.test(next.text) ? readList(lines, indent) : "";
}

function scalar(text: string): Value {
  const inline = text.match(/^\[(.*)\]$/);
  if (!inline) return unquoted(text);
  return (inline[1] ?? "").split(",").flatMap((item) => (item.trim() ? unquoted(item.trim()) : []));
}

const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/, "$2");
