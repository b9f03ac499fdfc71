// Whole files by temp file and rename: a reader sees the old content or the new, never half of it.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "./read-text.ts";

let written = 0;

export interface WriteOptions {
  /** Survives a power cut, not only a crash: for what was accepted from somebody. */
  durable?: boolean;
  /** Called at the last moment before the rename; throws to keep the old content. */
  beforeRename?: () => void;
}

export const writeJson = (path: string, value: unknown, options: WriteOptions = {}): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, options);

export function writeWhole(path: string, text: string, options: WriteOptions = {}): void {
  const temp = `${path}.tmp.${process.pid.toString(16)}-${(++written).toString(16)}`;
  try {
    fill(temp, text, options.durable === true);
    options.beforeRename?.();
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  if (options.durable) syncDirectory(dirname(path));
}

function fill(temp: string, text: string, durable: boolean): void {
  const fd = openNew(temp);
  try {
    const bytes = Buffer.from(text, "utf8");
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** `wx` refuses whatever already stands there, a symlink included. */
function openNew(temp: string): number {
  try {
    return openSync(temp, "wx", 0o600);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(temp));
    return openSync(temp, "wx", 0o600);
  }
}

export const makeDirectory = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

function syncDirectory(path: string): void {
  if (process.platform === "win32") return; // a directory cannot be opened there
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
