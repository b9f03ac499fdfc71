// The prompt with which somebody, or a watchdog, starts a client that was ended before a compaction: `efforts/<id>/restart.md`.
import { join } from "node:path";
import { effortDir, type Places } from "./paths.ts";
import { removeFile, writeWhole } from "./write-file.ts";

const pathOf = (places: Places, effort: number) => join(effortDir(places, effort), "restart.md");

export function writeRestartPrompt(places: Places, effort: number, text: string): string {
  writeWhole(pathOf(places, effort), text, { durable: true });
  return pathOf(places, effort);
}

/** Whoever goes on with the effort has followed it. */
export const dropRestartPrompt = (places: Places, effort: number): void => removeFile(pathOf(places, effort));
