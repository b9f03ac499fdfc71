// A team's facts as words. Loaded only inside a team.
import type { Context } from "../hook/context.ts";
import type { Mailbox } from "../hook/mailbox.ts";
import { readOpenTasks } from "../tasks/store/open-tasks.ts";
import { readRoster } from "./store/roster.ts";
import { forLead, forSubagent, pathsOf, spawnReminder } from "./team-facts-text.ts";

const TASKS_LOOKED_AT = 300;

export const reminderFor = ({ paths }: Context, { team }: Mailbox): string =>
  spawnReminder(team, pathsOf(paths, team));

export function factsFor(
  reader: "lead" | "subagent",
  { paths }: Context,
  mailbox: Mailbox,
): string | undefined {
  const team = readRoster(paths, mailbox.team);
  if (!team) return undefined;
  const tasks = readOpenTasks(paths, mailbox.team, TASKS_LOOKED_AT);
  const words = reader === "lead" ? forLead : forSubagent;
  return words(mailbox, team, tasks, pathsOf(paths, mailbox.team));
}
