// The only file that touches the process's own streams: synchronous, since a stream costs a fifth of a start.
import { readSync, writeSync } from "node:fs";
import { sleepSync } from "../store/sleep.ts";

export const LARGEST_INPUT_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const PAUSE_MS = 2;

export function readStdin(): string {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let chunk = nextChunk(); chunk; chunk = nextChunk()) {
    chunks.push(chunk);
    total += chunk.length;
    if (total > LARGEST_INPUT_BYTES) throw new Error(`the input is larger than ${LARGEST_INPUT_BYTES} bytes`);
  }
  return Buffer.concat(chunks, total).toString("utf8");
}

function nextChunk(): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    try {
      const length = readSync(0, buffer, 0, CHUNK_BYTES, null);
      return length > 0 ? buffer.subarray(0, length) : undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF" || code === "EBADF" || code === "ENXIO") return undefined;
      if (code !== "EAGAIN") throw error;
      sleepSync(PAUSE_MS);
    }
  }
}

export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) at += writeSome(fd, bytes, at);
}

function writeSome(fd: number, bytes: Buffer, at: number): number {
  try {
    return writeSync(fd, bytes, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE" || code === "EBADF") return bytes.length - at; // nobody listens any more
    if (code !== "EAGAIN") throw error;
    sleepSync(PAUSE_MS);
    return 0;
  }
}
