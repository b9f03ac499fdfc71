// What a team's members are told about the team: seed 001's reminder to the letter, and two summaries within their room.
import { escapeLine } from "../../parse/xml.ts";
import type { Seat } from "../../run/seat.ts";
import type { OpenTask } from "../../store/open-tasks.ts";
import { type Places, tasksDir, teamConfigPath } from "../../store/paths.ts";
import type { Roster } from "../../store/roster.ts";

/** With the mail beside it well below 2,500 tokens. */
const ROSTER_ROOM = 3_000;
const LONGEST_SUBJECT = 90;
const TASKS_SHOWN = 20;

export interface Paths {
  config: string;
  tasks: string;
}

export const pathsOf = (places: Places, team: string): Paths => ({
  config: fromHome(places, teamConfigPath(places, team)),
  tasks: fromHome(places, `${tasksDir(places, team)}/`),
});

const fromHome = ({ home }: Places, path: string) =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

export const spawnReminder = (team: string, { config, tasks }: Paths): string => `<system-reminder>
# Team Context Available

You are in team '${escapeLine(team)}'. When spawning subagents via the Task tool, consider:

1. The subagent can use swarm commands if it needs team coordination
2. Team config is at: ${config}
3. Tasks are at: ${tasks}

If the subagent should be a full teammate (persistent, with inbox), use \`/swarm-spawn\` instead of the Task tool.
</system-reminder>`;

export function forSubagent(seat: Seat, team: Roster, tasks: readonly OpenTask[], paths: Paths): string {
  const parent = escapeLine(seat.agent);
  return within(ROSTER_ROOM, [
    "# Team Context",
    "",
    `You are a subagent of ${parent} in team '${escapeLine(seat.team)}'.`,
    `Config: ${paths.config}`,
    `Tasks: ${paths.tasks} (${counts(tasks)})`,
    `Channels: \`swarm send <member> "<text>"\` writes to a member in ${parent}'s name; mail for ${parent} is not shown to you.`,
    "",
    `## Members (${team.members.length})`,
    "",
    ...roster(team),
  ]);
}

export function forLead(seat: Seat, team: Roster, tasks: readonly OpenTask[], paths: Paths): string {
  const agent = escapeLine(seat.agent);
  const more = tasks.length - TASKS_SHOWN;
  const lines = [
    `# Team Role for ${agent}`,
    "",
    `You are ${agent}, the lead of team '${escapeLine(seat.team)}'. Config: ${paths.config}`,
    'Members answer to `swarm send <member> "<text>"`; their mail and reports come to you by themselves.',
    "",
    `## Open Tasks (${tasks.length})`,
    "",
    ...(tasks.length > 0 ? tasks.slice(0, TASKS_SHOWN).map(taskLine) : ["none"]),
    ...(more > 0 ? [`and ${more} more in ${paths.tasks}`] : []),
    "",
    `## Members (${team.members.length})`,
    "",
    ...roster(team),
  ];
  return `<system-reminder>\n${within(ROSTER_ROOM, lines)}\n</system-reminder>`;
}

const roster = (team: Roster) =>
  team.members.map(({ name, agentType, status, lastSeen }) => {
    const facts = [agentType, status ?? "unknown", lastSeen && `last seen ${lastSeen}`];
    return `- ${escapeLine(name)}: ${facts.flatMap((fact) => (fact ? escapeLine(fact) : [])).join(", ")}`;
  });

const taskLine = ({ id, subject, status, owner }: OpenTask) =>
  `- Task #${id} [${escapeLine(status)}]: ${escapeLine(subject).slice(0, LONGEST_SUBJECT)}${owner ? ` (${escapeLine(owner)})` : ""}`;

function counts(tasks: readonly OpenTask[]): string {
  const running = tasks.filter((task) => task.status === "in_progress").length;
  return `${tasks.length - running} pending, ${running} in progress`;
}

/** Whole lines; the last one says how many did not fit. */
function within(room: number, lines: readonly string[]): string {
  let left = room - 20;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return (end < 0 ? lines : [...lines.slice(0, end), `and ${lines.length - end} more`]).join("\n");
}
