// Who must hear of a change: the lead, and the owners of what waited for it. Seed 001's sentences, in the entry
// format the client itself delivers.

import { newId } from "../core/journal.ts";
import { whyNotSegment } from "../core/paths.ts";
import { escapeLine } from "../core/text.ts";
import { PERSON } from "../hook/identity.ts";
import { appendMessage } from "../mail/store/inbox.ts";
import { leadOf, memberOf, readTeam } from "../teams/store/config.ts";
import { openBlockers } from "./rules.ts";
import type { Task } from "./store.ts";
import type { TaskContext } from "./task-context.ts";

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
export function tellOfCompletion(taskContext: TaskContext, done: Task, tasks: Task[]): string[] {
  const config = taskContext.team ? readTeam(taskContext.paths, taskContext.team) : undefined;
  if (!config) return [];
  const by = taskContext.actor.name ?? PERSON;
  return send(taskContext, by, lettersOf(done, tasks, by, leadOf(config)));
}

export function tellOfAssignment(taskContext: TaskContext, task: Task): string[] {
  const { actor } = taskContext;
  if (!task.owner || task.owner === actor.name) return [];
  const by = actor.name ?? PERSON;
  const text = `${by} assigned task #${task.id} to you: ${escapeLine(task.subject)}`;
  return send(taskContext, by, [{ to: task.owner, text }]);
}

function send({ paths, team, now }: TaskContext, from: string, letters: Letter[]): string[] {
  const config = team ? readTeam(paths, team) : undefined;
  if (!team || !config) return [];
  const known = letters.filter(({ to }) => memberOf(config, to) && !whyNotSegment(to));
  for (const { to, text } of known)
    appendMessage(paths, team, to, {
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
