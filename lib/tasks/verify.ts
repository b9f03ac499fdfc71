// What shows that a task is done: the person's own check or a run that succeeded, with the state of the files it ran on, or a file.
// Where a check is set, a task counts as completed only when it succeeds. The command is given to the shell as the person wrote it;
// nothing an agent wrote becomes part of it.
import type { SpawnSyncOptions, SpawnSyncReturns } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { badCall, type Call } from "../cli/command.ts";
import { hasCode, readTail, withFile } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import { sha256 } from "../core/sha256.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import { endGroup } from "../system/processes.ts";
import { treeOf } from "../worktrees/store/repository.ts";
import { changesAround, interferenceText } from "../worktrees/store/runs.ts" with { loading: "lazy" };
import { findRun, verdictOf } from "../worktrees/store/runs.ts";
import { fingerprintOf, plainGit, readState } from "../worktrees/store/tree-state.ts";
import type { Notes, Verified } from "./store.ts";
import type { TaskContext } from "./task-context.ts";

const TAIL_BYTES = 2_000;

/** What the agent hears of a failure; `undefined` where no check is set. `session` asks for it: what others change in its tree meanwhile
 *  makes the result worthless. */
export function verify(
  { settings, paths, cwd, session }: Pick<TaskContext, "settings" | "paths" | "cwd" | "session">,
  mostMs = Number.POSITIVE_INFINITY,
) {
  const command = settings["tasks.verify"];
  if (!command) return undefined;
  const timeoutMs = Math.min(settings["tasks.verify_timeout_s"] * 1_000, mostMs);
  const began = new Date();
  const { why, tail } = runVerify(paths, command, cwd, timeoutMs);
  const shown = `\`${command}\``;
  const failed = (what: string, more = "") => ({
    command,
    failure: `The task stays in_progress: ${what} (setting: tasks.verify).${more}`,
  });
  if (why) {
    const output = tail ? `\nThe end of its output:\n${escapeXml(tail)}` : "";
    return failed(`${shown} ${why}. Fix what it shows, then complete the task again`, output);
  }
  const others = session ? changesAround(paths, cwd, began, { session }) : [];
  if (others.length === 0) return { command, failure: undefined };
  const what = escapeLine(interferenceText(others, shown));
  return failed(`${what}. Complete the task again, so that the check runs on what is there now`);
}

/** Why it failed, if it did, and the end of its output. That goes to a file: a pipe could fill up, and a child left behind would keep
 *  it open. */
export function runVerify({ tmp }: Paths, command: string, cwd: string, timeoutMs: number) {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const timeout = Math.max(1, Math.round(timeoutMs)); // node refuses a fraction, and 0 would be no limit
  const options: SpawnSyncOptions & { detached: boolean } = {
    cwd,
    shell: true,
    detached: process.platform !== "win32", // a process group of its own, so that all of it can be ended
    timeout,
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
      const why = isLate ? `did not end within ${Math.round(timeout / 1_000)} s` : whyFailed(done);
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

/** The commit, and where files have changed since a hash of them; `undefined` outside a repository. */
export function treeIn({ cwd, env }: Pick<TaskContext, "cwd" | "env">): string | undefined {
  const top = treeOf(cwd)?.top;
  const state = top === undefined ? undefined : readState(plainGit(env, top));
  return top === undefined || !state || "why" in state ? undefined : fingerprintOf(top, state);
}

/** Throws where the run does not show that the tree is fine. */
export function verifiedByRun(paths: Paths, id: string): Verified {
  const run = findRun(paths, id);
  if (!run) throw new Error(`there is no run ${JSON.stringify(id)}; \`swarm runs\` lists them`);
  const { command, exitCode, isWhole, fingerprint, ended } = run;
  const provesNothing = (why: string) => new Error(`run ${id} proves nothing: ${why}`);
  if (verdictOf(run) !== "clean")
    throw provesNothing("others changed files during it, or it ran in the background");
  if (exitCode !== 0) throw provesNothing(`it ended with ${exitCode ?? "no exit code"}`);
  if (isWhole) throw provesNothing("its exit code is that of a longer command or a pipe: run it alone");
  return { by: command, tree: fingerprint, at: ended, run: id };
}

export function evidenceOf({ readInput, cwd, now }: Call, file: string): Notes["evidence"] {
  if (readInput(file).trim() === "") throw badCall(`${file} is empty: that shows nothing`);
  // Of the bytes: a picture is no text.
  const sum = withFile(resolve(cwd, file), "readLinked", (fd) => sha256(readFileSync(fd)));
  return { file, sha256: sum, at: now.toISOString() };
}
