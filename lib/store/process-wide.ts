// What the whole process shares, although its bundles each carry their own copy of these modules.

import type { TaskAuthority } from "./tasks.ts";

interface Shared {
  problems: string[];
  ids: number;
  /** On the stopwatch: no lock is waited for beyond it. */
  deadline: number;
  /** The payload, where it was read before the run began. */
  stdin?: string;
  /** Where the truth of a task list lies elsewhere. */
  taskAuthority?: (list: string) => TaskAuthority | undefined;
}

const KEY = Symbol.for("swarm.shared");

export function shared(): Shared {
  const world = globalThis as { [KEY]?: Shared };
  world[KEY] ??= { problems: [], ids: 0, deadline: Number.POSITIVE_INFINITY };
  return world[KEY];
}
