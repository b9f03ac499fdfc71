// The prompt with which somebody, or a watchdog, starts a client that was ended before a compaction: `efforts/<id>/restart.md`.
import { join } from "node:path";
import { effortDir, type Paths } from "../../core/paths.ts";
import { removeFile, writeWhole } from "../../core/write-file.ts";

const pathOf = (paths: Paths, effort: number) => join(effortDir(paths, effort), "restart.md");

export function writeRestartPrompt(paths: Paths, effort: number, text: string): string {
  writeWhole(pathOf(paths, effort), text, { durable: true });
  return pathOf(paths, effort);
}

/** Whoever goes on with the effort has followed it. */
export const dropRestartPrompt = (paths: Paths, effort: number): void => removeFile(pathOf(paths, effort));
