// What is decided on the relay and nowhere else: the next task number, who changes a task, who leads. Each is a compare-and-set, so
// that of two who try exactly one succeeds.
import type { Task } from "../tasks/store.ts";
import { canonical } from "./canonical.ts";
import { type Engine, isConflict } from "./engine.ts";
import { KEYS } from "./names.ts";
import * as wire from "./wire.ts";

const TRIES = 200;

/** True when it was stored; false when somebody else was first. */
async function stored(write: Promise<number>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

/** A number that nobody else gets, also if its task is never made. */
export async function reserveTask({ kv }: Engine): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const entry = await kv.get(KEYS.lastTask);
    const last = entry ? wire.parseAs(wire.counter, entry.string()).last : 0;
    const text = JSON.stringify({ v: 1, last: last + 1 });
    const write = entry ? kv.update(KEYS.lastTask, text, entry.revision) : kv.create(KEYS.lastTask, text);
    if (await stored(write)) return last + 1;
  }
  throw new Error("too many others create tasks at this moment; try again");
}

/** Nothing when it was stored; otherwise what is there instead of what the caller took for the present. */
export async function commitTask(
  { kv }: Engine,
  id: string,
  before: Task | null,
  after: Task | null,
): Promise<{ present: Task | null } | undefined> {
  for (;;) {
    const entry = await kv.get(KEYS.task(id));
    const present = entry ? wire.parseTask(entry.string(), id) : null;
    if (canonical(present) !== canonical(before)) return { present };
    const text = wire.taskText(after);
    const write = entry ? kv.update(KEYS.task(id), text, entry.revision) : kv.create(KEYS.task(id), text);
    if (await stored(write)) return undefined;
  }
}

/** The new token, or nothing when somebody else took the lead since `token` was read. */
export async function takeLead({ kv }: Engine, lead: wire.Lead, token: number): Promise<number | undefined> {
  try {
    return await kv.update(KEYS.lead, JSON.stringify(lead), token);
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

/** Brings the team to the relay; false when another machine has done so. */
export async function createConfig(
  { kv }: Engine,
  config: wire.TeamConfig,
  lead: wire.Lead,
): Promise<boolean> {
  if (!(await stored(kv.create(KEYS.config, JSON.stringify(config))))) return false;
  await stored(kv.create(KEYS.lead, JSON.stringify(lead)));
  return true;
}
