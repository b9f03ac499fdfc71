// Reads logs, inboxes, task lists and session records of a period into one story.
import type { Call } from "../../cli/command.ts";
import { contextOfSession } from "../../context/store/window.ts";
import { type JournalLine, readJournalSince, textIn } from "../../core/journal.ts";
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
import { isOpen, proofOf, readTasks, statusOf } from "../../tasks/store.ts";
import { leadOf, listTeams, readTeam } from "../../teams/store/config.ts";
import { interferenceText, type Run, readAllRuns, verdictOf } from "../../worktrees/store/runs.ts";
import {
  type Entry,
  entryOf,
  type Lane,
  type LaneState,
  type Level,
  messageEntry,
  type RunRow,
  type Sign,
  type Story,
  shortLine,
  type TaskRow,
} from "./story.ts";
import { levelsOf, spansOf, stateInJournal, stateInLifecycle } from "./timeline.ts";

export type Asking = Pick<Call, "paths" | "now" | "loaded" | "compactWindow">;
type Reading = Asking & { ifReadable: <T>(read: () => T[]) => T[] };

/** Lines and records of the period, each with `who`: its agent's name on the page. */
type Past = ReturnType<typeof pastOf>;

/** Of one team, or of everything on this machine. */
export function gather(call: Asking, team: string | undefined, from: Date): Story {
  const { paths, now, loaded, compactWindow } = call;
  let unreadable = 0;
  /** One file or entry that cannot be read must not hide the others: what fails is counted and left out. */
  const ifReadable = <T>(read: () => T[]): T[] => {
    try {
      return read();
    } catch {
      unreadable++;
      return [];
    }
  };
  const asking: Reading = { paths, now, loaded, compactWindow, ifReadable };
  const teams = team === undefined ? listTeams(paths) : [team];
  const known = pastOf(asking, team, from);
  const mail = teams.flatMap((one) => mailOf(asking, one, known.from, team !== undefined));
  const tasks = teams.flatMap((one) => tasksOf(asking, one, team !== undefined));
  const early = earlyCompletions(known, tasks);
  const logged = known.lines.flatMap((line) =>
    Date.parse(line.at) < known.from || early.has(line) ? [] : (entryOf(line, line.who) ?? []),
  );
  const entries = [...logged, ...mail].sort((a, b) => a.at - b.at);
  const past = { ...known, ...bounds(known, entries) };
  const costs = once(() => costsOf(asking, team, new Date(past.from)));
  return {
    title: team ?? "this machine",
    from: past.from,
    to: past.to,
    zone: -now.getTimezoneOffset(),
    lanes: lanesOf(asking, past, entries),
    entries,
    tasks,
    runs: runsOf(asking, team, past.from),
    unreadable,
    /** Counted when it is asked for: the live view asks for the rest at every change, and counts on its own. */
    get costs() {
      return costs();
    },
  };
}

function runsOf({ paths, ifReadable }: Reading, team: string | undefined, from: number): RunRow[] {
  return readAllRuns(paths)
    .filter((run) => Date.parse(run.ended) >= from && (team === undefined || run.team === team))
    .flatMap((run) => ifReadable(() => [runRow(run, team !== undefined)]));
}

const runRow = (run: Run, isOneTeam: boolean): RunRow => ({
  id: shortLine(run.id, 40),
  agent: nameOnPage(shortLine(run.agent, 60), run.team, isOneTeam),
  command: shortLine(run.command, 120),
  exit: run.exitCode === undefined ? "" : `${toText(run.exitCode)}${run.isWhole ? " (whole command)" : ""}`,
  tree: shortLine(run.fingerprint, 40),
  verdict: run.others.length > 0 ? shortLine(`void: ${interferenceText(run.others, "it")}`) : verdictOf(run),
});

