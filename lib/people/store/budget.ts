// Which budgets the leads have heard of: each level once, and again where the limit was changed.

import type { FileKind } from "../../core/file-kind.ts";
import { updateJson, valueAt } from "../../core/json.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";
import { someText, tableOf } from "../../core/shape.ts";

export const BUDGET_FILE: FileKind = {
  name: "budget notices",
  path: "swarm/cost/budget.json",
  kept: "a thousand entries at most",
};

const budgetPath = (paths: Paths) => swarmPath(paths, "cost", "budget.json");

const MOST = 1_000;

export interface BudgetNotice {
  scope: string;
  name: string;
  limit: number;
  level: 80 | 100;
}

/** True for exactly one caller. */
export function claimBudgetNotice(paths: Paths, { scope, name, limit, level }: BudgetNotice): boolean {
  const key = `${scope} ${name}`;
  const notice = `${level} of ${limit}`;
  const written = updateJson(budgetPath(paths), tableOf(someText), (stored = {}) => {
    if (valueAt(stored, key) === notice) return undefined;
    const { [key]: _, ...others } = stored;
    return Object.fromEntries([...Object.entries(others).slice(-MOST), [key, notice]]);
  });
  return written !== undefined;
}
