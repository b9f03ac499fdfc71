// The person's contacts, a TOML or JSON file of their own making: who they are, how they are reached, what may be sent.
import { readText } from "./read-text.ts";

export interface Contact {
  name: string;
  addresses: string[];
  tags: string[];
}

const LARGEST_CONTACTS_BYTES = 1024 * 1024;
const NOT_AN_ADDRESS = new Set(["name", "tags", "note", "notes", "comment"]);

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : Array.isArray(value)
      ? value.filter((one) => typeof one === "string")
      : [];

/** Whatever is neither name, tags nor a note is a way to reach them: `email`, `phones`, `slack`, `addresses`. */
function contactOf(entry: unknown): Contact[] {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return [];
  const fields = Object.entries(entry);
  const named = new Map(fields);
  return [
    {
      name: textsIn(named.get("name"))[0] ?? "",
      tags: textsIn(named.get("tags")),
      addresses: fields.flatMap(([key, value]) => (NOT_AN_ADDRESS.has(key) ? [] : textsIn(value))),
    },
  ];
}

type Parsed = { content: unknown; problem?: string };

function parse(text: string, path: string): Parsed {
  if (path.endsWith(".json")) return parseJson(text);
  const { parseToml } = require("../parse/toml.ts") as typeof import("../parse/toml.ts");
  const { tables, problem } = parseToml(text);
  return { content: tables, ...(problem === undefined ? {} : { problem }) };
}

function parseJson(text: string): Parsed {
  try {
    return { content: JSON.parse(text) };
  } catch (error) {
    return { content: [], problem: (error as Error).message };
  }
}

/** `[[contact]]` tables, a `contacts` list, or a bare list; `undefined` when there is no such file. */
export function readContacts(path: string): { contacts: Contact[]; problem?: string } | undefined {
  const text = readText(path, LARGEST_CONTACTS_BYTES);
  if (text === undefined) return undefined;
  const { content, problem } = parse(text, path);
  const table = content as Record<string, unknown>;
  const list = Array.isArray(content) ? content : (table["contact"] ?? table["contacts"]);
  const contacts = Array.isArray(list) ? list.flatMap(contactOf) : [];
  return problem === undefined ? { contacts } : { contacts: [], problem: `${path}: ${problem}` };
}
