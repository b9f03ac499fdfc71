// Every path Swarm reads or writes. A name from a payload, a message or a command line becomes part of
// a path only through `segment`.
import { join } from "node:path";

export interface Places {
  home: string;
  /** `$CLAUDE_CONFIG_DIR` or `~/.claude`: the client's directory, and ours beside it. */
  base: string;
  /** `$ATM_HOME` or home: where an ATM daemon keeps its files. */
  atmHome: string;
  tmp: string;
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
// Separators, what Windows forbids, controls, and the invisible and direction-changing characters that make one name look like another.
const FORBIDDEN = /[/\\:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const LONGEST_BYTES = 100;

export function whyNotSegment(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "") return "is empty";
  if (FORBIDDEN.test(name)) return 'contains a separator, a control character or one of : * ? " < > |';
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

const swarm = (places: Places, ...parts: string[]) => join(places.base, "swarm", ...parts);

export const personalSettingsPath = (places: Places) => swarm(places, "settings.toml");
export const sessionsDir = (places: Places) => swarm(places, "sessions");
export const sessionPath = (places: Places, session: string) =>
  swarm(places, "sessions", `${segment(session)}.json`);
/** Subagents and in-process teammates: voices inside a session that is not theirs. */
export const agentsDir = (places: Places, session: string) => swarm(places, "agents", segment(session));
export const agentPath = (places: Places, session: string, agentId: string) =>
  join(agentsDir(places, session), `${segment(agentId)}.json`);
export const processesDir = (places: Places) => swarm(places, "processes");
export const processPath = (places: Places, pid: number) => swarm(places, "processes", `${pid}.json`);
export const gatesPath = (places: Places, session: string, agent: string) =>
  swarm(places, "gates", segment(session), `${segment(agent)}.json`);
export const journalDir = (places: Places) => swarm(places, "journal");
export const journalPath = (places: Places, day: string) => swarm(places, "journal", `${day}.jsonl`);
export const errorsPath = (places: Places) => swarm(places, "errors.jsonl");
export const firedDir = (places: Places) => swarm(places, "fired");
export const firedPath = (places: Places, event: string) => swarm(places, "fired", segment(event));

export const teamsDir = (places: Places) => join(places.base, "teams");
export const teamConfigPath = (places: Places, team: string) =>
  join(places.base, "teams", segment(team), "config.json");
export const inboxPath = (places: Places, team: string, agent: string) =>
  join(places.base, "teams", segment(team), "inboxes", `${segment(agent)}.json`);
export const archivePath = (places: Places, team: string, agent: string) =>
  join(places.base, "teams", segment(team), "archive", `${segment(agent)}.jsonl`);
export const inboxesDir = (places: Places, team: string) =>
  join(places.base, "teams", segment(team), "inboxes");
export const mailMarkPath = (places: Places, session: string) =>
  swarm(places, "mail", `${segment(session)}.json`);
/** Its name is fixed: hooks.json tells it from inboxes by that. */
export const seatPath = (places: Places, session: string) =>
  swarm(places, "seats", segment(session), "seat.json");
/** Seed 001's own place: a person who debugs a silent heartbeat looks there. */
export const heartbeatPath = (places: Places, team: string, agent: string) =>
  join(places.tmp, `swarm-heartbeat-${segment(team)}-${segment(agent)}`);
export const tasksDir = (places: Places, team: string) => join(places.base, "tasks", segment(team));

const daemon = (places: Places, ...parts: string[]) => join(places.atmHome, ".claude", "daemon", ...parts);
export const lifecycleLogPath = (places: Places) => daemon(places, "hooks", "events.jsonl");
export const daemonSocketPath = (places: Places) => daemon(places, "atm-daemon.sock");
export const daemonPortPath = (places: Places) => daemon(places, "atm-daemon.port");
