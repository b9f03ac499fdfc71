// Everything seen of the agents of a team, or of the sessions of this machine, as rows of the board.
import type { Call } from "../../run/command.ts";
import { LEAD } from "../../run/identity.ts";
import { contextUse, readBridge, sessionsWithContext } from "../../store/context-window.ts";
import { unreadCount } from "../../store/glance.ts";
import { lifeOfMember } from "../../store/liveness.ts";
import { isNative } from "../../store/native-teams.ts";
import { type OpenTask, readOpenTasks } from "../../store/open-tasks.ts";
import { whyNotSegment } from "../../store/paths.ts";
import { lifeOf } from "../../store/processes.ts";
import type { Roster, RosterMember } from "../../store/roster.ts";
import {
  isProbablyWaiting,
  readSession,
  readSessions,
  readVoices,
  type SessionRecord,
  sessionsWithVoices,
} from "../../store/sessions.ts";
import { age, type Evidence, stateOf } from "./state.ts";
import type { Row } from "./table.ts";

export type Seeing = Pick<Call<Record<never, never>>, "places" | "now" | "loaded" | "compactWindow">;

interface Looking extends Seeing {
  /** Sessions in which others speak too. */
  voiced: ReadonlySet<string>;
  /** Sessions of whose context window something is known. */
  measured: ReadonlySet<string>;
}

const looking = ({ places, now, loaded, compactWindow }: Seeing): Looking => ({
  places,
  now,
  loaded,
  compactWindow,
  voiced: sessionsWithVoices(places),
  measured: sessionsWithContext(places),
});

export interface AgentRow extends Row {
  session?: string;
  team?: string;
  lastSeen?: string;
}

const MOST_TASKS = 1_000;

export function teamRows(call: Seeing, name: string, team: Roster): AgentRow[] {
  const seeing = looking(call);
  const tasks = byOwner(readOpenTasks(seeing.places, name, MOST_TASKS));
  const find = recordFinder(seeing, name, team);
  return team.members.map((member) => {
    const isLead = leads(team, member);
    if (member.machine) return remoteRow(seeing, name, member, isLead);
    const record = find(member, isLead);
    const evidence = memberEvidence(seeing, team, member, record);
    return {
      agent: member.name,
      role: isLead ? "lead" : (record?.role ?? member.agentType),
      ...stateOf(evidence, seeing.now, silentAfterMs(seeing)),
      task: taskOf(tasks, member) ?? record?.statusText,
      context: evidence.life === "gone" ? undefined : contextOf(seeing, record),
      unread: whyNotSegment(member.name) ? undefined : unreadCount(seeing.places, name, member.name),
      ...signOf(evidence.lastSign, seeing.now),
      session: record?.session,
      team: name,
    };
  });
}

/** What its own machine says of it. A machine that is silent may be asleep or cut off: nobody here knows more. */
function remoteRow(seeing: Looking, team: string, member: RosterMember, isLead: boolean): AgentRow {
  const { machine, machineSeen, state } = member;
  const isSilent = !(seeing.now.getTime() - Date.parse(machineSeen ?? "") <= silentAfterMs(seeing));
  const known = STATES_ELSEWHERE.find((one) => one === state) ?? "unknown";
  return {
    agent: member.name,
    role: isLead ? "lead" : member.agentType,
    state: isSilent && known !== "gone" ? "unknown" : known,
    evidence: isSilent ? `no sign from ${machine} since ${age(machineSeen, seeing.now)}` : `on ${machine}`,
    task: member.task,
    unread: whyNotSegment(member.name) ? undefined : unreadCount(seeing.places, team, member.name),
    ...signOf(member.lastSeen, seeing.now),
    team,
  };
}

const STATES_ELSEWHERE = ["working", "idle", "waiting", "gone"] as const;

export function sessionRows(call: Seeing): AgentRow[] {
  const seeing = looking(call);
  return readSessions(seeing.places)
    .filter((record) => !record.endedAt && !record.next)
    .sort((a, b) => b.lastSeen.localeCompare(a.lastSeen))
    .map((record) => sessionRow(seeing, record));
}

function sessionRow(seeing: Looking, record: SessionRecord): AgentRow {
  const life = lifeOf({ pid: record.pid, startedAt: record.pidStartedAt });
  const proof = life === "gone" ? `process ${record.pid} has ended without a word` : undefined;
  const evidence = { isSuspended: false, life, proof, ...ofSession(seeing, record) };
  const { agent, team } = record;
  return {
    agent: agent ? `${agent}@${team ?? "-"}` : record.session.slice(0, 8),
    role: record.isLead ? "lead" : record.role,
    ...stateOf(evidence, seeing.now, silentAfterMs(seeing)),
    task: record.statusText,
    context: life === "gone" ? undefined : contextOf(seeing, record),
    unread: agent && team ? unreadCount(seeing.places, team, agent) : undefined,
    ...signOf(evidence.lastSign, seeing.now),
    session: record.session,
    team,
  };
}

const leads = ({ leadAgentId }: Roster, { name, agentId }: RosterMember) =>
  name === LEAD || (leadAgentId !== undefined && agentId === leadAgentId);

