// Every setting. README's table and `swarm config` are made from this page.
import { CONTEXT_KEYS } from "../context/settings.ts";
import { EFFORT_KEYS } from "../efforts/settings.ts";
import { GUARD_KEYS } from "../guard/settings.ts";
import { MAIL_KEYS } from "../mail/settings.ts";
import { OUTBOUND_KEYS } from "../outbound/settings.ts";
import { PEOPLE_KEYS } from "../people/settings.ts";
import { SCRATCHPAD_KEYS } from "../scratchpad/settings.ts";
import { TASK_KEYS } from "../tasks/settings.ts";
import { TEAMMATE_KEYS } from "../teammates/settings.ts";
import { type Declaration, defaultsOf, defineSettings, type ValuesOf } from "./settings-declaration.ts";

const ALL = {
  ...defineSettings({
    "core.default_team": {
      kind: "text",
      reach: "project",
      about:
        "the team of this project: announced, named in lifecycle events, required of spawns with `team_name`",
    },
    "core.identity": {
      kind: "text",
      reach: "project",
      about:
        "the agent named in lifecycle events when nothing else names one; gives no mailbox and no rights",
    },
    "core.welcome-message": {
      kind: "text",
      reach: "project",
      about: "shown at each session start after `Welcome: `",
    },
  }),
  ...TEAMMATE_KEYS,
  ...GUARD_KEYS,
  ...OUTBOUND_KEYS,
  ...CONTEXT_KEYS,
  ...defineSettings({
    "heartbeat.throttle_s": {
      kind: "count",
      default: 60,
      about: "at most one sign of life a member in so many seconds",
    },
    "heartbeat.stale_s": { kind: "count", default: 300, about: "silent for so long counts as stale" },
  }),
  ...MAIL_KEYS,
  ...TASK_KEYS,
  ...EFFORT_KEYS,
  ...SCRATCHPAD_KEYS,
  ...defineSettings({
    "display.pane_color": {
      kind: "choice",
      default: "team",
      choices: ["team", "always", "off"],
      about: "the status as background colour of the tmux pane",
    },
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
