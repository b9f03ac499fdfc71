// Everything known about the agents of a team, or the sessions of this machine, as rows of the status board.
import type { Call } from "../../cli/command.ts";
import { contextUse, readWindowReading, sessionsWithReading } from "../../context/store/window.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { age } from "../../core/time.ts";
import { countUnread } from "../../mail/store/inbox.ts";
import { promptInside } from "../../mail/store/lead-notes.ts";
import { clock, resetOf } from "../../people/store/quota.ts";
import { clientStateOf, isCurrent } from "../../sessions/store/client-state.ts";
import { type PauseScope, pauseOf, readPauses, readStopped, stoppedAt } from "../../sessions/store/pauses.ts";
import {
  isInTurn,
  isOpenSession,
  lastSignOf,
  latestRecord,
  newestFirst,
  readSession,
  readSessions,
  readSubagents,
  type SessionRecord,
  sessionsWithSubagents,
} from "../../sessions/store/sessions.ts";
import { type Overview, overviewOf, tasksInProgress } from "../../tasks/store/select.ts";
import { type Evidence, STATES, stateOf, type Verdict } from "../store/agent-state.ts";
import { isNative, isRemote, leadOf, type Member, type RemoteMember, type Team } from "../store/config.ts";
import { lifeOfMember, livenessOf } from "../store/liveness.ts";

type BoardInput = Pick<Call, "paths" | "now" | "loaded" | "compactWindow">;

const boardOf = (call: BoardInput) => ({
  ...call,
  pauses: readPauses(call.paths),
  withSubagents: sessionsWithSubagents(call.paths),
  /** Sessions whose context window has been measured. */
  measured: sessionsWithReading(call.paths),
  silentAfterMs: call.loaded.values["heartbeat.stale_s"] * 1_000,
});
type Board = ReturnType<typeof boardOf>;

export interface AgentRow extends Verdict {
  agent: string;
  role?: string;
  task?: string;
  /** In percent. */
  context?: number;
  unread?: number;
  /** How long ago it was last seen. */
  lastSign: string;
  lastSeen?: string;
  session?: string;
  team?: string;
}

export function teamRows(
  call: BoardInput,
  name: string,
  team: Team,
  tasks: Overview = overviewOf(call.paths, name),
): AgentRow[] {
  const board = boardOf(call);
  const owners = new Set(team.members.flatMap(({ name: one, agentId = one }) => [one, agentId]));
  const atWork = tasksInProgress(board.paths, tasks, owners);
  const find = recordFinder(board, name, team);
  const lead = leadOf(team);
  return team.members.map((member) => {
    const leads = member.name === lead;
    if (isRemote(member)) return remoteRow(board, name, member, leads);
    const record = find(member, leads);
    const evidence = {
      isSuspended: team.status === "suspended",
      mark: member.status,
      ...(record
        ? evidenceIn(board, record, member)
        : { ...lifeOfMember(board.paths, member), lastSign: member.lastSeen }),
    };
    return {
      agent: member.name,
      role: leads ? "lead" : (record?.role ?? member.agentType),
      task: taskOf(atWork, member) ?? record?.statusText,
      ...observed(board, { team: name, agent: member.name }, evidence, record),
    };
  });
}

const STATES_ELSEWHERE = STATES.filter((state) => state !== "unknown" && state !== "suspended");

/** What its own machine says of it. A machine that is silent may be asleep or cut off: that proves nothing. */
function remoteRow(board: Board, team: string, member: RemoteMember, leads: boolean): AgentRow {
  const { machine, machineSeen, state } = member;
  const isSilent = !(board.now.getTime() - Date.parse(machineSeen ?? "") <= board.silentAfterMs);
  const known = STATES_ELSEWHERE.find((one) => one === state) ?? "unknown";
  return {
    agent: member.name,
    role: leads ? "lead" : member.agentType,
    state: isSilent && known !== "gone" ? "unknown" : known,
    evidence: isSilent ? `no sign from ${machine} since ${age(machineSeen, board.now)}` : `on ${machine}`,
    task: member.task,
    context: member.context,
    unread: unreadOf(board, team, member.name),
    ...signOf(member.lastSeen, board.now),
    team,
  };
}

export function sessionRows(call: BoardInput): AgentRow[] {
  const board = boardOf(call);
  return readSessions(board.paths)
    .filter(isOpenSession)
    .sort(newestFirst)
    .map((record) => ({
      agent: record.agent ? `${record.agent}@${record.team ?? "-"}` : record.session.slice(0, 8),
      role: record.isLead ? "lead" : record.role,
      task: record.statusText,
      ...observed(board, record, { isSuspended: false, ...evidenceIn(board, record) }, record),
    }));
}

/** The cells that are the same on both boards. */
function observed(board: Board, { team, agent }: PauseScope, known: Evidence, record?: SessionRecord) {
  const { paths, now } = board;
  const session = record?.session;
  const paused = pausedOf(board, { session, team, agent }, record);
  const verdict = stateOf({ ...known, paused }, now, board.silentAfterMs);
  const reset = verdict.state === "rate-limited" && session ? resetOf(paths, session, now) : undefined;
  if (reset !== undefined) verdict.evidence = `resets ${clock(reset, now.getTime())}; ${verdict.evidence}`;
  return {
    ...verdict,
    context: record && known.life !== "gone" ? contextOf(board, record) : undefined,
    unread: unreadOf(board, team, agent),
    ...signOf(known.lastSign, now),
    session,
    team,
  };
}

