// Leaves the bytecode of a run for the next one, beside the code it was made from and under the build's own name: what an
// update replaces is never used again.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Part } from "./code-cache.ts";

/** Two clients whose nodes have different options must not turn each other out at every call. */
const REJECTED_FOR_MS = 60 * 60 * 1000;

export function keep(cache: string, parts: readonly Part[]): void {
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    for (const part of parts.filter(isWanting)) write(part);
    removeOtherBuilds(dirname(cache));
  } catch {
    // The plugin lies where nobody may write, or was replaced under us.
  }
}

function isWanting({ path, script }: Part): boolean {
  if (!script.cachedDataRejected) return true;
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - made > REJECTED_FOR_MS;
}

/** Flushed: bytecode torn by a power cut would be run as it is. */
function write({ path, script, bytes }: Part): void {
  const next = script.createCachedData();
  const isLess = bytes !== undefined && !script.cachedDataRejected && next.length <= bytes;
  if (isLess) return;
  const temp = `${path}.tmp.${process.pid}`;
  writeFileSync(temp, next, { flag: "wx", mode: 0o600, flush: true });
  renameSync(temp, path);
}

function removeOtherBuilds(build: string): void {
  for (const other of readdirSync(dirname(build)))
    if (other !== basename(build)) rmSync(`${dirname(build)}/${other}`, { recursive: true, force: true });
}
