// Runs the person's own check. The command is the person's words, given to the shell as written; nothing an agent wrote
// is ever part of it.

import type { SpawnSyncOptions } from "node:child_process";
import { closeSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openFile, readTail } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import { endGroup } from "../system/processes.ts";

const TAIL_BYTES = 2_000;

export interface Verified {
  /** `undefined` when it succeeded. */
  why: string | undefined;
  tail: string;
}

/** The output goes to a file: a pipe would fill up, and a child left behind would keep it open. */
export function runVerify(paths: Paths, command: string, cwd: string, timeoutMs: number): Verified {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const directory = mkdtempSync(join(paths.tmp, "swarm-verify-"));
  const output = join(directory, "output");
  const { fd } = openFile(output, "create");
  try {
    const options: SpawnSyncOptions & { detached: boolean } = {
      cwd,
      shell: true,
      detached: process.platform !== "win32", // a group of its own, so that all of it can be ended
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", fd, fd],
    };
    const done = spawnSync(command, options);
    const late = (done.error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT";
    if (late) endGroup(done.pid);
    return { why: whyFailed(done, late, timeoutMs), tail: readTail(output, TAIL_BYTES)?.text.trim() ?? "" };
  } finally {
    closeSync(fd);
    rmSync(directory, { recursive: true, force: true });
  }
}

function whyFailed(
  { error, status, signal }: { error?: Error; status: number | null; signal: NodeJS.Signals | null },
  late: boolean,
  timeoutMs: number,
): string | undefined {
  if (late) return `did not end within ${Math.round(timeoutMs / 1_000)} s`;
  if (error) return `could not be started: ${error.message}`;
  if (signal) return `was ended by ${signal}`;
  return status === 0 ? undefined : `failed with exit code ${status}`;
}
