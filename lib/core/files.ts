// The one way to open a file. Somebody may have put a FIFO, a device, a socket or a directory in its place: opening one of those
// could wait for ever, so it is refused without waiting. What was opened is looked at, not the path, which may change meanwhile.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { whyNotSegment } from "./paths.ts";
import { sleepSync } from "./process.ts";

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_TRUNC } = constants;
// Windows has neither; there nothing but a file can have a file's name.
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

const FLAGS = {
  read: O_RDONLY,
  /** Follows a link, where a person may have made one: documents and settings, not our own state. */
  readLinked: O_RDONLY,
  /** In place; fails where the file is missing. */
  change: O_WRONLY,
  /** Created where it is missing. */
  write: O_WRONLY | O_CREAT,
  rewrite: O_WRONLY | O_CREAT | O_TRUNC,
  append: O_WRONLY | O_CREAT | O_APPEND,
  /** Also reads what was there before. */
  extend: O_RDWR | O_CREAT | O_APPEND,
  /** Fails where something exists already. */
  create: O_WRONLY | O_CREAT | O_EXCL,
} as const;
type Purpose = keyof typeof FLAGS;

export function openFile(path: string, purpose: Purpose): { fd: number; stat: Stats } {
  const link = purpose === "readLinked" ? 0 : O_NOFOLLOW;
  const fd = openSync(path, FLAGS[purpose] | O_NONBLOCK | link, 0o600);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, stat };
  closeSync(fd);
  throw Object.assign(new Error(`${path} is not a regular file`), { code: NOT_A_FILE });
}

const NOT_A_FILE = "ENOTFILE";

/** Something other than a regular file is in its place; the error code depends on the system and on how it was opened. */
export const isNoFile = (error: unknown): boolean =>
  hasCode(error, NOT_A_FILE, "ELOOP", "EMLINK", "ENXIO", "EISDIR");

export function withFile<T>(path: string, purpose: Purpose, work: (fd: number, stat: Stats) => T): T {
  const { fd, stat } = openFile(path, purpose);
  return closing(fd, () => work(fd, stat));
}

