// What git says about a working tree in one call: its commit, its branch, what differs; and a fingerprint of all that.

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ifThere, withFile } from "../../core/files.ts";
import { type GitCall, runGit } from "../../system/git.ts";
import type { Git } from "./base.ts";

export interface TreeState {
  /** `undefined` before the first commit. */
  head?: string;
  /** `undefined` while HEAD is detached. */
  branch?: string;
  upstream?: string;
  /** Commits against the upstream, where there is one. */
  ahead?: number;
  behind?: number;
  /** What differs from HEAD, untracked files and deleted ones too, below the top level. */
  paths: string[];
  /** What cannot be looked into: untracked repositories inside it, and names that are not UTF-8. */
  opaque: string[];
}

export const LISTING_BYTES = 16 * 1024 * 1024;
const WITHIN_MS = 20_000;

/** In hooks and for the board: nothing of the person's configuration, and of the repository's only the harmless part. */
export const plainGit =
  (env: GitCall["env"], cwd: string): Git =>
  (args, more = {}) =>
    runGit(args, { cwd, env, ...more });

/** `git` runs at the top level. */
export function readState(git: Git, limitMs = WITHIN_MS): TreeState | { why: string } {
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"];
  const { ok, stdout, stderr, why } = git(args, { longestBytes: LISTING_BYTES, limitMs });
  if (!ok) return { why: why ?? (stderr.trim().split("\n")[0] || "git status failed") };
  const state: TreeState = { paths: [], opaque: [] };
  for (const entry of stdout.split("\0")) {
    if (entry.startsWith("# ")) readHeader(state, entry);
    else if (entry !== "") {
      const path = pathIn(entry);
      (path.endsWith("/") || path.includes("\ufffd") ? state.opaque : state.paths).push(path);
    }
  }
  return state;
}

function readHeader(state: TreeState, line: string): void {
  const [, name, ...values] = line.split(" ");
  const value = values.join(" ");
  if (name === "branch.oid" && value !== "(initial)") state.head = value;
  if (name === "branch.head" && value !== "(detached)") state.branch = value;
  if (name === "branch.upstream") state.upstream = value;
  const counts = name === "branch.ab" ? /^\+(\d+) -(\d+)$/.exec(value) : null;
  if (counts) [state.ahead, state.behind] = [Number(counts[1]), Number(counts[2])];
}

/** Fields before the path: 8 of a changed entry, 10 of an unmerged one, 1 of an untracked one. */
function pathIn(entry: string): string {
  const fields = entry.startsWith("1 ") ? 8 : entry.startsWith("u ") ? 10 : 1;
  return entry.split(" ").slice(fields).join(" ");
}

const MOST_READ = 500;
const LARGEST_READ = 1024 * 1024;

/** `1a2b3c4` for a clean tree; with changes `1a2b3c4+` and a hash of them. Equal fingerprints mean equal files. */
export function fingerprintOf(top: string, { head, paths, opaque }: TreeState): string {
  const commit = head?.slice(0, 7) ?? "0000000";
  if (paths.length + opaque.length === 0) return commit;
  const { createHash } = require("node:crypto") as typeof import("node:crypto");
  const hash = createHash("sha256");
  for (const [at, path] of [...paths, ...opaque].sort().entries()) {
    hash.update(`${path}\0`);
    for (const part of contentOf(join(top, path), at < MOST_READ)) hash.update(part);
    hash.update("\0");
  }
  return `${commit}+${hash.digest("hex").slice(0, 8)}`;
}

/** A file too large to be read for this, or one of too many, counts by its size and time. */
function contentOf(path: string, isRead: boolean): (string | Buffer)[] {
  const stat = ifThere(() => lstatSync(path)); // also where its directory is a file now
  if (!stat) return ["deleted"];
  const unread = [`${stat.size} ${stat.mtimeMs}`];
  if (!isRead || !stat.isFile() || stat.size > LARGEST_READ) return unread;
  try {
    return [`${stat.mode & 0o111} `, withFile(path, "read", (fd) => readFileSync(fd))];
  } catch {
    return unread;
  }
}
