// A named team on disk, and the environment of its members as their starter sets it.
import type { Home } from "./a-home.ts";

export const TEAM = "atm-dev";
export const CONFIG = `.claude/teams/${TEAM}/config.json`;
export const inboxOf = (agent: string) => `.claude/teams/${TEAM}/inboxes/${agent}.json`;
export const archiveOf = (agent: string) => `.claude/teams/${TEAM}/archive/${agent}.jsonl`;

export interface GivenMember {
  name: string;
  [key: string]: unknown;
}

export function aTeam(home: Home, members: (string | GivenMember)[] = ["team-lead", "alice", "bob"]): void {
  home.write(CONFIG, {
    name: TEAM,
    leadAgentId: `team-lead@${TEAM}`,
    leadSessionId: "lead-session",
    status: "active",
    keptBySomebodyElse: true,
    members: members.map((member) => {
      const given = typeof member === "string" ? { name: member } : member;
      return { agentId: `${given.name}@${TEAM}`, status: "active", ...given };
    }),
  });
}

const sessionOf = (agent: string) => (agent === "team-lead" ? "lead-session" : `${agent}-session`);

export const as = (agent: string, more: Record<string, string> = {}): Record<string, string> => ({
  CLAUDE_CODE_SESSION_ID: sessionOf(agent),
  CLAUDE_CODE_TEAM_NAME: TEAM,
  CLAUDE_CODE_AGENT_NAME: agent,
  ...more,
});

export const member = (home: Home, name: string): any =>
  home.json(CONFIG).members.find((one: GivenMember) => one.name === name);

let sent = 0;

/** An entry as `swarm send` writes it. */
export const aMessage = (from: string, text: string, more: Record<string, unknown> = {}) => ({
  id: `m-${++sent}`,
  from,
  text,
  timestamp: "2026-02-20T11:59:00Z",
  read: false,
  ...more,
});
