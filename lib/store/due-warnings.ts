// What a hook beside the turn noticed, left for one that the client waits for: an empty file, there or not.
import { existsSync, rmSync } from "node:fs";
import { duePath, type Places } from "./paths.ts";
import { writeWhole } from "./write-file.ts";

export function markDue(places: Places, session: string): void {
  if (session) writeWhole(duePath(places, session), "");
}

/** Whether there was one: it is gone now. */
export function takeDue(places: Places, session: string): boolean {
  const path = session && duePath(places, session);
  if (!path || !existsSync(path)) return false;
  rmSync(path, { force: true });
  return true;
}
