// git, by its command: arguments as a list, a time limit of its own, and silence where there is nothing to tell.

export const GIT_LIMIT_MS = 1_500;
const LONGEST_ANSWER_BYTES = 64 * 1024;

/** The newest commits, one line each; empty without git, outside a repository, and when git does not answer in time. */
export function recentCommits(root: string, limitMs = GIT_LIMIT_MS): string[] {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const { status, stdout } = spawnSync("git", ["log", "--oneline", "-5"], {
    cwd: root,
    timeout: limitMs,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: LONGEST_ANSWER_BYTES,
    encoding: "utf8",
    windowsHide: true,
  });
  return status === 0 ? stdout.split("\n").filter(Boolean) : [];
}
