// Leaves a run's bytecode for the next one. Functions that no run has called yet are missing in it, so it is refreshed by later runs.
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { decode, encode, readWords } from "./bytecode.ts";
import type { Part } from "./loader.ts";

/** Two machines that share a home may reject each other's bytecode: they must not rewrite it at every call. */
const REJECTED_FOR_MS = 60 * 60 * 1000;

export function keepBytecode(parts: readonly Part[]): void {
  try {
    for (const part of parts) if (!isRejectedLately(part) && !isKeptMeanwhile(part)) write(part);
  } catch {
    // A directory that cannot be written, or a full disk: the next run compiles again.
  }
}

const isRejectedLately = ({ script, path }: Part): boolean =>
  script.cachedDataRejected === true &&
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < REJECTED_FOR_MS;

/** By a run beside this one: after an update many begin with the same bytecode, and a refresh costs more than a start of node. */
function isKeptMeanwhile({ path, kept, script }: Part): boolean {
  if (script.cachedDataRejected || !statSync(path, { throwIfNoEntry: false })) return false;
  const now = decode(readWords(path));
  return now !== undefined && (now.tries !== kept?.tries || now.data.length !== kept.bytes);
}

/** A process that was killed in between left its file. */
const ABANDONED_MS = 60_000;

/** One run at a time, by the name of the file. Opened before anything dear is done, since every run in a directory without write
 *  permission comes here. */
function write(part: Part): void {
  const temp = `${part.path}.tmp.0-0`;
  const other = statSync(temp, { throwIfNoEntry: false });
  if (other && Date.now() - other.mtimeMs < ABANDONED_MS) return;
  if (other) rmSync(temp, { force: true });
  mkdirSync(dirname(temp), { recursive: true, mode: 0o700 });
  const fd = openSync(temp, "wx", 0o600);
  try {
    const words = isFromThisBuild(part) ? encode(refreshed(part)) : undefined;
    if (words) writeFileSync(fd, words, { flush: true });
    closeSync(fd);
    if (words) renameSync(temp, part.path);
  } finally {
    rmSync(temp, { force: true });
  }
}

/** In the middle of an update the loader and a part may be of two builds. */
const isFromThisBuild = ({ source, hash }: Part): boolean =>
  createHash("sha256").update(source).digest("hex").startsWith(hash);

/** V8's data for the same functions differs by some bytes from run to run: only what is larger than that is an addition. Without it a
 *  large bundle would be refreshed at nearly every call, for more than a start of node. */
const NOISE = 1.01;

function refreshed({ script, kept }: Part) {
  const data = script.createCachedData();
  return { data, tries: kept && data.length <= kept.bytes * NOISE ? kept.tries + 1 : 0 };
}
