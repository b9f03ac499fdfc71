// Reading files. What somebody else may have put in place is looked at first: never blocks on a pipe, never swallows a giant.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";

export const LARGEST_FILE_BYTES = 16 * 1024 * 1024;
/** A pipe that took the file's place in between is empty instead of a long wait. */
const UNBLOCKED = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Our own files, which nobody else makes: in one call, which is several times cheaper. */
export function readOwnText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** `undefined` when there is no such file; throws when it is no regular file or larger than `limit`. */
export function readText(path: string, limit = LARGEST_FILE_BYTES): string | undefined {
  const stat = statIfThere(path);
  if (!stat) return undefined;
  if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
  if (stat.size > limit) throw new Error(`${path} has ${stat.size} bytes, more than ${limit}`);
  try {
    return readFileSync(path, { encoding: "utf8", flag: UNBLOCKED as never });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** The last `bytes` of a file of any size, and how large it is. */
export function readTail(path: string, bytes: number): { text: string; size: number } | undefined {
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  try {
    const { size } = regular(fd, path);
    const from = Math.max(0, size - bytes);
    return { text: readRange(fd, from, size - from).toString("utf8"), size };
  } finally {
    closeSync(fd);
  }
}

/** The last `bytes` of a log that becomes `.1` when it is full: a new one holds little, and what is missing stands in the old. */
export function readTurnedTail(path: string, bytes: number): string {
  const text = readTail(path, bytes)?.text ?? "";
  return text.length < bytes ? (readTail(`${path}.1`, bytes)?.text ?? "") + text : text;
}

/** The first `bytes` of a file of any size, and how large it is. */
export function readHead(path: string, bytes: number): { text: string; size: number } | undefined {
  const fd = openIfThere(path);
  if (fd === undefined) return undefined;
  try {
    const { size } = regular(fd, path);
    return { text: readRange(fd, 0, Math.min(bytes, size)).toString("utf8"), size };
  } finally {
    closeSync(fd);
  }
}

/** What lies in a directory that may not be entered is not there for us. */
export function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isAbsence(error) || hasCode(error, "EACCES")) return undefined;
    throw error;
  }
}

/** Asks first: most files we look for are not there, and an exception costs as much as the rest of the call. */
function openIfThere(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return openSync(path, UNBLOCKED);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

function regular(fd: number, path: string) {
  const stat = fstatSync(fd);
  if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
  return stat;
}

function readRange(fd: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let got = 0;
  while (got < length) {
    const n = readSync(fd, buffer, got, length - got, from + got);
    if (n === 0) break;
    got += n;
  }
  return buffer.subarray(0, got);
}

/** No file has a NUL in its path, so node's refusal of such a path says the same. */
export const isAbsence = (error: unknown): boolean =>
  hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR") || hasCode(error, "ERR_INVALID_ARG_VALUE");

export const hasCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === code;
