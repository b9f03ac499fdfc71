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

const ALL = {
  ...SESSION_KEYS,
  ...TEAMMATE_KEYS,
  ...GUARD_KEYS,
  ...OUTBOUND_KEYS,
  ...CONTEXT_KEYS,
  ...TEAM_KEYS,
  ...MAIL_KEYS,
  ...TASK_KEYS,
  ...WORKTREE_KEYS,
  ...EFFORT_KEYS,
  ...SCRATCHPAD_KEYS,
  ...defineSettings({
    "gc.keep_days": {
      kind: "count",
      default: 30,
      about: "how long the journal and what ended sessions leave behind are kept",
    },
  }),
  ...PEOPLE_KEYS,
  ...defineSettings({
    features: { kind: "table", default: {}, about: "`<feature> = false` switches it off" },
  }),
};

export type Settings = ValuesOf<typeof ALL>;
export type SettingName = keyof Settings;
export const DEFAULTS: Settings = defaultsOf(ALL);

/** `undefined` where there is no setting of that name. */
export const keyOf = (name: string): Declaration | undefined =>
  Object.hasOwn(ALL, name) ? ALL[name as SettingName] : undefined;

/** All of them, in README's order. */
export const allKeys = (): [SettingName, Declaration][] =>
  Object.entries(ALL) as [SettingName, Declaration][];
