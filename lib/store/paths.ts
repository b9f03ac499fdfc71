// Every path Swarm reads or writes. A name from a payload, a message or a command line becomes part of
// a path only through `segment`.
import { join, resolve, sep } from "node:path";
import { hasHidden } from "../parse/plain.ts";

export interface Places {
  home: string;
  /** `$CLAUDE_CONFIG_DIR` or `~/.claude`: the client's directory, and ours beside it. */
  base: string;
  /** `$ATM_HOME` or home: where an ATM daemon keeps its files. */
  atmHome: string;
  tmp: string;
}

const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d\u00b9\u00b2\u00b3])(\.|$)/i;
// Beside the hidden characters, which make one name look like another: separators and what Windows forbids.
const FORBIDDEN = /[/\\:*?"<>|\t\n]/;
const LONGEST_BYTES = 100;

let lastFine: unknown = "fine";

/** A call makes most of its paths of one name: its session's. */
export function whyNotSegment(name: unknown): string | undefined {
  if (name === lastFine) return undefined;
  const why = whatIsWrong(name);
  if (why === undefined) lastFine = name;
  return why;
}

/** Too long for a reserved name, and nothing in it that could be wrong. */
const isFine = (name: string) =>
  name.length > 4 && name.length <= LONGEST_BYTES && !name.startsWith("-") && /^[\w-]+$/.test(name);

function whatIsWrong(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "") return "is empty";
  if (isFine(name)) return undefined;
  if (FORBIDDEN.test(name) || hasHidden(name))
    return 'contains a separator, a hidden or control character or one of : * ? " < > |';
  if (/^[.\-\s]/.test(name)) return "starts with a dot, a dash or a space";
  if (/[.\s]$/.test(name)) return "ends with a dot or a space";
  if (RESERVED.test(name)) return "is a reserved device name";
  if (Buffer.byteLength(name) > LONGEST_BYTES) return `is longer than ${LONGEST_BYTES} bytes`;
  return undefined;
}

export function segment(name: string): string {
  const why = whyNotSegment(name);
  if (why) throw new Error(`the name ${JSON.stringify(String(name).slice(0, 80))} ${why}`);
  return name;
}

let known = { base: "", clean: "" };

/** `join` for parts that are clean already: only the base is looked at, and once, since a board makes a thousand paths. Not by
 *  `join` itself: node has compiled `resolve` for its own use by now. */
function below({ base }: Places, ...parts: string[]): string {
  if (known.base !== base) known = { base, clean: resolve(base, "x").slice(0, -2) };
  let path = known.clean;
  for (const part of parts) path += sep + part;
  return path;
}

const swarm = (places: Places, ...parts: string[]) => below(places, "swarm", ...parts);

export const swarmDir = (places: Places) => swarm(places);
export const personalSettingsPath = (places: Places) => swarm(places, "settings.toml");
export const refusedSettingsPath = (places: Places) => swarm(places, "refused-settings.json");
export const sessionsDir = (places: Places) => swarm(places, "sessions");
export const sessionPath = (places: Places, session: string) =>
  swarm(places, "sessions", `${segment(session)}.json`);
export const voicesDir = (places: Places) => swarm(places, "agents");
/** Subagents and in-process teammates: voices inside a session that is not theirs. */
export const agentsDir = (places: Places, session: string) => swarm(places, "agents", segment(session));
export const agentPath = (places: Places, session: string, agentId: string) =>
  swarm(places, "agents", segment(session), `${segment(agentId)}.json`);
export const processesDir = (places: Places) => swarm(places, "processes");
export const processPath = (places: Places, pid: number) => swarm(places, "processes", `${pid}.json`);
export const gatesPath = (places: Places, session: string, agent: string) =>
  swarm(places, "gates", segment(session), `${segment(agent)}.json`);
/** What a session spawned; `session` is the first of those that `/clear` strung together. */
export const spawnLedgerPath = (places: Places, session: string) =>
  swarm(places, "spawns", `${segment(session)}.jsonl`);
export const contextsDir = (places: Places) => swarm(places, "context");
/** What the status line last saw of a session's context window. */
export const bridgePath = (places: Places, session: string) =>
  swarm(places, "context", segment(session), "status-line.json");
/** What a voice has been told about its context. */
export const contextPath = (places: Places, session: string, agent: string) =>
  swarm(places, "context", segment(session), "voices", `${segment(agent)}.json`);
/** There while the session's own voice is to be told something about its context. */
export const duePath = (places: Places, session: string) => swarm(places, "context", segment(session), "due");
export const statuslinePath = (places: Places) => swarm(places, "statusline.json");
export const launcherPath = (places: Places) => swarm(places, "statusline.cjs");
export const clientSettingsPath = (places: Places) => join(places.base, "settings.json");
/** Roles a person keeps for every project. */
export const personalRolesDir = (places: Places) => join(places.base, "roles");
export const journalDir = (places: Places) => swarm(places, "journal");
export const journalPath = (places: Places, day: string) => swarm(places, "journal", `${day}.jsonl`);
export const errorsPath = (places: Places) => swarm(places, "errors.jsonl");
export const firedDir = (places: Places) => swarm(places, "fired");
/** Marks of calls that the guard looks at. */
export const guardedCallsPath = (places: Places) => swarm(places, "guarded");
/** What a team's lead has been told about its members' states. */
export const noticesPath = (places: Places, team: string) =>
  swarm(places, "notices", `${segment(team)}.json`);
