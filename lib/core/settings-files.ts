// The settings of a person and of a project, read and weighed. A project comes from others: each key declares what a project
// may say about it, and whatever goes beyond that is ignored and reported.

import type { Found, LoadedSettings, ProjectFound, Refusal, Source } from "./settings.ts";
import type { Declaration } from "./settings-declaration.ts";
import { DEFAULTS, keyOf, type SettingName, type Settings } from "./settings-keys.ts";
import { weigh } from "./settings-trust.ts";
import { parseToml } from "./toml.ts";

type Tables = Record<string, unknown>;

export function combine(
  personFile: Found | undefined,
  projectFile: ProjectFound | undefined,
  problems: string[],
): Pick<LoadedSettings, "values" | "sources" | "projectAsks" | "refusals"> {
  const person = read(personFile, problems);
  const project = read(projectFile, problems);
  const values: Tables = { ...DEFAULTS, ...person };
  const sources: Partial<Record<string, Source>> = {};
  const projectAsks: Tables = {};
  const refusals: Refusal[] = [];
  for (const name of Object.keys(person)) sources[name] = "person";
  for (const [name, asked] of Object.entries(project)) {
    const root = projectFile?.root ?? "/";
    const { value, refused, apart } = weigh(declared(name), { asked, own: values[name], root });
    if (refused) refusals.push({ name: name as SettingName, why: refused });
    if (value === undefined) continue;
    if (apart) projectAsks[name] = value;
    else {
      values[name] = value;
      sources[name] = "project";
    }
  }
  return { values: values as Settings, sources, projectAsks, refusals };
}

/** Only names that `flatten` has let through. */
const declared = (name: string) => keyOf(name) as Declaration;

function read(file: Found | undefined, problems: string[]): Tables {
  if (!file?.text) return {};
  const parsed = parseToml(file.text);
  if (parsed.problem) problems.push(`${file.path}: ${parsed.problem}`);
  const { flat, unknown } = flatten(parsed.tables);
  for (const name of unknown) problems.push(`${file.path}: unknown key ${name}`);
  for (const [name, value] of Object.entries(flat)) {
    const why = whyWrong(declared(name), value);
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

function whyWrong(key: Declaration, value: unknown): string | undefined {
  const fits: Record<Declaration["kind"], [boolean, string]> = {
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
