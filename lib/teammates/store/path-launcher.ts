// `swarm` in a person's terminal. The plugin's folder moves with each update, so a small launcher on the PATH runs the newest installed
// version, or the checkout it was written from.

import { chmodSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { readHead, readText } from "../../core/files.ts";
import type { Paths } from "../../core/paths.ts";
import { writeWhole } from "../../core/write-file.ts";
import { findProgram } from "../../system/programs.ts";

const MARK = "# Written by `swarm setup path`";

/** Where a person's own programs usually are. */
export const launcherDir = ({ home }: Paths): string => join(home, ".local", "bin");

const launcher = (base: string, ownRoot: string) => `#!/bin/sh
${MARK}: runs the newest installed Swarm. \`swarm setup path --remove\` removes it.
own=${quoted(join(ownRoot, "bin", "swarm"))}
newest=$(ls -td ${quoted(base)}/plugins/cache/*/swarm/*/bin/swarm 2>/dev/null | head -n 1)
exec "\${newest:-$own}" "$@"
`;

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** `undefined` where another program of that name is there already. */
export function writeLauncher(paths: Paths, ownRoot: string, directory: string): string | undefined {
  const path = join(directory, "swarm");
  const head = readHead(path, 300)?.text;
  if (head !== undefined && !head.includes(MARK)) return undefined;
  writeWhole(path, launcher(paths.base, ownRoot));
  chmodSync(path, 0o700);
  return path;
}

export function removeLauncher(directory: string): boolean {
  const path = join(directory, "swarm");
  if (!readText(path)?.includes(MARK)) return false;
  rmSync(path);
  return true;
}

/** The `swarm` that a terminal finds; the client adds the plugin's own directory for the Bash tool, which no terminal has. */
export function terminalProgram(path: string, ownRoot: string): string | undefined {
  const own = join(ownRoot, "bin");
  const isPlugins = (place: string) => resolve(place) === own || /[\\/]plugins[\\/]cache[\\/]/.test(place);
  const places = path.split(delimiter).filter((place) => place !== "" && !isPlugins(place));
  return findProgram("swarm", places.join(delimiter));
}

export const isSearched = (path: string, directory: string): boolean =>
  path.split(delimiter).some((place) => place !== "" && resolve(place) === resolve(directory));