/** Its age says when the leftovers were last looked through. */
export const upkeepPath = (places: Places) => swarm(places, "upkeep");
export const firedPath = (places: Places, event: string) => swarm(places, "fired", segment(event));

const efforts = (places: Places, ...parts: string[]) => swarm(places, "efforts", ...parts);
export const effortsDir = (places: Places) => efforts(places);
export const activeEffortsDir = (places: Places) => efforts(places, "active");
export const effortTaskPath = (places: Places, task: string) =>
  efforts(places, "tasks", `${segment(task)}.json`);
export const effortDir = (places: Places, effort: number) => efforts(places, effort.toString());
/** One directory a client session, one below it for each voice that speaks there. */
export const effortWindowsDir = (places: Places, session: string) =>
  efforts(places, "windows", segment(session));
export const effortWindowPath = (places: Places, session: string, voice: string, file = "") =>
  join(effortWindowsDir(places, session), segment(voice), file);

export const teamsDir = (places: Places) => join(places.base, "teams");
export const teamConfigPath = (places: Places, team: string) =>
  below(places, "teams", segment(team), "config.json");
export const inboxPath = (places: Places, team: string, agent: string) =>
  below(places, "teams", segment(team), "inboxes", `${segment(agent)}.json`);
export const inboxesDir = (places: Places, team: string) => below(places, "teams", segment(team), "inboxes");
export const removedInboxPath = (places: Places, team: string, agent: string, stamp: string) =>
  below(places, "teams", segment(team), "archive", `${segment(agent)}.removed-${stamp}.json`);
export const archivePath = (places: Places, team: string, agent: string) =>
  below(places, "teams", segment(team), "archive", `${segment(agent)}.jsonl`);
export const archiveDir = (places: Places, team: string) => below(places, "teams", segment(team), "archive");
/** A too large inbox, kept whole beside the archive. */
export const overflowPath = (places: Places, team: string, agent: string, stamp: string) =>
  below(places, "teams", segment(team), "archive", `${segment(agent)}.overflow-${stamp}.json`);
/** Changes to an inbox that wait for its lock. */
export const mailSpoolDir = (places: Places, team: string, agent: string) =>
  below(places, "teams", segment(team), "spool", segment(agent));
/** Changes to a team's config that wait for its lock. */
export const teamSpoolDir = (places: Places, team: string) =>
  below(places, "teams", segment(team), "config-spool");
export const bellPath = (places: Places, team: string, agent: string, which: number) =>
  below(places, "teams", segment(team), "bells", `${segment(agent)}.${which}`);
export const mailMarkPath = (places: Places, session: string) =>
  swarm(places, "mail", `${segment(session)}.json`);
/** Its name is fixed: hooks.json tells it from inboxes by that. */
export const seatPath = (places: Places, session: string) => swarm(places, "seats", segment(session), "seat");
/** Seed 001's own place: a person who debugs a silent heartbeat looks there. */
export const heartbeatPath = (places: Places, team: string, agent: string) =>
  join(places.tmp, `swarm-heartbeat-${segment(team)}-${segment(agent)}`);
const teamPart = (places: Places, team: string, ...parts: string[]) =>
  below(places, "teams", segment(team), ...parts);
export const teamDir = (places: Places, team: string) => teamPart(places, team);
/** A first prompt too long for a command line; alone in its directory, which the teammate may read. */
export const promptPath = (places: Places, team: string, agent: string) =>
  teamPart(places, team, "prompts", segment(agent), "first-prompt.md");
/** What a headless teammate prints: one JSON line an event. */
export const memberLogPath = (places: Places, team: string, agent: string) =>
  teamPart(places, team, "logs", `${segment(agent)}.jsonl`);
/** Teams that were cleaned up, with their tasks: moved, never deleted. */
export const archivesDir = (places: Places) => join(places.base, "archives");
export const archivedTeamPath = (places: Places, name: string) => join(archivesDir(places), segment(name));
/** The client's rule for a task list's directory: what it lets through cannot leave the place. */
export const tasksDir = (places: Places, list: string) =>
  join(places.base, "tasks", list.replace(/[^A-Za-z0-9_-]/g, "-") || segment(list));
export function taskPath(places: Places, list: string, id: string): string {
  if (!/^[1-9]\d{0,8}$/.test(id))
    throw new Error(`a task is named by its number, not by ${JSON.stringify(id)}`);
  return join(tasksDir(places, list), `${id}.json`);
}

/** The client's own list of installed plugins. */
export const installedPluginsPath = (places: Places) =>
  join(places.base, "plugins", "installed_plugins.json");

const daemon = (places: Places, ...parts: string[]) => join(places.atmHome, ".claude", "daemon", ...parts);
export const lifecycleLogPath = (places: Places) => daemon(places, "hooks", "events.jsonl");
export const daemonSocketPath = (places: Places) => daemon(places, "atm-daemon.sock");
export const daemonPortPath = (places: Places) => daemon(places, "atm-daemon.port");

/** Seed 000's traces of the spawn gate, in a directory that may be shared with strangers. */
export const spawnDebugPath = (places: Places) => join(places.tmp, "gate-agent-spawns-debug.jsonl");
export const breadcrumbPath = (places: Places) => join(places.tmp, "atm-session-id");
