// JSON lines: one O_APPEND write each, so that many processes can share a log without a lock.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./read-text.ts";
import { makeDirectory } from "./write-file.ts";

const { O_APPEND, O_CREAT, O_RDWR, O_WRONLY, O_NOFOLLOW = 0 } = constants;
const NEWLINE = 10;

/** Past `maxBytes` the log becomes `<path>.1` and a new one begins. */
export function appendLine(path: string, value: unknown, maxBytes = Number.POSITIVE_INFINITY): void {
  const size = appendLines(path, [value]);
  if (size > maxBytes) turnOverIfFull(path, maxBytes);
}

/** A line that a full disk or a death left torn does not swallow these: they begin on a line of their own. Gives the log's size. */
export function appendLines(path: string, values: readonly unknown[], { durable = false } = {}): number {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const fd = inPlace(path, () => openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600));
  try {
    const { size } = fstatSync(fd);
    writeFileSync(fd, endsTorn(fd, size) ? `\n${text}` : text);
    if (durable) fsyncSync(fd);
    return size + Buffer.byteLength(text);
  } finally {
    closeSync(fd);
  }
}

function endsTorn(fd: number, size: number): boolean {
  const last = new Uint8Array(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/** Refuses a symlink in the log's place: temp directories are shared with strangers. */
export function appendText(path: string, text: string): void {
  const flag = (O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW) as never;
  inPlace(path, () => writeFileSync(path, text, { encoding: "utf8", flag, mode: 0o600 }));
}

function inPlace<T>(path: string, put: () => T): T {
  try {
    return put();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(path));
    return put();
  }
}

/** Two processes may see the same full log: the second then renames a nearly empty one, and the older lines are gone for good. */
export function turnOverIfFull(path: string, maxBytes: number): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(path, `${path}.1`);
}
