// Claims. Of many who try at once exactly one gets the task: each looks again under the task's lock.

import { hasCode } from "../core/read-file.ts";
import { commented, enforced, found, leaseOf, note, refuse } from "./acting.ts";
import { type Board, openBlockers, whyNoMember, whyNotClaimed, whyStillBlocked } from "./rules.ts";
import { type Task, withNotes } from "./store/task.ts";
import { LOCK_WAIT_MS, readTask, updateTask } from "./store/tasks.ts";
import { boardOf, type TaskContext } from "./task-context.ts";

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
