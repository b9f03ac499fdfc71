// Whether there is anything to do at all: one look at the disk, before any of the engine is loaded.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { activeEffortsDir, effortDir, effortWindowsDir, type Paths } from "../../core/paths.ts";
import { removeFile, writeWhole } from "../../core/write-file.ts";

/** Somebody in this client's session works on an effort. */
export const hasWindow = (paths: Paths, session: string): boolean =>
  session !== "" && existsSync(effortWindowsDir(paths, session));

export const hasActiveEfforts = (paths: Paths): boolean => existsSync(activeEffortsDir(paths));

// The prompt with which somebody, or a watchdog, starts a client that was ended before a compaction: `efforts/<id>/restart.md`.
const pathOf = (paths: Paths, effort: number) => join(effortDir(paths, effort), "restart.md");

export function writeRestartPrompt(paths: Paths, effort: number, text: string): string {
  writeWhole(pathOf(paths, effort), text, { durable: true });
  return pathOf(paths, effort);
}

/** Whoever goes on with the effort has followed it. */
export const dropRestartPrompt = (paths: Paths, effort: number): void => removeFile(pathOf(paths, effort));
