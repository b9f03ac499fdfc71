// What else can be done to a task. Each act is checked again under the task's lock.

import { PERSON } from "../hook/identity.ts";
import { commented, enforced, found, leaseOf, note, refuse } from "./acting.ts";
import {
  type Change,
  whyNoMember,
  whyNotDeleted,
  whyNotLinked,
  whyNotReleased,
  whyRefused,
} from "./rules.ts";
import { type Task, withNotes } from "./store/task.ts";
import { createTask, deleteTask, updateTask, withTaskList } from "./store/tasks.ts";
import { boardOf, type TaskContext } from "./task-context.ts";
import { tellOfAssignment, tellOfCompletion, unblocked } from "./tell.ts";
import { whyUnverified } from "./verified.ts";

export interface Wish extends Change {
  subject?: string;
  description?: string;
  activeForm?: string;
  /** The finer status; empty takes it away. */
  state?: string;
  comment?: string;
}

export interface Done {
  task: Task;
  unblocked: Task[];
  told: string[];
}

export function create(taskContext: TaskContext, wish: Wish): Task {
  const { subject = "", description = "", activeForm, owner, blockedBy = [] } = wish;
  if (owner) refuse(enforced(taskContext, whyNoMember(owner, boardOf(taskContext))));
  const { id } = createTask(taskContext.paths, taskContext.list, (number) => {
    const made: Task = {
      id: number,
      subject,
      description,
      activeForm,
      status: "pending",
      blocks: [],
      blockedBy: [],
      owner: owner || undefined,
    };
    refuse(whyNotLinked(made, { blockedBy }, [...boardOf(taskContext).tasks, made]));
    return withNotes(made, {
      createdBy: taskContext.actor.name ?? PERSON,
      createdAt: taskContext.now.toISOString(),
    });
  });
  if (blockedBy.length > 0) link(taskContext, id, { blockedBy });
  const task = found(taskContext, id);
  note(taskContext, "task-created", task);
  tellOfAssignment(taskContext, task);
  return task;
}

/** Under the list's lock: two links made at once could close a circle that neither closes alone. */
function link(taskContext: TaskContext, id: string, change: Pick<Change, "blockedBy" | "blocks">): void {
  const { paths, list } = taskContext;
  const makeWait = (waits: string, other: string) => {
    updateTask(paths, list, other, (task) => ({ ...task, blocks: withId(task.blocks, waits) }));
    updateTask(paths, list, waits, (task) => ({ ...task, blockedBy: withId(task.blockedBy, other) }));
  };
  withTaskList(paths, list, () => {
    refuse(whyNotLinked(found(taskContext, id), change, boardOf(taskContext).tasks));
    for (const other of change.blockedBy ?? []) makeWait(id, other);
    for (const other of change.blocks ?? []) makeWait(other, id);
  });
}

const withId = (ids: string[], id: string) => (ids.includes(id) ? ids : [...ids, id]);

export function change(taskContext: TaskContext, id: string, wish: Wish): Done {
  const { paths, list } = taskContext;
  const before = found(taskContext, id);
  const board = boardOf(taskContext);
  const objection = (task: Task) => enforced(taskContext, whyRefused(task, wish, board));
  refuse(objection(before));
  const completes = wish.status === "completed" && before.status !== "completed";
  if (completes) refuse(whyUnverified(taskContext.settings, paths, taskContext.cwd));
  if (wish.blockedBy?.length || wish.blocks?.length) link(taskContext, id, wish);
  const task = updateTask(paths, list, id, (stored) => {
    refuse(objection(stored));
    return applied(taskContext, stored, wish);
  });
  if (!task) throw new Error(`task #${id} was deleted meanwhile`);
  note(taskContext, completes ? "task-completed" : "task-updated", task, wish.comment);
  const assigned = task.owner !== before.owner ? tellOfAssignment(taskContext, task) : [];
  const { tasks } = boardOf(taskContext);
  return {
    task,
    unblocked: completes ? unblocked(task, tasks) : [],
    told: [...assigned, ...(completes ? tellOfCompletion(taskContext, task, tasks) : [])],
  };
}

function applied(taskContext: TaskContext, stored: Task, wish: Wish): Task {
  const { subject, description, activeForm, state, comment, status, owner } = wish;
  const begins = status === "in_progress" && stored.status === "pending";
  const whose = owner ?? stored.owner ?? (begins ? taskContext.actor.name : undefined);
  const notes = {
    ...(state !== undefined || status ? { state: state || undefined } : {}),
    ...(whose === stored.owner
      ? {}
      : { lease: whose && whose === taskContext.actor.name ? leaseOf(taskContext) : undefined }),
  };
  return {
    ...withNotes(commented(taskContext, stored, comment), notes),
    subject: subject ?? stored.subject,
    description: description ?? stored.description,
    activeForm: activeForm ?? stored.activeForm,
    status: status ?? stored.status,
    owner: whose || undefined,
  };
}

export function release(taskContext: TaskContext, id: string, comment: string | undefined): Task {
  const board = boardOf(taskContext);
  found(taskContext, id);
  const task = updateTask(taskContext.paths, taskContext.list, id, (stored) => {
    refuse(enforced(taskContext, whyNotReleased(stored, board)));
    const free = withNotes(commented(taskContext, stored, comment), { state: undefined, lease: undefined });
    return { ...free, status: "pending", owner: undefined };
  });
  if (!task) throw new Error(`task #${id} was deleted meanwhile`);
  note(taskContext, "task-released", task, comment);
  return task;
}

export function remove(taskContext: TaskContext, id: string): Task {
  found(taskContext, id);
  const board = boardOf(taskContext);
  const gone = deleteTask(taskContext.paths, taskContext.list, id, (task) =>
    refuse(enforced(taskContext, whyNotDeleted(task, board))),
  );
  if (!gone) throw new Error(`task #${id} was deleted meanwhile`);
  note(taskContext, "task-deleted", gone);
  return gone;
}
