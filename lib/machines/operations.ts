// What is decided on the relay and nowhere else: the next task number, who changes a task, who leads. Each is a compare-and-set, so
// that of two who try exactly one succeeds.
import type { Task } from "../tasks/store.ts";
import { type Engine, isConflict } from "./engine.ts";
import { KEYS } from "./names.ts";
import * as wire from "./wire.ts";

const TRIES = 200;

/** The revision under which it was stored; nothing when somebody else was first. */
async function stored(engine: Engine, key: string, write: Promise<number>): Promise<number | undefined> {
  try {
    const revision = await write;
    return (await isPresent(engine, key, revision)) ? revision : undefined;
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

/**
 * With several copies the servers compare revisions before they put the writes in order: of two at the same moment both are acknowledged
 * (nats-server 4320; since 2.9.21 only while the cluster changes its leader), and the later one stays. Whatever was let through before ours
 * was stored is in front of a second write of ours, and so is seen after it.
 */
async function isPresent({ kv, machine, copies }: Engine, key: string, revision: number): Promise<boolean> {
  if (copies === 1) return true;
  await kv.put(KEYS.machine(machine), wire.SIGN);
  return (await kv.get(key))?.revision === revision;
}

/** A number that nobody else gets, also if its task is never made. */
export const reserveTask = (engine: Engine): Promise<number> => countOn(engine, (last) => last + 1);

/** Numbers up to this one are in use. */
export const skipNumbers = (engine: Engine, upTo: number): Promise<number> =>
  countOn(engine, (last) => Math.max(last, upTo));

async function countOn(engine: Engine, next: (last: number) => number): Promise<number> {
  const { kv } = engine;
  for (let n = 0; n < TRIES; n++) {
    const entry = await kv.get(KEYS.lastTask);
    const last = next(entry ? wire.parseAs(wire.counter, entry.string()).last : 0);
    const text = JSON.stringify({ v: 1, last });
    const write = entry ? kv.update(KEYS.lastTask, text, entry.revision) : kv.create(KEYS.lastTask, text);
    if (await stored(engine, KEYS.lastTask, write)) return last;
  }
  throw new Error("too many others create tasks at this moment; try again");
}

/** Nothing when it was stored, also by an earlier try whose answer was lost; otherwise what is there instead of what the caller took for the present. */
export async function commitTask(
  engine: Engine,
  id: string,
  before: Task | null,
  after: Task | null,
): Promise<{ present: Task | null } | undefined> {
  const { kv } = engine;
  for (;;) {
    const entry = await kv.get(KEYS.task(id));
    const present = entry ? wire.parseTask(entry.string(), id) : null;
    if (entry && wire.canonical(present) === wire.canonical(after)) return undefined;
    if (wire.canonical(present) !== wire.canonical(before)) return { present };
    const text = wire.taskText(after);
    const write = entry ? kv.update(KEYS.task(id), text, entry.revision) : kv.create(KEYS.task(id), text);
    if (await stored(engine, KEYS.task(id), write)) return undefined;
  }
}

/** The new token, or nothing when somebody else took the lead since `token` was read. */
export async function takeLead(engine: Engine, lead: wire.Lead, token: number): Promise<number | undefined> {
  const text = JSON.stringify(lead);
  const taken = await stored(engine, KEYS.lead, engine.kv.update(KEYS.lead, text, token));
  if (taken !== undefined) return taken;
  const entry = await engine.kv.get(KEYS.lead);
  return entry?.string() === text ? entry.revision : undefined; // by an earlier try whose answer was lost
}

/** Brings the team to the relay; false when another machine has done so. The lead's key comes last: until it is there `fill` is not over. */
export async function createConfig(
  engine: Engine,
  config: wire.TeamConfig,
  lead: wire.Lead,
  fill = async (): Promise<void> => {},
): Promise<boolean> {
  const created = (key: string, value: unknown) =>
    stored(engine, key, engine.kv.create(key, JSON.stringify(value)));
  if (!(await created(KEYS.config, config)) && !(await isBegun(engine, config))) return false;
  await fill();
  await created(KEYS.lead, lead);
  return true;
}

/** By a try of ours that was interrupted. */
const isBegun = async ({ kv }: Engine, config: wire.TeamConfig): Promise<boolean> =>
  (await kv.get(KEYS.config))?.string() === JSON.stringify(config) && !(await kv.get(KEYS.lead));
