// What was finished for one conversation since a moment: its own subagents, the reports in its inbox, its team's tasks.

import type { Paths } from "../../core/paths.ts";
import { readSubagents } from "../../sessions/store/sessions.ts";
import { readCompletedSince } from "../../tasks/store.ts";
import { readUnread } from "./inbox.ts";

export interface Finished {
  id: string;
  type: string;
  summary: string;
  at: Date;
}

export interface Conversation {
  session: string;
  team: string | undefined;
  agent: string | undefined;
}

/** Newest first. */
export function readFinished(paths: Paths, { session, team, agent }: Conversation, since: Date): Finished[] {
  return [
    ...subagents(paths, session),
    ...(team && agent ? reports(paths, team, agent) : []),
    ...(team ? completedTasks(paths, team, since) : []),
  ]
    .filter(({ at }) => at > since)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}

const subagents = (paths: Paths, session: string): Finished[] =>
  readSubagents(paths, session).flatMap(({ agentId, agent, lastWords, endedAt }) =>
    agentId && endedAt
      ? { id: agentId, type: agent ?? "agent", summary: lastWords ?? "", at: new Date(endedAt) }
      : [],
  );

const reports = (paths: Paths, team: string, agent: string): Finished[] =>
  readUnread(paths, team, agent).flatMap(({ from, text, summary, kind, timestamp }) =>
    kind === "report" ? { id: from, type: "report", summary: summary ?? text, at: new Date(timestamp) } : [],
  );

const completedTasks = (paths: Paths, team: string, since: Date): Finished[] =>
  readCompletedSince(paths, team, since).map(({ task: { id, owner, subject }, at }) => ({
    id: `#${id}`,
    type: owner ?? "task",
    summary: subject,
    at,
  }));
