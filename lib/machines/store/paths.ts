// Where the relay's files are, and whether a team has one: all that a hook needs to know, without zod.
import { existsSync, statSync } from "node:fs";
import { type FileKind, type LogKind, MB } from "../../core/file-kind.ts";
import { stemsIn } from "../../core/files.ts";
import { readJson } from "../../core/json.ts";
import { STALE_AFTER_MS } from "../../core/lock.ts";
import { type Paths, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { maybeText, object } from "../../core/shape.ts";

export const SENT_RECEIPTS: LogKind = {
  name: "sent receipts",
  path: "swarm/relay/receipts/<team>.jsonl",
  kept: "two of a size",
  maxBytes: MB,
};

export const RELAY_FILES: readonly FileKind[] = [
  {
    name: "relays",
    path: "swarm/relay/{teams,status,lifecycle}/<team>.json",
    kept: "one of each a team; swarm relay leave removes them",
  },
  SENT_RECEIPTS,
  { name: "the courier's files", path: "swarm/relay/{courier,supervisor,sync-request}", kept: "one of each" },
  {
    name: "relay servers",
    path: "swarm/relay/server/",
    kept: "made by swarm relay config; the store of a server",
  },
];

/** Address and secret. */
export const relayDir = (paths: Paths) => swarmPath(paths, "relay");
export const relayPath = (paths: Paths, team: string) =>
  swarmPath(paths, "relay", "teams", `${segment(team)}.json`);
export const statusPath = (paths: Paths, team: string) =>
  swarmPath(paths, "relay", "status", `${segment(team)}.json`);
export const receiptsPath = (paths: Paths, team: string) =>
  swarmPath(paths, "relay", "receipts", `${segment(team)}.jsonl`);
/** How much of the lifecycle log the other machines have. */
export const lifecycleMarkPath = (paths: Paths, team: string) =>
  swarmPath(paths, "relay", "lifecycle", `${segment(team)}.json`);
/** The courier holds `<this>.lock`. */
export const courierPath = (paths: Paths) => swarmPath(paths, "relay", "courier");
/** The courier's supervisor holds `<this>.lock`. */
export const supervisorPath = (paths: Paths) => swarmPath(paths, "relay", "supervisor");
/** Written to ask the courier for a whole round now. */
export const syncRequestPath = (paths: Paths) => swarmPath(paths, "relay", "sync-request");
/** What `swarm relay config` made: the server's configuration and one credential a machine. */
export const serverDir = (paths: Paths, team: string) => swarmPath(paths, "relay", "server", segment(team));

const statusShape = object({ error: maybeText });

/** Of the courier's status, which store/relay.ts reads in whole: why the relay was not reachable when last tried. */
export const lastRelayError = (paths: Paths, team: string): string | undefined =>
  readJson(statusPath(paths, team), statusShape)?.error;

/** One look at a path: all that a team without a relay costs. */
export const isRelayed = (paths: Paths, team: string | undefined): team is string =>
  team !== undefined && !whyNotSegment(team) && existsSync(relayPath(paths, team));

const ownName = object({ machine: maybeText });

/** What this machine is called in a relayed team. */
export const machineIn = (paths: Paths, team: string): string | undefined =>
  isRelayed(paths, team) ? readJson(relayPath(paths, team), ownName)?.machine : undefined;

export const relayedTeams = (paths: Paths): string[] => stemsIn(swarmPath(paths, "relay", "teams"), ".json");

/** Differs after every join, and where the machine has left. */
export function relayStamp(paths: Paths, team: string): string | undefined {
  const stat = statSync(relayPath(paths, team), { throwIfNoEntry: false });
  return stat && `${stat.mtimeMs}:${stat.ino}`;
}

/** By the lock's age, which its holder renews: true also for a holder that died a moment ago. */
export function isFresh(path: string, now: number): boolean {
  const lock = statSync(`${path}.lock`, { throwIfNoEntry: false });
  return lock !== undefined && Math.abs(now - lock.mtimeMs) < STALE_AFTER_MS;
}

/** `swarm lead take` locks the relay's file while it writes the lead here and on the relay. */
export const isTakingLead = (paths: Paths, team: string): boolean =>
  isFresh(relayPath(paths, team), Date.now());

export const isCourierFresh = (paths: Paths, now: number): boolean => isFresh(courierPath(paths), now);
