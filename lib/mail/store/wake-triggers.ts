// Two bells beside each inbox, for the client to watch. Its watch of a file that is renamed over twice within milliseconds is
// lost for good, as inboxes are; a bell is only ever written in place.
import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode, isAbsence, withFile } from "../../core/files.ts";
import { type Paths, wakeTriggerPath } from "../../core/paths.ts";
import { makeDirectory } from "../../core/write-file.ts";

/** In turns of a second: the client speaks of a change only when the file has been quiet for half of one. */
const bellOf = (paths: Paths, team: string, agent: string, at: number) =>
  wakeTriggerPath(paths, team, agent, Math.floor(at / 1000) % 2);

/** For whoever has mail waiting. Where there is no bell, nobody watches. */
export function touchTrigger(paths: Paths, team: string, agent: string): void {
  strike(bellOf(paths, team, agent, Date.now()), "change");
}

/** The client watches only what is there. */
export function ensureTriggers(paths: Paths, team: string, agent: string): string[] {
  const bells = [bellOf(paths, team, agent, 0), bellOf(paths, team, agent, 1000)];
  makeDirectory(dirname(bells[0] ?? ""));
  for (const bell of bells) strike(bell, "create");
  return bells;
}

/** The mail is in the inbox by now: a bell that does not ring is no reason to send it again. */
function strike(bell: string, purpose: "change" | "create"): void {
  try {
    withFile(bell, purpose, (fd) => writeSync(fd, "!", 0));
  } catch (error) {
    if (!isAbsence(error) && !hasCode(error, "EEXIST") && !hasCode(error, "EACCES")) throw error;
  }
}
