// Every setting: its kind, its default, what it does, and whose file may set it. README's table and
// `swarm config` are made from this page.

/** `person`: only the person's own file. `tighten`: a project's value counts only where it is stricter. */
export type Reach = "anyone" | "person" | "tighten";

interface Key<T> {
  kind: "text" | "flag" | "count" | "list" | "table" | "choice" | "numbers";
  fallback: T;
  about: string;
  reach: Reach;
  choices?: readonly string[];
  /** For `tighten`: is the project's value at least as strict as the person's? */
  stricter?: (project: T, person: T) => boolean;
  /** A project's entries are added to the person's, so that neither can remove the other's. */
  adds?: true;
}

type Extra<T> = Partial<Pick<Key<T>, "reach" | "stricter" | "adds">>;
type Text = string | undefined;
type Count = number | undefined;

const text = (about: string, extra: Extra<Text> = {}): Key<Text> => ({
  ...base<Text>("text", undefined, about),
  ...extra,
});
const flag = (fallback: boolean, about: string, extra: Extra<boolean> = {}): Key<boolean> => ({
  ...base("flag", fallback, about),
  ...extra,
});
const count = (fallback: number, about: string, extra: Extra<number> = {}): Key<number> => ({
  ...base("count", fallback, about),
  ...extra,
});
const noCount = (about: string, extra: Extra<Count> = {}): Key<Count> => ({
  ...base<Count>("count", undefined, about),
  ...extra,
});
const list = (
  fallback: readonly string[],
  about: string,
  extra: Extra<readonly string[]> = {},
): Key<readonly string[]> => ({
  ...base("list", fallback, about),
  ...extra,
});
const numbers = (fallback: readonly number[], about: string): Key<readonly number[]> =>
  base("numbers", fallback, about);
const table = (about: string, extra: Extra<Record<string, unknown>> = {}): Key<Record<string, unknown>> => ({
  ...base("table", {} as Record<string, unknown>, about),
  adds: true,
  ...extra,
});
const choice = <C extends string>(
  choices: readonly C[],
  fallback: C,
  about: string,
  extra: Extra<C> = {},
): Key<C> => ({
  ...base("choice", fallback, about),
  choices,
  ...extra,
});

function base<T>(kind: Key<T>["kind"], fallback: T, about: string): Key<T> {
  return { kind, fallback, about, reach: "anyone" };
}

const lower = { reach: "tighten", stricter: (project: number, person: number) => project <= person } as const;
const lowerOrSet = {
  reach: "tighten",
  stricter: (project: Count, person: Count) =>
    project !== undefined && (person === undefined || project <= person),
} as const;
const onlyOn = { reach: "tighten", stricter: (project: boolean) => project } as const;
const person = { reach: "person" } as const;
const adds = { adds: true } as const;

export const KEYS = {
  "core.default_team": text("the team of this project"),
  "core.identity": text("who a session here is, when nothing else says so"),
  "core.welcome-message": text("shown at each session start after `Welcome: `"),
  "gate.orchestrators": list(
    ["scrum-master"],
    "agent types that must be spawned with a name; a project's are added",
    adds,
  ),
  "gate.max_teammates": count(16, "teammates alive at once in one team", lower),
  "gate.max_spawns_per_hour": noCount("spawns by one session in an hour", lowerOrSet),
  "gate.max_depth": noCount("how deep subagents may spawn subagents", lowerOrSet),
  "gate.premium_models": list(
    ["opus"],
    "parts of model names counted by `max_premium`; a project's are added",
    adds,
  ),
  "gate.max_premium": noCount("agents alive at once on a premium model", lowerOrSet),
  team: table('one table a team: `spawn_policy = "leaders-only" | "any-member"`, `co_leaders = […]`'),
  "guard.enabled": flag(true, "the command guard", onlyOn),
  "guard.rules": table('`<rule id> = "deny" | "ask" | "once" | "off"`; a project can only tighten', {
    reach: "tighten",
  }),
  "guard.protect": list([], "more paths nobody may write; a project's are added", adds),
  "guard.unprotect": list([], "paths the built-in protection leaves alone", person),
  "guard.allow_paths": list([], "directories outside the project where recursive deletes are fine", person),
  "guard.allow_commands": table(
    '`<name> = { match = "…", reason = "…" }`: commands the guard lets pass',
    person,
  ),
  "comms.tools": list([], "patterns of tools that send to the outside; a project's are added", adds),
  "comms.contacts": text("file with the contacts and their tags", person),
  "context.core": list(
    ["Desktop/TODAY.md", "Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md"],
    "files every session gets at its start, where they exist",
  ),
  "context.roles_dir": text("where role files are; else `.claude/roles` of the project, then your own"),
  "context.window": noCount("the context window in tokens, when no status line tells it"),
  "context.warn": numbers([60, 80, 90, 95], "used share in percent at which a warning is said, once each"),
  "context.max_chars": count(6_000, "room for the files' contents at session start"),
  "heartbeat.throttle_s": count(60, "at most one sign of life a member in so many seconds"),
  "heartbeat.stale_s": count(300, "silent for so long counts as stale"),
  "mail.deliver": list(["start", "prompt", "tool", "stop", "push"], "the moments at which mail is delivered"),
  "mail.keep_read": count(50, "read messages kept in an inbox before they move to the archive"),
  "mail.retention_days": count(30, "undelivered messages older than this become dead letters"),
  "teammates.keep_alive": flag(
    false,
    "teammates go on when the lead's session ends, as with SWARM_KEEP_ALIVE=true",
  ),
  "tasks.enforce": flag(true, "the task rules, on our own commands and on the client's Task tools"),
  "tasks.verify": text("command that must succeed before a task counts as completed", person),
  "tasks.verify_timeout_s": count(120, "how long that command may take", person),
  "tasks.hold_idle": flag(
    false,
    "a teammate that goes idle with work in progress is held back, twice at most",
  ),
  "effort.block_after": count(10, "tool calls without a log entry before one is held back"),
  "effort.overflow_warn": count(90, "used context share in percent at which the effort should be dehydrated"),
  "effort.precompact": choice(
    ["snapshot", "block", "kill"],
    "snapshot",
    "what happens before a compaction",
    person,
  ),
  "scratchpad.enabled": choice(["auto", "on", "off"], "auto", "`auto`: on where `.claude/scratchpad` exists"),
  "scratchpad.sections": list(
    ["What I did", "Cross-agent observations", "Unresolved"],
    "the headings each page must have",
  ),
  "scratchpad.exclude": list(["coordinator", "ego"], "folders that are no sign of delegation"),
  "scratchpad.exempt": list(["Explore", "Plan"], "agent types that owe no page"),
  "scratchpad.empty_is_missing": flag(false, "a section without text counts as missing"),
  "scratchpad.max_blocks": count(2, "how often an agent is held back for its page"),
  "display.pane_color": choice(
    ["team", "always", "off"],
    "team",
    "the status as background colour of the tmux pane",
  ),
  "gc.keep_days": count(30, "how long the journal and what ended sessions leave behind are kept", person),
  features: table("`<feature> = false` switches it off"),
} as const;

export type SettingName = keyof typeof KEYS;
export type Settings = {
  readonly [N in SettingName]: (typeof KEYS)[N] extends Key<infer T> ? T : never;
};
export type AnyKey = Key<unknown>;