function closing<T>(fd: number, work: (fd: number) => T): T {
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

/** `undefined` where it fails with an error that is expected. */
export function ignoring<T>(isExpected: (error: unknown) => boolean, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

export const attempt = <T>(work: () => T): T | undefined => ignoring(() => true, work);

/** `undefined` where something other than a regular file is in its place. */
export const ifFile = <T>(read: () => T): T | undefined => ignoring(isNoFile, read);

/** In place: for small files that others watch, or whose presence alone says something. */
export const rewriteFile = (path: string, text: string): void => put(path, "rewrite", text);

/** True for exactly one of several callers. */
export const createFile = (path: string, text = ""): boolean => isNew(() => put(path, "create", text));

const put = (path: string, purpose: Purpose, text: string): void =>
  withFile(path, purpose, (fd) => {
    if (text) writeFileSync(fd, text);
  });

/** False where what it would make exists already. */
function isNew(make: () => void): boolean {
  const made = () => {
    make();
    return true;
  };
  return ignoring((error) => hasCode(error, "EEXIST"), made) === true;
}

/** A second name for a file; false where that name is taken, or the file system has no links. */
export const linkFile = (from: string, to: string): boolean =>
  attempt(() => {
    linkSync(from, to);
    return true;
  }) === true;

/** Fails where something exists already; a link on either side is refused. */
export const copyNewFile = (from: string, to: string): void =>
  withFile(from, "read", (source) => {
    const content = readFileSync(source);
    withFile(to, "create", (fd) => writeFileSync(fd, content));
  });

const LARGEST_FILE_BYTES = 16 * 1024 * 1024;

/** `undefined` when there is no such file; throws when it is no regular file or larger than `limit`. */
export const readText = (path: string, limit = LARGEST_FILE_BYTES, purpose: Purpose = "readLinked") =>
  readIfThere(path, purpose, (fd, { size }) => {
    if (size > limit) throw new Error(`${path} has ${size} bytes, more than ${limit}`);
    return readFileSync(fd, "utf8");
  });

/** Our own files: a link in their place is refused. */
export const readOwnText = (path: string) => readText(path, LARGEST_FILE_BYTES, "read");

/** Checks first: many files we look for do not exist, and an exception is dear. */
const readIfThere = <T>(path: string, purpose: Purpose, read: (fd: number, stat: Stats) => T) =>
  existsSync(path) ? ifThere(() => withFile(path, purpose, read)) : undefined;

/** The last `bytes` of a log of any size, and how large it is. Most are the client's: what is no file counts as missing. */
export function readTail(path: string, bytes: number): { text: string; size: number } | undefined {
  return ifFile(() => readPart(path, (size) => [Math.max(0, size - bytes), size]));
}

/** What a log holds behind its first `from` bytes, and how large it is: not what is written meanwhile, which is read the next time. */
export const readAfter = (path: string, from: number): { text: string; size: number } | undefined =>
  ifFile(() =>
    readIfThere(path, "readLinked", (fd, { size }) => {
      const start = Math.min(from, size);
      return { text: readRange(fd, start, size - start).toString("utf8"), size };
    }),
  );

/** The last `bytes` of a log that becomes `.1` when it is full: a new one holds little, and what is missing stands in the old. */
export function readRotatedTail(path: string, bytes: number): string {
  const text = readTail(path, bytes)?.text ?? "";
  return text.length < bytes ? (readTail(`${path}.1`, bytes)?.text ?? "") + text : text;
}

/** The first `bytes` of a file of any size, and how large it is. */
export function readHead(path: string, bytes: number): { text: string; size: number } | undefined {
  return readPart(path, (size) => [0, Math.min(bytes, size)]);
}

/** The first `bytes` of a file that others wrote: what is no file, or may not be read, counts as missing. */
export const readHeadIfReadable = (path: string, bytes: number) =>
  ifReadable(() => ifFile(() => readHead(path, bytes)));

export const statIfThere = (path: string): Stats | undefined =>
  ifReadable(() => statSync(path, { throwIfNoEntry: false }));

export const isFile = (path: string): boolean => statIfThere(path)?.isFile() === true;

const readPart = (path: string, partOf: (size: number) => [from: number, to: number]) =>
  readIfThere(path, "readLinked", (fd, { size }) => {
    const [from, to] = partOf(size);
    // A whole file without `Buffer`, whose functions Node would compile first.
    const isWhole = from === 0 && to === size;
    const text = isWhole ? readFileSync(fd, "utf8") : readRange(fd, from, to - from).toString("utf8");
    return { text, size };
  });

/** `undefined` where nothing is there to read, or the error has one of these codes. */
export const ifThere = <T>(read: () => T, ...codes: string[]): T | undefined =>
  ignoring((error) => isAbsence(error) || hasCode(error, ...codes), read);

/** `undefined` where nothing is there, or what is there may not be read, is a link to itself, or has too long a name. */
export const ifReadable = <T>(read: () => T): T | undefined => ifThere(read, ...UNREADABLE);

const UNREADABLE = ["EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"];

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

/** Node refuses a path with a NUL in it; no such file can exist. */
export const isAbsence = (error: unknown): boolean =>
  hasCode(error, "ENOENT", "ENOTDIR", "ERR_INVALID_ARG_VALUE");

export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const namesIn = (directory: string): string[] => ifThere(() => readdirSync(directory)) ?? [];

/** Of its files with this ending, the names without it; one that cannot be part of a path of ours, as of an editor's lock, is none. */
export const stemsIn = (directory: string, ending: string): string[] =>
  namesIn(directory)
    .flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []))
    .filter((name) => !whyNotSegment(name));

// Writing whole files by temp file and rename: a reader sees the old content or the new, never half of it.

let written = 0;

export interface WriteOptions {
  /**
   * Survives a power cut, not only a crash: for what was accepted from a sender. With "content" the change itself may be lost in one,
   * but the file then has its old content, not none: for small changes of a file that holds accepted things.
   */
  durable?: boolean | "content";
  /** Called at the last moment before the rename; throws to keep the old content. */
  beforeRename?: () => void;
}

/** A file on its way to its place, as `writeWhole` names it. */
export const isTemporary = (name: string): boolean => /\.tmp\.[0-9a-f]+-[0-9a-f]+$/.test(name);

export const writeJson = (path: string, value: unknown, options: WriteOptions = {}): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, options);

export function writeWhole(path: string, text: string, options: WriteOptions = {}): void {
  const temp = filledTemporary(path, text, Boolean(options.durable));
  try {
    retryTransient(() => {
      options.beforeRename?.();
      renameSync(temp, path);
    });
  } catch (error) {
    removeFile(temp);
    throw error;
  }
  if (options.durable === true) syncDirectory(dirname(path));
}

