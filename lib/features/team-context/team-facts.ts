// A team's facts as words. Loaded only inside a team.
import type { Context } from "../../run/context.ts";
import type { Seat } from "../../run/seat.ts";
import { readOpenTasks } from "../../store/open-tasks.ts";
import { readRoster } from "../../store/roster.ts";
import { forLead, forSubagent, pathsOf, spawnReminder } from "./words.ts";

const TASKS_LOOKED_AT = 300;

export const reminderFor = ({ places }: Context, { team }: Seat): string =>
  spawnReminder(team, pathsOf(places, team));

export function factsFor(reader: "lead" | "subagent", { places }: Context, seat: Seat): string | undefined {
  const team = readRoster(places, seat.team);
  if (!team) return undefined;
  const tasks = readOpenTasks(places, seat.team, TASKS_LOOKED_AT);
  const words = reader === "lead" ? forLead : forSubagent;
  return words(seat, team, tasks, pathsOf(places, seat.team));
}
