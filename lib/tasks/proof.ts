// What shows that a task is done: the check or the run that succeeded and the state of the files it ran on, or a file.

import { badCall } from "../cli/command.ts";
import type { Paths } from "../core/paths.ts";
import { sha256 } from "../core/sha256.ts";
import { treeOf } from "../worktrees/store/repository.ts";
import { findRun, verdictOf } from "../worktrees/store/runs.ts";
import { fingerprintOf, plainGit, readState } from "../worktrees/store/tree-state.ts";
import type { Notes, Verified } from "./store.ts";
import type { TaskContext } from "./task-context.ts";

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

export function evidenceOf(file: string, read: (path: string) => string, now: Date): Notes["evidence"] {
  const content = read(file);
  if (content.trim() === "") throw badCall(`${file} is empty: that shows nothing`);
  return { file, sha256: sha256(content), at: now.toISOString() };
}
