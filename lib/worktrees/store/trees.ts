// The worktrees that Swarm made for teammates: one record each. A record outlives its team, so that work in a worktree is never
// forgotten; `swarm worktree remove` ends both.

import { join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { ifFile, namesIn, removeFile, statIfThere, stemsIn, writeJson } from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { maybeFlag, maybeText, object, someText } from "../../core/shape.ts";

export const TREE_FILES: readonly FileKind[] = [
  {
    name: "worktrees of teammates",
    path: "swarm/trees/<team>/<agent>.json",
    kept: "one a worktree; swarm worktree remove ends it",
  },
  { name: "patches of removed worktrees", path: "swarm/saved-patches/<name>.patch", ends: "person" },
];

export const treesDir = (paths: Paths) => swarmPath(paths, "trees");
const treeRecordPath = (paths: Paths, team: string, agent: string) =>
  swarmPath(paths, "trees", segment(team), `${segment(agent)}.json`);
export const savedPatchPath = (paths: Paths, name: string) =>
  swarmPath(paths, "saved-patches", `${segment(name)}.patch`);

const shape = object({
  team: someText,
  agent: someText,
  path: someText,
  branch: someText,
  /** We created the branch, so we may delete it once all its commits are elsewhere. */
  isOurBranch: maybeFlag,
  /** The checkout it was made from. */
  from: someText,
  commonDir: someText,
  /** The commit it began at. */
  base: someText,
  baseName: maybeText,
  at: someText,
});
export type TreeRecord = ReturnType<typeof shape>;

export const readTree = (paths: Paths, team: string, agent: string): TreeRecord | undefined =>
  readJson(treeRecordPath(paths, team, agent), shape);

export const writeTree = (paths: Paths, record: TreeRecord): void =>
  writeJson(treeRecordPath(paths, record.team, record.agent), record, { durable: true });

export const forgetTree = (paths: Paths, { team, agent }: TreeRecord): void =>
  removeFile(treeRecordPath(paths, team, agent));

/** Of one team, or of all. */
export function readTrees(paths: Paths, team?: string): TreeRecord[] {
  const teams = team === undefined ? namesIn(treesDir(paths)) : [team];
  return teams
    .filter((name) => !whyNotSegment(name))
    .flatMap((name) =>
      stemsIn(join(treesDir(paths), name), ".json").flatMap(
        (agent) => ifFile(() => readTree(paths, name, agent)) ?? [],
      ),
    );
}

/** A worktree's `.git` is a file. */
export const isTreeThere = ({ path }: Pick<TreeRecord, "path">): boolean =>
  statIfThere(join(path, ".git")) !== undefined;
