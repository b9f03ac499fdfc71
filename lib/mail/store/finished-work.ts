// What was finished for one conversation since a moment: its own subagents, the reports in its inbox, its team's tasks.
import { statSync } from "node:fs";
import { join } from "node:path";
import { taskFiles } from "../../core/files.ts";
import { readForeignJson } from "../../core/json.ts";
import { type Paths, tasksDir } from "../../core/paths.ts";
import { maybeText, object, someText } from "../../core/shape.ts";
import { readVoices } from "../../sessions/store/sessions.ts";
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
  readVoices(paths, session).flatMap(({ agentId, agent, lastWords, endedAt }) =>
    agentId && endedAt
      ? { id: agentId, type: agent ?? "agent", summary: lastWords ?? "", at: new Date(endedAt) }
      : [],
  );

const reports = (paths: Paths, team: string, agent: string): Finished[] =>
  readUnread(paths, team, agent).flatMap(({ from, text, summary, kind, timestamp }) =>
    kind === "report" ? { id: from, type: "report", summary: summary ?? text, at: new Date(timestamp) } : [],
  );

const task = object({ id: someText, subject: someText, status: someText, owner: maybeText });

/** The file's age says when: a completed task is not written again. */
function completedTasks(paths: Paths, team: string, since: Date): Finished[] {
  const directory = tasksDir(paths, team);
  return taskFiles(directory).flatMap((name) => {
    const at = statSync(join(directory, name), { throwIfNoEntry: false })?.mtime;
    if (!at || at <= since) return [];
    const found = readForeignJson(join(directory, name), task);
    if (found?.status !== "completed") return [];
    return { id: `#${found.id}`, type: found.owner ?? "task", summary: found.subject, at };
  });
}
