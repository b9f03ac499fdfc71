// What every act shares: finding the task, refusing, leaving a comment and a line in the journal.

import { appendJournal, newId } from "../core/journal.ts";
import { PERSON } from "../hook/identity.ts";
import { notesOf, type Task, withNotes } from "./store/task.ts";
import { lastId, readTask } from "./store/tasks.ts";
import type { TaskContext } from "./task-context.ts";

export const refuse = (why: string | undefined): void => {
  if (why) throw new Error(why);
};

export const enforced = (taskContext: TaskContext, why: string | undefined) =>
  why && taskContext.settings["tasks.enforce"] ? `${why} (setting: tasks.enforce)` : undefined;

export function found({ paths, list }: TaskContext, id: string): Task {
  const task = readTask(paths, list, id);
  if (task) return task;
  const isOld = Number(id) <= lastId(paths, list);
  const gone = isOld ? "; it was deleted, or cleared away with its finished list" : "";
  throw new Error(`there is no task #${id} in list ${list}${gone}`);
}

export const leaseOf = ({ session, now }: TaskContext) => ({ session, at: now.toISOString() });

export function commented({ actor, now }: TaskContext, task: Task, text: string | undefined): Task {
  if (!text) return task;
  const comment = { author: actor.name ?? PERSON, text, timestamp: now.toISOString() };
  return withNotes(task, { comments: [...(notesOf(task).comments ?? []), comment] });
}

export function note(
  { paths, now, session = "", actor, list }: TaskContext,
  what: string,
  { id, subject, status, owner }: Task,
  comment?: string,
): void {
  appendJournal(paths, now, {
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
