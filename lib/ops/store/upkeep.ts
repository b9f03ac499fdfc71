// The mark of the daily upkeep: an empty file whose age says when it last ran.

import { statSync } from "node:fs";
import type { FileKind } from "../../core/file-kind.ts";
import { type Paths, upkeepPath } from "../../core/paths.ts";
import { writeWhole } from "../../core/write-file.ts";

export const UPKEEP_MARK: FileKind = {
  name: "mark of the daily upkeep",
  path: "swarm/upkeep",
  ends: "kept",
  because: "one",
};

const DAY_MS = 86_400_000;

export function isUpkeepDue(paths: Paths, now: Date): boolean {
  const last = statSync(upkeepPath(paths), { throwIfNoEntry: false })?.mtimeMs;
  return last === undefined || now.getTime() - last > DAY_MS;
}

export const markUpkeep = (paths: Paths): void => writeWhole(upkeepPath(paths), "");
