// The mark of the daily look at what is old: an empty file whose age says when it was.
import { statSync } from "node:fs";
import { type Places, upkeepPath } from "./paths.ts";
import { writeWhole } from "./write-file.ts";

const DAY_MS = 86_400_000;

export function isUpkeepDue(places: Places, now: Date): boolean {
  const last = statSync(upkeepPath(places), { throwIfNoEntry: false })?.mtimeMs;
  return last === undefined || now.getTime() - last > DAY_MS;
}

export const markUpkeep = (places: Places): void => writeWhole(upkeepPath(places), "");
