// `swarm session` and `swarm event`.
import { badCall, byAction, type Call, command, refused } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainJson, plainLines } from "../core/text.ts";
import {
  appendLifecycle,
  lifecycleEvent,
  lifecycleLine,
  offerToDaemon,
  SOURCE_KINDS,
} from "./store/lifecycle.ts";
import {
  afterTransition,
  findSession,
  isOpenSession,
  isProbablyWaiting,
  lifeOfRecord,
  mostUrgent,
  newestFirst,
  readSession,
  readSessions,
  readSubagents,
  type SessionRecord,
  updateSession,
} from "./store/sessions.ts";

export const commands = [
  command({
    name: "session",
    summary: "list, show and check sessions",
    usage: `swarm session list [--all] | show [ID|last] | seen [ID]
Without an ID: the session this is called from. list shows those still running, --all the ended ones too.
seen marks what waited for attention as looked at.`,
    flags: { all: "switch", "session-id": "text" },
    sessionId: "subject",
    words: { list: 0, show: 1, seen: 1 },
    run: byAction({ list, show, seen }),
  }),
  command({
    name: "event",
    summary: "tell the lifecycle log about an agent that is no Claude Code session",
    usage: `swarm event <event> --agent NAME --team TEAM --session-id ID [--source atm_mcp|agent_hook|unknown] [--payload JSON|-]
Appends one line to the lifecycle log and offers it to an ATM daemon, as the hooks do for Claude Code itself.
<event> is session_start, teammate_idle, session_end, …; needs a .atm.toml in this project.`,
    flags: { agent: "text", team: "text", "session-id": "text", source: "text", payload: "text" },
    sessionId: "data",
    words: 1,
    team: "data",
    run: emitEvent,
  }),
];

type SessionFlags = { all: "switch"; "session-id": "text" };

function list(call: Call<SessionFlags>) {
  const all = readSessions(call.paths).sort(newestFirst);
  const shown = call.flags.all ? all : all.filter(isRunning);
  const rows = shown.map((record) => summary(call, record));
  const hidden = all.length - shown.length;
  const lines = rows.map(
    (row) =>
      `${row.session}  ${row.life === "gone" ? "ended" : row.state}  ${row.status}${row.isProbablyWaiting ? " (probably waiting for permission)" : ""}  ${row.who}  ${row.lastSeen}`,
  );
  if (hidden > 0) lines.push(`(${hidden} ended; --all shows them)`);
  return { text: plainLines(lines) || "no session yet", data: rows };
}

/** The record of a killed client stays open until the next session starts. */
const isRunning = (record: SessionRecord) => isOpenSession(record) && lifeOfRecord(record) !== "gone";

function summary(call: Call<SessionFlags>, record: SessionRecord) {
  const subagents = readSubagents(call.paths, record.session).filter((one) => !one.endedAt);
  const agents = [record, ...subagents];
  const statuses = agents.map(({ status }) => status);
  const waits = agents.some((one) => isProbablyWaiting(one, call.now));
  return {
    session: record.session,
    state: record.state,
    status: mostUrgent(waits ? [...statuses, "attention"] : statuses),
    isProbablyWaiting: waits,
    life: lifeOfRecord(record),
    who: record.agent ? `${record.agent}@${record.team ?? "-"}` : "-",
    subagents: subagents.length,
    lastSeen: record.lastSeen,
  };
}

function find(call: Call<SessionFlags>): SessionRecord {
  const id = call.words[1] ?? call.session ?? "last";
  const all = readSessions(call.paths).sort(newestFirst);
  const exact =
    id === "last" ? all[0] : (findSession(call.paths, id) ?? all.find((one) => one.wrapper === id));
  if (exact) return exact;
  const [only, ...more] = all.filter((one) => one.session.startsWith(id));
  if (!only) throw refused(`there is no session ${id}`, "swarm session list --all lists them");
  if (more.length > 0)
    throw badCall(`${id} could be ${[only, ...more].map((one) => one.session).join(" or ")}`);
  return only;
}

function show(call: Call<SessionFlags>) {
  const record = find(call);
  const subagents = readSubagents(call.paths, record.session);
  const data = { ...record, life: lifeOfRecord(record), subagents };
  return { text: plainJson(data, 2), data };
}

function seen(call: Call<SessionFlags>) {
  const { session } = find(call);
  const look = (stored?: SessionRecord) => stored && { ...stored, ...afterTransition("seen", stored) };
  const record = updateSession(call.paths, { session }, look);
  return { text: `${session} is ${record?.status}`, data: { session, status: record?.status } };
}

// `swarm event`: other adapters write the same lines as our hooks (ATM hooks).
type EventFlags = Record<"agent" | "team" | "session-id" | "source" | "payload", "text">;

function emitEvent(call: Call<EventFlags>) {
  if (!call.loaded.projectFile)
    throw new Error(
      "there is no .atm.toml in this project, and the lifecycle log is kept only where there is one",
    );
  const event = asLifecycle(call);
  appendLifecycle(call.paths, event);
  offerToDaemon(call.paths, event);
  return { text: `${event.event} of ${event.agent}@${event.team} is in the log`, data: lifecycleLine(event) };
}

function asLifecycle(call: Call<EventFlags>) {
  const event = call.words[0]?.replaceAll("-", "_");
  if (!event || !/^[a-z][a-z0-9_]{0,63}$/.test(event))
    throw badCall("which event? for example session_start");
  const agent = call.flags.agent ?? call.identity.agent;
  const team = call.flags.team ?? call.identity.team;
  if (!agent || !team || !call.session) throw badCall("--agent, --team and --session-id are needed here");
  const bad = whyNotSegment(agent) ?? whyNotSegment(team);
  if (bad) throw badCall(`a name ${bad}`);
  if (call.sessionId && call.session !== call.sessionId && readSession(call.paths, { session: call.session }))
    throw new Error(`session ${call.session} reports its own events; this is session ${call.sessionId}`);
  const kind = SOURCE_KINDS.find((one) => one === (call.flags.source ?? "unknown"));
  if (!kind) throw badCall(`--source is one of ${SOURCE_KINDS.join(", ")}`);
  return lifecycleEvent(call, { event, agent, team, session_id: call.session }, kind, payloadOf(call));
}

function payloadOf(call: Call<EventFlags>): unknown {
  const text = call.flags.payload === "-" ? call.stdin() : (call.flags.payload ?? "{}");
  try {
    return JSON.parse(text);
  } catch {
    throw badCall("--payload is not JSON");
  }
}
