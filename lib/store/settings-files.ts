// The settings of a person and of a project, read and weighed. A project comes from others: it may name and tighten, never
// loosen. A broken file or value is reported and ignored.
import { parseToml } from "../parse/toml.ts";
import type { Found, LoadedSettings, Source } from "./settings.ts";
import type { Settings } from "./settings-defaults.ts";
import { type Key, keyOf } from "./settings-keys.ts";

type Tables = Record<string, unknown>;

export function combine(
  defaults: Settings,
  personFile: Found | undefined,
  projectFile: Found | undefined,
  problems: string[],
): Pick<LoadedSettings, "values" | "sources" | "projectAsks"> {
  const person = read(personFile, problems);
  const project = read(projectFile, problems);
  const values: Tables = { ...defaults, ...person };
  const sources: Partial<Record<string, Source>> = {};
  for (const name of Object.keys(person)) sources[name] = "person";
  for (const [name, asked] of Object.entries(project)) {
    const key = knownKey(name);
    const refusal = whyRefused(name, key, asked, values[name]);
    if (refusal) problems.push(refusal);
    else {
      values[name] = joined(key, asked, values[name]);
      sources[name] = "project";
    }
  }
  return { values: values as Settings, sources, projectAsks: asks(project) };
}

/** Only names that `flatten` has let through. */
const knownKey = (name: string) => keyOf(name) as Key;

function read(file: Found | undefined, problems: string[]): Tables {
  if (!file?.text) return {};
  const parsed = parseToml(file.text);
  if (parsed.problem) problems.push(`${file.path}: ${parsed.problem}`);
  const { flat, unknown } = flatten(parsed.tables);
  for (const name of unknown) problems.push(`${file.path}: unknown key ${name}`);
  for (const [name, value] of Object.entries(flat)) {
    const why = whyWrong(knownKey(name), value);
    if (!why) continue;
    problems.push(`${file.path}: ${name} ${why}; the default is used`);
    delete flat[name];
  }
  return flat;
}

/** `[gate] max_teammates` becomes `gate.max_teammates`; whole tables such as `[team."x"]` stay as they are. */
function flatten(tables: Tables): { flat: Tables; unknown: string[] } {
  const flat: Tables = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(tables)) {
    if (keyOf(name)) flat[name] = value;
    else if (!isTable(value)) unknown.push(name);
    else
      for (const [inner, content] of Object.entries(value)) {
        const full = `${name}.${inner}`;
        if (keyOf(full)) flat[full] = content;
        else unknown.push(full);
      }
  }
  return { flat, unknown };
}

const isTable = (value: unknown): value is Tables =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isListOf = (value: unknown, fits: (item: unknown) => boolean) =>
  Array.isArray(value) && value.every(fits);

export function whyWrong(key: Key, value: unknown): string | undefined {
  const fits: Record<Key["kind"], [boolean, string]> = {
    text: [typeof value === "string", "must be text"],
    flag: [typeof value === "boolean", "must be true or false"],
    count: [isCount(value), "must be a whole number from 0"],
    list: [isListOf(value, (item) => typeof item === "string"), "must be a list of texts"],
    numbers: [isListOf(value, isCount), "must be a list of whole numbers"],
    table: [isTable(value), "must be a table"],
    choice: [key.choices?.includes(value as string) === true, `must be one of ${key.choices?.join(", ")}`],
  };
  const [ok, why] = fits[key.kind];
  return ok ? undefined : why;
}

function whyRefused(name: string, key: Key, project: unknown, own: unknown): string | undefined {
  if (key.reach === "person")
    return `${name} in .atm.toml is ignored: only your own settings.toml may set it`;
  if (key.stricter && !key.stricter(project, own))
    return `${name} in .atm.toml is ignored: it would loosen your own setting`;
  return undefined;
}

const isWeighed = (key: Key) => key.kind === "table" && key.reach === "tighten";

const asks = (project: Tables): Tables =>
  Object.fromEntries(Object.entries(project).filter(([name]) => isWeighed(knownKey(name))));

function joined(key: Key, project: unknown, own: unknown): unknown {
  if (isWeighed(key)) return own;
  if (!key.adds) return project;
  if (key.kind === "list") return [...(own as string[]), ...(project as string[])];
  return { ...(own as Tables), ...(project as Tables) };
}
