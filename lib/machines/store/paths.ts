// Where the relay's files are, and whether a team has one: all that a hook needs to know, without a parser.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { STALE_AFTER_MS } from "../../store/lock.ts";
import { type Places, segment, swarmDir } from "../../store/paths.ts";
import { isAbsence } from "../../store/read-text.ts";

const relayDir = (places: Places, ...parts: string[]) => join(swarmDir(places), "relay", ...parts);
export const relayPath = (places: Places, team: string) => relayDir(places, "teams", `${segment(team)}.json`);
export const statusPath = (places: Places, team: string) =>
  relayDir(places, "status", `${segment(team)}.json`);
export const receiptsPath = (places: Places, team: string) =>
  relayDir(places, "receipts", `${segment(team)}.jsonl`);
/** How much of the lifecycle log the other machines have. */
export const lifecycleMarkPath = (places: Places, team: string) =>
  relayDir(places, "lifecycle", `${segment(team)}.json`);
/** The courier holds `<this>.lock`. */
export const courierPath = (places: Places) => relayDir(places, "courier");
/** Written to when somebody wants the courier to look now. */
export const pokePath = (places: Places) => relayDir(places, "poke");
/** What `swarm relay config` made: the server's configuration and one credential a machine. */
export const serverDir = (places: Places) => relayDir(places, "server");

/** One look at a path: all that a team without a relay pays. */
export const isRelayed = (places: Places, team: string): boolean => existsSync(relayPath(places, team));

export function relayedTeams(places: Places): string[] {
  try {
    return readdirSync(relayDir(places, "teams")).flatMap((name) => name.match(/^(.+)\.json$/)?.[1] ?? []);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** By the lock's age, which its holder renews: true also for a courier that died a moment ago. */
export function isCourierFresh(places: Places, now: number): boolean {
  const lock = statSync(`${courierPath(places)}.lock`, { throwIfNoEntry: false });
  return lock !== undefined && Math.abs(now - lock.mtimeMs) < STALE_AFTER_MS;
}
