// Every setting: its kind, what it does, and whose file may set it. README's table and `swarm config` are made from this page
// and from the defaults.
import { DEFAULTS, type SettingName } from "./settings-defaults.ts";

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

/** What a setting is; `undefined` where there is none of that name. */
export const keyOf = (name: string): Key | undefined => keyFor(name as SettingName);

/** Made when asked for: a call with settings asks for a few of them. */
function keyFor(name: SettingName): Key {
  switch (name) {
    case "core.default_team":
      return text("the team of this project");
    case "core.identity":
      return text("who a session here is, when nothing else says so");
    case "core.welcome-message":
      return text("shown at each session start after `Welcome: `");
    case "gate.orchestrators":
      return list("agent types that must be spawned with a name; a project's are added", adds);
    case "gate.max_teammates":
      return count("teammates alive at once in one team", lower);
    case "gate.max_spawns_per_hour":
      return count("spawns by one session in an hour", lower);
    case "gate.max_depth":
      return count("how deep subagents may spawn subagents", lower);
    case "gate.premium_models":
      return list("parts of model names counted by `max_premium`; a project's are added", adds);
    case "gate.max_premium":
      return count("agents alive at once on a premium model", lower);
    case "team":
      return table('one table a team: `spawn_policy = "leaders-only" | "any-member"`, `co_leaders = […]`');
    case "guard.enabled":
      return flag("the command guard", onlyOn);
    case "guard.rules":
      return table('`<rule id> = "deny" | "ask" | "once" | "off"`; a project can only tighten', {
        reach: "tighten",
      });
    case "guard.protect":
      return list("more paths nobody may write; a project's are added", adds);
    case "guard.unprotect":
      return list("paths the built-in protection leaves alone", person);
    case "guard.allow_paths":
      return list("directories outside the project where recursive deletes are fine", person);
    case "guard.allow_commands":
      return table('`<name> = { match = "…", reason = "…" }`: commands the guard lets pass', person);
    case "comms.tools":
      return list("patterns of tools that send to the outside; a project's are added", adds);
    case "comms.contacts":
      return text("file with the contacts and their tags", person);
    case "context.core":
      return list("files every session gets at its start, where they exist");
    case "context.roles_dir":
      return text("where role files are; else `.claude/roles` of the project, then your own");
    case "context.window":
      return count("the context window in tokens, when no status line tells it");
    case "context.warn":
      return numbers("used share in percent at which a warning is said, once each");
    case "context.max_chars":
      return count("room for the files' contents at session start");
    case "heartbeat.throttle_s":
      return count("at most one sign of life a member in so many seconds");
    case "heartbeat.stale_s":
      return count("silent for so long counts as stale");
    case "mail.deliver":
      return list("the moments at which mail is delivered");
    case "mail.keep_read":
      return count("read messages kept in an inbox before they move to the archive");
    case "mail.retention_days":
      return count("read messages older than this move to the archive; unread ones only of removed members");
    case "mail.max_unread":
      return count("unread messages an inbox holds before senders are refused", person);
    case "mail.max_bytes":
      return count("bytes of unread mail an inbox holds before senders are refused, at most 8 MB", person);
    case "teammates.keep_alive":
      return flag("teammates go on when the lead's session ends, as with SWARM_KEEP_ALIVE=true");
    case "tasks.enforce":
      return flag("the task rules, on our own commands and on the client's Task tools");
    case "tasks.verify":
      return text("command that must succeed before a task counts as completed", person);
    case "tasks.verify_timeout_s":
      return count("how long that command may take", person);
    case "tasks.hold_idle":
      return flag("a teammate that goes idle with work in progress is held back, twice at most");
    case "effort.block_after":
      return count("tool calls without a log entry before one is held back");
    case "effort.overflow_warn":
      return count("used context share in percent at which the effort should be dehydrated");
    case "effort.precompact":
      return choice(["snapshot", "block", "kill"], "what happens before a compaction", person);
    case "scratchpad.enabled":
      return choice(["auto", "on", "off"], "`auto`: on where `.claude/scratchpad` exists");
    case "scratchpad.sections":
      return list("the headings each page must have");
    case "scratchpad.exclude":
      return list("folders that are no sign of delegation");
    case "scratchpad.exempt":
      return list("agent types that owe no page");
    case "scratchpad.empty_is_missing":
      return flag("a section without text counts as missing");
    case "scratchpad.max_blocks":
      return count("how often an agent is held back for its page");
    case "display.pane_color":
      return choice(["team", "always", "off"], "the status as background colour of the tmux pane");
    case "gc.keep_days":
      return count("how long the journal and what ended sessions leave behind are kept", person);
    case "features":
      return table("`<feature> = false` switches it off");
  }
}

/** All of them, in README's order. */
export const allKeys = (): [SettingName, Key][] =>
  (Object.keys(DEFAULTS) as SettingName[]).map((name) => [name, keyOf(name) as Key]);
