// Messages about a change of a task, to the lead and to the owners of tasks that waited for it. The sentences are those of Claude
// Swarm hooks.
import { whyNotSegment } from "../core/paths.ts";
import { escapeLine } from "../core/text.ts";
import { notify } from "../mail/store/inbox.ts";
import { newMessage } from "../mail/store/message.ts";
import { isMember, leadOf, readTeam } from "../teams/store/config.ts";
import { openBlockers } from "./rules.ts";
import { readOpenTasks } from "./store/select.ts";
import { isOpen, type Task } from "./store.ts";
import { authorOf, type TaskContext } from "./task-context.ts";

interface Notice {
  to: string;
  text: string;
}

/** The open tasks that waited for it, each with those it still waits for. */
function waitingFor(done: Task, tasks: Task[]): { task: Task; open: Task[] }[] {
  const others = new Map(tasks.filter(({ id }) => id !== done.id).map((task) => [task.id, task]));
  return tasks
    .filter((task) => isOpen(task) && task.blockedBy.includes(done.id))
    .map((task) => ({ task, open: openBlockers(task, others) }));
}

export const unblocked = (done: Task, tasks: Task[]): Task[] =>
  waitingFor(done, tasks).flatMap(({ task, open }) => (open.length === 0 ? task : []));

export function completionNotices(done: Task, tasks: Task[], by: string, lead: string): Notice[] {
  const toLead = { to: lead, text: `${by} completed task #${done.id}: ${escapeLine(done.subject)}` };
  const toOwners = waitingFor(done, tasks).flatMap(({ task, open }) => {
    if (!task.owner) return [];
    const rest = open.length > 0 ? ` It still waits for ${open.map(({ id }) => `#${id}`).join(", ")}.` : "";
    const first = `Task #${done.id} (${escapeLine(done.subject)}) is now completed.`;
    return {
      to: task.owner,
      text: `${first} Your task #${task.id} (${escapeLine(task.subject)}) may be unblocked.${rest}`,
    };
  });
  return [toLead, ...toOwners].filter((notice) => notice.to !== by);
}

/** Returns what it unblocked, and the recipients; none for a list without a team. */
export function notifyOfCompletion(context: TaskContext, done: Task) {
  const { paths, list, team, session, actor } = context;
  const tasks = readOpenTasks(paths, list);
  const lead = leadOf(team ? readTeam(paths, team) : undefined);
  // A member's own mail or last report follows with its turn: the lead is woken for those.
  const routineTo = session !== undefined && actor.name !== undefined ? lead : undefined;
  const notices = completionNotices(done, tasks, authorOf(context), lead);
  return { unblocked: unblocked(done, tasks), notified: send(context, notices, routineTo) };
}

export function notifyOfAssignment(context: TaskContext, task: Task): string[] {
  if (!task.owner || task.owner === context.actor.name) return [];
  const text = `${authorOf(context)} assigned task #${task.id} to you: ${escapeLine(task.subject)}`;
  return send(context, [{ to: task.owner, text }]);
}

function send(context: TaskContext, notices: Notice[], routineTo?: string): string[] {
  const { paths, team, now: at } = context;
  const config = team ? readTeam(paths, team) : undefined;
  if (!team || !config) return [];
  const from = authorOf(context);
  const reached = notices
    .filter(({ to }) => isMember(config, to) && !whyNotSegment(to))
    .filter(({ to, text }) => {
      const draft = { from, text, at, summary: text.slice(0, 80), routine: to === routineTo };
      return notify(paths, team, to, newMessage({ ...draft, kind: "system" }));
    });
  return [...new Set(reached.map(({ to }) => to))];
}
