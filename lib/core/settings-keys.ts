// Every setting. README's table and `swarm config` are made from this page.
import { CONTEXT_KEYS } from "../context/settings.ts";
import { EFFORT_KEYS } from "../efforts/settings.ts";
import { GUARD_KEYS } from "../guard/settings.ts";
import { MAIL_KEYS } from "../mail/settings.ts";
import { OUTBOUND_KEYS } from "../outbound/settings.ts";
import { PEOPLE_KEYS } from "../people/settings.ts";
import { SCRATCHPAD_KEYS } from "../scratchpad/settings.ts";
import { SESSION_KEYS } from "../sessions/settings.ts";
import { TASK_KEYS } from "../tasks/settings.ts";
import { TEAMMATE_KEYS } from "../teammates/settings.ts";
import { TEAM_KEYS } from "../teams/settings.ts";
import { WORKTREE_KEYS } from "../worktrees/settings.ts";
import { type Declaration, defaultsOf, defineSettings, type ValuesOf } from "./settings-declaration.ts";

const GC_KEYS = defineSettings({
  "gc.keep_days": {
    kind: "count",
    default: 30,
    about: "how long the journal and what ended sessions leave behind are kept",
  },
});

const FEATURE_KEYS = defineSettings({
  features: { kind: "table", default: {}, about: "`<feature> = false` switches it off" },
});

/** In README's order. Not joined into one table: every hook loads this file, and copying the keys costs as much as declaring them. */
const TABLES = [
  SESSION_KEYS,
  TEAMMATE_KEYS,
  GUARD_KEYS,
  OUTBOUND_KEYS,
  CONTEXT_KEYS,
  TEAM_KEYS,
  MAIL_KEYS,
  TASK_KEYS,
  WORKTREE_KEYS,
  EFFORT_KEYS,
  SCRATCHPAD_KEYS,
  GC_KEYS,
  PEOPLE_KEYS,
  FEATURE_KEYS,
] as const;
const tables: readonly Readonly<Record<string, Declaration>>[] = TABLES;

type ValuesOfAll<T> = T extends readonly [
  infer First extends Readonly<Record<string, Declaration>>,
  ...infer Rest,
]
  ? ValuesOf<First> & ValuesOfAll<Rest>
  : unknown;

export interface Settings extends ValuesOfAll<typeof TABLES> {}
export type SettingName = keyof Settings;
export const DEFAULTS = defaultsOf(tables) as unknown as Settings;

/** `undefined` where there is no setting of that name. */
export const keyOf = (name: string): Declaration | undefined =>
  tables.find((table) => Object.hasOwn(table, name))?.[name];

/** All of them, in README's order. */
export const allKeys = (): [SettingName, Declaration][] =>
  tables.flatMap((table) => Object.entries(table)) as [SettingName, Declaration][];
