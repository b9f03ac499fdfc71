// A task counts as completed only when the person's own check succeeds, where one is set. The command is given to the shell as the
// person wrote it; nothing an agent wrote becomes part of it.
import type { SpawnSyncOptions, SpawnSyncReturns } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasCode, readTail, withFile } from "../core/files.ts";
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
  const failed = (what: string) => ({ command, failure: `The task stays in_progress: ${what}` });
  if (why) {
    const output = tail ? `\nThe end of its output:\n${escapeXml(tail)}` : "";
    return failed(
      `\`${command}\` ${why}. Fix what it shows, then complete the task again (setting: tasks.verify).${output}`,
    );
  }
  const others = session ? changesAround(paths, cwd, began, { session }) : [];
  if (others.length === 0) return { command, failure: undefined };
  const what = escapeLine(interferenceText(others, `\`${command}\``));
  return failed(
    `${what}. Complete the task again, so that the check runs on what is there now (setting: tasks.verify).`,
  );
}

interface Run {
  /** Of a failure; `undefined` when it succeeded. */
  why: string | undefined;
  /** The end of its output. */
  tail: string;
}

/** The output goes to a file: a pipe could fill up, and a child left behind would keep it open. */
export function runVerify({ tmp }: Paths, command: string, cwd: string, timeoutMs: number): Run {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const options: SpawnSyncOptions & { detached: boolean } = {
    cwd,
    shell: true,
    detached: process.platform !== "win32", // a process group of its own, so that all of it can be ended
    timeout: Math.max(1, Math.round(timeoutMs)), // node refuses a fraction, and 0 would be no limit
    killSignal: "SIGKILL",
  };
  try {
    const directory = mkdtempSync(join(tmp, "swarm-verify-"));
    const output = join(directory, "output");
    try {
      const run = (fd: number) => spawnSync(command, { ...options, stdio: ["ignore", fd, fd] });
      const done = withFile(output, "create", run);
      const isLate = hasCode(done.error, "ETIMEDOUT");
      if (isLate) endGroup(done.pid);
      const why = isLate ? `did not end within ${Math.round(timeoutMs / 1_000)} s` : whyFailed(done);
      return { why, tail: readTail(output, TAIL_BYTES)?.text.trim() ?? "" };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  } catch (error) {
    // A check that cannot be made has not succeeded: an error would let the hook pass.
    return { why: notStarted(error as Error), tail: "" };
  }
}

const notStarted = ({ message }: Error) => `could not be started: ${message}`;

function whyFailed({ error, status, signal }: SpawnSyncReturns<unknown>): string | undefined {
  if (error) return notStarted(error);
  if (signal) return `was ended by ${signal}`;
  return status === 0 ? undefined : `failed with exit code ${status}`;
}
