// Settings: defaults, then the person's own file, then the project's `.atm.toml`. A project comes from others: each key declares
// what a project may say about it (settings-declaration.ts); whatever goes beyond that is ignored and reported.
import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CONTEXT_KEYS } from "../context/settings.ts";
import { EFFORT_KEYS } from "../efforts/settings.ts";
import { GUARD_KEYS } from "../guard/settings.ts";
import { MAIL_KEYS } from "../mail/settings.ts";
import { OUTBOUND_KEYS } from "../outbound/settings.ts";
import { PEOPLE_KEYS } from "../people/settings.ts";
import { SCRATCHPAD_KEYS } from "../scratchpad/settings.ts";
import { SESSION_KEYS } from "../sessions/settings.ts";
import { TASK_KEYS } from "../tasks/settings.ts";
import { TEAMMATE_KEYS } from "../teammates/settings.ts";
import { TEAM_KEYS } from "../teams/settings.ts";
import { WORKTREE_KEYS } from "../worktrees/settings.ts";
import { isBelow, readText, realPathWithin } from "./files.ts";
import { isTable } from "./json.ts";
import { type Paths, personalSettingsPath } from "./paths.ts";
import { type Declaration, defineSettings, type ValuesOf, weigh } from "./settings-declaration.ts";
import { plainLine } from "./text.ts";
import { parseToml } from "./toml.ts" with { loading: "lazy" };

const LARGEST_PERSONAL_BYTES = 256 * 1024;
/** Parsed at every call in the project, so a project cannot make it long. */
const LARGEST_PROJECT_BYTES = 64 * 1024;

type Source = "person" | "project";

/** A key of the project's file that is not used, in whole or in part: it belongs in the person's own file. */
interface Refusal {
  name: SettingName;
  why: string;
}

export interface LoadedSettings {
  values: Settings;
  /** Whose file a value came from; what is not named here has its default. */
  sources: Readonly<Partial<Record<SettingName, Source>>>;
  /** What the project asks for in keys that only their feature can weigh; `values` holds the person's. */
  projectAsks: Readonly<Record<string, unknown>>;
  refusals: readonly Refusal[];
  /** The project's `.atm.toml`, whose presence alone already means something (ATM hooks). */
  projectFile: string | undefined;
  /** The directory that file may speak about. */
  projectRoot: string | undefined;
  personFile: string;
  /** What is broken: files that cannot be read, unknown keys, values of a wrong type. */
  problems: string[];
}

/** Everything in the two files that has no effect, a line each. */
export function unusedIn({ problems, refusals, projectFile, personFile }: LoadedSettings): string[] {
  const ignored = refusals.map(
    ({ name, why }) => `${projectFile}: ${name} is ignored: ${why}; it belongs in your own ${personFile}`,
  );
  return [...problems, ...ignored].map(plainLine);
}

/** A settings file as it was found; a project's with the directory it may speak about. */
interface Found {
  path: string;
  text: string | undefined;
  root?: string;
}

export function readSettings(paths: Paths, cwd: string, projectRoot: string | undefined): LoadedSettings {
  const problems: string[] = [];
  const personFile = personalSettingsPath(paths);
  const text = readSettingsText(personFile, LARGEST_PERSONAL_BYTES, problems);
  const project = findProjectFile(cwd, projectRoot, problems);
  const files = { projectFile: project?.path, projectRoot: project?.root, personFile, problems };
  if (!text && !project?.text)
    return { values: DEFAULTS, sources: {}, projectAsks: {}, refusals: [], ...files };
  const person = valuesIn({ path: personFile, text }, problems);
  const asked = project ? valuesIn(project, problems) : {};
  return { ...combine(person, asked, project?.root ?? "/"), ...files };
}

/** In `cwd` or the nearest parent, not above the project's root; outside a project only in `cwd`. */
function findProjectFile(cwd: string, root: string | undefined, problems: string[]): Found | undefined {
  const top = root !== undefined && root !== cwd && isBelow(cwd, root) ? root : cwd;
  for (let at = cwd; ; at = dirname(at)) {
    const path = resolve(at, ".atm.toml");
    const text = readProjectText(path, top, problems);
    if (text !== undefined) return { path, text, root: top };
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** A link may lead to another file of the project, not out of it. A directory that may not be entered has no file: without settings
 *  no feature would run, the guard included, and an agent can make itself such a directory. */
function readProjectText(path: string, root: string, problems: string[]): string | undefined {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink && !realPathWithin(path, [root])) {
      problems.push(`${path}: the link leads out of the project`);
      return "";
    }
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
    return undefined;
  }
  return readSettingsText(path, LARGEST_PROJECT_BYTES, problems);
}

