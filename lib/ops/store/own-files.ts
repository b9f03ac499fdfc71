// The files of this domain: reports and bug reports, where no other place is named, in a directory of the person's own, never in a
// project; and the mark of the daily upkeep, an empty file whose age says when it last ran.

import { statSync } from "node:fs";
import type { FileKind } from "../../core/file-kind.ts";
import { writeWhole } from "../../core/files.ts";
import { type Paths, segment, swarmPath, upkeepPath } from "../../core/paths.ts";

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

export const REPORT_FILES: FileKind = { name: "reports", path: "swarm/reports/<file>", ends: "person" };

export const reportPath = (paths: Paths, name: string): string => swarmPath(paths, "reports", segment(name));
