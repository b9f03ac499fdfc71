// Settings: defaults, then the person's own file, then the project's `.atm.toml`. Most calls meet neither file, and what it
// takes to read one is loaded only where there is one.

import { dirname, relative, resolve } from "node:path";
import { type Places, personalSettingsPath } from "./paths.ts";
import { readText } from "./read-text.ts";
import { DEFAULTS, type SettingName, type Settings } from "./settings-defaults.ts";
import { combine } from "./settings-files.ts" with { loading: "lazy" };

const LARGEST_SETTINGS_BYTES = 256 * 1024;
const NAMES = ["default_team", "identity"] as const;

export type Source = "person" | "project";

export interface LoadedSettings {
  values: Settings;
  /** Whose file a value came from; what is not named here has its default. */
  sources: Readonly<Partial<Record<SettingName, Source>>>;
  /** Tables a project can only tighten entry by entry: what its file asks for, for the feature to weigh. */
  projectAsks: Readonly<Record<string, unknown>>;
  /** The project's `.atm.toml`, whose presence alone already means something (seed 000). */
  projectFile: string | undefined;
  personFile: string;
  problems: string[];
}

/** A settings file as it was found. */
export interface Found {
  path: string;
  text: string;
}

export function readSettings(places: Places, cwd: string, projectRoot: string | undefined): LoadedSettings {
  const problems: string[] = [];
  const path = personalSettingsPath(places);
  const text = readSettingsText(path, problems);
  const person = text ? { path, text } : undefined;
  const project = findProjectFile(cwd, projectRoot, problems);
  const files = { projectFile: project?.path, personFile: path, problems };
  if (!person && !project?.text) return { values: DEFAULTS, sources: {}, projectAsks: {}, ...files };
  const named = person ? undefined : namesIn(project?.text ?? "");
  if (named)
    return { values: { ...DEFAULTS, ...named }, sources: ofProject(named), projectAsks: {}, ...files };
  return { ...combine(DEFAULTS, person, project, problems), ...files };
}

const ofProject = (named: Named) =>
  Object.fromEntries(Object.keys(named).map((name) => [name, "project" as const]));

type Named = Partial<Record<`core.${(typeof NAMES)[number]}`, string>>;

/** Most projects say who is who and no more, a line each (seed 000); anything else is for the whole reader. */
export function namesIn(text: string): Named | undefined {
  const [table, ...lines] = text.split("\n");
  if (table !== "[core]") return undefined;
  const named: Named = {};
  for (const line of lines) {
    if (line === "") continue;
    const name = NAMES.find((key) => line.startsWith(`${key} = "`));
    const value = line.slice(line.indexOf('"') + 1, -1);
    const isFirst = name !== undefined && named[`core.${name}`] === undefined;
    if (!isFirst || !line.endsWith('"') || !/^[\w\-. ]+$/.test(value)) return undefined;
    named[`core.${name}`] = value;
  }
  return named;
}

/** In `cwd` or the nearest parent, not above the project's root; outside a project only in `cwd`. */
function findProjectFile(cwd: string, root: string | undefined, problems: string[]): Found | undefined {
  const top = root !== undefined && root !== cwd && isInside(cwd, root) ? root : cwd;
  for (let at = cwd; ; at = dirname(at)) {
    const path = resolve(at, ".atm.toml");
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
