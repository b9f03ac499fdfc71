// `swarm session`: the registry as a person reads it.

import { badCall, type Call } from "../cli/command.ts";
import { plainJson, plainLines } from "../core/text.ts";
import { lifeOf } from "../system/processes.ts";
import { after, type State, type Status, worstOf } from "./states.ts";
import {
  isProbablyWaiting,
  readSession,
  readSessions,
  readSubagents,
  type SessionRecord,
  updateSession,
} from "./store/sessions.ts";

type Flags = { all: { type: "boolean" }; "session-id": { type: "string" } };

export function sessionVerb(call: Call<Flags>) {
  const [action = "list", id] = call.words;
  if (action === "list") return list(call);
  if (action === "show") return show(call, find(call, id));
  if (action === "seen") return seen(call, find(call, id));
  throw badCall(`list, show or seen, not ${JSON.stringify(action)}`);
}

function list(call: Call<Flags>) {
  const all = readSessions(call.paths).sort(newestFirst);
  const shown = call.flags.all ? all : all.filter(isOpen);
  const rows = shown.map((record) => summary(call, record));
  const hidden = all.length - shown.length;
  const lines = rows.map(
    (row) =>
      `${row.session}  ${row.state}  ${row.status}${row.isProbablyWaiting ? " (probably waiting for permission)" : ""}  ${row.who}  ${row.lastSeen}`,
  );
  if (hidden > 0) lines.push(`(${hidden} ended; --all shows them)`);
  return { text: plainLines(lines) || "no session yet", data: rows };
}

const newestFirst = (a: SessionRecord, b: SessionRecord) => b.lastSeen.localeCompare(a.lastSeen);
const isOpen = (record: SessionRecord) => !record.endedAt && !record["next"];

function summary(call: Call<Flags>, record: SessionRecord) {
  const voices = readSubagents(call.paths, record.session).filter((voice) => !voice.endedAt);
  return {
    session: record.session,
    state: record.state,
    status: worstOf([record, ...voices].map((one) => statusOf(one, call.now))),
    isProbablyWaiting: [record, ...voices].some((one) => isProbablyWaiting(one, call.now)),
    life: record.endedAt ? "gone" : lifeOf({ pid: record.pid, startedAt: record.pidStartedAt }),
    who: record.agent ? `${record.agent}@${record.team ?? "-"}` : "-",
    voices: voices.length,
    lastSeen: record.lastSeen,
  };
}

/** Inferred, so it never hides what was said. */
const statusOf = (record: SessionRecord, now: Date): Status =>
  isProbablyWaiting(record, now)
    ? worstOf([record.status as Status, "attention"])
    : (record.status as Status);

function find(call: Call<Flags>, asked: string | undefined): SessionRecord {
  const id = asked ?? call.session ?? "last";
  if (id !== "last") {
    const all = readSessions(call.paths);
    const found =
      readSession(call.paths, { session: id }) ??
      onlyOne(
        all.filter((one) => one.session.startsWith(id)),
        id,
      );
    if (found) return found;
  }
  const newest = id === "last" ? readSessions(call.paths).sort(newestFirst)[0] : undefined;
  if (!newest) throw new Error(`there is no session ${id}`);
  return newest;
}

function onlyOne(found: SessionRecord[], id: string): SessionRecord | undefined {
  if (found.length > 1) throw badCall(`${id} could be ${found.map((one) => one.session).join(" or ")}`);
  return found[0];
}

function show(call: Call<Flags>, record: SessionRecord) {
  const voices = readSubagents(call.paths, record.session);
  const data = { ...record, life: summary(call, record).life, voices };
  return { text: plainJson(data, 2), data };
}

function seen(call: Call<Flags>, { session }: SessionRecord) {
  const record = updateSession(call.paths, { session }, (stored) =>
    stored ? { ...stored, ...after("seen", stored.state as State, stored.status as Status) } : undefined,
  );
  return { text: `${session} is ${record?.status}`, data: { session, status: record?.status } };
}
