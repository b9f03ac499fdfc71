// What it all cost: the index brought up to date, then summed the way it was asked for.

import type { Paths } from "../../core/paths.ts";
import { localDay } from "../../core/time.ts";
import { beyond } from "./beyond.ts";
import { type CostIndex, type Limits, readCostIndex, type Unread, updateCostIndex } from "./cost-index.ts";
import type { LeftOut } from "./left-out.ts";
import { costOf, type Prices, pricesWith } from "./prices.ts";
import { type Speakers, speakersOf } from "./speakers.ts";
import { tasksAt } from "./task-times.ts";
import { type Answered, TOKENS, type Usage } from "./transcripts.ts";

export const GROUPS = ["agent", "task", "model", "day", "team"] as const;
/** `owner`: an agent with its subagents. */
export type Group = (typeof GROUPS)[number] | "owner";

export interface Asked {
  paths: Paths;
  now: Date;
  /** `cost.prices` of the settings. */
  prices: Readonly<Record<string, unknown>>;
  since?: Date;
  team?: string;
}

export interface Counting {
  unread: Unread;
  /** Grows with what is asked for. */
  leftOut: LeftOut;
  by: (group: Group) => Costs;
}

export function costsOf({ paths, now, prices, since, team }: Asked, limits: Limits): Counting {
  const index = readCostIndex(paths);
  const unread = updateCostIndex(paths, index, limits);
  const leftOut: LeftOut = new Set();
  const speakers = speakersOf(paths, index, leftOut);
  const known: Prices = pricesWith(prices);
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
  const keyFor = (group: Group): ((one: Answered) => { key: string; subject?: string }) => {
    if (group === "task") return taskKey(tasksAt(paths, index, speakers, now, leftOut), speakers, team);
    return (one) => ({ key: keyOf(group, one, speakers, team) });
  };
  return {
    unread,
    leftOut,
    by: (group) => {
      const { totals, rows } = count(index, speakers, known, { since: from, team, key: keyFor(group) });
      return { totals, rows: rows.sort(group === "day" ? byKey : byCost) };
    },
  };
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
const byCost = (a: Costs["rows"][number], b: Costs["rows"][number]) =>
  (b.usd ?? 0) - (a.usd ?? 0) || b.output - a.output || byKey(a, b);

function keyOf(group: Group, one: Answered, speakers: Speakers, team: string | undefined): string {
  if (group === "model") return one.model || "(no model)";
  if (group === "day") return dayOf(one.at);
  const speaker = speakers(one.session, one.agentId);
  if (group === "team") return speaker.team || NO_TEAM;
  const name = group === "owner" ? speaker.owner : speaker.label;
  return team === undefined && speaker.team ? `${name}@${speaker.team}` : name;
}

/** A person's day, by the clock of this machine. */
export const dayOf = (at: number): string => localDay(new Date(at));

export const NO_TASK = "(no task)";
export const NO_TEAM = "(no team)";

function taskKey(at: ReturnType<typeof tasksAt>, speakers: Speakers, team: string | undefined) {
  return (one: Answered) => {
    const worked = at(speakers(one.session, one.agentId), one.session, one.at);
    if (!worked) return { key: NO_TASK };
    return {
      key: team === undefined ? `${worked.list} #${worked.task}` : `#${worked.task}`,
      subject: worked.subject,
    };
  };
}

// The sums: every message once, by agent, task, model, team or day, and what the client billed beyond the transcripts as a row of
// its own. Pure.
export interface Sum extends Record<(typeof TOKENS)[number], number> {
  messages: number;
  /** In dollars; `null` where nothing of it has a price. */
  usd: number | null;
  /** Models whose tokens are counted and not priced. */
  noPrice?: string[];
}

export interface Row extends Sum {
  key: string;
  /** What a task is about. */
  subject?: string;
}

export interface Costs {
  totals: Sum;
  rows: Row[];
}

export const BEYOND = "(billed beyond the transcripts)";

interface Wanted {
  since: number;
  team?: string;
  key: (one: Answered) => { key: string; subject?: string };
}

function count(index: CostIndex, speakers: Speakers, prices: Prices, wanted: Wanted): Costs {
  const rows = new Map<string, Adding & { subject?: string }>();
  const totals = adding();
  const isWanted = (session: string, agentId: string, at: number) =>
    at >= wanted.since && (wanted.team === undefined || speakers(session, agentId).team === wanted.team);
  for (const one of index.answers.values()) {
    if (!isWanted(one.session, one.agentId, one.at)) continue;
    const { key, subject } = wanted.key(one);
    const row = rows.get(key) ?? { ...adding(), subject };
    rows.set(key, row);
    const usd = costOf(one, prices);
    for (const sum of [row, totals]) add(sum, one, 1, usd, one.model);
  }
  for (const { session, at, usd, usage } of beyond(index, prices)) {
    if (!isWanted(session, "", at)) continue;
    const row = rows.get(BEYOND) ?? adding();
    rows.set(BEYOND, row);
    for (const sum of [row, totals]) add(sum, usage, 0, usd, "");
  }
  const shown = [...rows].map(([key, { subject, ...row }]) => ({
    key,
    ...(subject ? { subject } : {}),
    ...done(row),
  }));
  return { totals: done(totals), rows: shown };
}

type Adding = Omit<Sum, "noPrice" | "usd"> & { usd: number; priced: boolean; noPrice: Set<string> };

const adding = (): Adding => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  messages: 0,
  usd: 0,
  priced: false,
  noPrice: new Set(),
});

function add(sum: Adding, usage: Usage, messages: number, usd: number | undefined, model: string): void {
  for (const name of TOKENS) sum[name] += usage[name];
  sum.messages += messages;
  if (usd === undefined) sum.noPrice.add(model);
  else {
    sum.usd += usd;
    sum.priced = true;
  }
}

/** Rounded to a millionth of a dollar: a sum of floats has no more to say. */
function done({ priced, noPrice, usd, ...sum }: Adding): Sum {
  const isUnknown = !priced && noPrice.size > 0;
  return {
    ...sum,
    usd: isUnknown ? null : Math.round(usd * 1e6) / 1e6,
    ...(noPrice.size > 0 ? { noPrice: [...noPrice].sort() } : {}),
  };
}
