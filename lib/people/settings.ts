// What costs, budgets and calls to the person go by. All of it is the person's own: a project must not call out, nor change prices.
import { defineSettings } from "../core/settings-declaration.ts";

const NOTIFY_EVENTS = [
  "waiting",
  "failed",
  "rate-limited",
  "silent",
  "gone",
  "budget",
  "done",
  "idle",
] as const;
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

/** `22:00-07:00` */
export const QUIET_HOURS = /^([01]\d|2[0-3]):([0-5]\d)\s*-\s*([01]\d|2[0-3]):([0-5]\d)$/;

export const BUDGET_SCOPES = ["task", "agent", "team", "day"] as const;

export const PEOPLE_KEYS = defineSettings({
  "cost.prices": {
    kind: "table",
    default: {},
    about:
      '`"<model>" = { input = 3, output = 15 }` in dollars a million tokens; also `cache_read`, `cache_write_5m`, `cache_write_1h`, `from = "2026-12-01"`',
    whyWrong: (value) =>
      Object.entries(value as Record<string, unknown>)
        .map(([model, price]) => (whyNoPrice(price) ? `"${model}" ${whyNoPrice(price)}` : undefined))
        .find(Boolean),
  },
  "budget.task": {
    kind: "amount",
    about: "dollars one task may cost; at 80 % the lead gets a message, at 100 % you are called",
  },
  "budget.agent": { kind: "amount", about: "dollars one agent may cost" },
  "budget.team": { kind: "amount", about: "dollars one team may cost" },
  "budget.day": { kind: "amount", about: "dollars of one day, everything together" },
  "notify.targets": {
    kind: "targets",
    default: [],
    about: 'how you are called: `"desktop"`, `"ntfy:URL"`, `"webhook:URL"`, `["program", "arg"]`',
    whyWrong: (value) => (value as unknown[]).map(whyNoTarget).find(Boolean),
    shown: (value) => (value as (string | string[])[]).map(shownTarget),
  },
  "notify.after_s": {
    kind: "count",
    default: 20,
    about: "seconds an event must last before you are called; 0: at once",
  },
  "notify.quiet": {
    kind: "text",
    about: 'hours without a call, such as `"22:00-07:00"`; what still holds then is said afterwards',
    whyWrong: (value) => (QUIET_HOURS.test(String(value)) ? undefined : 'must look like "22:00-07:00"'),
  },
  "notify.events": {
    kind: "list",
    default: NOTIFY_EVENTS,
    about: `which events: ${NOTIFY_EVENTS.join(", ")}`,
    whyWrong: (value) => {
      const unknown = (value as string[]).find((one) => !NOTIFY_EVENTS.some((known) => known === one));
      return unknown === undefined
        ? undefined
        : `has ${JSON.stringify(unknown)}; known: ${NOTIFY_EVENTS.join(", ")}`;
    },
  },
  "notify.texts": {
    kind: "flag",
    default: false,
    about: "calls may carry what was asked: a question, a command",
  },
});

type Budgets = { readonly [Scope in (typeof BUDGET_SCOPES)[number] as `budget.${Scope}`]?: number };

export const hasBudget = (settings: Budgets): boolean =>
  BUDGET_SCOPES.some((scope) => settings[`budget.${scope}`] !== undefined);

const PRICE_KEYS = ["input", "output", "cache_read", "cache_write_5m", "cache_write_1h"];

/** TOML has dates of its own; a text works as well. */
export const parseDay = (value: unknown): number =>
  value instanceof Date ? value.getTime() : Date.parse(String(value));

const isAmount = (value: number) => Number.isFinite(value) && value >= 0;

export function whyNoPrice(given: unknown): string | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return "must be a table";
  const { from, ...rest } = given as Record<string, unknown>;
  if (from !== undefined && Number.isNaN(parseDay(from))) return 'from must be a day such as "2026-12-01"';
  for (const [key, value] of Object.entries(rest))
    if (!PRICE_KEYS.includes(key) || typeof value !== "number" || !isAmount(value))
      return `${key} must be one of ${PRICE_KEYS.join(", ")} and a number from 0`;
  return "input" in rest && "output" in rest
    ? undefined
    : "needs input and output, in dollars a million tokens";
}

function whyNoTarget(one: unknown): string | undefined {
  if (Array.isArray(one))
    return one.length > 0 && one.every((word) => typeof word === "string") && one[0] !== ""
      ? undefined
      : 'a program is a list of texts: ["program", "arg"]';
  if (one === "desktop") return undefined;
  const url = typeof one === "string" ? one.match(/^(?:ntfy|webhook):(.*)$/)?.[1] : undefined;
  return url !== undefined && isWebAddress(url)
    ? undefined
    : `${withoutSecrets(JSON.stringify(one))} is none of "desktop", "ntfy:URL", "webhook:URL", ["program", "arg"]`;
}

/** Arguments may hold a token, as an address may. */
const shownTarget = (one: string | string[]) =>
  typeof one === "string" ? withoutSecrets(one) : [...one.slice(0, 1), ...(one.length > 1 ? ["…"] : [])];

const ADDRESS = /(:\/\/)(?:[^\s"/?#]*@)?([^\s"/?#]+)[^"]*/g;
// Without the `//` of an address: mistyped, or as `https:/host/path`, which counts as an address.
const LOGIN = /((?:ntfy|webhook):(?:https?:)?[\\/]*)[^\s"\\/?#]*@/g;
const HOST_AND_PATH = /((?:ntfy|webhook):(?:https?:)?[\\/]*)([^\s"/?#:\\]+(?::\d+)?)[\\/?#][^"]*/g;

/** Of an address only the host: what is wrong in the settings goes to the error log. */
const withoutSecrets = (text: string) =>
  text.replace(ADDRESS, "$1$2/…").replace(LOGIN, "$1").replace(HOST_AND_PATH, "$1$2/…");

function isWebAddress(url: string): boolean {
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
