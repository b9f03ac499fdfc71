// One line about where a session stands: team, mail, tasks, context, effort. What is not there is not mentioned.
import { plainLine } from "../core/text.ts";

export interface Facts {
  team?: string;
  agent?: string;
  unread?: number;
  tasks?: { done: number; all: number };
  /** In percent. */
  context?: number;
  effort?: string;
}

const LONGEST_NAME = 40;

export function statusLine({ team, agent, unread, tasks, context, effort }: Facts): string {
  return [
    ...(team ? [`${agent ? `${short(agent)}@` : ""}${short(team)}`] : []),
    ...(unread ? [`${unread} unread`] : []),
    ...(tasks && tasks.all > 0 ? [`${tasks.done}/${tasks.all} tasks`] : []),
    ...(context === undefined ? [] : [`context ${Math.floor(context)}%`]),
    ...(effort ? [`effort ${short(effort)}`] : []),
  ].join(" · ");
}

const short = (name: string) => plainLine(name).slice(0, LONGEST_NAME);
