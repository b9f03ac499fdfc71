// Reads logs, inboxes, task lists and session records of a period into one story.

import type { Call } from "../../cli/command.ts";
import { contextOfSession } from "../../context/store/window.ts";
import { type JournalLine, readJournalSince, textIn } from "../../core/journal.ts";
import { addTo } from "../../core/lists.ts";
import { once } from "../../core/process.ts";
import { toText } from "../../core/text.ts";
import { readAllMail } from "../../mail/store/inbox.ts";
import { listMailboxes } from "../../mail/store/mailbox-files.ts";
import type { Message } from "../../mail/store/message.ts";
import { costRows, money, tokens } from "../../people/store/summary.ts";
import { readLifecycleSince } from "../../sessions/store/lifecycle.ts";
import {
  inProcessName,
  isOpenSession,
  lifeOfRecord,
  readSessions,
  type SessionRecord,
} from "../../sessions/store/sessions.ts";
import { idsIn, isOpen, proofOf, readSoundTask, statusOf } from "../../tasks/store.ts";
import { leadOf, listTeams, readTeam } from "../../teams/store/config.ts";
import { interferenceText, type Run, readAllRuns, verdictOf } from "../../worktrees/store/runs.ts";
import { type Entry, entryOf, type Level, messageEntry, type Sign, shortLine } from "./story.ts";
import { levelsOf, spansOf, stateIn } from "./timeline.ts";

export type Asking = Pick<Call, "paths" | "now" | "loaded" | "compactWindow">;
type Reading = Asking & { only: string | undefined; countingFailures: <T>(read: () => T[]) => T[] };

/** Lines and records of the period, each with `who`: its agent's name on the page. */
type Past = ReturnType<typeof pastOf>;

export type Story = ReturnType<typeof gather>;

/** Of one team only, or of everything on this machine. */
export function gather(call: Asking, only: string | undefined, from: Date) {
  const { paths, now, loaded, compactWindow } = call;
  let unreadable = 0;
  /** One file or entry that cannot be read must not hide the others: what fails is counted and left out. */
  const countingFailures = <T>(read: () => T[]): T[] => {
    try {
      return read();
    } catch {
      unreadable++;
      return [];
    }
  };
  const asking = { paths, now, loaded, compactWindow, only, countingFailures };
  const teams = only === undefined ? listTeams(paths) : [only];
  const known = pastOf(asking, from);
  const mail = teams.flatMap((team) => countingFailures(() => mailOf(asking, team, known.from)));
  const tasks = teams.flatMap((team) => countingFailures(() => tasksOf(asking, team)));
  const early = earlyCompletions(known, tasks, only);
  const logged = known.lines.flatMap((line) =>
    Date.parse(line.at) < known.from || early.has(line) ? [] : (entryOf(line, line.who) ?? []),
  );
  const entries = [...logged, ...mail].sort((a, b) => a.at - b.at);
  const past = { ...known, ...bounds(known, entries) };
  return {
    title: only ?? "this machine",
    from: past.from,
    to: past.to,
    /** Minutes to add to UTC for the local time of this machine. */
    zone: -now.getTimezoneOffset(),
    lanes: lanesOf(asking, past, entries),
    entries,
    tasks,
    runs: runsOf(asking, past.from),
    unreadable,
    /** A function, because the live view asks for the rest at every change, and counts on its own. */
    costs: once(() => costsOf(asking, new Date(past.from))),
  };
}

/** Test and build runs. */
function runsOf({ paths, only, countingFailures }: Reading, from: number) {
  const rowOf = (run: Run) => ({
    id: shortLine(run.id, 40),
    agent: nameOnPage(shortLine(run.agent, 60), run.team, only),
    command: shortLine(run.command, 120),
    exit: run.exitCode === undefined ? "" : `${toText(run.exitCode)}${run.isWhole ? " (whole command)" : ""}`,
    /** A fingerprint of the tree it ran on. */
    tree: shortLine(run.fingerprint, 40),
    verdict:
      run.others.length > 0 ? shortLine(`void: ${interferenceText(run.others, "it")}`) : verdictOf(run),
  });
  return readAllRuns(paths)
    .filter((run) => Date.parse(run.ended) >= from && (only === undefined || run.team === only))
    .flatMap((run) => countingFailures(() => [rowOf(run)]));
}

