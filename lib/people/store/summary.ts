// Cost and limits in a line or a small table, for the board and the report page.
import type { Paths } from "../../core/paths.ts";
import type { LoadedSettings } from "../../core/settings.ts";
import { DAY_MS } from "../../core/time.ts";
import { costIndexBytes } from "./cost-index.ts";
import { type Costs, costsOf, type Sum } from "./costs.ts";

export interface Asking {
  paths: Paths;
  now: Date;
  loaded: Pick<LoadedSettings, "values">;
}

const BOARD_MS = 300;
/** About 50,000 messages, a quarter of a second: with more, a board leaves it to `swarm cost`. */
const LARGEST_INDEX_BYTES = 4 * 1024 * 1024;

/** `cost in 24 h: $2.12`; none where nothing was counted. Reads only for a moment: a board is quick. */
export function costLine({ paths, now, loaded }: Asking, team: string | undefined): string[] {
  if (costIndexBytes(paths) > LARGEST_INDEX_BYTES) return [];
  const since = new Date(now.getTime() - DAY_MS);
  const counting = costsOf(
    { paths, now, prices: loaded.values["cost.prices"], since, team },
    { until: Date.now() + BOARD_MS },
  );
  const { totals } = counting.by("agent");
  if (totals.messages === 0) return [];
  const usd = totals.usd === null ? "no price" : dollars(totals.usd);
  const more =
    counting.unread.bytes > 0 ? ", not all read yet" : totals.noPrice ? ", some models without a price" : "";
  return [`cost in 24 h: ${usd}${more} (swarm cost)`];
}

const REPORT_MS = 20_000;

export function costRows(
  { paths, now, loaded }: Asking,
  team: string | undefined,
  since: Date,
): Costs & { isWhole: boolean } {
  const asked = { paths, now, prices: loaded.values["cost.prices"], since, team };
  const counting = costsOf(asked, { until: Date.now() + REPORT_MS });
  return { ...counting.by("agent"), isWhole: counting.unread.bytes === 0 };
}

/** `$1.20`, `$1.20 + no price`, `no price`. */
export const money = ({ usd, noPrice }: Sum): string =>
  usd === null ? "no price" : `${dollars(usd)}${noPrice ? " + no price" : ""}`;

/** `812`, `12.3k`, `4.56M`. */
export function tokens(n: number): string {
  if (n < 1_000) return String(Math.round(n));
  // From here on thousands would be rounded to 1000.0k.
  return n < 999_950 ? `${(n / 1_000).toFixed(1)}k` : `${(n / 1_000_000).toFixed(2)}M`;
}

export const dollars = (usd: number): string => `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2)}`;
