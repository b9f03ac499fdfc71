// Lifecycle events of a team's members on other machines, in the same log as those of this one. They travel like mail: stored for
// each machine until it has them. A line that came from elsewhere says so and is not sent on.
import { existsSync } from "node:fs";
import { appendLine } from "../store/append-line.ts";
import { lifecycleLogPath } from "../store/paths.ts";
import { readText } from "../store/read-text.ts";
import { LIMITS } from "../store/state-limits.ts";
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
    const text = readText(lifecycleLogPath(here.places)) ?? "";
    const mark = readLifecycleMark(here.places, here.team);
    const end = text.lastIndexOf("\n") + 1;
    // Shorter than before: the log was turned over, and begins anew.
    const from = mark === undefined ? end : mark > end ? 0 : mark;
    const lines = text
      .slice(from, end)
      .split("\n")
      .flatMap((line) => lineOf(here, line));
    for (const machine of machines)
      if (machine !== here.machine && lines.length > 0)
        for (let at = 0; at < lines.length; at += MOST_AT_ONCE) {
          const body = { v: 1, lines: lines.slice(at, at + MOST_AT_ONCE) };
          await isTaken(engine, lifecycleSubject(here.team, machine, here.machine), body);
        }
    if (mark !== end) writeLifecycleMark(here.places, here.team, end);
  };
}

/** Without the payload, which is the session's own business. */
function lineOf({ team }: Here, text: string): LifecycleLine[] {
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    if (line["team"] !== team || line["machine"] !== undefined) return [];
    const known = lifecycle.safeParse({ v: 1, lines: [line] });
    return known.success ? known.data.lines : [];
  } catch {
    return []; // torn
  }
}

/** Only where the log is kept at all. */
export function applyLifecycle(
  { places, team }: Here,
  machine: string,
  lines: readonly LifecycleLine[],
): void {
  const path = lifecycleLogPath(places);
  if (!existsSync(path)) return;
  for (const line of lines) appendLine(path, { ...line, team, machine, payload: {} }, LIMITS.lifecycle);
}