function filledTemporary(path: string, text: string, durable: boolean): string {
  const temp = `${path}.tmp.${process.pid.toString(16)}-${(++written).toString(16)}`;
  const put = durable ? writeFlushed : writeQuickly;
  try {
    inDirectory(dirname(temp), () => put(temp, text));
    return temp;
  } catch (error) {
    // Of a killed process that had our number, or of one that has it in another container: not ours, so the next name is tried.
    const isTaken = hasCode(error, "EEXIST") && lstatSync(temp, { throwIfNoEntry: false })?.isFile();
    if (isTaken) return filledTemporary(path, text, durable);
    removeFile(temp);
    throw error;
  }
}

/** Only where no such file exists; false otherwise. For files in a person's project, with the person's own permissions. */
export function writeNew(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  return isNew(() => writeFileSync(path, text, { flag: "wx" }));
}

/** `wx` refuses what exists, a symlink included. With the encoding named node writes in one native call, which on Node 20 ignores `flush`. */
const writeQuickly = (temp: string, text: string): void =>
  writeFileSync(temp, text, { encoding: "utf8", flag: "wx", mode: 0o600 });

const writeFlushed = (temp: string, text: string): void =>
  closing(openSync(temp, "wx", 0o600), (fd) => {
    writeFileSync(fd, text);
    fsyncSync(fd);
  });

/** Where there is one. Not by `rmSync`, which loads node's recursive removal: 0.02 of a node start. */
export function removeFile(path: string): void {
  // Another process may remove it meanwhile.
  if (lstatSync(path, { throwIfNoEntry: false })) ifThere(() => unlinkSync(path));
}

export const makeDirectory = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** Makes the directory only where `write` misses it: nearly always it is there. */
export function inDirectory<T>(directory: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(directory);
    return write();
  }
}

/** True for exactly one of several callers; its parent must exist. */
export const createDirectory = (path: string): boolean => isNew(() => mkdirSync(path, { mode: 0o700 }));

/** Makes what was created, renamed or removed in it survive a power cut. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return; // a directory cannot be opened there
  closing(openSync(path, "r"), fsyncSync);
}

// Transient errors: on Windows a scanner or a reader has the file open, on a share a handle must be looked up again. Retried for
// 150 ms, then rethrown.
const TRIES = 10;
const PAUSE_MS = 15;

/** What passes on Windows is for good elsewhere: a directory that may not be written stays that way. */
export const isTransient = (error: unknown, platform = process.platform): boolean =>
  platform === "win32"
    ? hasCode(error, "EPERM", "EACCES", "EBUSY", "ENOTEMPTY")
    : hasCode(error, "EBUSY", "ESTALE");

export function retryTransient<T>(work: () => T, platform = process.platform): T {
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (attempt === TRIES || !isTransient(error, platform)) throw error;
      sleepSync(PAUSE_MS);
    }
  }
}

/** As many links as Linux follows in one path. */
const MOST_LINKS = 40;

/** With every link followed, also one to what does not exist yet: a write would make that. What is missing stays as it is written. */
export function realPath(path: string, mostLinks = MOST_LINKS): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = ifReachable(() => realpathSync.native(at));
    if (real !== undefined) return resolve(real, ...missing);
    if (at === dirname(at)) return path;
    const target = mostLinks > 0 ? ifReachable(() => danglingTarget(at)) : undefined;
    if (target !== undefined) return realPath([target, ...missing].join(sep), mostLinks - 1);
    missing.unshift(basename(at));
  }
}

/** With its `..` as they are: after another link they lead elsewhere than the text says. Links to and in /proc stand for a process's
 *  own pipes and files, which have no path. */
function danglingTarget(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
  const given = readlinkSync(path);
  const target = isAbsolute(given) ? given : `${realpathSync.native(dirname(path))}${sep}${given}`;
  return target.startsWith("/proc/") ? undefined : target;
}

const ifReachable = <T>(look: () => T): T | undefined =>
  ignoring((error) => hasCode(error, "ENOENT", "ENOTDIR", ...UNREADABLE), look);

/** The path with every symlink resolved, or `undefined` if nothing is there or it lies outside all `roots`. */
export function realPathWithin(path: string, roots: readonly string[]): string | undefined {
  if (!existsSync(path)) return undefined;
  const real = realPath(path);
  return roots.some((root) => isBelow(real, realPath(root))) ? real : undefined;
}

/** Shorter where it lies below `root`. */
export const pathFrom = (root: string, path: string): string =>
  (isBelow(path, root) && relative(root, path)) || path;

/** At or below it, by the text alone. */
export function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
