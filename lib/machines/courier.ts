// The courier: one process a machine for all its relayed teams. It is no daemon: it lives while a session of such a team lives
// here, holds a lock that it renews, stops when it loses it, and leaves when the last session is over, however that ended.
import { statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import { STALE_AFTER_MS } from "../store/lock.ts";
import type { Places } from "../store/paths.ts";
import { lifeOf } from "../store/processes.ts";
import { readText } from "../store/read-text.ts";
import { readSessions, type SessionRecord } from "../store/sessions.ts";
import { readSettings } from "../store/settings.ts";
import { makeDirectory } from "../store/write-file.ts";
import { ageOf } from "./clock.ts";
import { closeEngine, type Engine, openEngine } from "./engine.ts";
import type { Here } from "./here.ts";
import { courierPath, pokePath, relayedTeams } from "./store/paths.ts";
import { type CourierStatus, type Relay, readRelay, readStatus, writeStatus } from "./store/relay.ts";
import { type TeamCourier, teamCourier } from "./team-courier.ts";

const RENEW_MS = 3_000;
const LOOK_FOR_SESSIONS_MS = 5_000;
/** Nobody seen so often in a row ends it: a session between `/clear` and its next start is still one. */
const EMPTY_LOOKS = 3;
const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const STATUS_EVERY_MS = 5_000;
/** A session whose process cannot be proven dead counts for so long after its last sign. */
const UNPROVEN_MS = 600_000;

export const hereOf = (places: Places, { team, machine, secret }: Relay): Here => ({
  places,
  team,
  machine,
  secret,
  keepRead: readSettings(places, places.home, undefined).values["mail.keep_read"],
});

function isLiving(record: SessionRecord, teams: ReadonlySet<string>, now: number): boolean {
  if (!record.team || !teams.has(record.team) || record.endedAt || record.next) return false;
  const life = lifeOf({ pid: record.pid, startedAt: record.pidStartedAt });
  if (life === "unknown") return now - Date.parse(record.lastSeen) < UNPROVEN_MS;
  return life === "alive";
}

/** False where another courier has the lock. */
export async function runCourier(places: Places): Promise<boolean> {
  const stop = { isStopped: false, wake: () => {} };
  const end = () => {
    stop.isStopped = true;
    stop.wake();
  };
  const release = await takeLock(places, end);
  if (!release) return false;
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  const serving = new Map<string, Serving>();
  const poke = watchPoke(places, () => {
    for (const { courier } of serving.values()) courier.wake();
  });
  try {
    const script = stampOf(__filename);
    for (let empty = 0; !stop.isStopped && empty < EMPTY_LOOKS && stampOf(__filename) === script; ) {
      const teams = new Set(relayedTeams(places));
      empty = readSessions(places).some((record) => isLiving(record, teams, Date.now())) ? 0 : empty + 1;
      for (const [team, one] of serving) if (!teams.has(team)) one.stop();
      for (const team of teams) if (!serving.has(team)) begin(places, team, serving);
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
    poke?.close();
    if (!stop.isStopped) process.off("SIGTERM", end).off("SIGINT", end);
    await release().catch(() => {}); // it was taken from us
  }
  return true;
}

/** A plugin that was replaced or removed under us: the next hook starts the courier it came with. */
const stampOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

async function takeLock(places: Places, lost: () => void): Promise<(() => Promise<void>) | undefined> {
  const path = courierPath(places);
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

function watchPoke(places: Places, poked: () => void) {
  try {
    const watcher = watch(dirname(pokePath(places)), { persistent: false }, (_, name) => {
      if (name === "poke") poked();
    });
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined; // looked for once a second anyway
  }
}

export const readPoke = (places: Places): number => Number(readText(pokePath(places))) || 0;

interface Serving {
  courier: TeamCourier;
  stop: () => void;
  done: Promise<void>;
}

function begin(places: Places, team: string, serving: Map<string, Serving>): void {
  const relay = readRelay(places, team);
  if (!relay) return;
  const courier = teamCourier(hereOf(places, relay));
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
  const done = serve(places, relay, courier, () => isStopped, pause).finally(() => serving.delete(team));
  serving.set(team, { courier, stop, done });
}

async function serve(
  places: Places,
  relay: Relay,
  courier: TeamCourier,
  isStopped: () => boolean,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const say = statusWriter(places, relay.team, courier);
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

export function statusWriter(places: Places, team: string, { counts, seen }: TeamCourier) {
  let since: string | undefined;
  let error: string | undefined;
  let server: CourierStatus["server"];
  let clockMs: number | undefined;
  let poked = readStatus(places, team)?.poked ?? 0;
  let nextAt = 0;
  const write = () => {
    nextAt = Date.now() + STATUS_EVERY_MS;
    writeStatus(places, team, {
      pid: process.pid,
      at: new Date().toISOString(),
      poked,
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
      const asked = readPoke(places);
      if (asked > poked && (await isDrained())) {
        poked = asked;
        write();
      } else if (Date.now() >= nextAt) write();
    },
  };
}
