// A pipe that takes nothing more: a writer waits, or gets EAGAIN.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import type { Home } from "./a-home.ts";

export function aFullPipe(home: Home): number {
  execFileSync("mkfifo", [home.path("pipe")]);
  const fd = openSync(home.path("pipe"), constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(fd, block);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("EAGAIN");
  }
  return fd;
}

/** All that lies in it now. */
export function emptied(fd: number): string {
  const buffer = Buffer.alloc(1 << 20);
  try {
    return buffer.toString("utf8", 0, readSync(fd, buffer)).replaceAll("\0", "");
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("EAGAIN");
    return "";
  }
}
