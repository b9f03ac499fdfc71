// The one way to open a file. Somebody may have put a FIFO, a device, a socket or a directory in its place: opening one of those
// could wait for ever, so it is refused without waiting. What was opened is looked at, not the path, which may change meanwhile.
import { closeSync, constants, fstatSync, openSync, type Stats, writeFileSync } from "node:fs";

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_TRUNC } = constants;
// Windows has neither; there nothing but a file can have a file's name.
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

const FLAGS = {
  read: O_RDONLY,
  /** What is there is changed in place; nothing is made. */
  change: O_WRONLY,
  /** Made where it is missing. */
  write: O_WRONLY | O_CREAT,
  rewrite: O_WRONLY | O_CREAT | O_TRUNC,
  append: O_WRONLY | O_CREAT | O_APPEND,
  /** Also reads what was there before. */
  extend: O_RDWR | O_CREAT | O_APPEND,
  /** Only where nothing stands yet. */
  create: O_WRONLY | O_CREAT | O_EXCL,
} as const;
export type Purpose = keyof typeof FLAGS;

export interface Opened {
  fd: number;
  stat: Stats;
}

/** A link to a file is followed only where a person may have made one: documents and settings, not our own state. */
export function openFile(path: string, purpose: Purpose, { follow = false } = {}): Opened {
  const fd = openSync(path, FLAGS[purpose] | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW), 0o600);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, stat };
  closeSync(fd);
  throw Object.assign(new Error(`${path} is not a regular file`), { code: NOT_A_FILE });
}

const NOT_A_FILE = "ENOTFILE";

/** Something other than a regular file stands there, whatever the system calls that for this way of opening. */
export const isNoFile = (error: unknown): boolean =>
  [NOT_A_FILE, "ELOOP", "EMLINK", "ENXIO", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "");

export function withFile<T>(
  path: string,
  purpose: Purpose,
  work: (fd: number, stat: Stats) => T,
  options: { follow?: boolean } = {},
): T {
  const { fd, stat } = openFile(path, purpose, options);
  try {
    return work(fd, stat);
  } finally {
    closeSync(fd);
  }
}

/** In place: for small files that others watch, or whose presence alone says something. */
export const rewriteFile = (path: string, text: string): void =>
  withFile(path, "rewrite", (fd) => {
    if (text) writeFileSync(fd, text);
  });

/** True for the one who made it. */
export function createFile(path: string, text = ""): boolean {
  try {
    withFile(path, "create", (fd) => {
      if (text) writeFileSync(fd, text);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
