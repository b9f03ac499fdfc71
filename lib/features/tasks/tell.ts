// Who must hear of a change: the lead, and the owners of what waited for it. Seed 001's sentences, in the entry
// format the client itself delivers.
import type { Task } from "../../parse/task.ts";
import { escapeLine } from "../../parse/xml.ts";
import { PERSON } from "../../run/identity.ts";
import { appendMessage } from "../../store/inbox.ts";
import { newId } from "../../store/journal.ts";
import { whyNotSegment } from "../../store/paths.ts";
import { memberOf, readTeam } from "../../store/team.ts";
import { type Desk, leadOf } from "./desk.ts";
import { openBlockers } from "./rules.ts";

export interface Letter {
  to: string;
  text: string;
}

/** What waits for this task and is not finished itself. */
const waiting = (done: Task, tasks: Task[]): Task[] =>
  tasks.filter((task) => task.status !== "completed" && task.blockedBy.includes(done.id));

export const unblocked = (done: Task, tasks: Task[]): Task[] =>
  waiting(done, tasks).filter((task) => openBlockers(task, without(done, tasks)).length === 0);

const without = (done: Task, tasks: Task[]) => tasks.filter((task) => task.id !== done.id);

export function lettersOf(done: Task, tasks: Task[], by: string, lead: string): Letter[] {
  const toLead = { to: lead, text: `${by} completed task #${done.id}: ${escapeLine(done.subject)}` };
  const toOwners = waiting(done, tasks).flatMap((task) => {
    if (!task.owner) return [];
    const open = openBlockers(task, without(done, tasks)).map((one) => `#${one.id}`);
    const rest = open.length > 0 ? ` It still waits for ${open.join(", ")}.` : "";
    const news = `Task #${done.id} (${escapeLine(done.subject)}) is now completed.`;
    return {
      to: task.owner,
      text: `${news} Your task #${task.id} (${escapeLine(task.subject)}) may be unblocked.${rest}`,
    };
  });
  return [toLead, ...toOwners].filter((letter) => letter.to !== by);
}

/** Returns who was told. A list without a team has nobody to tell. */
export function tellOfCompletion(desk: Desk, done: Task, tasks: Task[]): string[] {
  const config = desk.team ? readTeam(desk.places, desk.team) : undefined;
  if (!config) return [];
  const by = desk.actor.name ?? PERSON;
  return send(desk, by, lettersOf(done, tasks, by, leadOf(config)));
}

export function tellOfAssignment(desk: Desk, task: Task): string[] {
  const { actor } = desk;
  if (!task.owner || task.owner === actor.name) return [];
  const by = actor.name ?? PERSON;
  const text = `${by} assigned task #${task.id} to you: ${escapeLine(task.subject)}`;
  return send(desk, by, [{ to: task.owner, text }]);
}

function send({ places, team, now }: Desk, from: string, letters: Letter[]): string[] {
  const config = team ? readTeam(places, team) : undefined;
  if (!team || !config) return [];
  const known = letters.filter(({ to }) => memberOf(config, to) && !whyNotSegment(to));
  for (const { to, text } of known)
    appendMessage(places, team, to, {
      id: newId(now),
      from,
      text,
      timestamp: now.toISOString(),
      read: false,
      kind: "system",
      summary: text.slice(0, 80),
    });
  return [...new Set(known.map(({ to }) => to))];
}