function costsOf(asking: Asking, team: string | undefined, since: Date): Story["costs"] {
  const { totals, rows, isWhole } = costRows(asking, team, since);
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

function pastOf({ paths, now }: Asking, team: string | undefined, from: Date) {
  // A clock that was set back leaves lines of a time that is still to come.
  const isPast = ({ at }: { at: string }) => Date.parse(at) <= now.getTime();
  const lines = readJournalSince(paths, from, now).filter(isPast);
  // Of several sessions of one name the last that was seen counts.
  const records = readSessions(paths).sort((a, b) => (a.lastSeen < b.lastSeen ? -1 : 1));
  const cast = castOf(records, lines);
  const heard = new Set(lines.map(({ session }) => session));
  const wanted = <T extends { session: string }>(one: T, speaker: Speaker) =>
    team === undefined || speaker.team === team
      ? [{ ...one, who: labelOf(speaker, one.session, team !== undefined) }]
      : [];
  return {
    team,
    from: from.getTime(),
    to: now.getTime(),
    lines: lines.flatMap((line) => wanted(line, speakerOf(line, cast))),
    records: records.flatMap((record) => wanted(record, cast.get(record.session) ?? {})),
    // Our own hooks' lines are in the journal as well.
    events: readLifecycleSince(paths, from)
      .filter((line) => isPast(line) && (line.source !== "claude_hook" || !heard.has(line.session)))
      .flatMap((line) => wanted(line, { team: line.team, name: line.agent })),
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
  const end = isOpen || moments.length === 0 ? to : last;
  const margin = Math.max(LEAST_MS, (end - first) * MARGIN);
  return { from: Math.max(from, first - margin), to: Math.min(to, end + margin) };
}

function lanesOf(asking: Reading, past: Past, entries: readonly Entry[]): Lane[] {
  const own = past.lines.filter((line) => !isSubagent(line));
  const lines = grouped(own, ({ who }) => who);
  const signs = grouped(signsOf(past, own), ({ agent }) => agent);
  const roster = past.team === undefined ? undefined : readTeam(asking.paths, past.team);
  const members = (roster?.members ?? []).map(({ name }) => shortLine(name, 60));
  const wasThere = (last: Sign | undefined) => last && (last.at >= past.from || last.state !== "gone");
  const seen = [...signs].filter(([, all]) => wasThere(all.at(-1)));
  const talking = past.team === undefined ? [] : entries.filter(({ kind }) => kind === "message");
  const names = new Set([...members, ...seen.map(([name]) => name), ...talking.map(({ agent }) => agent)]);
  const roles = rolesOf(past, roster?.members ?? []);
  const isOpenNow = (one: SessionRecord) => isOpenSession(one) && Date.parse(one.lastSeen) >= past.from;
  const open = new Map(past.records.filter(isOpenNow).map((record) => [record.who, record]));
  return [...names]
    .map((agent): Lane => {
      const record = open.get(agent);
      const known = levelsOf(lines.get(agent) ?? [], past.from);
      return {
        agent,
        role: agent === shortLine(leadOf(roster), 60) ? "lead" : (roles.get(agent) ?? ""),
        spans: spansOf(signs.get(agent) ?? [], past.from, past.to),
        levels: record ? [...known, ...asking.ifReadable(() => levelNow(asking, record, known))] : known,
      };
    })
    .sort((a, b) => Number(b.role === "lead") - Number(a.role === "lead"));
}

function grouped<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
  }
  return groups;
}

/** In order of time; of two at a moment that of a session that begins counts, not that of one that ends. */
function signsOf(past: Past, lines: Past["lines"]): Sign[] {
  const signOf = ({ at, who }: { at: string; who: string }, state: LaneState | undefined): Sign[] =>
    state ? [{ at: Date.parse(at), agent: who, state }] : [];
  return [
    ...ends(past),
    ...lines.flatMap((line) => signOf(line, stateInJournal(line))),
    ...past.events.flatMap((line) => signOf(line, stateInLifecycle(line))),
  ].sort((a, b) => a.at - b.at);
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

const taskName = (id: string, team: string, isOne: boolean) =>
  isOne ? `#${id}` : `${shortLine(team, 40)} #${id}`;

/** The client reports a completion at each turn end of a teammate that owns open work: only the last can be true. */
function earlyCompletions({ lines, team }: Past, tasks: readonly TaskRow[]): ReadonlySet<JournalLine> {
  const notDone = new Set(tasks.filter(isOpen).map(({ id }) => id));
  return new Set(
    lines.toReversed().filter((line) => {
      if (line.event !== "TaskCompleted" || !textIn(line, "team")) return false;
      const name = taskName(toText(line["task"]), textIn(line, "team"), team !== undefined);
      const isEarly = notDone.has(name);
      notDone.add(name);
      return isEarly;
    }),
  );
}

function tasksOf({ paths }: Asking, team: string, isOne: boolean): TaskRow[] {
  const named = (id: string) => taskName(id, team, isOne);
  const tasks = readTasks(paths, team);
  const open = new Set(tasks.filter(isOpen).map(({ id }) => id));
  return tasks.map((task) => ({
    id: named(task.id),
    subject: shortLine(task.subject),
    status: shortLine(statusOf(task), 20),
    owner: shortLine(task.owner, 60),
    blockedBy: [...new Set(task.blockedBy)].filter((id) => open.has(id)).map(named),
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

type Known = Pick<SessionRecord, "session" | "team" | "agent">;

export function castOf(records: readonly Known[], lines: readonly JournalLine[]): Cast {
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

export function labelOf({ team, name }: Speaker, session: string, isOneTeam: boolean): string {
  const own = shortLine(name, 60);
  return own ? nameOnPage(own, team, isOneTeam) : shortLine(session.slice(0, 8)) || "you";
}

/** Plain inside one team, with the team where several meet. */
const nameOnPage = (name: string, team: string | undefined, isOneTeam: boolean) =>
  isOneTeam || !team ? name : `${name}@${shortLine(team, 60)}`;

/** A subagent's states and context are not those of the session it works in. */
export const isSubagent = ({ event, agent, what }: JournalLine): boolean =>
  event !== "command" && agent !== "main" && what !== "member-ended" && inProcessName(agent) === undefined;

// A team's messages of a period, read or unread, from its inboxes and archives.
function mailOf({ paths, now, ifReadable }: Reading, team: string, from: number, isOneTeam: boolean) {
  const entryFor = (message: Message, reader: string): Entry[] => {
    const entry = messageEntry(message, shortLine(reader, 60), now);
    if (!(entry.at >= from && entry.at <= now.getTime())) return [];
    const shown = (name: string) => nameOnPage(name, team, isOneTeam);
    return [{ ...entry, agent: shown(entry.agent), to: shown(entry.to) }];
  };
  return listMailboxes(paths, team).flatMap((reader) =>
    ifReadable(() => readAllMail(paths, team, reader)).flatMap((message) =>
      ifReadable(() => entryFor(message, reader)),
    ),
  );
}
