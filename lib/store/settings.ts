// Settings: defaults, then the person's own file, then the project's `.atm.toml`. A project comes from
// others: it may name and tighten, never loosen. A broken file or value is reported and ignored.
import { dirname, join, relative } from "node:path";
import { type Places, personalSettingsPath } from "./paths.ts";
import { readText } from "./read-text.ts";
import { type AnyKey, KEYS, type SettingName, type Settings } from "./settings-keys.ts";

const LARGEST_SETTINGS_BYTES = 256 * 1024;

export type Source = "default" | "person" | "project";

export interface LoadedSettings {
  values: Settings;
  sources: Record<SettingName, Source>;
  /** Tables a project can only tighten entry by entry: what its file asks for, for the feature to weigh. */
  projectAsks: Readonly<Record<string, unknown>>;
  /** The project's `.atm.toml`, whose presence alone already means something (seed 000). */
  projectFile: string | undefined;
  personFile: string;
  problems: string[];
}

export function readSettings(places: Places, cwd: string, projectRoot: string | undefined): LoadedSettings {
  const personFile = personalSettingsPath(places);
  const problems: string[] = [];
  const person = parseFile(personFile, readSettingsText(personFile, problems), problems);
  const found = findProjectFile(cwd, projectRoot, problems);
  const project = found ? parseFile(found.path, found.text, problems) : {};
  return {
    ...combine(person, project, problems),
    projectAsks: asks(project),
    projectFile: found?.path,
    personFile,
    problems,
  };
}

type Tables = Record<string, unknown>;

/** In `cwd` or the nearest parent, not above the project's root; outside a project only in `cwd`. */
function findProjectFile(cwd: string, root: string | undefined, problems: string[]) {
  const top = root !== undefined && isInside(cwd, root) ? root : cwd;
  for (let at = cwd; ; at = dirname(at)) {
    const path = join(at, ".atm.toml");
    const text = readSettingsText(path, problems);
    if (text !== undefined) return { path, text };
    if (at === top || at === dirname(at)) return undefined;
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way.startsWith("..") || way.startsWith("/") || /^[a-z]:/i.test(way));
}

function readSettingsText(path: string, problems: string[]): string | undefined {
  try {
    return readText(path, LARGEST_SETTINGS_BYTES);
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
    return "";
  }
}

function parseFile(path: string, text: string | undefined, problems: string[]): Tables {
  if (!text) return {};
  const { parseToml } = require("../parse/toml.ts") as typeof import("../parse/toml.ts");
  const parsed = parseToml(text);
  if (parsed.problem) problems.push(`${path}: ${parsed.problem}`);
  const { flat, unknown } = flatten(parsed.tables);
  for (const name of unknown) problems.push(`${path}: unknown key ${name}`);
  for (const [name, value] of Object.entries(flat)) {
    const why = whyWrong(KEYS[name as SettingName] as AnyKey, value);
    if (!why) continue;
    problems.push(`${path}: ${name} ${why}; the default is used`);
    delete flat[name];
  }
  return flat;
}

/** `[gate] max_teammates` becomes `gate.max_teammates`; whole tables such as `[team."x"]` stay as they are. */
function flatten(tables: Tables): { flat: Tables; unknown: string[] } {
  const flat: Tables = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(tables)) {
    if (Object.hasOwn(KEYS, name)) flat[name] = value;
    else if (!isTable(value)) unknown.push(name);
    else
      for (const [inner, content] of Object.entries(value)) {
        const full = `${name}.${inner}`;
        if (Object.hasOwn(KEYS, full)) flat[full] = content;
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

export function whyWrong(key: AnyKey, value: unknown): string | undefined {
  const fits: Record<AnyKey["kind"], [boolean, string]> = {
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

function combine(person: Tables, project: Tables, problems: string[]) {
  const values: Tables = {};
  const sources: Record<string, Source> = {};
  for (const [name, key] of Object.entries(KEYS) as [SettingName, AnyKey][]) {
    const own = name in person ? person[name] : key.fallback;
    const refusal = name in project ? whyRefused(name, key, project[name], own) : undefined;
    if (refusal) problems.push(refusal);
    const fromProject = name in project && !refusal;
    values[name] = fromProject ? joined(key, project[name], own) : own;
    sources[name] = fromProject ? "project" : name in person ? "person" : "default";
  }
  return { values: values as Settings, sources: sources as Record<SettingName, Source> };
}

function whyRefused(name: string, key: AnyKey, project: unknown, own: unknown): string | undefined {
  if (key.reach === "person")
    return `${name} in .atm.toml is ignored: only your own settings.toml may set it`;
  if (key.stricter && !key.stricter(project, own))
    return `${name} in .atm.toml is ignored: it would loosen your own setting`;
  return undefined;
}

const isWeighed = (key: AnyKey) => key.kind === "table" && key.reach === "tighten";

const asks = (project: Tables): Tables =>
  Object.fromEntries(
    Object.entries(project).filter(([name]) => isWeighed(KEYS[name as SettingName] as AnyKey)),
  );

function joined(key: AnyKey, project: unknown, own: unknown): unknown {
  if (isWeighed(key)) return own;
  if (!key.adds) return project;
  if (key.kind === "list") return [...(own as string[]), ...(project as string[])];
  return { ...(own as Tables), ...(project as Tables) };
}
