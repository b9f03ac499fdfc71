// Reading part of a task list: the open tasks, one owner's, a number of them. A short list is read whole. Of a long one the index says
// which tasks are meant (see task-index.ts for what that is worth), and only those are read.
import { namesIn } from "../../core/files.ts";
import type { Paths } from "../../core/paths.ts";
import { idsIn, isOpen, notesOf, readById, type Task, tasksDir } from "../store.ts";
import {
  askForPass,
  joinedNames,
  LONG_LIST,
  READ_AGAIN,
  readIndex,
  type TaskGroup,
  type TaskIndex,
  type TaskKind,
  type Trust,
  traceOf,
  trustIn,
  UNREADABLE,
} from "./task-index.ts";

type Wanted = (kind: TaskKind) => boolean;

export interface Overview {
  list: string;
  groups: readonly TaskGroup[];
  /** What was read to get there. */
  tasks: Map<string, Task>;
  /** Too long to be read whole each time. */
  isLong: boolean;
}

export const readOpenTasks = (paths: Paths, list: string, { owner }: { owner?: string } = {}): Task[] =>
  selectTasks(paths, overviewOf(paths, list), ownOpen(owner)).tasks;

export const ownOpen =
  (owner: string | undefined): Wanted =>
  (kind) =>
    isOpen(kind) && (owner === undefined || kind.owner === owner);

/** In numeric order, at most as many as asked for, and the count of all that are wanted. */
export function selectTasks(
  paths: Paths,
  overview: Overview,
  wanted: Wanted,
  { first = Number.POSITIVE_INFINITY, last }: { first?: number; last?: number } = {},
) {
  const ids = ascending(overview.groups.filter((group) => !isReadable(group) || wanted(group)));
  const chosen = last === undefined ? ids.slice(0, first) : ids.slice(Math.max(0, ids.length - last));
  const tasks = tasksOf(paths, overview, chosen).filter((task) => wanted(kindOf(task)));
  return { tasks, count: ids.length - chosen.length + tasks.length };
}

/** Those that can be read, each once for an overview. */
function tasksOf(paths: Paths, { list, tasks: known }: Overview, numbers: readonly number[]): Task[] {
  const ids = numbers.map(String);
  const missing = ids.filter((id) => !known.has(id));
  for (const task of readById(paths, list, missing)) known.set(task.id, task);
  return ids.flatMap((id) => known.get(id) ?? []);
}

export const countIn = ({ groups }: Overview, wanted: Wanted): number =>
  groups.reduce((sum, group) => sum + (wanted(group) ? group.ids.length : 0), 0);

/** The first task in progress of every owner, or of these, and how many more it has. One pass over the groups, of which each has several. */
export function tasksInProgress(
  paths: Paths,
  overview: Overview,
  owners?: ReadonlySet<string>,
): Map<string, { first: Task; more: number }> {
  const { list, groups } = overview;
  const unreadable = groups.flatMap((group) => (isReadable(group) ? [] : group.ids.map(String)));
  const owned = new Map<string, { first: number; count: number }>();
  for (const { owner, status, ids } of [...groups, ...grouped(readKinds(paths, list, unreadable).kinds)]) {
    if (!owner || owners?.has(owner) === false || !isAtWork(status)) continue;
    const { first, count } = owned.get(owner) ?? { first: Number.POSITIVE_INFINITY, count: 0 };
    owned.set(owner, { first: ids.reduce((a, b) => Math.min(a, b), first), count: count + ids.length });
  }
  const firsts = [...owned.values()].map(({ first }) => first);
  return new Map(
    tasksOf(paths, overview, firsts).flatMap((task) => {
      const { owner = "", id, status } = task;
      const { first, count = 0 } = owned.get(owner) ?? {};
      const isTheirs = first === Number(id) && isAtWork(status);
      return isTheirs ? [[owner, { first: task, more: count - 1 }] as const] : [];
    }),
  );
}

const isAtWork = (status: string) => status === "in_progress";

export function countTasks(overview: Overview): { done: number; all: number; verified: number } {
  const isDone: Wanted = ({ status }) => status === "completed";
  const done = countIn(overview, isDone);
  const verified = countIn(overview, (kind) => isDone(kind) && kind.isVerified === true);
  return { done, all: done + countIn(overview, (kind) => isOpen(kind) && isReadable(kind)), verified };
}

/** True for one of several callers, who starts `swarm task index` beside the turn. */
export const isPassWanted = (paths: Paths, { list, isLong }: Overview): boolean =>
  isLong && askForPass(paths, tasksDir(paths, list));