/** By agent; none where nothing was counted. */
function costsOf(asking: Reading, since: Date) {
  const { totals, rows, isWhole } = costRows(asking, asking.only, since);
  if (totals.messages === 0) return undefined;
  return {
    total: money(totals) + (isWhole ? "" : ", not all read yet"),
    rows: rows.map((row) => ({
      agent: shortLine(row.key, 60),
      messages: row.messages,
      output: tokens(row.output),
      usd: money(row),
    })),
  };
}

function pastOf({ paths, now, only }: Reading, from: Date) {
  // A clock that was set back leaves lines of a time that is still to come.
  const isPast = ({ at }: { at: string }) => Date.parse(at) <= now.getTime();
  const lines = readJournalSince(paths, from, now).filter(isPast);
  // Of several sessions of one name the last that was seen counts.
  const records = readSessions(paths).sort((a, b) => (a.lastSeen < b.lastSeen ? -1 : 1));
  const cast = castOf(records, lines);
  const heard = new Set(lines.map(({ session }) => session));
  const wanted = <T extends { session: string }>(one: T, speaker: Speaker) =>
    only === undefined || speaker.team === only ? [{ ...one, who: labelOf(speaker, one.session, only) }] : [];
  return {
    from: from.getTime(),
    to: now.getTime(),
    lines: lines.flatMap((line) => wanted(line, speakerOf(line, cast))),
    records: records.flatMap((record) => wanted(record, cast.get(record.session) ?? {})),
    // Our own hooks' lines are in the journal as well.
    events: readLifecycleSince(paths, from)
      .filter((line) => isPast(line) && (line.source !== "claude_hook" || !heard.has(line.session)))
      .flatMap((line) => wanted({ ...line, what: line.type }, { team: line.team, name: line.agent })),
  };
}

const MARGIN = 0.02;
const LEAST_MS = 60_000;

/** Cut off the time before the first line, and after everybody ended. */
function bounds({ from, to, lines, records, events }: Past, entries: readonly Entry[]) {
  const moments = [...lines, ...events].map(({ at }) => Date.parse(at)).concat(entries.map(({ at }) => at));
  const first = moments.reduce((a, b) => Math.min(a, b), to);
  const last = moments.reduce((a, b) => Math.max(a, b), first);
  const isOpen = records.some((one) => lifeOfRecord(one) !== "gone");
  const end = isOpen || moments.length === 0 || last < from ? to : last;
  const margin = Math.max(LEAST_MS, (end - first) * MARGIN);
  return { from: Math.max(from, first - margin), to: Math.min(to, end + margin) };
}

function lanesOf(asking: Reading, past: Past, entries: readonly Entry[]) {
  const own = past.lines.filter((line) => !isSubagent(line));
  const lines = grouped(own, ({ who }) => who);
  const signs = grouped(signsOf(past, own), ({ agent }) => agent);
  const roster = asking.only === undefined ? undefined : readTeam(asking.paths, asking.only);
  const members = (roster?.members ?? []).map(({ name }) => shortLine(name, 60));
  const wasThere = (last: Sign | undefined) => last && (last.at >= past.from || last.state !== "gone");
  const seen = [...signs].filter(([, all]) => wasThere(all.at(-1)));
  const talking = asking.only === undefined ? [] : entries.filter(({ kind }) => kind === "message");
  const names = new Set([...members, ...seen.map(([name]) => name), ...talking.map(({ agent }) => agent)]);
  const roles = rolesOf(past, roster?.members ?? []);
  const isOpenNow = (one: SessionRecord) => isOpenSession(one) && Date.parse(one.lastSeen) >= past.from;
  const open = new Map(past.records.filter(isOpenNow).map((record) => [record.who, record]));
  return [...names]
    .map((agent) => {
      const record = open.get(agent);
      const known = levelsOf(lines.get(agent) ?? [], past.from);
      return {
        agent,
        role: agent === shortLine(leadOf(roster), 60) ? "lead" : (roles.get(agent) ?? ""),
        spans: spansOf(signs.get(agent) ?? [], past.from, past.to),
        levels: record
          ? [...known, ...asking.countingFailures(() => levelNow(asking, record, known))]
          : known,
      };
    })
    .sort((a, b) => Number(b.role === "lead") - Number(a.role === "lead"));
}

