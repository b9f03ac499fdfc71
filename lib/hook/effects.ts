// What a shell command will do to files, as the guard's parser reads it, for the handlers that come after the guard.

export interface GitCall {
  /** Where it works: `cd`, `-C`, `--work-tree` and `--git-dir` followed. */
  cwd: string;
  verb: string;
  args: readonly string[];
}

/** Absolute paths; a path may hold the shell's patterns. What cannot be known before the run is left out. */
export interface Effects {
  /** Written or deleted. */
  files: Set<string>;
  /** Removed with everything below, or filled with files of unknown names. */
  directories: Set<string>;
  /** Read by redirection or by a filter: what a patch is applied from. */
  inputs: Set<string>;
  /** Text that `git apply` or `patch` is given in the command itself, and where it runs. */
  patches: { cwd: string; text: string; files: readonly string[]; isGit: boolean }[];
  git: GitCall[];
}

export const noEffects = (): Effects => ({
  files: new Set(),
  directories: new Set(),
  inputs: new Set(),
  patches: [],
  git: [],
});
