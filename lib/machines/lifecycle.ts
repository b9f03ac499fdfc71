// Lifecycle events of a team's members on other machines, in the same log as those of this one. They travel like mail: stored for
// each machine until it has them. A line that came from elsewhere says so and is not sent on.
import { parsedLine } from "../core/json.ts";
import { appendForeignLifecycle, readLifecycleAfter } from "../sessions/store/lifecycle.ts";
import type { Engine } from "./engine.ts";
import type { Here } from "./here.ts";
import { isTaken } from "./mail-stream.ts";
import { lifecycleSubject } from "./names.ts";
import { readLifecycleMark, writeLifecycleMark } from "./store/relay.ts";
import { type LifecycleLine, lifecycle } from "./wire.ts";

const MOST_AT_ONCE = 500;

/** Sends what was logged since the last time. The first time it only remembers where the log ends. */
export function lifecycleOut(here: Here): (engine: Engine, machines: Iterable<string>) => Promise<void> {
  return async (engine, machines) => {
    const mark = readLifecycleMark(here.paths, here.team);
    const { lines: logged, end } = readLifecycleAfter(here.paths, mark ?? 0);
    if (mark === end) return;
    const lines = mark === undefined ? [] : logged.flatMap((line) => lineOf(here, line));
    for (const machine of machines)
      if (machine !== here.machine)
        for (let at = 0; at < lines.length; at += MOST_AT_ONCE) {
          const body = { v: 1, lines: lines.slice(at, at + MOST_AT_ONCE) };
          await isTaken(engine, lifecycleSubject(here.team, machine, here.machine), body);
        }
    writeLifecycleMark(here.paths, here.team, end);
  };
}

/** Without the payload, which belongs to the session. */
function lineOf({ team }: Here, text: string): LifecycleLine[] {
  const line = parsedLine<Record<string, unknown>>(text);
  if (line?.["team"] !== team || line["machine"] !== undefined) return [];
  const known = lifecycle.safeParse({ v: 1, lines: [line] });
  return known.success ? known.data.lines : [];
}

export const applyLifecycle = (
  { paths, team }: Here,
  machine: string,
  lines: readonly LifecycleLine[],
): void =>
  appendForeignLifecycle(
    paths,
    lines.map((line) => ({ ...line, team, machine, payload: {} })),
  );
