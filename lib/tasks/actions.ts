// What every act shares: finding the task, refusing, leaving a comment and a line in the journal.

import { hasCode } from "../core/files.ts";
import { appendJournal, newId } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import type { Settings } from "../core/settings-keys.ts";
import { escapeXml } from "../core/text.ts";
import { PERSON } from "../hook/identity.ts";
import {
  type Board,
  type Change,
  openBlockers,
  whyNoMember,
  whyNotClaimed,
  whyNotDeleted,
  whyNotLinked,
  whyNotReleased,
  whyRefused,
  whyStillBlocked,
} from "./rules.ts";
import {
  createTask,
  deleteTask,
  LOCK_WAIT_MS,
  lastId,
  notesOf,
  readTask,
  type Task,
  updateTask,
  withNotes,
  withTaskList,
} from "./store.ts";
import { boardOf, type TaskContext } from "./task-context.ts";
import { tellOfAssignment, tellOfCompletion, unblocked } from "./tell.ts";
import { runVerify, type Verified } from "./verify.ts";

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

// What else can be done to a task. Each act is checked again under the task's lock.
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

// Claims. Of many who try at once exactly one gets the task: each looks again under the task's lock.
/** Without a number: what is assigned to the caller, then what is free, then what its owner lost. */
export function claim(taskContext: TaskContext, me: string, id: string | undefined): Task | undefined {
  const board = boardOf(taskContext);
  refuse(enforced(taskContext, whyNoMember(me, board)));
  if (id === undefined) return claimAny(taskContext, me, board);
  const { why, task } = take(taskContext, board, me, found(taskContext, id));
  refuse(why);
  return task;
}

/** Whoever waits for a lock here waits to be told that it came too late: a crowd does better to try the next task. */
const ROUNDS_MS = [0, 20, 100, LOCK_WAIT_MS];

function claimAny(taskContext: TaskContext, me: string, first: Board): Task | undefined {
  let board = first;
  for (const waitMs of ROUNDS_MS) {
    let isContended = false;
    for (const seen of inOrder(board, me)) {
      const { task, isLocked } = take(taskContext, board, me, seen, waitMs);
      if (task) return task;
      isContended ||= isLocked === true;
    }
    if (!isContended) return undefined;
    board = boardOf(taskContext);
  }
  throw new Error("every free task is held by another process; try again");
}

function inOrder({ tasks, whyLost }: Board, me: string): Task[] {
  const open = tasks.filter((task) => task.status !== "completed" && openBlockers(task, tasks).length === 0);
  return [
    ...open.filter((task) => task.owner === me && task.status === "pending"),
    ...open.filter((task) => !task.owner),
    ...open.filter((task) => task.owner && task.owner !== me && whyLost(task)),
  ];
}

interface Taken {
  task?: Task;
  why?: string;
  isLocked?: boolean;
}

function take(taskContext: TaskContext, board: Board, me: string, seen: Task, waitMs?: number): Taken {
  const { paths, list } = taskContext;
  const objection = (task: Task) =>
    whyNotClaimed(task, me, board) ??
    enforced(taskContext, whyStillBlocked(task, "in_progress", board.tasks));
  let why = objection(readTask(paths, list, seen.id) ?? seen); // a look saves the wait for the lock
  if (why) return { why };
  const change = (stored: Task) => {
    why = objection(stored);
    return why ? undefined : claimed(taskContext, board, stored, me);
  };
  try {
    const task = updateTask(paths, list, seen.id, change, waitMs);
    if (why || !task) return { why: why ?? `task #${seen.id} was deleted meanwhile` };
    note(taskContext, "task-claimed", task);
    return { task };
  } catch (error) {
    if (!hasCode(error, "ELOCKED")) throw error;
    return { why: (error as Error).message, isLocked: true };
  }
}

function claimed(taskContext: TaskContext, board: Board, task: Task, me: string): Task {
  const lost = task.owner && task.owner !== me ? board.whyLost(task) : undefined;
  const taken = commented(taskContext, task, lost && `taken over from ${task.owner}, who ${lost}`);
  return {
    ...withNotes(taken, { state: undefined, lease: leaseOf(taskContext) }),
    status: "in_progress",
    owner: me,
  };
}

// A task counts as completed only when the person's own check says so, where one is set.
export function whyUnverified(
  settings: Settings,
  paths: Paths,
  cwd: string,
  mostMs = Number.POSITIVE_INFINITY,
): string | undefined {
  const command = settings["tasks.verify"];
  if (!command) return undefined;
  const timeoutMs = Math.min(settings["tasks.verify_timeout_s"] * 1_000, mostMs);
  return wordsOf(command, runVerify(paths, command, cwd, timeoutMs));
}

export function wordsOf(command: string, { why, tail }: Verified): string | undefined {
  if (!why) return undefined;
  return [
    `The task stays in_progress: \`${command}\` ${why}. Mend what it shows, then complete the task again (setting: tasks.verify).`,
    ...(tail ? [`The end of its output:\n${escapeXml(tail)}`] : []),
  ].join("\n");
}
