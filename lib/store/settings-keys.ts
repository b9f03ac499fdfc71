// Every setting: its kind, what it does, and whose file may set it. README's table and `swarm config` are made from this page
// and from the defaults.
import type { SettingName } from "./settings-defaults.ts";

/** `person`: only the person's own file. `tighten`: a project's value counts only where it is stricter. */
export type Reach = "anyone" | "person" | "tighten";

export interface Key {
  kind: "text" | "flag" | "count" | "list" | "table" | "choice" | "numbers";
  about: string;
  reach: Reach;
  choices?: readonly string[];
  /** For `tighten`: is the project's value at least as strict as the person's? */
  stricter?: (project: unknown, person: unknown) => boolean;
  /** A project's entries are added to the person's, so that neither can remove the other's. */
  adds?: true;
}

type Extra = Partial<Pick<Key, "reach" | "stricter" | "adds">>;

const of =
  (kind: Key["kind"], always: Extra = {}) =>
  (about: string, extra: Extra = {}): Key => ({ kind, about, reach: "anyone", ...always, ...extra });
const text = of("text");
const flag = of("flag");
const count = of("count");
const list = of("list");
const numbers = of("numbers");
const table = of("table", { adds: true });
const choice = (choices: readonly string[], about: string, extra: Extra = {}): Key => ({
  ...of("choice")(about, extra),
  choices,
});

const lower: Extra = {
  reach: "tighten",
  stricter: (project, person) => person === undefined || (project as number) <= (person as number),
};
const onlyOn: Extra = { reach: "tighten", stricter: (project) => project === true };
const person: Extra = { reach: "person" };
const adds: Extra = { adds: true };

export const KEYS: Readonly<Record<SettingName, Key>> = {
  "core.default_team": text("the team of this project"),
  "core.identity": text("who a session here is, when nothing else says so"),
  "core.welcome-message": text("shown at each session start after `Welcome: `"),
  "gate.orchestrators": list("agent types that must be spawned with a name; a project's are added", adds),
  "gate.max_teammates": count("teammates alive at once in one team", lower),
  "gate.max_spawns_per_hour": count("spawns by one session in an hour", lower),
  "gate.max_depth": count("how deep subagents may spawn subagents", lower),
  "gate.premium_models": list("parts of model names counted by `max_premium`; a project's are added", adds),
  "gate.max_premium": count("agents alive at once on a premium model", lower),
  team: table('one table a team: `spawn_policy = "leaders-only" | "any-member"`, `co_leaders = […]`'),
  "guard.enabled": flag("the command guard", onlyOn),
  "guard.rules": table('`<rule id> = "deny" | "ask" | "once" | "off"`; a project can only tighten', {
    reach: "tighten",
  }),
  "guard.protect": list("more paths nobody may write; a project's are added", adds),
  "guard.unprotect": list("paths the built-in protection leaves alone", person),
  "guard.allow_paths": list("directories outside the project where recursive deletes are fine", person),
  "guard.allow_commands": table(
    '`<name> = { match = "…", reason = "…" }`: commands the guard lets pass',
    person,
  ),
  "comms.tools": list("patterns of tools that send to the outside; a project's are added", adds),
  "comms.contacts": text("file with the contacts and their tags", person),
  "context.core": list("files every session gets at its start, where they exist"),
  "context.roles_dir": text("where role files are; else `.claude/roles` of the project, then your own"),
  "context.window": count("the context window in tokens, when no status line tells it"),
  "context.warn": numbers("used share in percent at which a warning is said, once each"),
  "context.max_chars": count("room for the files' contents at session start"),
  "heartbeat.throttle_s": count("at most one sign of life a member in so many seconds"),
  "heartbeat.stale_s": count("silent for so long counts as stale"),
  "mail.deliver": list("the moments at which mail is delivered"),
  "mail.keep_read": count("read messages kept in an inbox before they move to the archive"),
  "mail.retention_days": count("undelivered messages older than this become dead letters"),
  "teammates.keep_alive": flag("teammates go on when the lead's session ends, as with SWARM_KEEP_ALIVE=true"),
  "tasks.enforce": flag("the task rules, on our own commands and on the client's Task tools"),
  "tasks.verify": text("command that must succeed before a task counts as completed", person),
  "tasks.verify_timeout_s": count("how long that command may take", person),
  "tasks.hold_idle": flag("a teammate that goes idle with work in progress is held back, twice at most"),
  "effort.block_after": count("tool calls without a log entry before one is held back"),
  "effort.overflow_warn": count("used context share in percent at which the effort should be dehydrated"),
  "effort.precompact": choice(["snapshot", "block", "kill"], "what happens before a compaction", person),
  "scratchpad.enabled": choice(["auto", "on", "off"], "`auto`: on where `.claude/scratchpad` exists"),
  "scratchpad.sections": list("the headings each page must have"),
  "scratchpad.exclude": list("folders that are no sign of delegation"),
  "scratchpad.exempt": list("agent types that owe no page"),
  "scratchpad.empty_is_missing": flag("a section without text counts as missing"),
  "scratchpad.max_blocks": count("how often an agent is held back for its page"),
  "display.pane_color": choice(["team", "always", "off"], "the status as background colour of the tmux pane"),
  "gc.keep_days": count("how long the journal and what ended sessions leave behind are kept", person),
  features: table("`<feature> = false` switches it off"),
};
