// State of the whole process. Every bundle (the hook's own and its lazy parts) carries its own copy of the modules it imports, so
// module-level variables are not shared between them; a global is.

interface Shared {
  problems: string[];
  ids: number;
  /** On the stopwatch: no lock is waited for beyond it. */
  deadline: number;
  /** The guarded call that is not answered yet. */
  guarded?: string | undefined;
}

const KEY = Symbol.for("swarm.shared");

export function shared(): Shared {
  const world = globalThis as { [KEY]?: Shared };
  world[KEY] ??= { problems: [], ids: 0, deadline: Number.POSITIVE_INFINITY };
  return world[KEY];
}
