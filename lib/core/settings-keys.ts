// Every setting. README's table and `swarm config` are made from this page.
import { GUARD_KEYS } from "../guard/settings.ts";
import { MAIL_KEYS } from "../mail/settings.ts";
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
    "gate.orchestrators": {
      kind: "list",
      default: ["scrum-master"],
      reach: "project-tightens",
      tightens: "adds",
      about: "agent types that must be spawned with a name; a project's are added",
    },
    "gate.max_teammates": {
      kind: "count",
      default: 16,
      reach: "project-tightens",
      tightens: "lower",
      about: "teammates alive at once in one team",
    },
    "gate.max_spawns_per_hour": {
      kind: "count",
      reach: "project-tightens",
      tightens: "lower",
      about: "spawns by one session in an hour",
    },
    "gate.max_depth": {
      kind: "count",
      reach: "project-tightens",
      tightens: "lower",
      about: "how deep subagents may spawn subagents",
    },
    "gate.premium_models": {
      kind: "list",
      default: ["opus"],
      reach: "project-tightens",
      tightens: "adds",
      about: "parts of model names counted by `max_premium`; a project's are added",
    },
    "gate.max_premium": {
      kind: "count",
      reach: "project-tightens",
      tightens: "lower",
      about: "agents alive at once on a premium model",
    },
    team: {
      kind: "table",
      default: {},
      about: 'one table a team: `spawn_policy = "leaders-only" | "any-member"`, `co_leaders = […]`',
    },
  }),
  ...GUARD_KEYS,
  ...defineSettings({
    "comms.tools": { kind: "list", default: [], about: "patterns of tools that send to the outside" },
    "comms.contacts": { kind: "text", about: "file with the contacts and their tags" },
    "context.core": {
      kind: "list",
      default: ["Desktop/TODAY.md", "Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md"],
      reach: "project",
      inside: "paths",
      about: "files every session gets at its start, where they exist; a project's must lie inside it",
    },
    "context.roles_dir": {
      kind: "text",
      reach: "project",
      inside: "paths",
      about:
        "where role files are; else `.claude/roles` of the project, then your own; a project's must lie inside it",
    },
    "context.window": {
      kind: "count",
      reach: "project-within-limits",
      min: 10_000,
      max: 10_000_000,
      about: "the context window in tokens, when no status line tells it",
    },
    "context.warn": {
      kind: "numbers",
      default: [60, 80, 90, 95],
      reach: "project-within-limits",
      min: 20,
      max: 95,
      items: { min: 1, max: 10 },
      about: "used share in percent at which a warning is said, once each",
    },
    "context.max_chars": {
      kind: "count",
      default: 6_000,
      about: "room for the files' contents at session start",
    },
    "heartbeat.throttle_s": {
      kind: "count",
      default: 60,
      about: "at most one sign of life a member in so many seconds",
    },
    "heartbeat.stale_s": { kind: "count", default: 300, about: "silent for so long counts as stale" },
  }),
  ...MAIL_KEYS,
  ...defineSettings({
    "teammates.keep_alive": {
      kind: "flag",
      default: false,
      about: "teammates go on when the lead's session ends, as with SWARM_KEEP_ALIVE=true",
    },
    "tasks.enforce": {
      kind: "flag",
      default: true,
      reach: "project-tightens",
      tightens: "true",
      about: "the task rules, on our own commands and on the client's Task tools",
    },
    "tasks.verify": { kind: "text", about: "command that must succeed before a task counts as completed" },
    "tasks.verify_timeout_s": { kind: "count", default: 120, about: "how long that command may take" },
    "tasks.hold_idle": {
      kind: "flag",
      default: false,
      reach: "project-tightens",
      tightens: "true",
      about: "a teammate that goes idle with work in progress is held back, twice at most",
    },
    "effort.block_after": {
      kind: "count",
      default: 10,
      reach: "project-tightens",
      tightens: "lower",
      min: 5,
      about: "tool calls without a log entry before one is held back",
    },
    "effort.overflow_warn": {
      kind: "count",
      default: 90,
      about: "used context share in percent at which the effort should be dehydrated",
    },
    "effort.precompact": {
      kind: "choice",
      default: "snapshot",
      choices: ["snapshot", "block", "kill"],
      about: "what happens before a compaction",
    },
    "scratchpad.enabled": {
      kind: "choice",
      default: "auto",
      choices: ["off", "auto", "on"],
      reach: "project-tightens",
      tightens: "later-choice",
      about: "`auto`: on where `.claude/scratchpad` exists",
    },
    "scratchpad.sections": {
      kind: "list",
      default: ["What I did", "Cross-agent observations", "Unresolved"],
      reach: "project",
      items: { min: 1, max: 20 },
      about: "the headings each page must have",
    },
    "scratchpad.exclude": {
      kind: "list",
      default: ["coordinator", "ego"],
      about: "folders that are no sign of delegation",
    },
    "scratchpad.exempt": {
      kind: "list",
      default: ["Explore", "Plan"],
      about: "agent types that owe no page",
    },
    "scratchpad.empty_is_missing": {
      kind: "flag",
      default: false,
      reach: "project-tightens",
      tightens: "true",
      about: "a section without text counts as missing",
    },
    "scratchpad.max_blocks": {
      kind: "count",
      default: 2,
      reach: "project-within-limits",
      min: 0,
      max: 5,
      about: "how often an agent is held back for its page, 5 at most",
    },
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
