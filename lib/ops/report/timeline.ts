// The bars of the timeline: a bar ends where the next observation differs; nothing is drawn after an agent has ended.
import type { JournalLine } from "../../core/journal.ts";
import { counted, toText } from "../../core/text.ts";
import { isLimit } from "../../sessions/store/sessions.ts";
import type { Story } from "./gather.ts";
import { clock, escaped } from "./html.ts";
import { type Entry, type LaneState, type Level, type Sign, type Span, STATES } from "./story.ts";

const MOST_BARS = 400;

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
export function coarsened(spans: readonly Span[], from: number, to: number, most = MOST_BARS): Span[] {
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

/** Phases of a session and what is noticed about a member, where a lane has another word for it. */
const OTHER_WORDS = new Map<unknown, LaneState>([
  ["ended", "gone"],
  ["rate-limited", "limited"],
]);

/** Of the journal and of the lifecycle log. */
const STATES_BY_EVENT = new Map<string, LaneState>([
  ["session-start", "idle"],
  ["stop", "idle"],
  ["teammate-idle", "idle"],
  ["notification-idle-prompt", "idle"],
  ["permission-request", "waiting"],
  ["session-end", "gone"],
  ["member-ended", "gone"],
  ["member-crashed", "gone"],
]);

/** What a line of the journal, or `what` was logged of a lifecycle, says about its agent's state, if anything. */
export function stateIn(line: { what: string; state?: unknown; failure?: unknown }): LaneState | undefined {
  if (line.what !== "state" && line.what !== "member-state") return STATES_BY_EVENT.get(line.what);
  const state = OTHER_WORDS.get(line.state) ?? toText(line.state);
  if (!Object.hasOwn(STATES, state)) return undefined;
  return state === "failed" && isLimit(toText(line.failure)) ? "limited" : (state as LaneState);
}

/** A compaction makes room again; how much, the next figure says. */
export function levelsOf(lines: readonly JournalLine[], from: number): Level[] {
  const levels = lines.flatMap((line): Level[] => {
    const at = Math.max(Date.parse(line.at), from);
    if (line.what === "compact-end") return [{ at, share: 0 }];
    const { what, share } = line;
    return what === "context-level" && Number.isFinite(share) ? [{ at, share: share as number }] : [];
  });
  return levels.filter((_, n) => (levels[n + 1]?.at ?? Number.POSITIVE_INFINITY) > from);
}

// The picture: one lane an agent, a bar for each state, a line for each message, a dot for each decision. Horizontal paths are in
// percent and vertical ones in pixels, so that it fits any width undistorted. However much happened, its size is bounded.
const MOST_LINES = 1_500;
/** Of one lane: more would cover each other. */
const MOST_DOTS = 160;
const AXIS_PX = 26;
const HIGH_LANE_PX = 46;
const LOW_LANE_PX = 26;
const MANY_LANES = 16;

export const laneHeight = (lanes: number): number => (lanes > MANY_LANES ? LOW_LANE_PX : HIGH_LANE_PX);

type Lane = Story["lanes"][number];

type Scale = Pick<Story, "from" | "to"> & { lane: number };

const percent = (at: number, { from, to }: Scale) => rounded((100 * (at - from)) / Math.max(1, to - from));
const rounded = (value: number) => Math.round(value * 100) / 100;
const middle = (n: number, { lane }: Scale) => AXIS_PX + n * lane + lane / 2;

const group = (name: string, parts: readonly string[]) => `<g class="${name}">${parts.join("")}</g>`;

export function timeline(story: Story): string {
  const scale = { from: story.from, to: story.to, lane: laneHeight(story.lanes.length) };
  const height = AXIS_PX + story.lanes.length * scale.lane;
  const place = new Map(story.lanes.map(({ agent }, n) => [agent, n]));
  return [
    `<svg id="picture" width="100%" height="${height}" role="img" aria-label="States of ${counted(story.lanes.length, "agent")} over time">`,
    group("axis", ticks(story, scale, height)),
    ...story.lanes.map((lane, n) => group("lane", [...bars(lane, n, scale), ...context(lane, n, scale)])),
    group("mail", mailLines(story.entries, place, scale)),
    group("dots", dots(story.entries, place, scale)),
    `<line id="cursor" x1="0" x2="0" y1="${AXIS_PX - 6}" y2="${height}" visibility="hidden"/>`,
    "</svg>",
  ].join("");
}

const DAY_MIN = 1440;
const STEPS_MIN = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, DAY_MIN];
const MOST_TICKS = 7;

/** Whole minutes, hours or days, at most eight of them. */
export function ticksOf(from: number, to: number, zone: number): number[] {
  const least = (to - from) / 60_000 / MOST_TICKS;
  const days = DAY_MIN * Math.ceil(least / DAY_MIN);
  const step = (STEPS_MIN.find((one) => one >= least) ?? days) * 60_000;
  const shift = zone * 60_000;
  const first = Math.ceil((from + shift) / step) * step - shift;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, n) => first + n * step);
}

