// A task as the client's files hold it. What the client has no field for stands in `metadata.swarm`, which it carries
// along. Seed 001 had five statuses and its comments elsewhere: read as the client's three and our notes.

import { listOf, maybe, maybeText, object, type Shape, someText, text } from "../../core/shape.ts";
import { plainLine } from "../../core/text.ts";

const comment = object({ author: someText, text: someText, timestamp: someText });

const notes = object({
  /** A finer status than the client's three: `blocked` or `in_review`. */
  state: maybeText,
  comments: maybe(listOf(comment)),
  /** Who took it and from where; it lasts as long as that agent gives signs of life. */
  lease: maybe(object({ session: maybeText, at: someText })),
  createdBy: maybeText,
  createdAt: maybeText,
});

export type Notes = Partial<ReturnType<typeof notes>>;

export interface Task {
  id: string;
  subject: string;
  description: string;
  activeForm?: string;
  owner?: string;
  /** `pending`, `in_progress`, `completed`. */
  status: string;
  blocks: string[];
  blockedBy: string[];
  metadata?: Record<string, unknown> & { swarm?: Notes };
  [key: string]: unknown;
}

const stored = object({
  subject: someText,
  description: text,
  activeForm: maybeText,
  owner: maybeText,
  status: someText,
  blocks: listOf(someText),
  blockedBy: listOf(someText),
  metadata: maybe(object({ swarm: orNothing(notes) })),
  comments: maybe(listOf(orNothing(comment))),
});

/** Ours inside somebody else's file: spoilt notes must not hide the task. */
function orNothing<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => {
    try {
      return maybe(shape)(value, at);
    } catch {
      return undefined;
    }
  };
}

const ON_DISK: Record<string, string> = { blocked: "pending", in_review: "in_progress" };

/** The file's name is its number, whatever the file says. */
export const taskShape =
  (id: string): Shape<Task> =>
  (value, at) => {
    const { owner: whose = "", comments, ...rest } = stored(value, at);
    const owner = plainLine(whose);
    const task = { ...rest, id, status: plainLine(rest.status), ...(owner ? { owner } : {}) } as Task;
    const disk = ON_DISK[task.status];
    const old: Notes = {
      ...(disk ? { state: task.status } : {}),
      ...(comments ? { comments: comments.filter((one) => one !== undefined) } : {}),
    };
    return Object.keys(old).length > 0 ? withNotes({ ...task, status: disk ?? task.status }, old) : task;
  };

export const notesOf = (task: Task): Notes => task.metadata?.swarm ?? {};

export const withNotes = (task: Task, more: Notes): Task => ({
  ...task,
  metadata: { ...task.metadata, swarm: { ...notesOf(task), ...more } },
});
