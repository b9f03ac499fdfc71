// The person's contacts file, TOML or JSON: names, addresses, and tags that allow sending.

import * as z from "zod/mini";
import { readText } from "../core/files.ts";
import { isText } from "../core/json.ts";
import { ignoreInvalid, someText } from "../core/schema.ts";
import { parseToml } from "../core/toml.ts" with { loading: "lazy" };

export type Contact = ReturnType<typeof contactOf>[number];

const LARGEST_CONTACTS_BYTES = 1024 * 1024;
const NOT_AN_ADDRESS = new Set(["name", "tags", "note", "notes", "comment"]);

/** Written by hand, so lenient: a field of the wrong type counts as missing. */
const entrySchema = () => z.looseObject({ name: ignoreInvalid(someText) });

const list = () => ignoreInvalid(z.array(z.unknown()));
const fileSchema = () =>
  z.union([z.array(z.unknown()), z.looseObject({ contact: list(), contacts: list() })]);

/** Of a text or a list of texts. */
const textsIn = (value: unknown): string[] => [value].flat().filter(isText);

/** Whatever is neither name, tags nor a note is a way to reach them: `email`, `phones`, `slack`, `addresses`. */
function contactOf(entry: unknown) {
  const parsed = z.safeParse(entrySchema(), entry);
  if (!parsed.success) return [];
  const ways = Object.entries(parsed.data).filter(([key]) => !NOT_AN_ADDRESS.has(key));
  const addresses = ways.flatMap(([, value]) => textsIn(value));
  return [{ name: parsed.data.name ?? "", tags: textsIn(parsed.data["tags"]), addresses }];
}

function parse(text: string, path: string): { content: unknown; problem?: string } {
  if (!path.endsWith(".json")) {
    const { tables, problem } = parseToml(text);
    return { content: tables, problem };
  }
  try {
    return { content: JSON.parse(text) };
  } catch (error) {
    return { content: [], problem: (error as Error).message };
  }
}

/** `[[contact]]` tables, a `contacts` list, or a bare list; `undefined` when there is no such file. */
export function readContacts(path: string): { contacts: Contact[]; problem?: string } | undefined {
  let text: string | undefined;
  try {
    text = readText(path, LARGEST_CONTACTS_BYTES);
  } catch (error) {
    return { contacts: [], problem: (error as Error).message }; // thrown, it would let the message go out
  }
  if (text === undefined) return undefined;
  const { content, problem } = parse(text, path);
  if (problem !== undefined) return { contacts: [], problem: `${path}: ${problem}` };
  const parsed = z.safeParse(fileSchema(), content);
  if (!parsed.success) return { contacts: [] };
  const list = Array.isArray(parsed.data) ? parsed.data : (parsed.data.contact ?? parsed.data.contacts ?? []);
  return { contacts: list.flatMap(contactOf) };
}
