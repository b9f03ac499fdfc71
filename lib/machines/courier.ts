// The courier: one process a machine for all its relayed teams. It is no daemon: it lives while a session of such a team lives
// here, holds a lock that it renews, stops when it loses it, and leaves when the last session is over, however that ended.
import { statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import { readText } from "../core/files.ts";
import { STALE_AFTER_MS } from "../core/lock.ts";
import type { Paths } from "../core/paths.ts";
import { makeDirectory } from "../core/write-file.ts";
import { lifeOfRecord, readSessions, type SessionRecord } from "../sessions/store/sessions.ts";
import { ageOf } from "./clock.ts";
import { closeEngine, type Engine, openEngine } from "./engine.ts";
import { hereOf } from "./here.ts";
import { courierPath, relayedTeams, syncRequestPath } from "./store/paths.ts";
import { type CourierStatus, type Relay, readRelay, readStatus, writeStatus } from "./store/relay.ts";
import { type TeamCourier, teamCourier } from "./team-courier.ts";

const RENEW_MS = 3_000;
const LOOK_FOR_SESSIONS_MS = 5_000;
/** So many looks in a row without a session end it: between `/clear` and the next start there is none. */
const EMPTY_LOOKS = 3;
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const STATUS_EVERY_MS = 5_000;
/** A session whose process cannot be proven dead counts for so long after its last sign. */
const UNPROVEN_MS = 600_000;

function isLiving(record: SessionRecord, teams: ReadonlySet<string>, now: number): boolean {
  if (!record.team || !teams.has(record.team) || record.endedAt || record.next) return false;
  const life = lifeOfRecord(record);
  if (life === "unknown") return now - Date.parse(record.lastSeen) < UNPROVEN_MS;
  return life === "alive";
}

/** False where another courier has the lock. */
export async function runCourier(paths: Paths): Promise<boolean> {
  const stop = { isStopped: false, wake: () => {} };
  const end = () => {
    stop.isStopped = true;
    stop.wake();
  };
  const release = await takeLock(paths, end);
  if (!release) return false;
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  const serving = new Map<string, Serving>();
  const requests = watchRequests(paths, () => {
    for (const { courier } of serving.values()) courier.wake();
  });
  try {
    const script = stampOf(__filename);
    for (let empty = 0; !stop.isStopped && empty < EMPTY_LOOKS && stampOf(__filename) === script; ) {
      const teams = new Set(relayedTeams(paths));
      empty = readSessions(paths).some((record) => isLiving(record, teams, Date.now())) ? 0 : empty + 1;
      for (const [team, one] of serving) if (!teams.has(team)) one.stop();
      for (const team of teams) if (!serving.has(team)) begin(paths, team, serving);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_FOR_SESSIONS_MS);
        stop.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    for (const one of serving.values()) one.stop();
    await Promise.all([...serving.values()].map(({ done }) => done));
    requests?.close();
    if (!stop.isStopped) process.off("SIGTERM", end).off("SIGINT", end);
    await release().catch(() => {}); // it was taken from us
  }
  return true;
}

/** A plugin that was replaced or removed under us: the next hook starts the courier it came with. */
const stampOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

async function takeLock(paths: Paths, lost: () => void): Promise<(() => Promise<void>) | undefined> {
  const path = courierPath(paths);
  makeDirectory(dirname(path));
  try {
    return await lock(path, {
      realpath: false,
      stale: STALE_AFTER_MS,
      update: RENEW_MS,
      onCompromised: lost,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
    throw error;
  }
}

function watchRequests(paths: Paths, synced: () => void) {
  try {
    const watcher = watch(dirname(syncRequestPath(paths)), { persistent: false }, (_, name) => {
      if (name === "sync-request") synced();
    });
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined; // looked for once a second anyway
  }
}

export const readSyncRequest = (paths: Paths): number => Number(readText(syncRequestPath(paths))) || 0;

interface Serving {
  courier: TeamCourier;
  stop: () => void;
  done: Promise<void>;
}

function begin(paths: Paths, team: string, serving: Map<string, Serving>): void {
  const relay = readRelay(paths, team);
  if (!relay) return;
  const courier = teamCourier(hereOf(paths, relay));
  let isStopped = false;
  let wake = () => {};
  const stop = () => {
    isStopped = true;
    wake();
    courier.wake();
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const done = serve(paths, relay, courier, () => isStopped, pause).finally(() => serving.delete(team));
  serving.set(team, { courier, stop, done });
}

async function serve(
  paths: Paths,
  relay: Relay,
  courier: TeamCourier,
  isStopped: () => boolean,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const say = statusWriter(paths, relay.team, courier);
  for (let failures = 0; !isStopped(); ) {
    let engine: Engine | undefined;
    try {
      engine = await openEngine(relay);
      failures = 0;
      say.connected(engine);
      await courier.carry(engine, { isStopped, looked: say.looked });
    } catch (error) {
      say.broken((error as Error).message);
    }
    if (engine) await closeEngine(engine);
    if (!isStopped()) await pause(BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)] as number);
  }
  say.broken(undefined);
}

export function statusWriter(paths: Paths, team: string, { counts, seen }: TeamCourier) {
  let since: string | undefined;
  let error: string | undefined;
  let server: CourierStatus["server"];
  let clockMs: number | undefined;
  let synced = readStatus(paths, team)?.synced ?? 0;
  let nextAt = 0;
  const write = () => {
    nextAt = Date.now() + STATUS_EVERY_MS;
    writeStatus(paths, team, {
      pid: process.pid,
      at: new Date().toISOString(),
      synced,
      connectedSince: since,
      server,
      clockMs,
      lastPull: counts.lastPull,
      machines: Object.fromEntries(
        [...seen.machines].map(([name, at]) => [
          name,
          new Date(Date.now() - ageOf({ clockMs: clockMs ?? 0 }, at)).toISOString(),
        ]),
      ),
      lead: seen.lead && { machine: seen.lead.machine, agent: seen.lead.agent, token: seen.lead.token },
      refused: counts.refused + seen.refused,
      error,
    });
  };
  return {
    connected: (engine: Engine) => {
      since = new Date().toISOString();
      server = engine.server;
      clockMs = engine.clockMs;
      error = undefined;
      write();
    },
    broken: (why: string | undefined) => {
      since = undefined;
      error = why;
      write();
    },
    looked: async (engine: Engine, isDrained: () => Promise<boolean>) => {
      clockMs = engine.clockMs;
      const asked = readSyncRequest(paths);
      if (asked > synced && (await isDrained())) {
        synced = asked;
        write();
      } else if (Date.now() >= nextAt) write();
    },
  };
}
