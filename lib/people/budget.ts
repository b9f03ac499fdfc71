// Budgets: what a task, an agent, a team or a day may cost, and which of them is nearly or wholly used. Pure.
import type { Settings } from "../core/settings.ts";
import { BUDGET_SCOPES } from "./settings.ts";
import { BEYOND, type Counting, dayOf, NO_TASK, NO_TEAM } from "./store/costs.ts";
import { dollars } from "./store/summary.ts";

const WARN_SHARE = 0.8;

export interface Spent {
  scope: (typeof BUDGET_SCOPES)[number];
  /** `alice@team`, `team #3`, `team`, `2026-11-17`. */
  name: string;
  usd: number;
  limit: number;
}

/** Everything at 80 % or more; of the days only this one. */
export function spentOf(settings: Settings, counting: Counting, now: Date): Spent[] {
  return BUDGET_SCOPES.flatMap((scope) => {
    const limit = settings[`budget.${scope}`];
    if (limit === undefined) return [];
    return counting
      .by(scope === "agent" ? "owner" : scope)
      .rows.filter(({ key }) => isNamed(key) && (scope !== "day" || key === dayOf(now.getTime())))
      .filter(({ usd }) => usd !== null && usd >= WARN_SHARE * limit)
      .map(({ key, usd }) => ({ scope, name: key, usd: usd ?? 0, limit }));
  });
}

const isNamed = (key: string) => key !== BEYOND && key !== NO_TASK && key !== NO_TEAM;

export const spentText = ({ scope, name, usd, limit }: Spent): string =>
  `${scope} ${name} has cost ${dollars(usd)}, ${Math.floor((100 * usd) / Math.max(limit, 1e-9))} % of its budget of ${dollars(limit)} (budget.${scope})`;
