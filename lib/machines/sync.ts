// One round by hand, for cron and tests: under the courier's lock, or by the courier where one runs.
import { writeWhole } from "../core/files.ts";
import type { Paths } from "../core/paths.ts";
import { takeLongLock } from "../system/long-lock.ts";
import { readSyncRequest, statusWriter } from "./courier.ts";
import { closeEngine, openEngine } from "./engine.ts";
import { hereOf } from "./here.ts";
import { courierPath, isCourierFresh, syncRequestPath } from "./store/paths.ts";
import { readRelay, readStatus } from "./store/relay.ts";
import { teamCourier } from "./team-courier.ts";

const SYNC_MS = 30_000;
const LOOK_MS = 50;

interface Synced {
  team: string;
  how: string;
  delivered?: number;
  error?: Error;
}

export const syncTeams = async (paths: Paths, teams: string[]): Promise<Synced[]> =>
  (await syncByHand(paths, teams)) ?? (await byCourier(paths, teams));

/** Under the courier's lock: two at once would take turns at the same mail. */
async function syncByHand(paths: Paths, teams: string[]): Promise<Synced[] | undefined> {
  const release = await takeLongLock(courierPath(paths), () => {}); // then two do the same, which is only more work
  if (!release) return undefined;
  const done: Synced[] = [];
  try {
    for (const team of teams) done.push(await oneRound(paths, team).catch(failed(team)));
  } finally {
    await release().catch(() => {}); // it was taken from us
  }
  const [problem] = done.flatMap(({ error }) => error ?? []);
  if (!problem) return done;
  throw teams.length === 1 ? problem : new Error(done.map(({ team, how }) => `${team}: ${how}`).join("\n"));
}

/** The others have their round all the same. */
const failed = (team: string) => (error: Error) => ({ team, how: error.message, error });

async function oneRound(paths: Paths, team: string): Promise<Synced> {
  const relay = readRelay(paths, team);
  if (!relay) throw new Error(`the relay settings of ${team} cannot be read`);
  const courier = teamCourier(hereOf(paths, relay));
  const say = statusWriter(paths, team, courier);
  const engine = await openEngine(relay).catch((error: Error) => {
    say.broken(error.message);
    throw error;
  });
  try {
    say.connected(engine);
    await courier.round(engine).catch((error: Error) => {
      say.broken(error.message);
      throw error;
    });
    say.broken(undefined);
    const { delivered, refused } = courier.counts;
    return {
      team,
      how: `one round done, ${delivered} delivered${refused > 0 ? `, ${refused} refused` : ""}`,
      delivered,
    };
  } finally {
    await closeEngine(engine);
  }
}

async function byCourier(paths: Paths, teams: string[]): Promise<Synced[]> {
  const asked = Math.max(Date.now(), readSyncRequest(paths) + 1);
  writeWhole(syncRequestPath(paths), String(asked));
  for (const until = Date.now() + SYNC_MS; Date.now() < until; ) {
    if (!isCourierFresh(paths, Date.now()))
      return (await syncByHand(paths, teams)) ?? byCourier(paths, teams);
    const open = teams.filter((team) => (readStatus(paths, team)?.synced ?? 0) < asked);
    if (open.length === 0) return teams.map((team) => ({ team, how: "the courier's round is done" }));
    await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
  const why = teams.flatMap((team) => readStatus(paths, team)?.error ?? []);
  throw new Error(
    `the courier has not finished a round in ${SYNC_MS / 1000} s${why[0] ? `: ${why[0]}` : ""}`,
  );
}
