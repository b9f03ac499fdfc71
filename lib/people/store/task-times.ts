// Which task somebody worked on at a moment: the one it had in progress, by the journal of `swarm task`, by the client's own Task
// tools in the transcripts, and by what the task files say now.

import { readJournalSince, textIn } from "../../core/journal.ts";
import { addTo } from "../../core/lists.ts";
import type { Paths } from "../../core/paths.ts";
import { notesOf } from "../../tasks/store.ts";
import { listTeams } from "../../teams/store/config.ts";
import type { CostIndex } from "./cost-index.ts";
import { type LeftOut, readableTasks } from "./left-out.ts";
import type { Speaker, Speakers } from "./speakers.ts";

interface Move {
  at: number;
  list: string;
  task: string;
  status: string;
  owner: string;
  /** Who did it; the owner where none is named. */
  by: string;
}

interface Span {
  list: string;
  task: string;
  from: number;
  to: number;
}

interface WorkedOn {
  list: string;
  task: string;
  subject: string;
}

export type TaskAt = (speaker: Speaker, session: string, at: number) => WorkedOn | undefined;

export function tasksAt(
  paths: Paths,
  index: CostIndex,
  speakers: Speakers,
  now: Date,
  leftOut: LeftOut = new Set(),
): TaskAt {
  const subjects = new Map<string, string>();
  const moves = [
    ...fromJournal(paths, now, subjects),
    ...fromTranscripts(index, speakers),
    ...fromFiles(paths, subjects, leftOut),
  ].sort((a, b) => a.at - b.at);
  const spans = spansOf(moves);
  return (speaker, session, at) => {
    const list = speaker.team || session;
    const worked = spans.get(`${list}\n${speaker.owner}`)?.findLast(({ from, to }) => from <= at && at <= to);
    return worked && { list, task: worked.task, subject: subjects.get(`${list}\n${worked.task}`) ?? "" };
  };
}

/** By list and owner, in the order in which they were begun. */
function spansOf(moves: readonly Move[]): Map<string, Span[]> {
  const spans = new Map<string, Span[]>();
  const open = new Map<string, { owner: string; span: Span }>();
  for (const { at, list, task, status, owner, by } of moves) {
    const key = `${list}\n${task}`;
    const running = open.get(key);
    const isOn = status === "in_progress" || (status === "" && running !== undefined);
    const whose = owner || running?.owner || by;
    if (running && (!isOn || running.owner !== whose)) {
      running.span.to = at;
      open.delete(key);
    }
    if (!isOn || (running && running.owner === whose)) continue;
    const span = { list, task, from: at, to: Number.POSITIVE_INFINITY };
    open.set(key, { owner: whose, span });
    addTo(spans, `${list}\n${whose}`, span);
  }
  return spans;
}

function fromJournal(paths: Paths, now: Date, subjects: Map<string, string>): Move[] {
  return readJournalSince(paths, new Date(0), now).flatMap((line) => {
    const [list, task] = [textIn(line, "list"), textIn(line, "task")];
    // Its line still names the status that it was deleted with.
    const status = line.what === "task-deleted" ? "deleted" : textIn(line, "status");
    if (line.feature !== "tasks" || !list || !task || !status) return [];
    const subject = textIn(line, "subject");
    if (subject) subjects.set(`${list}\n${task}`, subject);
    return [{ at: Date.parse(line.at), list, task, status, owner: textIn(line, "owner"), by: line.agent }];
  });
}

const fromTranscripts = (index: CostIndex, speakers: Speakers): Move[] =>
  [...index.moves.values()].map(({ session, agentId, at, task, status, owner }) => {
    const speaker = speakers(session, agentId);
    return { at, list: speaker.team || session, task, status, owner, by: speaker.owner };
  });

/** Only what is in progress now and says since when. */
const fromFiles = (paths: Paths, subjects: Map<string, string>, leftOut: LeftOut): Move[] =>
  listTeams(paths).flatMap((list) =>
    readableTasks(paths, list, leftOut).flatMap((task) => {
      subjects.set(`${list}\n${task.id}`, task.subject);
      const at = Date.parse(notesOf(task).lease?.at ?? "");
      if (task.status !== "in_progress" || !task.owner || Number.isNaN(at)) return [];
      return [{ at, list, task: task.id, status: "in_progress", owner: task.owner, by: task.owner }];
    }),
  );