/** A session by the roster's own id, a teammate inside the lead's session by its voice, else by the name it speaks under. */
function recordFinder({ places }: Seeing, name: string, team: Roster) {
  const lead = latest(places, team.leadSessionId);
  const voices = lead && isNative(name) ? readVoices(places, lead.session) : [];
  const needsSearch = isNative(name) || team.members.some((member) => !member.sessionId);
  const speaking = (needsSearch ? readSessions(places) : []).filter((one) => one.team === name && !one.next);
  const newest = (records: SessionRecord[], agent: string) =>
    records.filter((one) => one.agent === agent).sort((a, b) => b.lastSeen.localeCompare(a.lastSeen))[0];
  return (member: RosterMember, isLead: boolean): SessionRecord | undefined =>
    latest(places, member.sessionId) ??
    (isLead ? lead : undefined) ??
    newest(speaking, member.name) ??
    newest(voices, member.name);
}

const LONGEST_LINEAGE = 50;

/** The record a session goes by now, after every `/clear`; each file is read once, since a board reads hundreds. */
function latest(places: Seeing["places"], session: string | undefined): SessionRecord | undefined {
  let found: SessionRecord | undefined;
  for (let at = session, n = 0; at && !whyNotSegment(at) && n < LONGEST_LINEAGE; at = found?.next, n++) {
    const next = readSession(places, { session: at });
    if (!next) break;
    found = next;
  }
  return found;
}

function memberEvidence(
  seeing: Looking,
  team: Roster,
  member: RosterMember,
  record: SessionRecord | undefined,
): Evidence {
  const isSuspended = team.status === "suspended";
  const mark = member.status;
  if (!record)
    return { isSuspended, mark, ...lifeOfMember(seeing.places, { ...member }), lastSign: member.lastSeen };
  const process = record.agentId ? readSession(seeing.places, { session: record.session }) : record;
  const life = lifeOf({ pid: process?.pid, startedAt: process?.pidStartedAt });
  const proof = life === "gone" ? `process ${process?.pid} has ended` : undefined;
  return { isSuspended, mark, life, proof, ...ofSession(seeing, record) };
}

function ofSession(seeing: Looking, record: SessionRecord): Pick<Evidence, "session" | "lastSign"> {
  const { places, now, voiced } = seeing;
  const isAlone = record.agentId !== undefined || !voiced.has(record.session);
  const voices = isAlone ? [] : readVoices(places, record.session).filter((voice) => !voice.endedAt);
  const { state, status, failure, tool, endedAt, endReason } = record;
  return {
    session: {
      state,
      status,
      failure,
      tool,
      endedAt,
      endReason,
      isProbablyWaiting: isProbablyWaiting(record, now),
    },
    lastSign: [record, ...voices]
      .map((one) => one.lastSeen)
      .sort()
      .at(-1),
  };
}

const silentAfterMs = ({ loaded }: Seeing) => loaded.values["heartbeat.stale_s"] * 1_000;
const signOf = (lastSeen: string | undefined, now: Date) => ({ lastSign: age(lastSeen, now), lastSeen });

type Owned = ReadonlyMap<string | undefined, OpenTask[]>;

function byOwner(tasks: readonly OpenTask[]): Owned {
  const owned = new Map<string | undefined, OpenTask[]>();
  for (const task of tasks)
    if (task.owner && task.status === "in_progress") {
      const others = owned.get(task.owner);
      if (others) others.push(task);
      else owned.set(task.owner, [task]);
    }
  return owned;
}

function taskOf(tasks: Owned, { name, agentId }: RosterMember): string | undefined {
  const [first, ...more] = [...(tasks.get(name) ?? []), ...(tasks.get(agentId) ?? [])];
  return first && `#${first.id} ${first.subject}${more.length > 0 ? ` (+${more.length})` : ""}`;
}

const FRESH_MS = 120_000;

/** What the status line was told, where it was told lately: one small file instead of a transcript. */
function freshBridge(places: Seeing["places"], { session, lastSeen }: SessionRecord): number | undefined {
  const { tokens, window, at } = readBridge(places, session) ?? {};
  if (!tokens || !window || !at || Date.parse(lastSeen) - Date.parse(at) > FRESH_MS) return undefined;
  return (100 * tokens) / window;
}

function contextOf(seeing: Looking, record: SessionRecord | undefined): number | undefined {
  const { places, loaded, compactWindow, measured } = seeing;
  if (!record) return undefined;
  const { session, agentId } = record;
  const isMeasured = measured.has(session);
  if (!isMeasured && !loaded.values["context.window"] && !compactWindow) return undefined;
  const seen = agentId || !isMeasured ? undefined : freshBridge(places, record);
  if (seen) return seen;
  const transcript =
    record.transcript ?? (agentId ? readSession(places, { session })?.transcript : undefined);
  if (!transcript) return undefined;
  const speaking = { session_id: session, transcript_path: transcript, agent_id: agentId };
  return contextUse(places, speaking, { setting: loaded.values["context.window"], compactWindow, isMeasured })
    ?.share;
}
