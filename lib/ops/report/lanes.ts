// From single signs to the bars of a timeline. A bar ends where the next sign says something else; nothing is drawn for the gone.

import type { JournalLine } from "../../core/journal.ts";
import type { LifecycleLine } from "../store/history.ts";
import type { LaneState, Level, Sign, Span } from "./story.ts";

/** One agent's signs in order of time, as bars between `from` and `to`. */
export function spansOf(signs: readonly Sign[], from: number, to: number): Span[] {
  const spans: Span[] = [];
  signs.forEach((sign, n) => {
    const begins = Math.max(sign.at, from);
    const ends = Math.min(signs[n + 1]?.at ?? to, to);
    if (ends <= begins) return;
    const before = spans.at(-1);
    if (before?.state === sign.state && before.to === begins) before.to = ends;
    else spans.push({ state: sign.state, from: begins, to: ends });
  });
  return spans.filter(({ state }) => state !== "gone");
}

/** No more than `most` bars: beyond that each slice of the time shows what filled most of it. */
export function coarsened(spans: readonly Span[], from: number, to: number, most: number): Span[] {
  if (spans.length <= most) return [...spans];
  const width = (to - from) / most;
  const slices: Span[] = [];
  let at = 0;
  for (let n = 0; n < most; n++) {
    const [begins, ends] = [from + n * width, from + (n + 1) * width];
    const filled = new Map<LaneState, number>();
    while (at < spans.length && (spans[at]?.to ?? 0) <= begins) at++;
    for (let i = at; i < spans.length && (spans[i]?.from ?? to) < ends; i++) {
      const { state, from: a, to: b } = spans[i] as Span;
      filled.set(state, (filled.get(state) ?? 0) + Math.min(b, ends) - Math.max(a, begins));
    }
    const [state] = [...filled].sort((a, b) => b[1] - a[1])[0] ?? [];
    const before = slices.at(-1);
    if (before && before.state === state && before.to === begins) before.to = ends;
    else if (state) slices.push({ state, from: begins, to: ends });
  }
  return slices;
}

const OF_PHASE = new Map<string, LaneState>(
  Object.entries({
    working: "working",
    idle: "idle",
    waiting: "waiting",
    ended: "gone",
  }),
);

/** What a line of the journal says about its speaker's state, if anything. */
export function stateInJournal(line: JournalLine): LaneState | undefined {
  if (line.what === "state")
    return line["state"] === "failed" ? broken(line) : OF_PHASE.get(String(line["state"]));
  if (line.what === "member-state") return OF_NOTICE.get(String(line["state"]));
  return OF_WHAT.get(line.what);
}

const OF_WHAT = new Map<string, LaneState>(
  Object.entries({
    "session-start": "idle",
    "teammate-idle": "idle",
    "session-end": "gone",
    "member-ended": "gone",
    "member-crashed": "gone",
  }),
);

const OF_NOTICE = new Map<string, LaneState>(
  Object.entries({ silent: "silent", gone: "gone", "rate-limited": "limited" }),
);

export const LIMITS = /rate_limit|overloaded|usage_limit/;
const broken = ({ failure }: JournalLine): LaneState =>
  LIMITS.test(String(failure ?? "")) ? "limited" : "failed";

const OF_EVENT = new Map<string, LaneState>(
  Object.entries({
    "session-start": "idle",
    stop: "idle",
    "teammate-idle": "idle",
    "notification-idle-prompt": "idle",
    "permission-request": "waiting",
    "session-end": "gone",
  }),
);

export const stateInLifecycle = ({ type }: LifecycleLine): LaneState | undefined => OF_EVENT.get(type);

/** A compaction makes room again; how much, the next figure says. */
export function levelsOf(lines: readonly JournalLine[], from: number): Level[] {
  const levels = lines.flatMap((line): Level[] => {
    const at = Math.max(Date.parse(line.at), from);
    if (line.what === "compact-end") return [{ at, share: 0 }];
    const share = Number(line["share"]);
    return line.what === "context-level" && Number.isFinite(share) ? [{ at, share }] : [];
  });
  return levels.filter(({ at }, n) => at > from || (levels[n + 1]?.at ?? Number.POSITIVE_INFINITY) > from);
}
