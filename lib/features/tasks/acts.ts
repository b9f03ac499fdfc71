// What else can be done to a task. Each act is checked again under the task's lock.
import { type Task, withNotes } from "../../parse/task.ts";
import { PERSON } from "../../run/identity.ts";
import { createTask, deleteTask, updateTask, withTaskList } from "../../store/tasks.ts";
import { commented, enforced, found, leaseOf, note, refuse } from "./acting.ts";
import { boardOf, type Desk } from "./desk.ts";
import {
  type Change,
  whyNoMember,
  whyNotDeleted,
  whyNotLinked,
  whyNotReleased,
  whyRefused,
} from "./rules.ts";
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

export function create(desk: Desk, wish: Wish): Task {
  const { subject = "", description = "", activeForm, owner, blockedBy = [] } = wish;
  if (owner) refuse(enforced(desk, whyNoMember(owner, boardOf(desk))));
  const { id } = createTask(desk.places, desk.list, (number) => {
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
    refuse(whyNotLinked(made, { blockedBy }, [...boardOf(desk).tasks, made]));
    return withNotes(made, { createdBy: desk.actor.name ?? PERSON, createdAt: desk.now.toISOString() });
  });
  if (blockedBy.length > 0) link(desk, id, { blockedBy });
  const task = found(desk, id);
  note(desk, "task-created", task);
  tellOfAssignment(desk, task);
  return task;
}

/** Under the list's lock: two links made at once could close a circle that neither closes alone. */
function link(desk: Desk, id: string, change: Pick<Change, "blockedBy" | "blocks">): void {
  const { places, list } = desk;
  const makeWait = (waits: string, other: string) => {
    updateTask(places, list, other, (task) => ({ ...task, blocks: withId(task.blocks, waits) }));
    updateTask(places, list, waits, (task) => ({ ...task, blockedBy: withId(task.blockedBy, other) }));
  };
  withTaskList(places, list, () => {
    refuse(whyNotLinked(found(desk, id), change, boardOf(desk).tasks));
    for (const other of change.blockedBy ?? []) makeWait(id, other);
    for (const other of change.blocks ?? []) makeWait(other, id);
  });
}

const withId = (ids: string[], id: string) => (ids.includes(id) ? ids : [...ids, id]);

export function change(desk: Desk, id: string, wish: Wish): Done {
  const { places, list } = desk;
  const before = found(desk, id);
  const board = boardOf(desk);
  const objection = (task: Task) => enforced(desk, whyRefused(task, wish, board));
  refuse(objection(before));
  const completes = wish.status === "completed" && before.status !== "completed";
  if (completes) refuse(whyUnverified(desk.settings, places, desk.cwd));
  if (wish.blockedBy?.length || wish.blocks?.length) link(desk, id, wish);
  const task = updateTask(places, list, id, (stored) => {
    refuse(objection(stored));
    return applied(desk, stored, wish);
  });
  if (!task) throw new Error(`task #${id} was deleted meanwhile`);
  note(desk, completes ? "task-completed" : "task-updated", task, wish.comment);
  const assigned = task.owner !== before.owner ? tellOfAssignment(desk, task) : [];
  const { tasks } = boardOf(desk);
  return {
    task,
    unblocked: completes ? unblocked(task, tasks) : [],
    told: [...assigned, ...(completes ? tellOfCompletion(desk, task, tasks) : [])],
  };
}

function applied(desk: Desk, stored: Task, wish: Wish): Task {
  const { subject, description, activeForm, state, comment, status, owner } = wish;
  const begins = status === "in_progress" && stored.status === "pending";
  const whose = owner ?? stored.owner ?? (begins ? desk.actor.name : undefined);
  const notes = {
    ...(state !== undefined || status ? { state: state || undefined } : {}),
    ...(whose === stored.owner
      ? {}
      : { lease: whose && whose === desk.actor.name ? leaseOf(desk) : undefined }),
  };
  return {
    ...withNotes(commented(desk, stored, comment), notes),
    subject: subject ?? stored.subject,
    description: description ?? stored.description,
    activeForm: activeForm ?? stored.activeForm,
    status: status ?? stored.status,
    owner: whose || undefined,
  };
}

export function release(desk: Desk, id: string, comment: string | undefined): Task {
  const board = boardOf(desk);
  found(desk, id);
  const task = updateTask(desk.places, desk.list, id, (stored) => {
    refuse(enforced(desk, whyNotReleased(stored, board)));
    const free = withNotes(commented(desk, stored, comment), { state: undefined, lease: undefined });
    return { ...free, status: "pending", owner: undefined };
  });
  if (!task) throw new Error(`task #${id} was deleted meanwhile`);
  note(desk, "task-released", task, comment);
  return task;
}

export function remove(desk: Desk, id: string): Task {
  found(desk, id);
  const board = boardOf(desk);
  const gone = deleteTask(desk.places, desk.list, id, (task) =>
    refuse(enforced(desk, whyNotDeleted(task, board))),
  );
  if (!gone) throw new Error(`task #${id} was deleted meanwhile`);
  note(desk, "task-deleted", gone);
  return gone;
}
