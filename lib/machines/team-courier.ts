// One team's post on this machine. `round` does everything once; `carry` keeps at it until it is told to stop or the connection
// breaks, which it leaves to its caller.
import { type FSWatcher, watch } from "node:fs";
import type { Consumer, JsMsg } from "@nats-io/jetstream";
import { inboxesDir } from "../store/paths.ts";
import { makeDirectory } from "../store/write-file.ts";
import {
  drain,
  type Engine,
  mailConsumer,
  measureClock,
  pull,
  readAll,
  readSince,
  watchState,
} from "./engine.ts";
import type { Here } from "./here.ts";
import { type Counts, inbound, receiptsOut } from "./inbound.ts";
import { lifecycleOut } from "./lifecycle.ts";
import { applyTasks, applyTeam, nothingSeen, ownOn, type Seen, take } from "./mirror.ts";
import { KEYS } from "./names.ts";
import { outbound } from "./outbound.ts";
import { presence } from "./presence.ts";

/** Beside the watch of the directory, which some file systems do not have. */
const LOOK_EVERY_MS = 1_000;
const PRESENCE_EVERY_MS = 3_000;
const SIGN_EVERY_MS = 15_000;
const CLOCK_EVERY_MS = 300_000;
/** Beside what the relay says by itself, which is not stored and can be missed. */
const STATE_EVERY_MS = 10_000;
const LEAST_PULL_MS = 200;

export interface TeamCourier {
  here: Here;
  counts: Counts;
  seen: Seen;
  round: (engine: Engine) => Promise<void>;
  carry: (engine: Engine, watcher: Carrying) => Promise<void>;
  /** Looks for outgoing mail now. */
  wake: () => void;
}

export interface Carrying {
  isStopped: () => boolean;
  /** After each look at the local files. */
  looked: (engine: Engine, isDrained: () => Promise<boolean>) => void | Promise<void>;
}

export function teamCourier(here: Here): TeamCourier {
  const counts: Counts = { delivered: 0, duplicates: 0, refused: 0, lastPull: {} };
  const seen = nothingSeen();
  const send = outbound(here);
  const receive = inbound(here, counts);
  const acknowledge = receiptsOut(here);
  const announce = presence(here);
  const report = lifecycleOut(here);
  let wakeUp = () => {};
  let hasNews = false;

  const apply = (engine: Engine) => {
    applyTasks(here, seen);
    applyTeam(here, engine, seen);
  };
  let last: number | undefined;
  /** All of it once, then what is new. */
  const look = async (engine: Engine) => {
    const read = last === undefined ? await readAll(engine) : await readSince(engine, last);
    for (const change of read.changes) take(seen, change);
    last = read.last;
    if (read.changes.length > 0 || seen.tasks.size > 0) apply(engine);
  };

  const round = async (engine: Engine) => {
    await look(engine);
    await announce(engine, ownOn(seen, here.machine));
    await send(engine);
    await report(engine, seen.machines.keys());
    await drain(await mailConsumer(engine), (message) => receive(engine, message));
    await acknowledge(engine);
    await engine.nc.flush();
  };

  const carry = async (engine: Engine, carrying: Carrying) => {
    last = undefined;
    await look(engine);
    const mail = await mailConsumer(engine);
    const isOver = () => carrying.isStopped() || engine.nc.isClosed();
    const watcher = watchInboxes(here, () => wakeUp());
    watchState(engine, () => {
      hasNews = true;
      wakeUp();
    });
    const failure = new Promise<never>((_, reject) => {
      pulling(mail, isOver, (message) => receive(engine, message)).catch(reject);
    });
    try {
      await Promise.race([failure, looking(engine, mail, isOver, carrying)]);
    } finally {
      watcher?.close();
    }
  };

  const looking = async (engine: Engine, mail: Consumer, isOver: () => boolean, carrying: Carrying) => {
    const due = { state: 0, presence: 0, sign: 0, clock: Date.now() + CLOCK_EVERY_MS };
    while (!isOver()) {
      const woken = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      await send(engine);
      await acknowledge(engine);
      const now = Date.now();
      if (hasNews || now >= due.state) {
        hasNews = false;
        await look(engine);
        due.state = now + STATE_EVERY_MS;
      }
      if (now >= due.presence) {
        await announce(engine, ownOn(seen, here.machine));
        await report(engine, seen.machines.keys());
        apply(engine);
        due.presence = now + PRESENCE_EVERY_MS;
      }
      if (now >= due.clock) {
        engine.clockMs = await measureClock(engine.kv, here.machine);
        due.clock = now + CLOCK_EVERY_MS;
        due.sign = now + SIGN_EVERY_MS;
      }
      if (now >= due.sign) {
        await engine.kv.put(KEYS.machine(here.machine), JSON.stringify({ v: 1 }));
        due.sign = now + SIGN_EVERY_MS;
      }
      await carrying.looked(engine, () => isDrained(mail));
      await woken;
    }
    await announce(engine, ownOn(seen, here.machine));
    await send(engine);
    await acknowledge(engine);
  };

  return { here, counts, seen, round, carry, wake: () => wakeUp() };
}

async function pulling(
  consumer: Consumer,
  isOver: () => boolean,
  each: (message: JsMsg) => void | Promise<void>,
) {
  while (!isOver()) {
    const began = Date.now();
    let count = 0;
    for await (const message of await pull(consumer)) {
      await each(message);
      count++;
    }
    // The consumer is gone, or the server refuses: asking again at once would keep both busy for nothing.
    if (!isOver() && count === 0 && Date.now() - began < LEAST_PULL_MS)
      throw new Error("the relay ended a pull at once");
  }
}

async function isDrained(mail: Consumer): Promise<boolean> {
  const { num_pending, num_ack_pending } = await mail.info();
  return num_pending === 0 && num_ack_pending === 0;
}

function watchInboxes({ places, team }: Here, changed: () => void): FSWatcher | undefined {
  try {
    makeDirectory(inboxesDir(places, team));
    const watcher = watch(inboxesDir(places, team), { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined; // the timer looks anyway
  }
}
