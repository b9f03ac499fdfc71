// The courier: one process a machine for all its relayed teams. It is no daemon: it lives while a session of such a team lives here.
import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { readText } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import { ageOf, hasPassed } from "./clock.ts";
import { farewell, forgetOthers } from "./departure.ts";
import { closeEngine, type Engine, openEngine } from "./engine.ts";
import { hereOf } from "./here.ts";
import { whileSessionsLive } from "./lifetime.ts";
import { type Calling, startSupervisor } from "./start.ts";
import {
  courierPath,
  isFresh,
  isRelayed,
  relayStamp,
  supervisorPath,
  syncRequestPath,
} from "./store/paths.ts";
import {
  type CourierStatus,
  type Relay,
  readRelay,
  readStatus,
  removeRelay,
  writeStatus,
} from "./store/relay.ts";
import { type TeamCourier, teamCourier } from "./team-courier.ts";

const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const STATUS_EVERY_MS = 5_000;

/** False where another courier has the lock. */
export async function runCourier(calling: Calling): Promise<boolean> {
  const { paths } = calling;
  const serving = new Map<string, Serving>();
  let requests: FSWatcher | undefined;
  return whileSessionsLive(paths, courierPath(paths), {
    look: (teams, isAnyAlive) => {
      requests ??= watchRequests(paths, () => {
        for (const { courier } of serving.values()) courier.wake();
      });
      for (const one of serving.values()) if (one.isStopped()) one.stop();
      for (const team of teams) if (!serving.has(team)) begin(paths, team, serving);
      if (isAnyAlive && !isFresh(supervisorPath(paths), Date.now())) startSupervisor(calling);
    },
    end: async () => {
      for (const one of serving.values()) one.stop();
      await Promise.all([...serving.values()].map(({ done }) => done));
      requests?.close();
    },
  });
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
  /** Also where the machine has left the team or joined it again: the next look begins anew. */
  isStopped: () => boolean;
  stop: () => void;
  done: Promise<void>;
}

function begin(paths: Paths, team: string, serving: Map<string, Serving>): void {
  const relay = readRelay(paths, team);
  if (!relay) return;
  const courier = teamCourier(hereOf(paths, relay));
  const joined = relayStamp(paths, team);
  let isAsked = false;
  const isStopped = () => isAsked || relayStamp(paths, team) !== joined;
  let wake = () => {};
  const stop = () => {
    isAsked = true;
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
  const done = serve(paths, relay, courier, isStopped, pause)
    .catch(() => {}) // the next look begins anew; other teams go on
    .finally(() => serving.delete(team));
  serving.set(team, { courier, isStopped, stop, done });
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
      say.connected(engine);
      await courier.carry(engine, { isStopped, asked: say.asked, looked: say.looked });
      if (!isRelayed(paths, relay.team)) await farewell(engine, paths);
    } catch (error) {
      say.broken((error as Error).message);
    }
    // A connection that was lost is opened again soon; a failure beside it would only be repeated.
    if (engine?.nc.isClosed()) failures = 0;
    if (engine) await closeEngine(engine);
    if (!isStopped()) await pause(BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)] as number);
  }
  say.broken(undefined);
  if (!isRelayed(paths, relay.team)) forgetOthers(paths, relay.team);
  if (!isRelayed(paths, relay.team)) removeRelay(paths, relay.team); // asked again: it may have joined since
}

export function statusWriter(paths: Paths, team: string, { counts, seen }: TeamCourier) {
  let since: string | undefined;
  let error: string | undefined;
  let server: CourierStatus["server"];
  let clockMs: number | undefined;
  let synced = readStatus(paths, team)?.synced ?? 0;
  let writtenAt = 0;
  const write = () => {
    writtenAt = Date.now();
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
      stuck: counts.stuck,
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
    asked: () => readSyncRequest(paths),
    looked: async (engine: Engine, isDrained: () => Promise<boolean>, asked = readSyncRequest(paths)) => {
      clockMs = engine.clockMs;
      if (asked > synced && (await isDrained())) {
        synced = asked;
        write();
      } else if (hasPassed(STATUS_EVERY_MS, writtenAt, Date.now())) write();
    },
  };
}
