// A team's facts as text for the model: the spawn reminder (Claude Swarm hooks, word for word) and two bounded summaries.

import type { Paths } from "../core/paths.ts";
import { escapeLine } from "../core/text.ts";
import type { Context, Mailbox } from "../hook/context.ts";
import { countIn, overviewOf, ownOpen, selectTasks } from "../tasks/store/select.ts";
import { statusOf, type Task, tasksDir } from "../tasks/store.ts";
import { readTeam, type Team, teamConfigPath } from "./store/config.ts";

/** With the mail that comes along well below 2,500 tokens. */
const LONGEST_SUMMARY = 3_000;
const LONGEST_SUBJECT = 90;
const TASKS_SHOWN = 20;

export const spawnReminder = ({ paths }: Context, { team }: Mailbox): string => `<system-reminder>
# Team Context Available

You are in team '${escapeLine(team)}'. When spawning subagents via the Task tool, consider:

1. The subagent can use swarm commands if it needs team coordination
2. Team config is at: ${shownConfig(paths, team)}
3. Tasks are at: ${shownTasks(paths, team)}

If the subagent should be a full teammate (persistent, with inbox), use \`/swarm-spawn\` instead of the Task tool.
</system-reminder>`;

export function subagentSummary({ paths }: Context, mailbox: Mailbox): string | undefined {
  const team = readTeam(paths, mailbox.team);
  if (!team) return undefined;
  const parent = escapeLine(mailbox.agent);
  return fitLines([
    "# Team Context",
    "",
    `You are a subagent of ${parent} in team '${escapeLine(mailbox.team)}'.`,
    `Config: ${shownConfig(paths, mailbox.team)}`,
    `Tasks: ${shownTasks(paths, mailbox.team)} (${counts(paths, mailbox.team)})`,
    `Channels: \`swarm send <member> "<text>"\` writes to a member in ${parent}'s name; mail for ${parent} is not shown to you.`,
    "",
    ...membersSection(team),
  ]);
}

export function leadSummary({ paths }: Context, mailbox: Mailbox): string | undefined {
  const team = readTeam(paths, mailbox.team);
  if (!team) return undefined;
  const agent = escapeLine(mailbox.agent);
  const overview = overviewOf(paths, mailbox.team);
  const { tasks, count } = selectTasks(paths, overview, ownOpen(undefined), { first: TASKS_SHOWN });
  const more = count - tasks.length;
  const lines = [
    `# Team Role for ${agent}`,
    "",
    `You are ${agent}, the lead of team '${escapeLine(mailbox.team)}'. Config: ${shownConfig(paths, mailbox.team)}`,
    'Members answer to `swarm send <member> "<text>"`; their mail and reports come to you by themselves.',
    "",
    `## Open Tasks (${count})`,
    "",
    ...(tasks.length > 0 ? tasks.map(taskLine) : ["none"]),
    ...(more > 0 ? [`and ${more} more in ${shownTasks(paths, mailbox.team)}`] : []),
    "",
    ...membersSection(team),
  ];
  return `<system-reminder>\n${fitLines(lines)}\n</system-reminder>`;
}

const shownConfig = (paths: Paths, team: string) => fromHome(paths, teamConfigPath(paths, team));
const shownTasks = (paths: Paths, team: string) => fromHome(paths, `${tasksDir(paths, team)}/`);
const fromHome = ({ home }: Paths, path: string) =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

const membersSection = ({ members }: Team): string[] => [
  `## Members (${members.length})`,
  "",
  ...members.map(({ name, agentType, status, lastSeen }) => {
    const facts = [agentType, status ?? "unknown", lastSeen && `last seen ${lastSeen}`];
    return `- ${escapeLine(name)}: ${facts.flatMap((fact) => (fact ? escapeLine(fact) : [])).join(", ")}`;
  }),
];

const taskLine = (task: Task) =>
  `- Task #${task.id} [${escapeLine(statusOf(task))}]: ${escapeLine(task.subject).slice(0, LONGEST_SUBJECT)}${task.owner ? ` (${escapeLine(task.owner)})` : ""}`;

function counts(paths: Paths, team: string): string {
  const overview = overviewOf(paths, team);
  const open = countIn(overview, ownOpen(undefined));
  const running = countIn(overview, ({ status }) => status === "in_progress");
  return `${open - running} pending, ${running} in progress`;
}

/** Whole lines; the last one says how many did not fit. */
function fitLines(lines: readonly string[]): string {
  let left = LONGEST_SUMMARY - 20;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return (end < 0 ? lines : [...lines.slice(0, end), `and ${lines.length - end} more`]).join("\n");
}
