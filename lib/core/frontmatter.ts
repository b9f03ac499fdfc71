// The YAML between two `---` lines at the beginning of a Markdown file. Every scalar is a string (YAML's failsafe schema): no tags,
// no types, nothing that runs.

import { attempt } from "./files.ts";
import { isTable } from "./json.ts";
import { parseYaml } from "./yaml.ts" with { loading: "lazy" };

type Value = string | Value[] | { [key: string]: Value };
export type Fields = { [key: string]: Value };

const LONGEST = 64 * 1024;
/** Each is parsed on its own. */
const MOST_KEYS = 500;

export function parseFrontmatter(text: string): Fields {
  const header = headerOf(text.replace(/^\ufeff/, ""));
  return header === undefined ? {} : (loaded(header) ?? piecewise(header));
}

function headerOf(text: string): string | undefined {
  if (!text.startsWith("---")) return undefined;
  const [first = "", ...lines] = text.slice(0, LONGEST).split("\n");
  const end = isMark(first) ? lines.findIndex(isMark) : -1;
  return end < 0 ? undefined : [...lines.slice(0, end), ""].join("\n");
}

/** Only blanks behind the dashes. */
const isMark = (line: string) => line.startsWith("---") && line.slice(3).trim() === "";

/** `undefined` where it is no YAML, nothing, no table, or nested too deeply. */
function loaded(yaml: string): Fields | undefined {
  const value = attempt(() => parseYaml(yaml));
  return isTable(value) ? (value as Fields) : undefined;
}

/** People write what is no YAML, as in `description: Use it for: this`: that value is kept as plain text, the others as they are. */
function piecewise(header: string): Fields {
  const fields = new Map<string, Value>();
  for (const piece of header.split(/\n(?=[^\s#-])/, MOST_KEYS)) {
    const colon = piece.indexOf(":");
    if (colon <= 0) continue;
    const key = piece.slice(0, colon).trim();
    fields.set(key, loaded(piece)?.[key] ?? piece.slice(colon + 1).trim());
  }
  return Object.fromEntries(fields);
}
