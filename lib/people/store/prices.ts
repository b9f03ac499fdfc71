// What a token costs, in dollars a million, as the client's own catalogue had it on the day below. A person's settings go before it.
import { valueAt } from "../../core/json.ts";
import { parseDay, whyNoPrice } from "../settings.ts";
import type { Answered, Usage } from "./transcripts.ts";

/** The day this table was taken down. */
export const PRICES_OF = "2026-11-17";

export interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  /** Above so many tokens of prompt another price holds for the whole request. */
  long?: { above: number; price: Price };
  fast?: Price;
  /** From a person's settings: the client does not know it. */
  isOwn?: true;
}

const WEB_SEARCH_USD = 0.01;
const US_ONLY = 1.1;

/** A cache write costs 1.25 times the input for five minutes and twice for an hour. */
const price = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
});

const HAIKU_55: Price = { ...price(0.1, 0.5), long: { above: 100_000, price: price(0.5, 2.5) } };
const OPUS_45: Price = { ...price(5, 25), fast: price(30, 150) };
const OPUS_5: Price = { ...price(5, 25), fast: price(10, 50) };
const FABLE_52: Price = { ...price(8, 40, 0.2), fast: price(16, 80, 0.4) };

const LIST: Readonly<Record<string, Price>> = {
  "claude-3-haiku": { ...price(0.25, 1.25, 0.03), cacheWrite5m: 0.3, cacheWrite1h: 0.5 },
  "claude-3-5-haiku": price(0.8, 4),
  "claude-haiku-4-5": price(1, 5),
  "claude-haiku-5-5": HAIKU_55,
  "claude-3-5-sonnet": price(3, 15),
  "claude-3-7-sonnet": price(3, 15),
  "claude-sonnet-4": price(3, 15),
  "claude-sonnet-4-5": price(3, 15),
  "claude-sonnet-4-6": price(3, 15),
  "claude-sonnet-5": price(2, 10),
  "claude-sonnet-5-5": price(2, 10, 0.1),
  "claude-3-opus": price(15, 75),
  "claude-opus-4": price(15, 75),
  "claude-opus-4-1": price(15, 75),
  "claude-opus-4-5": price(5, 25),
  "claude-opus-4-6": OPUS_45,
  "claude-opus-4-7": OPUS_45,
  "claude-opus-4-8": OPUS_5,
  "claude-opus-5": OPUS_5,
  "claude-opus-5-5": { ...price(4, 20, 0.2), fast: price(8, 40, 0.4) },
  "claude-fable-5": price(10, 50),
  "claude-fable-5-1": price(10, 50, 0.25),
  "claude-fable-5-2": FABLE_52,
  "claude-mythos-5": price(10, 50),
  "claude-mythos-5-1": price(10, 50, 0.25),
  "claude-mythos-5-2": FABLE_52,
};

/** `us.anthropic.claude-opus-4-5-20251101-v1:0`, `claude-opus-4-5@20251101` and `claude-opus-4-5[1m]` are one model. */
export const plainModel = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*?(?=claude-)/, "")
    .replace(/\[.*$/, "")
    .replace(/@.*$/, "")
    .replace(/-v\d+(:\d+)?$/, "")
    .replace(/-(latest|\d{8})$/, "")
    .replace(/^(claude-(?:opus|sonnet)-4)-0$/, "$1");

export type Prices = (model: string, at: number) => Price | undefined;

/** `[cost.prices."claude-x"] input = 3, output = 15`, with `cache_read`, `cache_write_5m`, `cache_write_1h` and `from = "2026-12-01"`. */
export function pricesWith(overrides: Readonly<Record<string, unknown>>): Prices {
  const own = new Map(
    Object.entries(overrides).flatMap(([model, given]) => {
      const found = overrideOf(given);
      return found ? [[model.toLowerCase(), found] as const] : [];
    }),
  );
  const known = new Map<string, { exact: ReturnType<typeof overrideOf>; listed: Price | undefined }>();
  const lookUp = (model: string) => {
    const plain = plainModel(model);
    const found = {
      exact: own.get(model.toLowerCase()) ?? own.get(plain),
      listed: valueAt(LIST, plain),
    };
    known.set(model, found);
    return found;
  };
  return (model, at) => {
    const { exact, listed } = known.get(model) ?? lookUp(model);
    return exact && at >= exact.from ? exact.price : listed;
  };
}

function overrideOf(given: unknown): { price: Price; from: number } | undefined {
  if (whyNoPrice(given)) return undefined;
  const { input, output, cache_read, cache_write_5m, cache_write_1h, from } = given as Record<string, number>;
  const usual = price(input as number, output as number);
  return {
    price: {
      ...usual,
      isOwn: true,
      cacheRead: cache_read ?? usual.cacheRead,
      cacheWrite5m: cache_write_5m ?? usual.cacheWrite5m,
      cacheWrite1h: cache_write_1h ?? usual.cacheWrite1h,
    },
    from: from === undefined ? Number.NEGATIVE_INFINITY : parseDay(from),
  };
}

const MILLION = 1_000_000;

/** In dollars; `undefined` for a model without a price. */
export function costOf(one: Answered, prices: Prices): number | undefined {
  const known = prices(one.model, one.at);
  if (!known) return undefined;
  const base = one.mode.includes("fast") ? (known.fast ?? known) : known;
  const prompt = one.input + one.cacheRead + one.cacheWrite5m + one.cacheWrite1h;
  const price = base.long && prompt > base.long.above ? base.long.price : base;
  const tokens = tokensCost(one, price) * (one.mode.includes("us") ? US_ONLY : 1);
  return tokens + one.webSearches * WEB_SEARCH_USD;
}

export const tokensCost = (used: Usage, price: Price): number =>
  (used.input * price.input +
    used.output * price.output +
    used.cacheRead * price.cacheRead +
    used.cacheWrite5m * price.cacheWrite5m +
    used.cacheWrite1h * price.cacheWrite1h) /
  MILLION;
