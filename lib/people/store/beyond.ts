// What the client billed and no transcript shows: the request of a compaction, for one. The client's figures are cumulative for a
// session, so each adds what grew since the one before it. Pure.

import { addTo } from "../../core/lists.ts";
import type { CostIndex } from "./cost-index.ts";
import { costOf, type Prices, plainModel, tokensCost } from "./prices.ts";
import { type Answered, type Billed, TOKENS, USAGE, type Usage } from "./transcripts.ts";

export interface Extra {
  session: string;
  at: number;
  usd: number;
  usage: Usage;
}

/** Below a hundredth of a cent it is rounding. */
const LEAST_USD = 0.0001;

export function beyond(index: CostIndex, prices: Prices): Extra[] {
  const answers = grouped(index);
  const found = new Map<string, Extra[]>();
  const extrasOf = (session: string): Extra[] => {
    const known = found.get(session);
    if (known) return known;
    found.set(session, []); // ends a circle of forks, which only a damaged file can make
    const billed = index.billed.get(session) ?? [];
    const extras = ofSession(session, billed, answers.get(session) ?? [], inherited(session), prices);
    found.set(session, extras);
    return extras;
  };
  /** What a fork's figure begins with: all that was said and billed before it in the sessions it has copies of. */
  const inherited = (session: string): Inherited => {
    const origins = new Set([...(index.copied.get(session)?.values() ?? [])].map((one) => one.session));
    const begun = (answers.get(session) ?? []).reduce(
      (first, { at }) => Math.min(first, at),
      index.billed.get(session)?.[0]?.at ?? 0,
    );
    const before = <T extends { at: number }>(all: readonly T[]) => all.filter(({ at }) => at <= begun);
    return {
      answers: [...origins].flatMap((origin) => before(answers.get(origin) ?? [])),
      extras: [...origins].flatMap((origin) => before(extrasOf(origin))),
    };
  };
  return [...index.billed.keys()].flatMap(extrasOf);
}

interface Inherited {
  answers: Answered[];
  extras: Extra[];
}

function grouped(index: CostIndex): Map<string, Answered[]> {
  const answers = new Map<string, Answered[]>();
  for (const one of index.answers.values()) addTo(answers, one.session, one);
  return answers;
}

function ofSession(
  session: string,
  billed: readonly Billed[],
  own: readonly Answered[],
  inherited: Inherited,
  prices: Prices,
): Extra[] {
  let before = { usd: 0, usage: usageOf(() => 0) };
  return billed.flatMap((one, n) => {
    const known = n === billed.length - 1 ? untilNow(one, own) : own.filter(({ at }) => at <= one.at);
    const all = [...known, ...inherited.answers];
    // A fork's figure includes what it was forked from (2.1.325); where it is too small for that, it does not.
    const isWhole = costs(all, prices) <= one.usd + LEAST_USD;
    const explained = isWhole ? all : known;
    const extras = isWhole ? inherited.extras : [];
    const now = {
      usd: Math.max(0, usdBeyond(one, explained, prices) - extras.reduce((sum, { usd }) => sum + usd, 0)),
      usage: usageBeyond(Object.values(one.models), [...explained, ...extras.map(({ usage }) => usage)]),
    };
    const usd = Math.max(0, now.usd - before.usd);
    const usage = usageOf((name) => Math.max(0, now.usage[name] - before.usage[name]));
    before = { usd: Math.max(now.usd, before.usd), usage: now.usage };
    return usd < LEAST_USD && TOKENS.every((name) => usage[name] === 0)
      ? []
      : [{ session, at: one.at, usd, usage }];
  });
}

/** Somebody inside the session may have gone on after its own last record: of them the last figure knows everything. */
const untilNow = (one: Billed, own: readonly Answered[]) =>
  own.filter(({ at, agentId }) => at <= one.at || agentId !== "");

const costs = (all: readonly Answered[], prices: Prices) =>
  all.reduce((sum, one) => sum + (costOf(one, prices) ?? 0), 0);

/** By the client's own sum where it has the same prices as we; else by the tokens. */
function usdBeyond(one: Billed, explained: readonly Answered[], prices: Prices): number {
  const models = Object.entries(one.models);
  const isListed = (model: string) => prices(model, one.at) !== undefined && !prices(model, one.at)?.isOwn;
  if ([...models.map(([model]) => model), ...explained.map(({ model }) => model)].every(isListed))
    return Math.max(0, one.usd - costs(explained, prices));
  return models.reduce((sum, [model, billed]) => {
    const extra = usageBeyond(
      [billed],
      explained.filter((answer) => plainModel(answer.model) === plainModel(model)),
    );
    const price = prices(model, one.at);
    const share = tokensIn(extra) / Math.max(1, tokensIn(billed));
    return sum + (price ? tokensCost(extra, price) : billed.usd * share);
  }, 0);
}

const tokensIn = (usage: Usage) => TOKENS.reduce((sum, name) => sum + usage[name], 0);
const usageOf = (value: (name: keyof Usage) => number): Usage =>
  Object.fromEntries(USAGE.map((name) => [name, value(name)])) as Usage;

const usageBeyond = (billed: readonly Usage[], explained: readonly Usage[]): Usage =>
  usageOf((name) => {
    const sum = (all: readonly Usage[]) => all.reduce((n, one) => n + one[name], 0);
    return Math.max(0, sum(billed) - sum(explained));
  });
