// Leaves the bytecode of a run for the next one, beside the code it was made from and under the build's own name: what an
// update replaces is never used again.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isDue, MOST_LOOKS, type Part } from "./code-cache.ts";

/** Two clients whose nodes have different options must not turn each other out at every call. */
const REJECTED_FOR_MS = 60 * 60 * 1000;

export function keep(cache: string, parts: readonly Part[], pid = process.pid): void {
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    // A call that loads a part few others load goes its own ways in the common ones too: they are looked at together.
    const areDue = parts.some((part) => isDue(part, pid));
    for (const part of parts) if (isWanting(part, areDue)) write(part);
    removeOtherBuilds(dirname(cache));
  } catch {
    // The plugin lies where nobody may write, or was replaced under us.
  }
}

function isWanting({ path, script, bytes }: Part, isDue: boolean): boolean {
  if (!script.cachedDataRejected) return bytes === undefined || isDue;
  const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - made > REJECTED_FOR_MS;
}

/** Flushed: bytecode torn by a power cut would be run as it is. */
function write({ path, script, bytes = 0, looks }: Part): void {
  const next = script.createCachedData();
  const isInVain = !script.cachedDataRejected && next.length <= bytes;
  const temp = `${path}.tmp.${process.pid}`;
  const tail = Buffer.of(isInVain ? Math.min(looks + 1, MOST_LOOKS) : 0);
  writeFileSync(temp, Buffer.concat([next, tail]), { flag: "wx", mode: 0o600, flush: true });
  renameSync(temp, path);
}

function removeOtherBuilds(build: string): void {
  for (const other of readdirSync(dirname(build)))
    if (other !== basename(build)) rmSync(`${dirname(build)}/${other}`, { recursive: true, force: true });
}
