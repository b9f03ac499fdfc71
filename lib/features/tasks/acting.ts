// What every act shares: finding the task, refusing, leaving a comment and a line in the journal.
import { notesOf, type Task, withNotes } from "../../parse/task.ts";
import { PERSON } from "../../run/identity.ts";
import { appendJournal, newId } from "../../store/journal.ts";
import { lastId, readTask } from "../../store/tasks.ts";
import type { Desk } from "./desk.ts";

export const refuse = (why: string | undefined): void => {
  if (why) throw new Error(why);
};

export const enforced = (desk: Desk, why: string | undefined) =>
  why && desk.settings["tasks.enforce"] ? `${why} (setting: tasks.enforce)` : undefined;

export function found({ places, list }: Desk, id: string): Task {
  const task = readTask(places, list, id);
  if (task) return task;
  const isOld = Number(id) <= lastId(places, list);
  const gone = isOld ? "; it was deleted, or cleared away with its finished list" : "";
  throw new Error(`there is no task #${id} in list ${list}${gone}`);
}

export const leaseOf = ({ session, now }: Desk) => ({ session, at: now.toISOString() });

export function commented({ actor, now }: Desk, task: Task, text: string | undefined): Task {
  if (!text) return task;
  const comment = { author: actor.name ?? PERSON, text, timestamp: now.toISOString() };
  return withNotes(task, { comments: [...(notesOf(task).comments ?? []), comment] });
}

export function note(
  { places, now, session = "", actor, list }: Desk,
  what: string,
  { id, subject, status, owner }: Task,
  comment?: string,
): void {
  appendJournal(places, now, {
    id: newId(now),
    at: now.toISOString(),
    event: "command",
    session,
    agent: actor.name ?? PERSON,
    feature: "tasks",
    what,
    list,
    task: id,
    subject,
    status,
    owner,
    comment,
  });
}
