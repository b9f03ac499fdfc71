// A team's facts as words. Loaded only inside a team.

import type { Paths } from "../core/paths.ts";
import { escapeLine } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type { Mailbox } from "../hook/identity.ts";
import { readOpenTasks, statusOf, type Task, tasksDir } from "../tasks/store.ts";
import { readTeam, type Team, teamConfigPath } from "./store/config.ts";

const TASKS_LOOKED_AT = 300;

export const reminderFor = ({ paths }: Context, { team }: Mailbox): string =>
  spawnReminder(team, pathsOf(paths, team));

export function factsFor(
  reader: "lead" | "subagent",
  { paths }: Context,
  mailbox: Mailbox,
): string | undefined {
  const team = readTeam(paths, mailbox.team);
  if (!team) return undefined;
  const tasks = readOpenTasks(paths, mailbox.team, { newest: TASKS_LOOKED_AT });
  const words = reader === "lead" ? forLead : forSubagent;
  return words(mailbox, team, tasks, pathsOf(paths, mailbox.team));
}

// What a team's members are told about the team: seed 001's reminder to the letter, and two summaries within their room.
/** With the mail beside it well below 2,500 tokens. */
const ROSTER_ROOM = 3_000;
const LONGEST_SUBJECT = 90;
const TASKS_SHOWN = 20;

export interface TeamPaths {
  config: string;
  tasks: string;
}

export const pathsOf = (paths: Paths, team: string): TeamPaths => ({
  config: fromHome(paths, teamConfigPath(paths, team)),
  tasks: fromHome(paths, `${tasksDir(paths, team)}/`),
});

const fromHome = ({ home }: Paths, path: string) =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

export const spawnReminder = (team: string, { config, tasks }: TeamPaths): string => `<system-reminder>
# Team Context Available

You are in team '${escapeLine(team)}'. When spawning subagents via the Task tool, consider:

1. The subagent can use swarm commands if it needs team coordination
2. Team config is at: ${config}
3. Tasks are at: ${tasks}

If the subagent should be a full teammate (persistent, with inbox), use \`/swarm-spawn\` instead of the Task tool.
</system-reminder>`;

export function forSubagent(mailbox: Mailbox, team: Team, tasks: readonly Task[], paths: TeamPaths): string {
  const parent = escapeLine(mailbox.agent);
  return within(ROSTER_ROOM, [
    "# Team Context",
    "",
    `You are a subagent of ${parent} in team '${escapeLine(mailbox.team)}'.`,
    `Config: ${paths.config}`,
    `Tasks: ${paths.tasks} (${counts(tasks)})`,
    `Channels: \`swarm send <member> "<text>"\` writes to a member in ${parent}'s name; mail for ${parent} is not shown to you.`,
    "",
    `## Members (${team.members.length})`,
    "",
    ...roster(team),
  ]);
}

export function forLead(mailbox: Mailbox, team: Team, tasks: readonly Task[], paths: TeamPaths): string {
  const agent = escapeLine(mailbox.agent);
  const more = tasks.length - TASKS_SHOWN;
  const lines = [
    `# Team Role for ${agent}`,
    "",
    `You are ${agent}, the lead of team '${escapeLine(mailbox.team)}'. Config: ${paths.config}`,
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

const roster = (team: Team) =>
  team.members.map(({ name, agentType, status, lastSeen }) => {
    const facts = [agentType, status ?? "unknown", lastSeen && `last seen ${lastSeen}`];
    return `- ${escapeLine(name)}: ${facts.flatMap((fact) => (fact ? escapeLine(fact) : [])).join(", ")}`;
  });

const taskLine = (task: Task) =>
  `- Task #${task.id} [${escapeLine(statusOf(task))}]: ${escapeLine(task.subject).slice(0, LONGEST_SUBJECT)}${task.owner ? ` (${escapeLine(task.owner)})` : ""}`;

function counts(tasks: readonly Task[]): string {
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
