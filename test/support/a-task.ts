// A task as the client writes it, and a team's list in a home.
import type { Task } from "../../lib/tasks/store.ts";
import type { Home } from "./a-home.ts";

export const aTask = (id: string, fields: Partial<Task> = {}): Task => ({
  id,
  subject: `task ${id}`,
  description: "",
  status: "pending",
  blocks: [],
  blockedBy: [],
  ...fields,
});

export function aTeam(home: Home, members: string[], tasks: Task[] = [], team = "dev"): void {
  const [lead] = members;
  home.write(`.claude/teams/${team}/config.json`, {
    name: team,
    leadAgentId: `${lead}@${team}`,
    members: members.map((name) => ({ name, agentId: `${name}@${team}` })),
  });
  for (const task of tasks) home.write(`.claude/tasks/${team}/${task.id}.json`, task);
}

/** The environment of a member of a named team. */
export const member = (agent: string, team = "dev") => ({
  CLAUDE_CODE_SESSION_ID: `${agent}-session`,
  CLAUDE_CODE_TEAM_NAME: team,
  CLAUDE_CODE_AGENT_NAME: agent,
});
