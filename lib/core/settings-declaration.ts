// How a setting is declared: its kind, its default, who may set it and one line of text, all in one place; and what a project may say
// about it. A project comes from others, so it may name things of its own and tighten, within limits; it never loosens and never
// reaches outside the project.
import { resolve } from "node:path";
import { isBelow } from "./files.ts";
import { isGlob } from "./glob.ts";

interface Kinds {
  text: string;
  flag: boolean;
  count: number;
  choice: string;
  list: readonly string[];
  numbers: readonly number[];
  table: Readonly<Record<string, unknown>>;
  /** A number from 0, not only a whole one. */
  amount: number;
  /** A name, or a program with its arguments. */
  targets: readonly (string | readonly string[])[];
}

/**
 * How a project's value is known to be at least as strict:
 * `lower`, `true` and `later-choice` compare it with the person's; `adds` joins two lists, so that neither loses an entry;
 * `weighed` keeps it apart in `projectAsks`, for the feature that knows what is stricter.
 */
type Tightening = "lower" | "true" | "later-choice" | "adds" | "weighed";

/** What a project's file may say. A key that declares no reach is the person's alone. */
type Trust =
  | { reach?: "person" }
  | { reach: "project"; items?: Limits; inside?: "paths" }
  | { reach: "project-tightens"; tightens: Tightening; min?: number; inside?: "paths" | "patterns" }
  | ({ reach: "project-within-limits"; items?: Limits } & Limits);

interface Limits {
  min: number;
  max: number;
}

export type Declaration = Trust & {
  kind: keyof Kinds;
  default?: Kinds[keyof Kinds];
  choices?: readonly string[];
  /** What its kind alone does not check. */
  whyWrong?: (value: unknown) => string | undefined;
  about: string;
  /** What is printed of a value that is partly a secret. */
  shown?: (value: unknown) => unknown;
  /** Where the default counts, if not everywhere. */
  defaultApplies?: string;
};

type ValueOf<D extends Declaration> =
  | (D extends { choices: readonly (infer Choice)[] } ? Choice : Kinds[D["kind"]])
  | (D extends { default: unknown } ? never : undefined);

export type ValuesOf<Keys extends Record<string, Declaration>> = {
  readonly [Name in keyof Keys]: ValueOf<Keys[Name]>;
};

/** Each noun declares its own keys; settings.ts joins them. */
export const defineSettings = <const Keys extends Record<string, Declaration>>(keys: Keys): Keys => keys;

interface Weighed {
  /** What is used of it. */
  value?: unknown;
  /** Why some or all of it is not used. */
  refused?: string;
  /** Not mixed with the person's value: only the feature can tell which is stricter. */
  apart?: boolean;
}

/** A project's list is read at every call. */
const MOST_ITEMS = 100;
const LONGEST_TEXT = 2_000;

/** `own` is the person's value, or the default. */
export function weigh(
  key: Declaration,
  { asked, own, root }: { asked: unknown; own: unknown; root: string },
): Weighed {
  if (key.reach === undefined || key.reach === "person") return { refused: "a project may not set it" };
  const unfit = whyTooLarge(asked) ?? whyOutOfLimits(key, asked);
  if (unfit) return { refused: unfit };
  const { value, refused } =
    "inside" in key && key.inside ? inside(key.inside, asked, root) : { value: asked };
  if (key.reach !== "project-tightens" || value === undefined) return { value, refused };
  if (key.tightens === "weighed") return { value, refused, apart: true };
  if (key.tightens === "adds") return { value: [...(own as string[]), ...(value as string[])], refused };
  return isStricter(key, value, own)
    ? { value, refused }
    : { refused: "a project may only make it stricter" };
}

function whyTooLarge(value: unknown): string | undefined {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length > MOST_ITEMS) return `a project may list at most ${MOST_ITEMS}`;
  const isLong = texts.some((text) => typeof text === "string" && text.length > LONGEST_TEXT);
  return isLong ? `a project's text has at most ${LONGEST_TEXT} characters` : undefined;
}

function whyOutOfLimits(key: Declaration, asked: unknown): string | undefined {
  const items = "items" in key ? key.items : undefined;
  if (items && !isWithin((asked as unknown[]).length, items))
    return `a project may list ${items.min} to ${items.max}`;
  if (key.reach !== "project-within-limits") return undefined;
  const numbers = Array.isArray(asked) ? asked : [asked];
  return numbers.every((one) => isWithin(one as number, key))
    ? undefined
    : `a project may set ${key.min} to ${key.max}`;
}

const isWithin = (value: number, { min, max }: Limits) => value >= min && value <= max;

type Tightened = Extract<Declaration, { reach: "project-tightens" }>;

function isStricter(key: Tightened, asked: unknown, own: unknown): boolean {
  if (key.tightens === "true") return asked === true;
  if (key.tightens === "later-choice") {
    const choices = key.choices ?? [];
    return choices.indexOf(asked as string) >= choices.indexOf(own as string);
  }
  return (asked as number) >= (key.min ?? 0) && (own === undefined || (asked as number) <= (own as number));
}

function inside(what: "paths" | "patterns", asked: unknown, root: string): Weighed {
  const fits = (entry: string) => isInside(entry, root) && (what === "paths" || !isBroad(entry));
  const entries: string[] = [asked].flat() as string[];
  const outside = entries.filter((entry) => !fits(entry)).map((entry) => JSON.stringify(entry.slice(0, 60)));
  const why = what === "paths" ? "leads out of the project" : "is not a part of the project";
  return {
    value: Array.isArray(asked) ? entries.filter(fits) : entries.find(fits),
    refused: outside.length > 0 ? `${outside.slice(0, 3).join(", ")} ${why}` : undefined,
  };
}

/** By the text alone: nothing outside is looked at. Who opens the file follows its links and checks again. */
function isInside(entry: string, root: string): boolean {
  const path = entry.replaceAll("${PROJECT_PATH}", () => root);
  if (path === "" || path.startsWith("~") || path.includes("\0")) return false;
  const full = resolve(root, path);
  return full !== resolve(root) && isBelow(full, root);
}

/** A pattern that fits nearly every name would close the whole project. */
function isBroad(entry: string): boolean {
  const names = entry.split("/").filter((name) => name !== "" && name !== "**");
  const last = names.at(-1) ?? "*";
  return isGlob(last) && last.replace(/\[[^\]]*\]?|[*?{},]/g, "").length < 2;
}
