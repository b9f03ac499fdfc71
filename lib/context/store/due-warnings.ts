// What a hook beside the turn noticed, left for one that the client waits for: an empty file, there or not.
import { existsSync, rmSync } from "node:fs";
import { duePath, type Paths } from "../../core/paths.ts";
import { writeWhole } from "../../core/write-file.ts";

export function markDue(paths: Paths, session: string): void {
  if (session) writeWhole(duePath(paths, session), "");
}

/** Whether there was one: it is gone now. */
export function takeDue(paths: Paths, session: string): boolean {
  const path = session && duePath(paths, session);
  if (!path || !existsSync(path)) return false;
  rmSync(path, { force: true });
  return true;
}
