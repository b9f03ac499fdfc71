// Whole files by temp file and rename: a reader sees the old content or the new, never half of it.

import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./files.ts";
import { sleepSync } from "./time.ts";

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
  const temp = `${path}.tmp.${process.pid.toString(16)}-${(++written).toString(16)}`;
  try {
    fill(temp, text, Boolean(options.durable));
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

/** Only where no such file exists; false otherwise. For files in a person's project, with the person's own permissions. */
export function writeNew(path: string, text: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** `wx` refuses whatever already exists there, a symlink included. With the encoding named node writes in one native call, which
 *  on Node 20 forgets to flush. */
function fill(temp: string, text: string, durable: boolean): void {
  const how = durable ? ({ flush: true } as const) : ({ encoding: "utf8" } as const);
  const put = () => writeFileSync(temp, text, { ...how, flag: "wx", mode: 0o600 });
  try {
    put();
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(temp));
    put();
  }
}

/** Where there is one. Not by `rmSync`, which loads node's recursive removal: 0.02 of a node start. */
export function removeFile(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error; // removed by another process meanwhile
  }
}

export const makeDirectory = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** Makes what was created, renamed or removed in it survive a power cut. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return; // a directory cannot be opened there
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

// Transient errors: on Windows a scanner or a reader has the file open, on a share a handle must be looked up again. Retried for
// 150 ms, then rethrown.
const TRIES = 10;
const PAUSE_MS = 15;

/** The same codes are for good elsewhere: a directory that may not be written stays that way. */
const TRANSIENT: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ["EPERM", "EACCES", "EBUSY", "ENOTEMPTY"],
};
const TRANSIENT_EVERYWHERE = ["EBUSY", "ESTALE"];

export const isTransient = (error: unknown, platform = process.platform): boolean =>
  (TRANSIENT[platform] ?? TRANSIENT_EVERYWHERE).some((code) => hasCode(error, code));

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
