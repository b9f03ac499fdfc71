// The only file that touches the process's own streams. Synchronous: node's streams cost a fifth of a start.
import { fstatSync, readFileSync, readSync, writeSync } from "node:fs";
import { sleepSync } from "../core/process.ts";
import { plainText } from "../core/text.ts";

const LARGEST_INPUT_CHARACTERS = 64 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const PAUSE_MS = 2;

export function readStdin(): string {
  const text = readAll();
  if (text.length > LARGEST_INPUT_CHARACTERS)
    throw new Error(`the input has ${text.length} characters, too many`);
  return text;
}

/** In one call; in pieces only where the pipe is not ready yet. */
function readAll(): string {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EOF" || code === "EBADF" || code === "ENXIO") return "";
    if (code !== "EAGAIN") throw error;
    return readWhenReady();
  }
}

function readWhenReady(): string {
  const chunks: Buffer[] = [];
  for (const buffer = Buffer.alloc(CHUNK_BYTES); ; ) {
    try {
      const length = readSync(0, buffer);
      if (length === 0) return Buffer.concat(chunks).toString("utf8");
      chunks.push(Buffer.from(buffer.subarray(0, length)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      sleepSync(PAUSE_MS);
    }
  }
}

export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) at += writeSome(fd, bytes, at);
}

function writeSome(fd: number, bytes: Buffer, at: number): number {
  let written = bytes.length - at;
  const isWritten = isTaken(() => {
    written = writeSync(fd, bytes, at);
  });
  return isWritten ? written : 0;
}

/** False where the pipe is full and the write must be tried again. */
function isTaken(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE" || code === "EBADF") return true; // nobody listens any more
    if (code !== "EAGAIN") throw error;
    sleepSync(PAUSE_MS);
    return false;
  }
}

/** For everything a person or a model reads: no escape sequence, nothing hidden. */
export const print = (fd: 1 | 2, text: string): void => writeAll(fd, plainText(text));

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/** Asked only by verbs that draw: the stream behind it costs a fifth of a start, and is loaded only where there may be a terminal. */
export function terminal(): { isTerminal: boolean; columns: number; rows: number } {
  const isTerminal = isDevice(1) && process.stdout.isTTY === true;
  const { columns, rows } = isTerminal ? process.stdout : {};
  return { isTerminal, columns: columns || USUAL_COLUMNS, rows: rows || USUAL_ROWS };
}

function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EBADF") return false;
    throw error;
  }
}

/** Shows a text and waits for a yes; `undefined` where nobody can be asked. */
export function askPerson(text: string): boolean | undefined {
  if (!isTerminalAt(0) || !terminal().isTerminal) return undefined;
  print(1, `${text} [y/N] `);
  return /^y(es)?$/i.test(readAnswer().trim());
}

function isTerminalAt(fd: number): boolean {
  const { isatty } = require("node:tty") as typeof import("node:tty");
  return isatty(fd);
}

/** To the end of the line: a terminal hands over one at a time. */
function readAnswer(): string {
  for (const buffer = Buffer.alloc(256); ; sleepSync(PAUSE_MS)) {
    try {
      return buffer.toString("utf8", 0, readSync(0, buffer));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF" || code === "EIO") return "";
      if (code !== "EAGAIN") throw error;
    }
  }
}
