// Everything seen of the agents of a team, or of the sessions of this machine, as rows of the board.

import type { Call } from "../../cli/command.ts";
import { contextUse, readWindowReading, sessionsWithReading } from "../../context/store/window.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { countUnread } from "../../mail/store/inbox.ts";
import {
  isProbablyWaiting,
  readSession,
  readSessions,
  readSubagents,
  type SessionRecord,
  sessionsWithSubagents,
} from "../../sessions/store/sessions.ts";
import { lifeOf } from "../../system/processes.ts";
import { readOpenTasks, type Task } from "../../tasks/store.ts";
import { isLead, isNative, type Member, type Team } from "../store/config.ts";
import { lifeOfMember } from "../store/liveness.ts";
import { age, type Evidence, stateOf } from "./state.ts";
import type { Row } from "./table.ts";

export type Seeing = Pick<Call<Record<never, never>>, "paths" | "now" | "loaded" | "compactWindow">;

interface Looking extends Seeing {
  /** Sessions in which others speak too. */
  voiced: ReadonlySet<string>;
  /** Sessions of whose context window something is known. */
  measured: ReadonlySet<string>;
}

const looking = ({ paths, now, loaded, compactWindow }: Seeing): Looking => ({
  paths,
  now,
  loaded,
  compactWindow,
  voiced: sessionsWithSubagents(paths),
  measured: sessionsWithReading(paths),
});

export interface AgentRow extends Row {
  session?: string;
  team?: string;
  lastSeen?: string;
}

const MOST_TASKS = 1_000;

export function teamRows(call: Seeing, name: string, team: Team): AgentRow[] {
  const seeing = looking(call);
  const tasks = byOwner(readOpenTasks(seeing.paths, name, { newest: MOST_TASKS }));
  const find = recordFinder(seeing, name, team);
  return team.members.map((member) => {
    const leads = isLead(team, member);
    const record = find(member, leads);
    const evidence = memberEvidence(seeing, team, member, record);
    return {
      agent: member.name,
      role: leads ? "lead" : (record?.role ?? member.agentType),
      ...stateOf(evidence, seeing.now, silentAfterMs(seeing)),
      task: taskOf(tasks, member) ?? record?.statusText,
      context: evidence.life === "gone" ? undefined : contextOf(seeing, record),
      unread: whyNotSegment(member.name) ? undefined : countUnread(seeing.paths, name, member.name),
      ...signOf(evidence.lastSign, seeing.now),
      session: record?.session,
      team: name,
    };
  });
}

export function sessionRows(call: Seeing): AgentRow[] {
  const seeing = looking(call);
  return readSessions(seeing.paths)
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
    unread: agent && team ? countUnread(seeing.paths, team, agent) : undefined,
    ...signOf(evidence.lastSign, seeing.now),
    session: record.session,
    team,
  };
}

/** A session by the roster's own id, a teammate inside the lead's session by its voice, else by the name it speaks under. */
function recordFinder({ paths }: Seeing, name: string, team: Team) {
  const lead = latest(paths, team.leadSessionId);
  const voices = lead && isNative(name) ? readSubagents(paths, lead.session) : [];
  const needsSearch = isNative(name) || team.members.some((member) => !member.sessionId);
  const speaking = (needsSearch ? readSessions(paths) : []).filter((one) => one.team === name && !one.next);
  const newest = (records: SessionRecord[], agent: string) =>
    records.filter((one) => one.agent === agent).sort((a, b) => b.lastSeen.localeCompare(a.lastSeen))[0];
  return (member: Member, isLead: boolean): SessionRecord | undefined =>
    latest(paths, member.sessionId) ??
    (isLead ? lead : undefined) ??
    newest(speaking, member.name) ??
    newest(voices, member.name);
}

const LONGEST_LINEAGE = 50;

/** The record a session goes by now, after every `/clear`; each file is read once, since a board reads hundreds. */
function latest(paths: Seeing["paths"], session: string | undefined): SessionRecord | undefined {
  let found: SessionRecord | undefined;
  for (let at = session, n = 0; at && !whyNotSegment(at) && n < LONGEST_LINEAGE; at = found?.next, n++) {
    const next = readSession(paths, { session: at });
    if (!next) break;
    found = next;
  }
  return found;
}

function memberEvidence(
  seeing: Looking,
  team: Team,
  member: Member,
  record: SessionRecord | undefined,
): Evidence {
  const isSuspended = team.status === "suspended";
  const mark = member.status;
  if (!record)
    return { isSuspended, mark, ...lifeOfMember(seeing.paths, { ...member }), lastSign: member.lastSeen };
  const process = record.agentId ? readSession(seeing.paths, { session: record.session }) : record;
  const life = lifeOf({ pid: process?.pid, startedAt: process?.pidStartedAt });
  const proof = life === "gone" ? `process ${process?.pid} has ended` : undefined;
  return { isSuspended, mark, life, proof, ...ofSession(seeing, record) };
}

function ofSession(seeing: Looking, record: SessionRecord): Pick<Evidence, "session" | "lastSign"> {
  const { paths, now, voiced } = seeing;
  const isAlone = record.agentId !== undefined || !voiced.has(record.session);
  const voices = isAlone ? [] : readSubagents(paths, record.session).filter((voice) => !voice.endedAt);
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

type Owned = ReadonlyMap<string | undefined, Task[]>;

function byOwner(tasks: readonly Task[]): Owned {
  const owned = new Map<string | undefined, Task[]>();
  for (const task of tasks)
    if (task.owner && task.status === "in_progress") {
      const others = owned.get(task.owner);
      if (others) others.push(task);
      else owned.set(task.owner, [task]);
    }
  return owned;
}

function taskOf(tasks: Owned, { name, agentId }: Member): string | undefined {
  const [first, ...more] = [...(tasks.get(name) ?? []), ...(tasks.get(agentId) ?? [])];
  return first && `#${first.id} ${first.subject}${more.length > 0 ? ` (+${more.length})` : ""}`;
}

const FRESH_MS = 120_000;

/** What the status line was told, where it was told lately: one small file instead of a transcript. */
function freshBridge(paths: Seeing["paths"], { session, lastSeen }: SessionRecord): number | undefined {
  const { tokens, window, at } = readWindowReading(paths, session) ?? {};
  if (!tokens || !window || !at || Date.parse(lastSeen) - Date.parse(at) > FRESH_MS) return undefined;
  return (100 * tokens) / window;
}

function contextOf(seeing: Looking, record: SessionRecord | undefined): number | undefined {
  const { paths, loaded, compactWindow, measured } = seeing;
  if (!record) return undefined;
  const { session, agentId } = record;
  const isMeasured = measured.has(session);
  if (!isMeasured && !loaded.values["context.window"] && !compactWindow) return undefined;
  const seen = agentId || !isMeasured ? undefined : freshBridge(paths, record);
  if (seen) return seen;
  const transcript = record.transcript ?? (agentId ? readSession(paths, { session })?.transcript : undefined);
  if (!transcript) return undefined;
  const speaking = { session_id: session, transcript_path: transcript, agent_id: agentId };
  return contextUse(paths, speaking, { setting: loaded.values["context.window"], compactWindow, isMeasured })
    ?.share;
}
