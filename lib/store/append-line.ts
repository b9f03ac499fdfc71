// JSON lines: one O_APPEND write each, so that many processes can share a log without a lock.
import { closeSync, constants, fstatSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./read-text.ts";
import { makeDirectory } from "./write-file.ts";

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/** Past `maxBytes` the log becomes `<path>.1` and a new one begins. */
export function appendLine(path: string, value: unknown, maxBytes = Number.POSITIVE_INFINITY): void {
  appendText(path, `${JSON.stringify(value)}\n`, maxBytes);
}

export function appendText(path: string, text: string, maxBytes = Number.POSITIVE_INFINITY): void {
  const fd = openLog(path);
  let full = false;
  try {
    const line = Buffer.from(text, "utf8");
    const wrote = writeSync(fd, line);
    if (wrote < line.length) {
      writeSync(fd, "\n"); // a torn line must not swallow the next one
      throw new Error(`only ${wrote} of ${line.length} bytes fitted into ${path}`);
    }
    full = Number.isFinite(maxBytes) && isFull(fd, path, maxBytes);
  } finally {
    closeSync(fd);
  }
  if (full) renameSync(path, `${path}.1`);
}

/** Another process may have turned the log over already: then ours is the old one. */
function isFull(fd: number, path: string, maxBytes: number): boolean {
  const { size, ino } = fstatSync(fd);
  return size > maxBytes && statSync(path, { throwIfNoEntry: false })?.ino === ino;
}

/** Refuses a symlink in the log's place: temp directories are shared with strangers. */
function openLog(path: string): number {
  const flags = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW;
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(path));
    return openSync(path, flags, 0o600);
  }
}
