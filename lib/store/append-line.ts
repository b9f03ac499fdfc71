// JSON lines: one O_APPEND write each, so that many processes can share a log without a lock.
import { constants, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./read-text.ts";
import { makeDirectory } from "./write-file.ts";

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/** Past `maxBytes` the log becomes `<path>.1` and a new one begins. */
export function appendLine(path: string, value: unknown, maxBytes = Number.POSITIVE_INFINITY): void {
  appendText(path, `${JSON.stringify(value)}\n`);
  if (Number.isFinite(maxBytes)) turnOverIfFull(path, maxBytes);
}

/** Refuses a symlink in the log's place: temp directories are shared with strangers. */
export function appendText(path: string, text: string): void {
  const put = () =>
    writeFileSync(path, text, { flag: (O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW) as never, mode: 0o600 });
  try {
    put();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(path));
    put();
  }
}

/** Two processes may see the same full log: the second then renames a nearly empty one, and the older lines are gone for good. */
export function turnOverIfFull(path: string, maxBytes: number): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(path, `${path}.1`);
}
