// What `swarm task` does to tasks. Every change is checked against the rules again under the task's lock and written to the journal.

import { hasCode, ignoring } from "../core/files.ts";
import { appendCommand } from "../core/journal.ts";
import { bindTask, overlapping } from "../worktrees/store/claims.ts";
import { treeOf } from "../worktrees/store/repository.ts";
import { notifyOfAssignment, notifyOfCompletion } from "./notify.ts";
import {
  type Board,
  BY_SETTING,
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
import { readOpenTasks } from "./store/select.ts";
import {
  createTask,
  deleteTask,
  LOCK_WAIT_MS,
  lastId,
  type Notes,
  notesOf,
  proofOf,
  readSoundTask,
  readTask,
  statusOf,
  type Task,
  updateTask,
  type Verified,
  withNotes,
  withTaskList,
} from "./store.ts";
import { authorOf, boardOf, type TaskContext } from "./task-context.ts";
import { treeIn, verify } from "./verify.ts";

const throwIf = (why: string | undefined): void => {
  if (why) throw new Error(why);
};

const ifEnforced = (context: TaskContext, why: string | undefined) =>
  why && context.settings["tasks.enforce"] ? `${why} ${BY_SETTING}` : undefined;

/** What another process deleted after we had read it is an error. */
function stillThere(task: Task | undefined, id: string): Task {
  if (!task) throw new Error(`task #${id} was deleted meanwhile`);
  return task;
}

export function requireTask({ paths, list }: TaskContext, id: string): Task {
  const task = readSoundTask(paths, list, id);
  if (task) return task;
  const isOld = Number(id) <= lastId(paths, list);
  const hint = isOld ? "; it was deleted, or cleared away with its finished list" : "";
  throw new Error(`there is no task #${id} in list ${list}${hint}`);
}

function withComment(context: TaskContext, task: Task, text: string | undefined): Task {
  if (!text) return task;
  const comment = { author: authorOf(context), text, timestamp: context.now.toISOString() };
  return withNotes(task, { comments: [...(notesOf(task).comments ?? []), comment] });
}

function record(
  context: TaskContext,
  what: string,
  { id, subject, status, owner }: Task,
  more: { comment?: string | undefined; proof?: string | undefined } = {},
): void {
  const about = { list: context.list, task: id, subject, status, owner, ...more };
  appendCommand(context, { agent: authorOf(context), feature: "tasks", what, ...about });
}

export interface TaskEdit extends Change {
  subject?: string;
  description?: string;
  activeForm?: string;
  comment?: string;
  evidence?: Notes["evidence"];
  /** By a run that is on record. */
  verified?: Notes["verified"];
  /** Patterns of files below the top level of the repository; the owner claims them while the task is in progress. */
  files?: string[];
}

export function create(context: TaskContext, edit: TaskEdit): Task {
  const { subject = "", description = "", activeForm, owner, comment, files } = edit;
  if (owner) throwIf(ifEnforced(context, whyNoMember(owner, boardOf(context))));
  const { id } = createTask(context.paths, context.list, (number) => {
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
    throwIf(whyNotLinked(made, edit, boardOf(context).tasks));
    return withNotes(withComment(context, made, comment), {
      createdBy: authorOf(context),
      createdAt: context.now.toISOString(),
      ...(files ? { files } : {}),
    });
  });
  link(context, id, edit);
  if (files) bindFiles(context, id, files);
  const task = requireTask(context, id);
  record(context, "task-created", task, { comment });
  notifyOfAssignment(context, task);
  return task;
}

/** Open tasks about the same files, so that two agents do not begin the same work. */
export function overlappingTasks(context: TaskContext, task: Task): Task[] {
  const { files = [] } = notesOf(task);
  if (files.length === 0) return [];
  const isOverlapping = (one: Task) => overlapping(notesOf(one).files ?? [], files);
  return readOpenTasks(context.paths, context.list).filter((one) => one.id !== task.id && isOverlapping(one));
}

/** In the repository of the working directory; outside one the files are only shown. */
function bindFiles({ paths, list, cwd, now }: TaskContext, id: string, files: string[]): void {
  const tree = treeOf(cwd);
  if (tree) bindTask(paths, tree, now, { list, id }, files);
}

/** Under the list's lock: two links made at the same time could close a circle that neither closes alone. */
function link(context: TaskContext, id: string, change: Change): void {
  const { paths, list } = context;
  const { blockedBy = [], blocks = [] } = change;
  if (blockedBy.length + blocks.length === 0) return;
  const makeWait = (waiting: string, other: string) => {
    updateTask(paths, list, other, (task) => ({ ...task, blocks: withId(task.blocks, waiting) }));
    updateTask(paths, list, waiting, (task) => ({ ...task, blockedBy: withId(task.blockedBy, other) }));
  };
  withTaskList(paths, list, () => {
    throwIf(whyNotLinked(requireTask(context, id), change, boardOf(context).tasks));
    for (const other of blockedBy) makeWait(id, other);
    for (const other of blocks) makeWait(other, id);
  });
}

const withId = (ids: string[], id: string) => (ids.includes(id) ? ids : [...ids, id]);

export function change(context: TaskContext, id: string, edit: TaskEdit) {
  const before = requireTask(context, id);
  const board = boardOf(context);
  const refuse = (task: Task) => throwIf(ifEnforced(context, whyRefused(task, edit, board)));
  refuse(before);
  const completing = (task: Task) => edit.status === "completed" && task.status !== "completed";
  const verified = (completing(before) ? checked(context) : undefined) ?? edit.verified;
  let completes = false;
  link(context, id, edit);
  const updated = updateTask(context.paths, context.list, id, (stored) => {
    refuse(stored);
    completes = completing(stored); // under the lock: of two at the same moment one completes it
    return withNotes(withEdit(context, stored, edit), proofNotes({ ...edit, verified }, completes));
  });
  const task = stillThere(updated, id);
  record(context, completes ? "task-completed" : "task-updated", task, {
    comment: edit.comment,
    ...(completes ? { proof: proofOf(task) } : {}),
  });
  if (edit.files) bindFiles(context, id, edit.files);
  const assigned = task.owner !== before.owner ? notifyOfAssignment(context, task) : [];
  if (!completes) return { task, unblocked: [], notified: assigned };
  const { unblocked, notified } = notifyOfCompletion(context, task);
  return { task, unblocked, notified: [...assigned, ...notified] };
}

/** Throws where the person's check fails. */
function checked(context: TaskContext): Verified | undefined {
  const check = verify(context);
  throwIf(check?.failure);
  return check && { by: check.command, tree: treeIn(context), at: context.now.toISOString() };
}

/** A task that is opened again loses the proof of its completion. */
const WITHOUT_PROOF = { verified: undefined, evidence: undefined };

function proofNotes({ status, evidence, verified }: TaskEdit, completes: boolean): Notes {
  if (status === undefined) return {};
  if (status !== "completed") return WITHOUT_PROOF;
  // The client's tools open a task again without taking the proof away.
  if (completes) return { verified, evidence };
  return { ...(verified ? { verified } : {}), ...(evidence ? { evidence } : {}) };
}

function withEdit(context: TaskContext, stored: Task, edit: TaskEdit): Task {
  const { subject = stored.subject, description = stored.description, activeForm = stored.activeForm } = edit;
  const { status = stored.status, state, comment, owner, files } = edit;
  const begins = status === "in_progress" && stored.status === "pending";
  const newOwner = owner ?? stored.owner ?? (begins ? context.actor.name : undefined);
  const fields = { subject, description, activeForm, status, owner: newOwner || undefined };
  const notes = {
    ...(files ? { files } : {}),
    ...(state === undefined ? {} : { state: state || undefined }),
    ...(newOwner === stored.owner ? {} : { lease: leaseOf(context, newOwner) }),
  };
  return { ...withNotes(withComment(context, stored, comment), notes), ...fields };
}

/** Of a claim that the caller makes for itself: an owner that is assigned to a task has not claimed it. */
const leaseOf = ({ session, now, actor }: TaskContext, owner: string | undefined): Notes["lease"] =>
  owner && owner === actor.name ? { session, at: now.toISOString() } : undefined;

export function release(context: TaskContext, id: string, comment: string | undefined): Task {
  const board = boardOf(context);
  requireTask(context, id);
  const updated = updateTask(context.paths, context.list, id, (stored) => {
    throwIf(ifEnforced(context, whyNotReleased(stored, board)));
    const notes = { state: undefined, lease: undefined, ...WITHOUT_PROOF };
    const free = withNotes(withComment(context, stored, comment), notes);
    return { ...free, status: "pending", owner: undefined };
  });
  const task = stillThere(updated, id);
  record(context, "task-released", task, { comment });
  return task;
}

export function remove(context: TaskContext, id: string): Task {
  requireTask(context, id);
  const board = boardOf(context);
  const refuse = (task: Task) => throwIf(ifEnforced(context, whyNotDeleted(task, board)));
  const task = stillThere(deleteTask(context.paths, context.list, id, refuse), id);
  record(context, "task-deleted", task);
  return task;
}

/** Without a number: first what is assigned to the caller, then what is free, then what its owner lost; nothing that somebody has set
 *  to `blocked`. Of several callers at the same time exactly one gets a task. */
export function claim(context: TaskContext, me: string, id: string | undefined): Task | undefined {
  const board = boardOf(context);
  throwIf(ifEnforced(context, whyNoMember(me, board)));
  if (id === undefined) return claimAny(context, me, board);
  const { why, task } = tryClaim(context, board, me, requireTask(context, id));
  throwIf(why);
  return task;
}

/** A locked task is most likely being claimed by another: with short waits first, the next free task is tried instead. */
const LOCK_WAITS_MS = [0, 20, 100, LOCK_WAIT_MS];

const isHeld = (error: unknown) => hasCode(error, "ELOCKED");

function claimAny(context: TaskContext, me: string, first: Board): Task | undefined {
  let board = first;
  for (const waitMs of LOCK_WAITS_MS) {
    let isContended = false;
    for (const seen of claimable(readOpenTasks(context.paths, context.list), board, me)) {
      const tried = ignoring(isHeld, () => tryClaim(context, board, me, seen, waitMs));
      if (tried?.task) return tried.task;
      isContended ||= tried === undefined;
    }
    if (!isContended) return undefined;
    board = boardOf(context);
  }
  throw new Error("every free task is held by another process; try again");
}

function claimable(tasks: Task[], { whyLost }: Board, me: string): Task[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const isFree = (task: Task) => statusOf(task) !== "blocked" && openBlockers(task, byId).length === 0;
  const open = tasks.filter(isFree);
  return [
    ...open.filter((task) => task.owner === me && task.status === "pending"),
    ...open.filter((task) => !task.owner),
    ...open.filter((task) => task.owner && task.owner !== me && whyLost(task)),
  ];
}

function tryClaim(context: TaskContext, board: Board, me: string, seen: Task, waitMs?: number) {
  const { paths, list } = context;
  const objection = (task: Task) =>
    whyNotClaimed(task, me, board) ?? ifEnforced(context, whyStillBlocked(task, "in_progress", board.tasks));
  let why = objection(readTask(paths, list, seen.id) ?? seen); // before waiting for the lock
  if (why) return { why };
  const change = (stored: Task) => {
    why = objection(stored);
    return why ? undefined : claimed(context, board, stored, me);
  };
  const task = updateTask(paths, list, seen.id, change, waitMs);
  if (why || !task) return { why: why ?? `task #${seen.id} was deleted meanwhile` };
  record(context, "task-claimed", task);
  return { task };
}

function claimed(context: TaskContext, board: Board, task: Task, me: string): Task {
  const lost = task.owner && task.owner !== me ? board.whyLost(task) : undefined;
  const commented = withComment(context, task, lost && `taken over from ${task.owner}, who ${lost}`);
  return {
    ...withNotes(commented, { state: undefined, lease: leaseOf(context, me) }),
    status: "in_progress",
    owner: me,
  };
}
