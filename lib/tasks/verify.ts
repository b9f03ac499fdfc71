// A task counts as completed only when the person's own check succeeds, where one is set. The command is given to the shell as the
// person wrote it; nothing an agent wrote becomes part of it.
import type { SpawnSyncOptions } from "node:child_process";
import { closeSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openFile, readTail } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import type { Settings } from "../core/settings.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import { endGroup } from "../system/processes.ts";
import { changesAround, interferenceText } from "../worktrees/store/runs.ts" with { loading: "lazy" };

const TAIL_BYTES = 2_000;

interface Check {
  command: string;
  /** What the agent hears; `undefined` when the command succeeded. */
  failure: string | undefined;
}

/** `undefined` where no check is set. `session` asks for it: what others change in its tree meanwhile makes the result worthless. */
export function verify(
  settings: Settings,
  paths: Paths,
  { cwd, session }: { cwd: string; session: string | undefined },
  mostMs = Number.POSITIVE_INFINITY,
): Check | undefined {
  const command = settings["tasks.verify"];
  if (!command) return undefined;
  const timeoutMs = Math.min(settings["tasks.verify_timeout_s"] * 1_000, mostMs);
  const began = new Date();
  const { why, tail } = runVerify(paths, command, cwd, timeoutMs);
  if (!why) return { command, failure: session ? whyVoid(paths, cwd, command, began, session) : undefined };
  const failure = [
    `The task stays in_progress: \`${command}\` ${why}. Fix what it shows, then complete the task again (setting: tasks.verify).`,
    ...(tail ? [`The end of its output:\n${escapeXml(tail)}`] : []),
  ].join("\n");
  return { command, failure };
}

function whyVoid(
  paths: Paths,
  cwd: string,
  command: string,
  began: Date,
  session: string,
): string | undefined {
  const others = changesAround(paths, cwd, began, { session });
  if (others.length === 0) return undefined;
  const what = escapeLine(interferenceText(others, `\`${command}\``));
  return `The task stays in_progress: ${what}. Complete the task again, so that the check runs on what is there now (setting: tasks.verify).`;
}

interface Run {
  /** Of a failure; `undefined` when it succeeded. */
  why: string | undefined;
  /** The end of its output. */
  tail: string;
}

/** The output goes to a file: a pipe could fill up, and a child left behind would keep it open. */
export function runVerify(paths: Paths, command: string, cwd: string, timeoutMs: number): Run {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const place = placeForOutput(paths);
  if ("why" in place) return { why: place.why, tail: "" };
  const { directory, output, fd } = place;
  try {
    const options: SpawnSyncOptions & { detached: boolean } = {
      cwd,
      shell: true,
      detached: process.platform !== "win32", // a process group of its own, so that all of it can be ended
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      stdio: ["ignore", fd, fd],
    };
    const done = spawnSync(command, options);
    const isLate = (done.error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT";
    if (isLate) endGroup(done.pid);
    return { why: whyFailed(done, isLate, timeoutMs), tail: readTail(output, TAIL_BYTES)?.text.trim() ?? "" };
  } finally {
    closeSync(fd);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A check that cannot be made has not succeeded: an error would let the hook pass. */
function placeForOutput({ tmp }: Paths): { directory: string; output: string; fd: number } | { why: string } {
  try {
    const directory = mkdtempSync(join(tmp, "swarm-verify-"));
    const output = join(directory, "output");
    return { directory, output, fd: openFile(output, "create").fd };
  } catch (error) {
    return { why: `could not be started: ${(error as Error).message}` };
  }
}

function whyFailed(
  { error, status, signal }: { error?: Error; status: number | null; signal: NodeJS.Signals | null },
  isLate: boolean,
  timeoutMs: number,
): string | undefined {
  if (isLate) return `did not end within ${Math.round(timeoutMs / 1_000)} s`;
  if (error) return `could not be started: ${error.message}`;
  if (signal) return `was ended by ${signal}`;
  return status === 0 ? undefined : `failed with exit code ${status}`;
}
