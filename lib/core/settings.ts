// Settings: defaults, then the person's own file, then the project's `.atm.toml`. Most calls meet neither file, and what it
// takes to read one is loaded only where there is one.

import { lstatSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { type Paths, personalSettingsPath } from "./paths.ts";
import { readText } from "./read-file.ts";
import { realPathWithin } from "./real-path.ts";
import { combine } from "./settings-files.ts" with { loading: "lazy" };
import { DEFAULTS, type SettingName, type Settings } from "./settings-keys.ts";
import { plainLine } from "./text.ts";

const LARGEST_PERSONAL_BYTES = 256 * 1024;
/** Parsed at every call in the project, so a project cannot make it long. */
const LARGEST_PROJECT_BYTES = 64 * 1024;

export type Source = "person" | "project";

/** A key of the project's file that is not used, in whole or in part: it belongs in the person's own file. */
export interface Refusal {
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
  /** The project's `.atm.toml`, whose presence alone already means something (seed 000). */
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

/** A settings file as it was found. */
export interface Found {
  path: string;
  text: string;
}

export interface ProjectFound extends Found {
  root: string;
}

export function readSettings(paths: Paths, cwd: string, projectRoot: string | undefined): LoadedSettings {
  const problems: string[] = [];
  const path = personalSettingsPath(paths);
  const text = readSettingsText(path, LARGEST_PERSONAL_BYTES, problems);
  const person = text ? { path, text } : undefined;
  const project = findProjectFile(cwd, projectRoot, problems);
  const files = { projectFile: project?.path, projectRoot: project?.root, personFile: path, problems };
  if (!person && !project?.text)
    return { values: DEFAULTS, sources: {}, projectAsks: {}, refusals: [], ...files };
  return { ...combine(person, project, problems), ...files };
}

/** In `cwd` or the nearest parent, not above the project's root; outside a project only in `cwd`. */
function findProjectFile(
  cwd: string,
  root: string | undefined,
  problems: string[],
): ProjectFound | undefined {
  const top = root !== undefined && root !== cwd && isInside(cwd, root) ? root : cwd;
  for (let at = cwd; ; at = dirname(at)) {
    const path = resolve(at, ".atm.toml");
    const text = readProjectText(path, top, problems);
    if (text !== undefined) return { path, text, root: top };
    if (at === top || at === dirname(at)) return undefined;
  }
}

/** A link may lead to another file of the project, not out of it. */
function readProjectText(path: string, root: string, problems: string[]): string | undefined {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    if (!realPathWithin(path, [root])) {
      problems.push(`${path}: the link leads out of the project`);
      return "";
    }
  }
  return readSettingsText(path, LARGEST_PROJECT_BYTES, problems);
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way.startsWith("..") || way.startsWith("/") || /^[a-z]:/i.test(way));
}

function readSettingsText(path: string, bytes: number, problems: string[]): string | undefined {
  try {
    return readText(path, bytes);
  } catch (error) {
    problems.push(`${path}: ${(error as Error).message}`);
    return "";
  }
}