function ticks({ from, to, zone }: Story, scale: Scale, height: number): string[] {
  const yearOf = (at: number) => clock(at, zone).day.slice(0, 4);
  const left = yearOf(from) === yearOf(to) ? 5 : 0;
  const times = ticksOf(from, to, zone);
  const step = (times[1] ?? 0) - (times[0] ?? 0);
  // Every second one, never midnight: left out where the window is narrow.
  const isOdd = (at: number) => Math.round((at + zone * 60_000) / step) % 2 === 1;
  return times.map((at) => {
    const x = percent(at, scale);
    const { day, time } = clock(at, zone);
    const anchor = x < 4 ? "start" : x > 96 ? "end" : "middle";
    const label = time === "00:00" ? day.slice(left) : time;
    return `<line class="tick" x1="${x}%" x2="${x}%" y1="${AXIS_PX - 6}" y2="${height}"/><text class="time"${isOdd(at) ? " data-odd" : ""} x="${x}%" y="13" text-anchor="${anchor}">${label}</text>`;
  });
}

function bars({ agent, spans }: Lane, n: number, scale: Scale): string[] {
  return coarsened(spans, scale.from, scale.to).map(({ state, from, to }) => {
    const x = percent(from, scale);
    const width = Math.max(0.15, rounded(percent(to, scale) - x));
    const high = Math.max(2, Math.round(STATES[state].height * scale.lane));
    const y = middle(n, scale) - high / 2;
    return `<rect class="s-${state}" x="${x}%" y="${y}" width="${width}%" height="${high}" rx="2"><title>${escaped(agent)}: ${state}</title></rect>`;
  });
}

/** A thin line at the foot of the lane that grows with the context's use. */
function context({ agent, spans, levels }: Lane, n: number, scale: Scale): string[] {
  const end = spans.at(-1)?.to ?? scale.to;
  return levels.slice(-MOST_BARS).map(({ at, share }, i, all) => {
    if (share <= 0) return "";
    const x = percent(at, scale);
    const until = percent(Math.max(all[i + 1]?.at ?? end, at), scale);
    const [level, high] = share >= 90 ? ["high", 4] : share >= 75 ? ["mid", 3] : ["low", 2];
    const y = AXIS_PX + (n + 1) * scale.lane - 4 - high;
    return `<rect class="c-${level}" x="${x}%" y="${y}" width="${rounded(Math.max(0.3, until - x))}%" height="${high}" rx="1"><title>${escaped(agent)}: context at ${share} %</title></rect>`;
  });
}

/** The number of an agent's lane. */
type Place = ReadonlyMap<string, number>;

function mailLines(entries: readonly Entry[], place: Place, scale: Scale): string[] {
  const sent = entries.flatMap(({ kind, agent, to, at }) => {
    const [a, b] = [place.get(agent), place.get(to ?? "")];
    return kind === "message" && a !== undefined && b !== undefined && a !== b ? [{ a, b, at }] : [];
  });
  const pairOf = ({ a, b }: { a: number; b: number }) => `${a} ${b}`;
  const slices = Math.floor(MOST_LINES / Math.max(1, new Set(sent.map(pairOf)).size));
  return thinned(sent, scale, Math.min(1_000, slices), pairOf)
    .slice(-MOST_LINES)
    .map(({ a, b, at }) => {
      const x = percent(at, scale);
      const [from, to] = [middle(a, scale), middle(b, scale)];
      return `<line x1="${x}%" x2="${x}%" y1="${from}" y2="${to}"/><circle cx="${x}%" cy="${to}" r="2.6"/>`;
    });
}

/** Of each key the last in each slice of the time. */
export function thinned<T extends { at: number }>(
  all: readonly T[],
  { from, to }: Pick<Story, "from" | "to">,
  slices: number,
  key: (one: T) => string,
): T[] {
  const slice = ({ at }: T) => Math.floor((slices * (at - from)) / Math.max(1, to - from));
  return [...new Map(all.map((one) => [`${key(one)} ${slice(one)}`, one])).values()];
}

const LOUDEST_LAST = ["warn", "ask", "deny"];

function dots(entries: readonly Entry[], place: Place, scale: Scale): string[] {
  const loudness = ({ tone }: Entry) => LOUDEST_LAST.indexOf(tone ?? "");
  const decisions = entries
    .filter(({ kind, agent }) => kind === "decision" && place.has(agent))
    .sort((a, b) => loudness(a) - loudness(b));
  return thinned(decisions, scale, MOST_DOTS, ({ agent }) => agent).map(({ agent, at, tone = "", head }) => {
    const y = AXIS_PX + (place.get(agent) ?? 0) * scale.lane + 8;
    return `<circle class="d-${escaped(tone)}" cx="${percent(at, scale)}%" cy="${y}" r="4"><title>${escaped(agent)}: ${escaped(head)}</title></circle>`;
  });
}
