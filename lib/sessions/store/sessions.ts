// Session records: one file for each client session, one for each agent inside it (subagents and in-process teammates). No lock on the
// hot path: PreToolUse is the only writer during a tool call, and every write replaces the whole file.
//
// Each session writes in a directory of its own: the system lets one process at a time create or rename in a directory, and with more
// runnable processes than cores those of all sessions would wait for each other. Version 0.1.0 had the records of all sessions in one
// directory; those are still read, and the newer of two records of a session counts.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { ifFile, ifThere, namesIn, removeFile, stemsIn, writeJson } from "../../core/files.ts";
import { readJson, type UpdateOptions, updateJson } from "../../core/json.ts";
import { gatesPath, type Paths, pausesPath, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { listOf, maybe, maybeFlag, maybeNumber, maybeText, object, someText } from "../../core/shape.ts";
import {
  type KnownProcess,
  type Life,
  lifeOf,
  readProcess,
  readProcesses,
  writeProcess,
} from "../../system/processes.ts";

export const SESSION_FILES: readonly FileKind[] = [
  { name: "session records", path: "swarm/sessions/<session>/", ends: "session" },
  { name: "session records of 0.1.0", path: "swarm/sessions/<session>.json", ends: "session" },
  { name: "agents inside sessions", path: "swarm/agents/<session>/", ends: "session" },
  { name: "pauses", path: "swarm/pauses.json", kept: "removed when nothing is paused any more" },
  { name: "where paused agents were stopped", path: "swarm/paused/<session>/", ends: "session" },
];

/** All that a call pays while nothing is paused; what is paused, and where it stopped, is in pauses.ts. */
export const isAnythingPaused = (paths: Paths): boolean => existsSync(pausesPath(paths));
export const wasStopped = (paths: Paths, session: string): boolean =>
  session !== "" && existsSync(swarmPath(paths, "paused", segment(session)));

export const sessionsDir = (paths: Paths) => swarmPath(paths, "sessions");
export const sessionDir = (paths: Paths, session: string) => swarmPath(paths, "sessions", segment(session));
export const sessionPath = (paths: Paths, session: string) => `${sessionDir(paths, session)}/session.json`;
/** Where 0.1.0 has it. */
const earlierSessionPath = (paths: Paths, session: string) => `${sessionDir(paths, session)}.json`;
const subagentsOf = (paths: Paths, session: string) => swarmPath(paths, "agents", segment(session));
export const subagentPath = (paths: Paths, session: string, agentId: string) =>
  `${subagentsOf(paths, session)}/${segment(agentId)}.json`;

/** A call of a tool; `permission` is the client's mode at its start. */
const call = object({ name: someText, id: maybeText, since: someText, permission: maybeText });

const shape = object({
  session: someText,
  /** Set for an agent inside the session; absent for the session itself. */
  agentId: maybeText,
  wrapper: maybeText,
  parent: maybeText,
  previous: maybeText,
  /** The session `/clear` made of this one. */
  next: maybeText,
  kind: maybeText,
  team: maybeText,
  agent: maybeText,
  isLead: maybeFlag,
  /** The member that it was until another session became it. What its environment says about that no longer counts. */
  formerly: maybe(object({ team: someText, agent: someText, isLead: maybeFlag, isShown: maybeFlag })),
  evidence: maybe(listOf(someText)),
  role: maybeText,
  mode: maybeText,
  mission: maybeText,
  /** The client's permission mode at its last event. */
  permissionMode: maybeText,
  model: maybeText,
  client: maybeText,
  pid: maybeNumber,
  pidStartedAt: maybeText,
  pane: maybeText,
  tmux: maybeText,
  cwd: maybeText,
  project: maybeText,
  transcript: maybeText,
  source: maybeText,
  state: someText,
  status: someText,
  /** The call that runs. */
  tool: maybe(call),
  endedCall: maybe(call),
  /** The question to a person that is open: `permission` or `question`. Removed by the agent's next event. */
  prompt: maybe(
    object({
      kind: someText,
      tool: maybeText,
      detail: maybeText,
      since: someText,
      /** The lead has been notified of it. */
      isReported: maybeFlag,
      /** The session on whose screen it is shown, where that is another. */
      shownBy: maybeText,
    }),
  ),
  /** What it is working on, from `swarm status set`. */
  statusText: maybeText,
  /** Why its last turn broke off: `rate_limit`, `server_error`, … */
  failure: maybeText,
  /** The beginning of its last message, once it has ended. */
  lastWords: maybeText,
  startedAt: someText,
  /** When the present turn began, which may be days after the session did. */
  turnStartedAt: maybeText,
  lastSeen: someText,
  endedAt: maybeText,
  endReason: maybeText,
});
export type SessionRecord = ReturnType<typeof shape>;

type AgentKey = Pick<SessionRecord, "session" | "agentId">;

const ownPath = (paths: Paths, { session, agentId }: AgentKey) =>
  agentId ? subagentPath(paths, session, agentId) : sessionPath(paths, session);

/** The newer of the two records that a session may have. The earlier one counts for equal times: it was written after going back. */
function newestOf(paths: Paths, key: AgentKey) {
  const own = { path: ownPath(paths, key), record: readJson(ownPath(paths, key), shape) };
  if (!hasEarlier(paths, key)) return own;
  const path = earlierSessionPath(paths, key.session);
  const record = ifFile(() => readJson(path, shape)); // a session called `x.json` has its directory there
  return record && !(own.record && own.record.lastSeen > record.lastSeen) ? { path, record } : own;
}

const hasEarlier = (paths: Paths, { session, agentId }: AgentKey): boolean =>
  agentId === undefined && existsSync(earlierSessionPath(paths, session));

/** Where its newest record is: a session of 0.1.0 that still runs reads and writes there. */
const currentPath = (paths: Paths, key: AgentKey): string =>
  hasEarlier(paths, key) ? newestOf(paths, key).path : ownPath(paths, key);

/** Version 0.1.0 let a project's file name the team of a session. */
const WITHOUT_TEAM = { kind: "solo", team: undefined, agent: undefined, isLead: false, evidence: [] };

export function readSession(paths: Paths, key: AgentKey): SessionRecord | undefined {
  const { record } = newestOf(paths, key);
  return record?.evidence?.includes(".atm.toml") ? { ...record, ...WITHOUT_TEAM } : record;
}

/** Of a session that another file names: what is no session id names none. */
export const findSession = (paths: Paths, session: string | undefined): SessionRecord | undefined =>
  session && !whyNotSegment(session) ? readSession(paths, { session }) : undefined;

export const writeSession = (paths: Paths, record: SessionRecord): void =>
  writeJson(currentPath(paths, record), record);

type Change = (stored: SessionRecord | undefined) => SessionRecord | undefined;

/** Under the lock, for events that may run beside another hook of the same session. */
export const updateSession = (paths: Paths, key: AgentKey, change: Change, options?: UpdateOptions) =>
  updateJson(currentPath(paths, key), shape, change, options);

/** Which member a session is: on its record, and on that of its process, for the session after `/clear`. */
export function updateMembership(paths: Paths, session: string, change: Change): void {
  const record = updateSession(paths, { session }, change);
  const known = record?.pid ? readProcess(paths, record.pid) : undefined;
  if (record && known?.session === session)
    writeProcess(paths, { ...known, team: record.team, agent: record.agent });
}

/** Of a session that is a member of this team, under this name if one is given. */
export const endMembership = (
  paths: Paths,
  session: string,
  { team, agent, isShown }: { team: string; agent?: string | undefined; isShown?: boolean },
): void =>
  updateMembership(paths, session, (stored) => {
    if (stored?.team !== team || !stored.agent || (agent ?? stored.agent) !== stored.agent) return undefined;
    const formerly = { team, agent: stored.agent, isLead: stored.isLead, isShown };
    return { ...stored, team: undefined, agent: undefined, isLead: undefined, kind: "solo", formerly };
  });

export const isFormer = (
  { formerly }: Pick<SessionRecord, "formerly">,
  { team, agent }: { team?: string | undefined; agent?: string | undefined },
): boolean => formerly !== undefined && formerly.team === team && formerly.agent === agent;

/** At its start: from then on in a directory of its own. An earlier record stays for a version that the person may go back to. */
export const beginSession = (paths: Paths, key: AgentKey, change: Change): SessionRecord | undefined =>
  updateJson(ownPath(paths, key), shape, (own) =>
    change(hasEarlier(paths, key) ? newestOf(paths, key).record : own),
  );

/** Neither ended nor replaced by `/clear`, as far as the record says. */
export const isOpenSession = ({ endedAt, next }: SessionRecord): boolean => !endedAt && !next;

/** By its process, unless its end is on record. */
export const lifeOfRecord = ({ endedAt, pid, pidStartedAt }: SessionRecord): Life =>
  endedAt ? "gone" : lifeOf({ pid, startedAt: pidStartedAt });

/** Another client that runs this session now, as after `claude --resume` in a second terminal. */
export const otherClientOf = (
  paths: Paths,
  { session, pid }: Pick<KnownProcess, "session" | "pid">,
  known = readProcesses(paths),
): KnownProcess | undefined =>
  known.find((one) => one.session === session && one.pid !== pid && lifeOf(one) === "alive");

/** How long a session counts as alive whose process can be neither found nor proven gone, as in another container. */
const UNPROVEN_MS = 30 * 60_000;

export function isProbablyAlive(record: SessionRecord, now: number): boolean {
  const life = lifeOfRecord(record);
  return life === "alive" || (life === "unknown" && now - Date.parse(record.lastSeen) < UNPROVEN_MS);
}

/** Later than its own while an agent inside it works. */
export const lastSignOf = (record: SessionRecord, subagents: readonly SessionRecord[]): string =>
  [record, ...subagents].map(({ lastSeen }) => lastSeen).reduce((a, b) => (a > b ? a : b));

export const newestFirst = (a: SessionRecord, b: SessionRecord) => b.lastSeen.localeCompare(a.lastSeen);

/** All of them, whichever version wrote them. */
export function readSessions(paths: Paths): SessionRecord[] {
  const entries = ifThere(() => readdirSync(sessionsDir(paths), { withFileTypes: true })) ?? [];
  const ids = entries.flatMap((entry) => {
    const session = entry.isDirectory() ? entry.name : entry.name.match(/^(.+)\.json$/)?.[1];
    return session && !whyNotSegment(session) ? session : [];
  });
  return [...new Set(ids)].flatMap((session) => reported(() => readSession(paths, { session })) ?? []);
}

export function readSubagents(paths: Paths, session: string, isWanted = (_agentId: string) => true) {
  const directory = subagentsOf(paths, session);
  return stemsIn(directory, ".json")
    .filter(isWanted)
    .flatMap((agentId) => readJson(`${directory}/${agentId}.json`, shape) ?? []);
}

/** The sessions in which a subagent has run: one directory read instead of one for each session. */
export const sessionsWithSubagents = (paths: Paths): ReadonlySet<string> =>
  new Set(namesIn(swarmPath(paths, "agents")));

// `/clear` gives the same client process a new session id; the records link the ids to a chain.
const LONGEST_CHAIN = 50;

/** The record under the id that the session has now, after every `/clear`; each file is read once. */
export function latestRecord(paths: Paths, session: string | undefined): SessionRecord | undefined {
  let found: SessionRecord | undefined;
  let next = findSession(paths, session);
  for (let n = 0; next && n < LONGEST_CHAIN; n++) {
    found = next;
    next = findSession(paths, next.next);
  }
  return found;
}

/** The session itself, then those it had before, newest first. */
export function sessionsBefore(paths: Paths, session: string): string[] {
  const found: string[] = [];
  let at: string | undefined = session;
  while (at && !whyNotSegment(at) && !found.includes(at) && found.length < LONGEST_CHAIN) {
    found.push(at);
    at = readSession(paths, { session: at })?.previous;
  }
  return found;
}

/** The record of a session that has ended, and what belongs to it; the journal keeps its story. */
export function removeSession(paths: Paths, session: string): void {
  const gates = dirname(gatesPath(paths, session, "main"));
  for (const path of [subagentsOf(paths, session), gates, sessionDir(paths, session)])
    rmSync(path, { recursive: true, force: true });
  removeFile(earlierSessionPath(paths, session));
}

/** The name inside an in-process teammate's `agent_id`. */
export const inProcessName = (agentId: string): string | undefined =>
  agentId.match(/^a(.+)-[0-9a-f]{16}$/)?.[1];

// What a session does, in the states of Claude OS hooks, and whether somebody should look at it, in the statuses of Engine hooks.

type State = "active" | "tool_active" | "idle" | "ended";
const BY_URGENCY = ["error", "attention", "working", "checked", "done"] as const;
export type Status = (typeof BY_URGENCY)[number];

export const mostUrgent = (statuses: readonly string[]): Status =>
  BY_URGENCY.find((status) => statuses.includes(status)) ?? "done";

const AFTER = {
  start: { state: "active", status: "done" },
  prompt: { state: "active", status: "working" },
  "tool-start": { state: "tool_active", status: "working" },
  "tool-end": { state: "active", status: "working" },
  "tool-failed": { state: "active", status: "error" },
  waiting: { status: "attention" },
  seen: {},
  "turn-end": { state: "idle", status: "done" },
  "turn-failed": { state: "idle", status: "error" },
  idle: { state: "idle", status: "done" },
  end: { state: "ended", status: "done" },
} as const satisfies Record<string, { state?: State; status?: Status }>;
export type Transition = keyof typeof AFTER;

type Doing = Pick<SessionRecord, "state" | "status">;

export function afterTransition(transition: Transition, { state, status }: Doing): Doing {
  if (state === "ended" && transition !== "start") return { state, status };
  if (transition === "seen")
    return { state, status: status === "attention" || status === "error" ? "checked" : status };
  return { state, ...AFTER[transition] };
}

export const withTransition = (record: SessionRecord, transition: Transition, now: Date): SessionRecord => ({
  ...record,
  ...afterTransition(transition, record),
  lastSeen: now.toISOString(),
});

export type Phase = "working" | "idle" | "waiting" | "failed" | "ended";

/** For timelines: coarse enough that a turn leaves one or two lines in the journal, not one for each tool. */
export function phaseOf({ state, status }: Doing): Phase {
  if (state === "ended") return "ended";
  if (state === "idle") return status === "error" ? "failed" : "idle";
  if (status === "attention") return "waiting";
  return state === "active" && status === "done" ? "idle" : "working";
}

/** A session that has just started is `active` too, but it has not been asked anything yet. */
export const isInTurn = ({ state, status }: Doing): boolean =>
  state === "tool_active" || (state === "active" && status !== "done");

/** What the client calls the failure of a turn. */
export const isLimit = (failure: string): boolean => /rate_limit|overloaded|usage_limit/.test(failure);

export const isRateLimited = ({ state, failure }: Pick<SessionRecord, "state" | "failure">): boolean =>
  state === "idle" && isLimit(failure ?? "");

const NEVER_ASKS = new Set(["bypassPermissions", "dontAsk"]);
/** Calls whose end is not reported: hooks.json starts nothing after them, so their beginning is not recorded as a running call either. */
export const ASKS_NOTHING: ReadonlySet<string> = new Set(["TaskGet", "TaskList", "TodoWrite", "ToolSearch"]);
const RUNS_LONG = new Set(["Agent", "Task", "Workflow", "Monitor", "ScheduleWakeup", "TaskOutput"]);
const ENDS_AT_ONCE = new Set(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep"]);
const QUICK_MS = 15_000;
const SLOW_MS = 180_000;

/** A tool call that began, never ended and may need a permission: the client is most likely showing a permission prompt. No event says
 *  so for a teammate in a pane. */
export function isProbablyWaiting({ state, tool }: Pick<SessionRecord, "state" | "tool">, now: Date) {
  if (state !== "tool_active" || !tool) return false;
  if (NEVER_ASKS.has(tool.permission ?? "") || RUNS_LONG.has(tool.name)) return false;
  const limit = ENDS_AT_ONCE.has(tool.name) ? QUICK_MS : SLOW_MS;
  return now.getTime() - Date.parse(tool.since) > limit;
}

export const isSilent = (record: Doing, lastSign: string | undefined, now: Date, limitMs: number): boolean =>
  isInTurn(record) && now.getTime() - Date.parse(lastSign ?? "") > limitMs;

/** Notifications that mean that the client waits for a person. */
export const asksForAttention = (type: string): boolean =>
  /^((worker_)?permission_prompt|idle_prompt|elicitation_(url_)?dialog|agent_needs_input)$/.test(type);