/** By whom and why, and where it stopped or that it still has to. */
function pausedOf({ paths, now, pauses }: Board, who: PauseScope, record?: SessionRecord) {
  const pause = pauseOf(paths, who, pauses);
  if (!pause) return undefined;
  const stopped = record && readStopped(paths, record.session, record.agentId);
  const where = stopped
    ? `stopped at ${stoppedAt(stopped)}`
    : record && isInTurn(record)
      ? "stops at its next tool call"
      : "was idle";
  return `by ${pause.by} ${age(pause.since, now)} ago${pause.why ? `: ${pause.why}` : ""}; ${where}`;
}

/** By the session id in the config; the lead by the team's; else by name, in its own session or inside the lead's. */
function recordFinder({ paths }: Board, name: string, team: Team) {
  const lead = latestRecord(paths, team.leadSessionId);
  const inside = lead && isNative(name) ? readSubagents(paths, lead.session) : [];
  const needsSearch = isNative(name) || team.members.some((member) => !member.sessionId);
  const sessions = (needsSearch ? readSessions(paths) : []).filter((one) => one.team === name && !one.next);
  const newest = (records: SessionRecord[], agent: string) =>
    records.filter((one) => one.agent === agent).sort(newestFirst)[0];
  return (member: Member, isLead: boolean): SessionRecord | undefined =>
    latestRecord(paths, member.sessionId) ??
    (isLead ? lead : undefined) ??
    newest(sessions, member.name) ??
    newest(inside, member.name);
}

function evidenceIn(board: Board, record: SessionRecord, member?: Member) {
  const session = record.agentId ? readSession(board.paths, { session: record.session }) : record;
  const isOwn = record.agentId === undefined && member !== undefined;
  return {
    ...livenessOf(session, isOwn && !record.pid ? member : undefined),
    ...wordsOfClient(board, record, session),
    lastSign: lastSign(board, record),
  };
}

/** With what its client says of itself. Of an agent whose prompt another session shows that is only whether it is still open. */
function wordsOfClient({ paths, withSubagents, now }: Board, record: SessionRecord, process?: SessionRecord) {
  const client = process && clientStateOf(paths, process);
  const isWaiting = client?.status === "waiting";
  const pane = process?.pane;
  const { session, prompt } = record;
  if (record.agentId)
    return { session: client && !isWaiting ? { ...record, prompt: undefined } : record, pane };
  if (prompt?.shownBy) {
    const shows = readSession(paths, { session: prompt.shownBy });
    const shown = shows && clientStateOf(paths, shows);
    const isOpen = shown?.status === "waiting" || !shown || !isCurrent(shown, prompt.since, now);
    return { session: isOpen ? record : { ...record, prompt: undefined }, pane: shows?.pane };
  }
  const mayAskInside = isWaiting && !prompt && withSubagents.has(session);
  const asked = mayAskInside ? promptInside(paths, session) : prompt;
  return { session: { ...record, prompt: asked }, client, pane };
}

function lastSign({ paths, withSubagents }: Board, record: SessionRecord): string {
  if (record.agentId || !withSubagents.has(record.session)) return record.lastSeen;
  const open = readSubagents(paths, record.session).filter((one) => !one.endedAt);
  return lastSignOf(record, open);
}

/** Version 0.1.0 accepted member names that cannot be the name of an inbox. */
const unreadOf = ({ paths }: Board, team: string | undefined, agent: string | undefined) =>
  team && agent && !whyNotSegment(agent) ? countUnread(paths, team, agent) : undefined;

const signOf = (lastSeen: string | undefined, now: Date) => ({ lastSign: age(lastSeen, now), lastSeen });

/** By its name, or by its id where the client wrote that. */
function taskOf(atWork: ReturnType<typeof tasksInProgress>, { name, agentId = name }: Member) {
  const [one, other] = [...new Set([name, agentId])].flatMap((owner) => atWork.get(owner) ?? []);
  if (!one) return undefined;
  const more = one.more + (other ? other.more + 1 : 0);
  return `#${one.first.id} ${one.first.subject}${more > 0 ? ` (+${more})` : ""}`;
}

const RECENT_MS = 120_000;

/** From the status line, where that is recent: one small file instead of a transcript. */
function shareFromStatusLine({ paths }: Board, { session, lastSeen }: SessionRecord): number | undefined {
  const { tokens, window, at } = readWindowReading(paths, session) ?? {};
  if (!tokens || !window || !at || Date.parse(lastSeen) - Date.parse(at) > RECENT_MS) return undefined;
  return (100 * tokens) / window;
}

function contextOf(board: Board, record: SessionRecord): number | undefined {
  const { session, agentId } = record;
  const isMeasured = board.measured.has(session);
  const share = agentId || !isMeasured ? undefined : shareFromStatusLine(board, record);
  if (share) return share;
  const transcript =
    record.transcript ?? (agentId ? readSession(board.paths, { session })?.transcript : undefined);
  if (!transcript) return undefined;
  const agent = { session_id: session, transcript_path: transcript, agent_id: agentId };
  return contextUse(board, agent, isMeasured)?.share;
}
