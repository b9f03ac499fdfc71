// The rules of a shared task list, the same for our commands and for the client's Task tools. Each returns a refusal that names the
// right way, or nothing.
import { addTo } from "../core/lists.ts";
import { nearestOf } from "../core/nearest.ts";
import { plainLine } from "../core/text.ts";
import { isOpen, type Task } from "./store.ts";

/** At the end of every refusal that a person can switch off. */
export const BY_SETTING = "(setting: tasks.enforce)";

export interface Actor {
  /** `undefined` for a person at a terminal. */
  name: string | undefined;
  /** May give work to others and take it from them. */
  isLead: boolean;
}

/** Of one list, by number: a list may be long, and a rule is about few of its tasks. */
export type TaskLookup = Pick<ReadonlyMap<string, Task>, "get">;

export interface Board {
  tasks: TaskLookup;
  team: string | undefined;
  /** The members' names, where they are known. */
  roster: string[] | undefined;
  actor: Actor;
  /** Why the claim of the task's owner is no longer valid. */
  whyLost: (task: Task) => string | undefined;
}

export interface Change {
  status?: string;
  /** The finer status; empty takes it away. */
  state?: string;
  /** Empty: no owner. */
  owner?: string;
  blockedBy?: string[];
  blocks?: string[];
}

export function whyRefused(task: Task, change: Change, board: Board): string | undefined {
  return (
    whyWrongStatus(task, change) ??
    (change.owner ? whyNoMember(change.owner, board) : undefined) ??
    whyNotYours(task, change, board) ??
    whyStillBlocked(task, change.status, board.tasks) ??
    whyNotLinked(task, change, board.tasks)
  );
}

const NEXT = new Map([
  ["pending", "in_progress"],
  ["in_progress", "completed"],
]);

function whyWrongStatus({ id, status: from }: Task, { status: to = from, state }: Change) {
  if (from === "completed" && (to !== from || state))
    return `Task #${id} is completed, and that is final. For what is left create a new task.`;
  if (to === from || to === NEXT.get(from)) return undefined;
  if (from === "in_progress" && to === "pending")
    return `Task #${id} is in_progress and does not go back to pending by itself. To give it up: swarm task release ${id}`;
  return `Task #${id} cannot go from ${from} to ${to}: the order is pending, in_progress, completed. Set it to ${NEXT.get(from) ?? "pending"} first.`;
}

export function whyNoMember(owner: string, { roster, team }: Board): string | undefined {
  if (!roster || roster.includes(owner)) return undefined;
  return `${JSON.stringify(owner)} is no member of team ${team}${nearestOf(owner, roster)}. Members: ${roster.map(plainLine).join(", ") || "none"}.`;
}

/** The owner and the lead may, and anyone where there is no owner or the claim is lost. */
const mayDecide = (task: Task, { actor, whyLost }: Board): boolean =>
  !task.owner || actor.isLead || actor.name === task.owner || whyLost(task) !== undefined;

function whyNotYours(task: Task, change: Change, board: Board): string | undefined {
  const { id, owner, status } = task;
  const takes = change.owner !== undefined && change.owner !== (owner ?? "");
  const changesStatus = change.state !== undefined || (change.status ?? status) !== status;
  if (!takes && !changesStatus) return undefined;
  if (status === "completed" || mayDecide(task, board)) return undefined;
  return `Task #${id} is ${owner}'s (${status}). Take a free one instead (swarm task claim), or ask ${owner} or the lead to release it.`;
}

export function whyStillBlocked(task: Task, to: string | undefined, tasks: TaskLookup): string | undefined {
  if (to !== "in_progress" && to !== "completed") return undefined;
  const open = openBlockers(task, tasks);
  if (open.length === 0) return undefined;
  const list = open.map((one) => `#${one.id} (${plainLine(one.subject)}, ${one.status})`).join(", ");
  return `Task #${task.id} waits for ${list}. That comes first; swarm task list shows what is free.`;
}

/** A blocker that was deleted no longer blocks. */
export const openBlockers = (task: Task, tasks: TaskLookup): Task[] =>
  [...new Set(task.blockedBy)]
    .flatMap((id) => tasks.get(id) ?? [])
    .filter(isOpen)
    .sort((a, b) => Number(a.id) - Number(b.id));

export function whyNotLinked({ id }: Task, change: Change, tasks: TaskLookup): string | undefined {
  const links = [
    ...(change.blockedBy ?? []).map((other) => ({ waits: id, for: other, other })),
    ...(change.blocks ?? []).map((other) => ({ waits: other, for: id, other })),
  ];
  const added = new Map<string, string[]>();
  const waits = (one: string) => [...(tasks.get(one)?.blockedBy ?? []), ...(added.get(one) ?? [])];
  for (const link of links) {
    if (link.other === id) return `Task #${id} cannot wait for itself.`;
    if (!tasks.get(link.other)) return `There is no task #${link.other}.`;
    const path = pathTo(waits, link.for, link.waits);
    if (path)
      return `#${link.waits} cannot wait for #${link.for}, which waits for it: ${path.map((one) => `#${one}`).join(" waits for ")}.`;
    addTo(added, link.waits, link.for);
  }
  return undefined;
}

/** From one task to another along what each waits for. */
function pathTo(waits: (id: string) => string[], from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const at of cameFrom.keys()) {
    if (at === to) return tracedBack(cameFrom, at);
    for (const next of waits(at)) if (!cameFrom.has(next)) cameFrom.set(next, at);
  }
  return undefined;
}

function tracedBack(cameFrom: Map<string, string | undefined>, end: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}

/** A claim is exclusive for everyone, also for the lead and without `tasks.enforce`. */
export function whyNotClaimed(task: Task, me: string, { whyLost }: Board): string | undefined {
  const { id, owner, status } = task;
  if (status === "completed") return `Task #${id} is completed.`;
  if (!owner || owner === me || whyLost(task)) return undefined;
  return `Task #${id} is ${owner}'s (${status}). Take a free one instead: swarm task claim`;
}

export function whyNotReleased(task: Task, board: Board): string | undefined {
  const { id, owner, status } = task;
  if (status === "completed") return `Task #${id} is completed, and that is final.`;
  if (mayDecide(task, board)) return undefined;
  return `Task #${id} is ${owner}'s. Only ${owner} or the lead can release it.`;
}

export function whyNotDeleted(task: Task, board: Board): string | undefined {
  const { id, owner, status } = task;
  if (status !== "in_progress" || mayDecide(task, board)) return undefined;
  return `${owner} is at work on task #${id}. Ask ${owner} or the lead before it is deleted.`;
}
