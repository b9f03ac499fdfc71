// A task as a person or a model reads it.
import { escapeLine, plainLine, plainText } from "../core/text.ts";
import { openBlockers } from "./rules.ts";
import { notesOf, type Task } from "./store.ts";

/** The finer status where there is one: five for the reader, three for the client. */
export const statusOf = (task: Task): string =>
  task.status === "completed" ? task.status : (notesOf(task).state ?? task.status);

export function lineOf(task: Task, tasks: Task[]): string {
  const open = openBlockers(task, tasks).map((one) => `#${one.id}`);
  const whose = task.owner ? `  @${task.owner}` : "";
  const waits = task.status !== "completed" && open.length > 0 ? `  waits for ${open.join(", ")}` : "";
  return `#${task.id}  ${statusOf(task)}  ${plainLine(task.subject)}${whose}${waits}`;
}

export function pageOf(task: Task, tasks: Task[], lost: string | undefined): string {
  const { comments = [], lease } = notesOf(task);
  const others = (ids: string[]) => ids.map((id) => `#${plainLine(id)}`).join(", ");
  return [
    lineOf(task, tasks),
    ...(task.description ? ["", plainText(task.description), ""] : []),
    ...(lease && task.status === "in_progress" ? [`claimed at ${plainLine(lease.at)}`] : []),
    ...(lost && task.status !== "completed" ? [`its owner ${lost}: anyone may claim it`] : []),
    ...(task.blockedBy.length > 0 ? [`waits for: ${others(task.blockedBy)}`] : []),
    ...(task.blocks.length > 0 ? [`blocks: ${others(task.blocks)}`] : []),
    ...comments.map((one) => `${plainLine(one.timestamp)}  ${plainLine(one.author)}: ${plainText(one.text)}`),
  ].join("\n");
}

/** Seed 001's words, in numeric order. */
export function assignedTo(agent: string, tasks: Task[]): string | undefined {
  const own = tasks.filter((task) => task.owner === agent && task.status !== "completed");
  if (own.length === 0) return undefined;
  const lines = own.map((task) => `- Task #${task.id}: ${escapeLine(task.subject)}`);
  return `## Your Assigned Tasks\n\n${lines.join("\n")}\n\nUse \`/task-list\` to see full details.`;
}
