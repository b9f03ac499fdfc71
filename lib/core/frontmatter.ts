// The YAML between two `---` lines at the beginning of a Markdown file. Every scalar is a string (YAML's failsafe schema): no tags,
// no types, nothing that runs.

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
  if (!text.startsWith("---") || !isMark(text, 0)) return undefined;
  const begin = text.indexOf("\n") + 1;
  if (begin === 0) return undefined;
  for (let at = begin - 1; at >= 0 && at - begin <= LONGEST; at = text.indexOf("\n---", at + 1))
    if (text.startsWith("---", at + 1) && isMark(text, at + 1)) return text.slice(begin, at + 1);
  return undefined;
}

/** Only blanks behind the dashes. */
function isMark(text: string, at: number): boolean {
  const end = text.indexOf("\n", at);
  return text.slice(at + 3, end < 0 ? undefined : end).trim() === "";
}

function loaded(yaml: string): Fields | undefined {
  try {
    const value = parseYaml(yaml) as Value | null;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // no YAML, nothing in it, or nested too deeply
  }
}

/**
 * People write what is no YAML, such as `description: Use it for: this`. A key with a mistake in its value keeps that value as plain
 * text, and costs the others nothing.
 */
function piecewise(header: string): Fields {
  const fields: Fields = {};
  for (const piece of header.split(/\n(?=[^\s#-])/, MOST_KEYS)) {
    const colon = piece.indexOf(":");
    if (colon <= 0) continue;
    const key = piece.slice(0, colon).trim();
    const value = loaded(piece)?.[key] ?? piece.slice(colon + 1).trim();
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}
