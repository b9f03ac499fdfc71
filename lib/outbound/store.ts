// The person's contacts file, TOML or JSON: names, addresses, and tags that allow sending.

import { readText } from "../core/files.ts";
import { asTable, asText, asTexts } from "../core/json.ts";
import { parseToml } from "../core/toml.ts" with { loading: "lazy" };

export interface Contact {
  name: string;
  addresses: string[];
  tags: string[];
}

const LARGEST_CONTACTS_BYTES = 1024 * 1024;
const NOT_AN_ADDRESS = new Set(["name", "tags", "note", "notes", "comment"]);

/** `[[contact]]` tables, a `contacts` list, or a bare list. Written by hand: a field of the wrong type counts as missing. */
function contactsIn(content: unknown): Contact[] {
  const { contact, contacts } = asTable(content) ?? {};
  const entries = [content, contact, contacts].find((one) => Array.isArray(one)) ?? [];
  return entries.flatMap((entry: unknown) => contactOf(asTable(entry)) ?? []);
}

/** Whatever is neither name, tags nor a note is a way to reach them: `email`, `phones`, `slack`, `addresses`. */
function contactOf(fields: Record<string, unknown> | undefined): Contact | undefined {
  if (!fields) return undefined;
  const ways = Object.entries(fields).filter(([key]) => !NOT_AN_ADDRESS.has(key));
  const addresses = ways.flatMap(([, value]) => textsIn(value));
  return { name: asText(fields["name"]) ?? "", tags: textsIn(fields["tags"]), addresses };
}

/** Of a text or a list of texts. */
const textsIn = (value: unknown): string[] => asTexts([value].flat());

/** `undefined` when there is no such file. Never throws: that would let the message go out. */
export function readContacts(path: string): { contacts: Contact[]; problem?: string } | undefined {
  try {
    const text = readText(path, LARGEST_CONTACTS_BYTES);
    return text === undefined ? undefined : { contacts: contactsIn(parse(text, path)) };
  } catch (error) {
    return { contacts: [], problem: (error as Error).message };
  }
}

function parse(text: string, path: string): unknown {
  const { tables, problem } = path.endsWith(".json") ? parseJson(text) : parseToml(text);
  if (problem !== undefined) throw new Error(`${path}: ${problem}`);
  return tables;
}

function parseJson(text: string): { tables?: unknown; problem?: string } {
  try {
    return { tables: JSON.parse(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
