// What `swarm setup` writes: allow rules into the person's settings, and a launcher into a directory on the PATH.

import { chmodSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { readClientSetting, writeClientSetting } from "../../core/client-settings.ts";
import type { FileKind } from "../../core/file-kind.ts";
import { readHead, writeJson, writeWhole } from "../../core/files.ts";
import { asTexts, isTable, readJson } from "../../core/json.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";
import { maybeText, object } from "../../core/shape.ts";
import { shellQuoted } from "../../core/text.ts";
import { findProgram } from "../../system/programs.ts";

// The verbs that an agent may run without being asked, as the client's allow rules: teammates get them on their command line, a lead in
// the person's settings if the person wants it (`swarm setup permissions`).

/**
 * Verbs that only read and write the team's mail, tasks and notes. Not here: what starts, ends or removes something, what changes
 * settings or rules, and what shows a file from outside the project (`effort preload`).
 */
const HARMLESS_VERBS = [
  "broadcast",
  ...["dehydrate", "finish", "list", "log", "phase", "show", "start"].map((action) => `effort ${action}`),
  "help",
  "inbox",
  "list-teams",
  "outbox",
  "scratchpad",
  "send",
  "status",
  ...["claim", "create", "done", "list", "release", "show", "update"].map((action) => `task ${action}`),
];

/** The spelling that both supported clients match by whole words: `swarm status:*` does not match `swarm statusline`. */
export const ALLOW_RULES: readonly string[] = HARMLESS_VERBS.map((verb) => `Bash(swarm ${verb}:*)`);

/** Each of them allows every verb. */
const ALL_VERBS = ["Bash(swarm:*)", "Bash(swarm *)", "Bash", "Bash(*)"];

const permissionsOf = (paths: Paths): { allow?: unknown } =>
  readClientSetting(paths, "permissions", (found = {}) => {
    if (!isTable(found)) throw new Error("permissions must be an object");
    return found;
  });

export function missingRules(paths: Paths): string[] {
  const allowed = asTexts(permissionsOf(paths).allow);
  return allowed.some((rule) => ALL_VERBS.includes(rule))
    ? []
    : ALLOW_RULES.filter((rule) => !allowed.includes(rule));
}

export function addRules(paths: Paths): string[] {
  const missing = missingRules(paths);
  const before = permissionsOf(paths);
  if (missing.length > 0)
    writeClientSetting(paths, "permissions", { ...before, allow: [...asTexts(before.allow), ...missing] });
  return missing;
}

/** Exactly ours; the person's own rules stay. */
export function removeRules(paths: Paths): string[] {
  const { allow, ...others } = permissionsOf(paths);
  const ours = asTexts(allow).filter((rule) => ALLOW_RULES.includes(rule));
  if (ours.length === 0) return [];
  const theirs = asTexts(allow).filter((rule) => !ours.includes(rule));
  const permissions = theirs.length > 0 ? { ...others, allow: theirs } : others;
  writeClientSetting(paths, "permissions", Object.keys(permissions).length > 0 ? permissions : undefined);
  return ours;
}

// The offer is made once.

export const SETUP_FILES: FileKind = { name: "offers made", path: "swarm/setup.json", kept: "one of them" };

const offers = object({ rulesOfferedAt: maybeText });
const offersPath = (paths: Paths) => swarmPath(paths, "setup.json");

export const wereRulesOffered = (paths: Paths): boolean =>
  readJson(offersPath(paths), offers)?.rulesOfferedAt !== undefined;

export const markRulesOffered = (paths: Paths, now: Date): void =>
  writeJson(offersPath(paths), { rulesOfferedAt: now.toISOString() });

// `swarm` in a person's terminal. The plugin's folder moves with each update, so a small launcher on the PATH runs the newest installed
// version, or the checkout it was written from.
const MARK = "# Written by `swarm setup path`";

export const launcherDir = ({ home }: Paths): string => join(home, ".local", "bin");

const launcher = (base: string, ownRoot: string) => `#!/bin/sh
${MARK}: runs the newest installed Swarm. \`swarm setup path --remove\` removes it.
own=${shellQuoted(join(ownRoot, "bin", "swarm"))}
newest=$(ls -td ${shellQuoted(base)}/plugins/cache/*/swarm/*/bin/swarm 2>/dev/null | head -n 1)
exec "\${newest:-$own}" "$@"
`;

/** `undefined` where there is no program at all. Another one may be large. */
const isLauncher = (path: string) => readHead(path, 300)?.text.includes(MARK);

/** `undefined` where another program of that name is there already. */
export function writeLauncher(paths: Paths, ownRoot: string, directory: string): string | undefined {
  const path = join(directory, "swarm");
  if (isLauncher(path) === false) return undefined;
  writeWhole(path, launcher(paths.base, ownRoot));
  chmodSync(path, 0o700);
  return path;
}

export function removeLauncher(directory: string): boolean {
  const path = join(directory, "swarm");
  if (!isLauncher(path)) return false;
  rmSync(path);
  return true;
}

/** The `swarm` that a terminal finds; the client adds the plugin's own directory for the Bash tool, which no terminal has. */
export function terminalProgram(path: string, ownRoot: string): string | undefined {
  const own = join(ownRoot, "bin");
  const isPlugins = (place: string) => resolve(place) === own || /[\\/]plugins[\\/]cache[\\/]/.test(place);
  const places = path.split(delimiter).filter((place) => !isPlugins(place));
  return findProgram("swarm", places.join(delimiter));
}

export const isSearched = (path: string, directory: string): boolean =>
  path.split(delimiter).some((place) => place !== "" && resolve(place) === resolve(directory));