/** With `most`, nothing for a longer list without a usable index, which would take too long to read. */
export function overviewOf(paths: Paths, list: string): Overview;
export function overviewOf(paths: Paths, list: string, most: number): Overview | undefined;
export function overviewOf(
  paths: Paths,
  list: string,
  most = Number.POSITIVE_INFINITY,
): Overview | undefined {
  const { index, trust } = trustedIndex(paths, list);
  if (index && trust === "whole") return fromIndex(list, index);
  const named = index && trust === "names" ? byNames(paths, list, index) : undefined;
  return named ?? byReading(paths, list, most);
}

/** Nothing where the index of a long list does not hold. */
export function exactOverview(paths: Paths, list: string): Overview | undefined {
  const { index, trust } = trustedIndex(paths, list);
  if (!index) return byReading(paths, list, LONG_LIST);
  return trust === "whole" ? fromIndex(list, index) : undefined;
}

function trustedIndex(paths: Paths, list: string): { index: TaskIndex | undefined; trust: Trust } {
  const directory = tasksDir(paths, list);
  const index = readIndex(paths, directory);
  return { index, trust: index ? trustIn(index, traceOf(directory), Date.now()) : "none" };
}

export const fromIndex = (list: string, { groups }: TaskIndex): Overview => ({
  list,
  groups,
  tasks: new Map(),
  isLong: true,
});

function byReading(paths: Paths, list: string, most: number): Overview | undefined {
  const ids = idsIn(paths, list);
  if (ids.length > most) return undefined;
  const { kinds, tasks } = readKinds(paths, list, ids);
  return { list, groups: grouped(kinds).filter(isReadable), tasks, isLong: ids.length > LONG_LIST };
}

/** The names in the directory say what is new and what is gone. Not for a list that is mostly new. */
function byNames(paths: Paths, list: string, index: TaskIndex): Overview | undefined {
  const names = namesIn(tasksDir(paths, list));
  const { present, added } =
    joinedNames(names) === index.names
      ? { present: index.groups, added: [] }
      : compared(index, idsIn(paths, list, names).map(Number));
  if (added.length > LONG_LIST) return undefined;
  const open = ascending(present.filter(isOpen));
  const again = open.slice(-READ_AGAIN);
  const firstAgain = again[0] ?? 0;
  const { kinds, tasks } = readKinds(paths, list, [...again, ...added].map(String));
  const others = present.map((group) =>
    isOpen(group) ? { ...group, ids: group.ids.filter((id) => id < firstAgain) } : group,
  );
  const now = grouped(kinds).filter(isReadable);
  return { list, groups: [...others, ...now], tasks, isLong: true };
}

function compared({ groups }: TaskIndex, ids: readonly number[]) {
  const left = new Set(ids);
  const present = groups.map((group) => ({ ...group, ids: group.ids.filter((id) => left.delete(id)) }));
  return { present, added: [...left] };
}

/** The numbers of all of them. In a typed array, which is sorted without a call of ours for each comparison. */
const ascending = (groups: readonly TaskGroup[]): number[] => [
  ...Uint32Array.from(groups.flatMap(({ ids }) => ids)).sort(),
];

const isReadable = ({ status }: TaskKind) => status !== UNREADABLE;

const kindOf = (task: Task): TaskKind => ({
  status: task.status,
  state: notesOf(task).state,
  owner: task.owner,
  isVerified: notesOf(task).verified ? true : undefined,
});

/** Of all of these that exist; one that cannot be read as a task has a kind of its own. */
export function readKinds(paths: Paths, list: string, ids: readonly string[]) {
  const tasks = new Map(readById(paths, list, ids).map((task) => [task.id, task]));
  const kindAt = (task: Task | undefined): TaskKind => (task ? kindOf(task) : { status: UNREADABLE });
  return { kinds: new Map(ids.map((id) => [id, kindAt(tasks.get(id))])), tasks };
}

export function grouped(kinds: ReadonlyMap<string, TaskKind>): TaskGroup[] {
  const groups = new Map<string, TaskGroup>();
  const byKind = new Map<TaskKind, TaskGroup>(); // many tasks share the kind that the index has for them
  for (const [id, kind] of kinds) {
    const key = () => JSON.stringify([kind.status, kind.state, kind.owner, kind.isVerified]);
    const group = byKind.get(kind) ?? groups.get(key()) ?? { ...kind, ids: [] };
    if (group.ids.length === 0) groups.set(key(), group);
    byKind.set(kind, group);
    group.ids.push(Number(id));
  }
  return [...groups.values()];
}