function grouped<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) addTo(groups, key(one), one);
  return groups;
}

/** In order of time; of two at a moment that of a session that begins counts, not that of one that ends. */
function signsOf(past: Past, lines: Past["lines"]): Sign[] {
  const said = [...lines, ...past.events].flatMap((line): Sign[] => {
    const state = stateIn(line);
    return state ? [{ at: Date.parse(line.at), agent: line.who, state }] : [];
  });
  return [...ends(past), ...said].sort((a, b) => a.at - b.at);
}

/** A crash is not logged: when the process or its record is gone, its last sign was its end, and that of the agents inside it. After
 *  `/clear` a session ends when the next one begins. */
function ends({ lines, records, to }: Past): Sign[] {
  const known = new Map(records.map((record) => [record.session, record]));
  const isOwn = ({ event, session, what }: JournalLine) =>
    event !== "command" && session !== "" && !ABOUT_OTHERS.has(what);
  const own = grouped(lines.filter(isOwn), ({ session }) => session);
  return [...new Set([...known.keys(), ...own.keys()])].flatMap((session): Sign[] => {
    const record = known.get(session);
    if (record && !record.next && lifeOfRecord(record) !== "gone") return [];
    const said = own.get(session) ?? [];
    const seen = [said.at(-1)?.at, record?.lastSeen].map((at) => Date.parse(at ?? "") + 1);
    const next = Date.parse(known.get(record?.next ?? "")?.startedAt ?? "");
    const at = Math.min(to, Math.max(...[...seen, next].filter(Number.isFinite)));
    const agents = new Set([...(record ? [record.who] : []), ...said.map(({ who }) => who)]);
    return [...agents].map((agent) => ({ at, agent, state: "gone" }));
  });
}

function rolesOf({ records }: Past, members: readonly { name: string; agentType?: string }[]) {
  return new Map([
    ...members.map(({ name, agentType }) => [shortLine(name, 60), shortLine(agentType, 60)] as const),
    ...records.flatMap(({ who, role, isLead }): [string, string][] =>
      isLead ? [[who, "lead"]] : role ? [[who, shortLine(role, 60)]] : [],
    ),
  ]);
}

/** Also below the first level that is worth a warning. */
function levelNow(asking: Asking, record: SessionRecord, known: readonly Level[]): Level[] {
  const share = contextOfSession(asking, record)?.share;
  const at = Math.max(Date.parse(record.lastSeen), known.at(-1)?.at ?? 0);
  return share === undefined ? [] : [{ at, share: Math.floor(share) }];
}

const taskName = (id: string, team: string, only: string | undefined) =>
  team === only ? `#${id}` : `${shortLine(team, 40)} #${id}`;

/** The client reports a completion at each turn end of a teammate that owns open work: only the last can be true. */
function earlyCompletions({ lines }: Past, tasks: ReturnType<typeof tasksOf>, only: string | undefined) {
  const notDone = new Set(tasks.filter(isOpen).map(({ id }) => id));
  return new Set<JournalLine>(
    lines.toReversed().filter((line) => {
      if (line.event !== "TaskCompleted" || !textIn(line, "team")) return false;
      const name = taskName(toText(line["task"]), textIn(line, "team"), only);
      const isEarly = notDone.has(name);
      notDone.add(name);
      return isEarly;
    }),
  );
}

