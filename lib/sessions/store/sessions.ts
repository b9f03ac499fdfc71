// Session records: one file a client session, one for each agent inside it: subagents and in-process teammates. No lock on the hot path: PreToolUse is
// the only one to write during a tool call, and every write replaces the whole file.

import { namesIn } from "../../core/files.ts";
import { readJson, updateJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { listOf, maybe, maybeFlag, maybeNumber, maybeText, object, someText } from "../../core/shape.ts";
import { writeJson } from "../../core/write-file.ts";

const sessionsDir = (paths: Paths) => swarmPath(paths, "sessions");
export const sessionPath = (paths: Paths, session: string) =>
  swarmPath(paths, "sessions", `${segment(session)}.json`);
const subagentsDir = (paths: Paths) => swarmPath(paths, "agents");
export const subagentsOf = (paths: Paths, session: string) => swarmPath(paths, "agents", segment(session));
export const subagentPath = (paths: Paths, session: string, agentId: string) =>
  swarmPath(paths, "agents", segment(session), `${segment(agentId)}.json`);

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
  evidence: maybe(listOf(someText)),
  role: maybeText,
  mode: maybeText,
  mission: maybeText,
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
  /** The call that runs; `permission` is the client's mode at its start. */
  tool: maybe(object({ name: someText, id: maybeText, since: someText, permission: maybeText })),
  /** What it says of itself: `swarm status set`. */
  statusText: maybeText,
  /** Why its last turn broke off: `rate_limit`, `server_error`, … */
  failure: maybeText,
  /** The beginning of its last message, once it has ended. */
  lastWords: maybeText,
  startedAt: someText,
  /** When the present turn began: a teammate or a person may come back days later. */
  turnStartedAt: maybeText,
  lastSeen: someText,
  endedAt: maybeText,
  endReason: maybeText,
});
export type SessionRecord = ReturnType<typeof shape>;

const ASKS_NOBODY = new Set(["bypassPermissions", "dontAsk"]);
const RUNS_LONG = new Set(["Agent", "Task", "Workflow", "Monitor", "ScheduleWakeup", "TaskOutput"]);
const ENDS_AT_ONCE = new Set(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep"]);
const QUICK_MS = 15_000;
const SLOW_MS = 180_000;

/**
 * A tool that began and never ended, where somebody could have been asked: then the client most likely stands at a
 * permission prompt. No event says so for a teammate in a pane.
 */
export function isProbablyWaiting(
  { state, tool }: Pick<SessionRecord, "state" | "tool">,
  now: Date,
): boolean {
  if (state !== "tool_active" || !tool) return false;
  if (ASKS_NOBODY.has(tool.permission ?? "") || RUNS_LONG.has(tool.name)) return false;
  const limit = ENDS_AT_ONCE.has(tool.name) ? QUICK_MS : SLOW_MS;
  return now.getTime() - Date.parse(tool.since) > limit;
}

export interface AgentKey {
  session: string;
  agentId?: string;
}

const pathOf = (paths: Paths, { session, agentId }: AgentKey) =>
  agentId ? subagentPath(paths, session, agentId) : sessionPath(paths, session);

export function readSession(paths: Paths, key: AgentKey): SessionRecord | undefined {
  const record = readJson(pathOf(paths, key), shape);
  return record?.evidence?.includes(".atm.toml") ? withoutTeam(record) : record;
}

/** Written by 0.1.0, which let a project's file say who a session is. */
const withoutTeam = (record: SessionRecord): SessionRecord => ({
  ...record,
  kind: "solo",
  team: undefined,
  agent: undefined,
  isLead: false,
  evidence: [],
});

export const writeSession = (paths: Paths, record: SessionRecord): void =>
  writeJson(pathOf(paths, record), record);

/** Under the lock, for events that may meet another hook of the same session. */
export const updateSession = (
  paths: Paths,
  key: AgentKey,
  change: (stored: SessionRecord | undefined) => SessionRecord | undefined,
): SessionRecord | undefined => updateJson(pathOf(paths, key), shape, change);

export const readSessions = (paths: Paths): SessionRecord[] => recordsIn(sessionsDir(paths));

export const readSubagents = (
  paths: Paths,
  session: string,
  wanted: (agentId: string) => boolean = () => true,
): SessionRecord[] => recordsIn(subagentsOf(paths, session), wanted);

/** The sessions in which a subagent has run too: one look instead of one a session. */
export const sessionsWithSubagents = (paths: Paths): ReadonlySet<string> =>
  new Set(namesIn(subagentsDir(paths)));

function recordsIn(directory: string, wanted: (id: string) => boolean = () => true): SessionRecord[] {
  return namesIn(directory)
    .filter((name) => name.endsWith(".json") && wanted(name.slice(0, -".json".length)))
    .flatMap((name) => readJson(`${directory}/${name}`, shape) ?? []);
}

// `/clear` gives the same client process a new session id. These followChain one person through such changes.
const LONGEST = 50;

/** The session itself, then those it had before, newest first. */
export const sessionsBefore = (paths: Paths, session: string): string[] =>
  followChain(paths, session, (record) => record?.previous);

/** The session itself, then those that came after it, oldest first. */
export const sessionsAfter = (paths: Paths, session: string): string[] =>
  followChain(paths, session, (record) => record?.next);

function followChain(
  paths: Paths,
  from: string,
  step: (record: SessionRecord | undefined) => string | undefined,
): string[] {
  const found: string[] = [];
  let at: string | undefined = from;
  while (at && !whyNotSegment(at) && !found.includes(at) && found.length < LONGEST) {
    found.push(at);
    at = step(readSession(paths, { session: at }));
  }
  return found;
}
