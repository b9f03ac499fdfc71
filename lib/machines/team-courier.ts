// The mail and state of one team on this machine. `round` does everything once; `carry` goes on until it is stopped or the connection
// breaks, which is its caller's to handle.
import { type FSWatcher, watch } from "node:fs";
import { makeDirectory } from "../core/files.ts";
import { inboxesDir } from "../mail/store/mailbox-files.ts";
import { hasPassed } from "./clock.ts";
import { type Engine, measureClock, readSince, readTeamState, watchState } from "./engine.ts";
import type { Here } from "./here.ts";
import { type Counts, inbound, receiptsOut } from "./inbound.ts";
import { lifecycleOut } from "./lifecycle.ts";
import { countMail, readMail, removeMail, watchMail } from "./mail-stream.ts";
import { applyTasks, applyTeam, isDeposing, nothingSeen, ownOn, type Seen, take } from "./mirror.ts";
import { KEYS } from "./names.ts";
import { outbound } from "./outbound.ts";
import { presence } from "./presence.ts";
import { isTakingLead } from "./store/paths.ts";
import { SIGN } from "./wire.ts";

/** Beside the watch of the directory, which some file systems do not have. */
const LOOK_EVERY_MS = 1_000;
const PRESENCE_EVERY_MS = 3_000;
const SIGN_EVERY_MS = 15_000;
const CLOCK_EVERY_MS = 300_000;
/** Beside what the relay says by itself, which is not stored and can be missed. */
const STATE_EVERY_MS = 10_000;
const MAIL_EVERY_MS = 5_000;

/** Writing is synchronous: between two messages timers run, above all the one that renews the courier's lock. */
const turnOfOthers = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface TeamCourier {
  here: Here;
  counts: Counts;
  seen: Seen;
  round: (engine: Engine) => Promise<void>;
  carry: (engine: Engine, watcher: Carrying) => Promise<void>;
  /** Looks for outgoing mail now. */
  wake: () => void;
}

interface Carrying {
  isStopped: () => boolean;
  /** The last request for a whole round. */
  asked: () => number;
  /** After each look at the local files, with the request that there was before it. */
  looked: (engine: Engine, isDrained: () => Promise<boolean>, asked: number) => void | Promise<void>;
}

export function teamCourier(here: Here): TeamCourier {
  const counts: Counts = { delivered: 0, duplicates: 0, refused: 0, lastPull: {}, stuck: {} };
  const seen = nothingSeen();
  const send = outbound(here, counts.stuck);
  const receive = inbound(here, counts);
  const acknowledge = receiptsOut(here);
  const announce = presence(here);
  const report = lifecycleOut(here);
  let wakeUp = () => {};
  const hasNews = { state: false, mail: false };

  let lastRead: number | undefined;
  /** All of it once, then what is new; returns how much. */
  const read = async (engine: Engine): Promise<number> => {
    const news = lastRead === undefined ? await readTeamState(engine) : await readSince(engine, lastRead);
    for (const change of news.changes) take(seen, change);
    lastRead = news.last;
    return news.changes.length;
  };
  const apply = async (engine: Engine) => {
    applyTasks(here, seen);
    if (isDeposing(here, seen)) {
      const wasTaking = isTakingLead(here.paths, here.team); // it may be done before we have the answer
      await read(engine); // it may have taken the lead since we looked
      if (wasTaking || isTakingLead(here.paths, here.team)) return;
    }
    applyTeam(here, engine, seen);
  };
  const look = async (engine: Engine) => {
    if ((await read(engine)) > 0 || seen.tasks.size > 0) await apply(engine);
  };

  const fetchMail = async (engine: Engine) => {
    for (let letters = await readMail(engine); letters.length > 0; letters = await readMail(engine)) {
      let done = 0;
      try {
        for (const letter of letters) {
          await receive(engine, letter);
          done = letter.seq;
          await turnOfOthers();
        }
      } finally {
        if (done > 0) await removeMail(engine, done);
      }
    }
  };

  const round = async (engine: Engine) => {
    await look(engine);
    await announce(engine, ownOn(seen, here.machine));
    await send(engine);
    await report(engine, seen.machines.keys());
    await fetchMail(engine);
    await acknowledge(engine);
    await engine.nc.flush();
  };

  const carry = async (engine: Engine, carrying: Carrying) => {
    lastRead = undefined;
    await look(engine);
    const isOver = () => carrying.isStopped() || engine.nc.isClosed();
    const watcher = watchInboxes(here, () => wakeUp());
    watchState(engine, () => {
      hasNews.state = true;
      wakeUp();
    });
    watchMail(engine, () => {
      hasNews.mail = true;
      wakeUp();
    });
    void engine.nc.closed().then(() => wakeUp());
    try {
      await looking(engine, isOver, carrying);
    } finally {
      watcher?.close();
    }
  };

  const looking = async (engine: Engine, isOver: () => boolean, carrying: Carrying) => {
    const last = { mail: 0, state: 0, presence: 0, sign: 0, clock: Date.now() };
    while (!isOver()) {
      const woken = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      const asked = carrying.asked();
      await send(engine);
      await acknowledge(engine);
      const now = Date.now();
      if (hasNews.mail || hasPassed(MAIL_EVERY_MS, last.mail, now)) {
        hasNews.mail = false;
        await fetchMail(engine);
        last.mail = now;
      }
      if (hasNews.state || hasPassed(STATE_EVERY_MS, last.state, now)) {
        hasNews.state = false;
        await look(engine);
        last.state = now;
      }
      if (hasPassed(PRESENCE_EVERY_MS, last.presence, now)) {
        await announce(engine, ownOn(seen, here.machine));
        await report(engine, seen.machines.keys());
        await apply(engine);
        last.presence = now;
      }
      if (hasPassed(CLOCK_EVERY_MS, last.clock, now)) {
        engine.clockMs = await measureClock(engine.kv, KEYS.machine(here.machine));
        last.clock = now;
        last.sign = now;
      }
      if (hasPassed(SIGN_EVERY_MS, last.sign, now)) {
        await engine.kv.put(KEYS.machine(here.machine), SIGN);
        last.sign = now;
      }
      await carrying.looked(engine, async () => (await countMail(engine)) === 0, asked);
      await woken;
    }
    await announce(engine, ownOn(seen, here.machine));
    await send(engine);
    await acknowledge(engine);
  };

  return { here, counts, seen, round, carry, wake: () => wakeUp() };
}

function watchInboxes({ paths, team }: Here, changed: () => void): FSWatcher | undefined {
  try {
    makeDirectory(inboxesDir(paths, team));
    const watcher = watch(inboxesDir(paths, team), { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined; // the timer looks anyway
  }
}