function tasksOf({ paths, only, countingFailures }: Reading, team: string) {
  const named = (id: string) => taskName(id, team, only);
  const tasks = idsIn(paths, team).flatMap((id) =>
    countingFailures(() => [readSoundTask(paths, team, id) ?? []].flat()),
  );
  const open = new Set(tasks.filter(isOpen).map(({ id }) => id));
  return tasks.map((task) => ({
    id: named(task.id),
    subject: shortLine(task.subject),
    status: shortLine(statusOf(task), 20),
    owner: shortLine(task.owner, 60),
    /** Open ones. */
    blockedBy: [...new Set(task.blockedBy)].filter((id) => open.has(id)).map(named),
    /** Of a completed one: what verified it, or that nothing did. */
    proof: shortLine(proofOf(task), 160),
  }));
}

// Which agent a line is about: sessions and in-process teammates by the name their team uses.
export interface Speaker {
  team?: string;
  name?: string;
}

/** By session id; a later line about the same session adds to an earlier one. */
export type Cast = ReadonlyMap<string, Speaker>;

export function castOf(
  records: readonly Pick<SessionRecord, "session" | "team" | "agent">[],
  lines: readonly JournalLine[],
): Cast {
  const cast = new Map<string, Speaker>();
  const add = (session: string, team = "", name = "") => {
    const known = cast.get(session);
    cast.set(session, { team: team || known?.team, name: name || known?.name });
  };
  for (const { session, team, agent } of records) add(session, team, agent);
  for (const line of lines)
    if (line.agent === "main" && line.feature === "sessions" && !namesTeammate(line, cast))
      add(line.session, textIn(line, "team"), textIn(line, "name"));
  return cast;
}

/** In client 2.1.197 these come without the id of an in-process teammate, in the session of its lead. */
const BY_TEAMMATES = new Set(["TeammateIdle", "TaskCreated", "TaskCompleted"]);
const namesTeammate = (line: JournalLine, cast: Cast): boolean =>
  BY_TEAMMATES.has(line.event) && textIn(line, "name") !== "" && cast.get(line.session)?.name !== undefined;

/** Lines about another agent than the one that wrote them. */
const ABOUT_OTHERS = new Set(["member-crashed", "member-state"]);

export function speakerOf(line: JournalLine, cast: Cast): Speaker {
  const session = cast.get(line.session);
  const team = textIn(line, "team") || textIn(line, "list") || session?.team;
  if (ABOUT_OTHERS.has(line.what) || namesTeammate(line, cast)) return { team, name: textIn(line, "name") };
  const named = inProcessName(line.agent) ?? (namesItsAgent(line) ? line.agent : undefined);
  return { team, name: named || session?.name };
}

/** Verbs, and what is written outside any session, name the agent; hooks have the id of a subagent there. */
const namesItsAgent = ({ event, session, agent, what }: JournalLine): boolean =>
  agent !== "main" && (event === "command" || session === "" || what === "member-ended");

export function labelOf({ team, name }: Speaker, session: string, only: string | undefined): string {
  const own = shortLine(name, 60);
  return own ? nameOnPage(own, team, only) : shortLine(session.slice(0, 8)) || "you";
}

/** Plain in a report of that team only, with the team where several meet. */
const nameOnPage = (name: string, team: string | undefined, only: string | undefined) =>
  !team || team === only ? name : `${name}@${shortLine(team, 60)}`;

/** A subagent's states and context are not those of the session it works in. */
export const isSubagent = ({ event, agent, what }: JournalLine): boolean =>
  event !== "command" && agent !== "main" && what !== "member-ended" && inProcessName(agent) === undefined;

// A team's messages of a period, read or unread, from its inboxes and archives.
function mailOf({ paths, now, only, countingFailures }: Reading, team: string, from: number) {
  const entryFor = (message: Message, reader: string): Entry[] => {
    const entry = messageEntry(message, shortLine(reader, 60), now);
    if (!(entry.at >= from && entry.at <= now.getTime())) return [];
    const shown = (name: string) => nameOnPage(name, team, only);
    return [{ ...entry, agent: shown(entry.agent), to: shown(entry.to) }];
  };
  return listMailboxes(paths, team).flatMap((reader) =>
    countingFailures(() => readAllMail(paths, team, reader)).flatMap((message) =>
      countingFailures(() => entryFor(message, reader)),
    ),
  );
}
