// The state of a working tree as a git tree object, uncommitted and untracked files included, without touching its index.

import { existsSync, statSync, utimesSync } from "node:fs";
import { resolve } from "node:path";
import { copyNewFile } from "../../core/files.ts";
import type { GitCall } from "../../system/git.ts";
import { type Git, line, whyFailed } from "./base.ts";
import { LISTING_BYTES, readState, type TreeState } from "./tree-state.ts";

const WITHIN_MS = 20_000;

type Failed = { why: string };

export interface Snapshot {
  tree: string;
  changed: string[];
  leftOut: string[];
}

export interface SnapshotOptions {
  /** A file that does not exist yet. */
  index: string;
  objects?: GitCall["objects"];
  /** Which of the changed paths may not be looked into, and stay as in HEAD. */
  leaveOut?: (paths: readonly string[]) => readonly string[];
  /** Where it is known already. */
  state?: TreeState;
}

export function writeSnapshot(
  git: Git,
  { index, objects, leaveOut, state }: SnapshotOptions,
): Snapshot | Failed {
  const changes = state ?? readState(git);
  if ("why" in changes) return changes;
  const top = line(git(["rev-parse", "--show-toplevel"]));
  const path = line(git(["rev-parse", "--git-path", "index"]));
  if (!top || !path) return { why: "git did not say where its index is" };
  const own = resolve(top, path);
  if (existsSync(own)) copyIndex(own, index);
  const leftOut = new Set(leaveOut?.(changes.paths) ?? []);
  const asCommitted = committed(git, [...leftOut]);
  if (typeof asCommitted !== "string") return asCommitted;
  const taken = changes.paths.filter((path) => !leftOut.has(path));
  const more = { index, objects, limitMs: WITHIN_MS };
  const steps: [string[], string][] = [
    [["update-index", "--add", "--remove", "-z", "--stdin"], taken.map((path) => `${path}\0`).join("")],
    // What is left out stays as it was committed: neither its content nor its deletion counts.
    [["update-index", "-z", "--index-info"], asCommitted],
  ];
  for (const [args, input] of steps) {
    const done = input ? git(args, { ...more, input }) : undefined;
    if (done && !done.ok)
      return { why: done.why ?? (done.stderr.trim().split("\n")[0] || "git update-index failed") };
  }
  const tree = line(git(["write-tree"], more));
  return tree ? { tree, changed: changes.paths, leftOut: [...leftOut] } : { why: "git write-tree failed" };
}

/**
 * With what git knows of each file, so that only changed ones are read. A file written in the same tick as the index counts as
 * unchanged once the index is younger, so the copy is made older than its original: then git compares the content.
 */
function copyIndex(from: string, to: string): void {
  copyNewFile(from, to);
  const older = statSync(from).mtimeMs / 1_000 - 2;
  utimesSync(to, older, older);
}

/** As `update-index --index-info` reads it: the committed entry, or the removal of a path that HEAD does not have. */
function committed(git: Git, paths: readonly string[]): string | Failed {
  if (paths.length === 0) return "";
  const { ok, stdout, ...failure } = git(["ls-tree", "-z", "--full-tree", "-r", "HEAD", "--", ...paths], {
    longestBytes: LISTING_BYTES,
  });
  if (!ok) return { why: whyFailed(failure) };
  const known = new Map(
    stdout
      .split("\0")
      .flatMap((entry) => (entry.includes("\t") ? [[entry.slice(entry.indexOf("\t") + 1), entry]] : [])),
  );
  const none = "0".repeat(line(git(["rev-parse", "HEAD"]))?.length ?? 40);
  return paths.map((path) => `${known.get(path) ?? `0 ${none}\t${path}`}\0`).join("");
}