function readSettingsText(path: string, bytes: number, problems: string[]): string | undefined {
  try {
    return readText(path, bytes);
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
    return "";
  }
}

type Tables = Record<string, unknown>;

function combine(person: Tables, project: Tables, root: string) {
  const values: Tables = { ...DEFAULTS, ...person };
  const sources: Partial<Record<string, Source>> = {};
  const projectAsks: Tables = {};
  const refusals: Refusal[] = [];
  for (const name of Object.keys(person)) sources[name] = "person";
  for (const [name, asked] of Object.entries(project)) {
    const { value, refused, apart } = weigh(keyOf(name) as Declaration, { asked, own: values[name], root });
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

/** What the file says about keys that exist, in values of the right type; the rest are problems. */
function valuesIn({ path, text }: Found, problems: string[]): Tables {
  if (!text) return {};
  const { tables, problem } = parseToml(text);
  if (problem) problems.push(`${path}: ${problem}`);
  const values: Tables = {};
  for (const [name, value] of flatten(tables)) {
    const key = keyOf(name);
    const why = key && whyWrong(key, value);
    if (!key) problems.push(`${path}: unknown key ${name}`);
    else if (why) problems.push(`${path}: ${name} ${why}; the default is used`);
    else values[name] = value;
  }
  return values;
}

/** `[gate] max_teammates` becomes `gate.max_teammates`; whole tables such as `[team."x"]` stay as they are. */
const flatten = (tables: Tables): [string, unknown][] =>
  Object.entries(tables).flatMap(([name, value]): [string, unknown][] =>
    keyOf(name) || !isTable(value)
      ? [[name, value]]
      : Object.entries(value).map(([inner, content]) => [`${name}.${inner}`, content]),
  );

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
    amount: [typeof value === "number" && value >= 0, "must be a number from 0"],
    targets: [Array.isArray(value), "must be a list"],
    choice: [key.choices?.includes(value as string) === true, `must be one of ${key.choices?.join(", ")}`],
  };
  const [ok, why] = fits[key.kind];
  return ok ? key.whyWrong?.(value) : why;
}

// Every setting. The reference page and `swarm config` are made from these tables.

const GC_KEYS = defineSettings({
  "gc.keep_days": {
    kind: "count",
    default: 30,
    about: "how long the journal and what ended sessions leave behind are kept",
  },
});

const FEATURE_KEYS = defineSettings({
  features: { kind: "table", default: {}, about: "`<feature> = false` switches it off" },
});

/** In README's order. Not joined into one table: every hook loads this file, and copying the keys costs as much as declaring them. */
const TABLES = [
  SESSION_KEYS,
  TEAMMATE_KEYS,
  GUARD_KEYS,
  OUTBOUND_KEYS,
  CONTEXT_KEYS,
  TEAM_KEYS,
  MAIL_KEYS,
  TASK_KEYS,
  WORKTREE_KEYS,
  EFFORT_KEYS,
  SCRATCHPAD_KEYS,
  GC_KEYS,
  PEOPLE_KEYS,
  FEATURE_KEYS,
] as const;
type Keys = Readonly<Record<string, Declaration>>;
const tables: readonly Keys[] = TABLES;

type ValuesOfAll<T> = T extends readonly [infer First extends Keys, ...infer Rest]
  ? ValuesOf<First> & ValuesOfAll<Rest>
  : unknown;

export interface Settings extends ValuesOfAll<typeof TABLES> {}
export type SettingName = keyof Settings;

const defaults: Record<string, unknown> = {};
for (const table of tables) for (const name in table) defaults[name] = table[name]?.default;
export const DEFAULTS = defaults as unknown as Settings;

export const keyOf = (name: string): Declaration | undefined =>
  tables.find((table) => Object.hasOwn(table, name))?.[name];

export const allKeys = (): [SettingName, Declaration][] =>
  tables.flatMap((table) => Object.entries(table)) as [SettingName, Declaration][];
