// What was finished for one conversation since a moment: its own subagents, the reports in its inbox, its team's tasks.
import { statSync } from "node:fs";
import { join } from "node:path";
import { maybeText, object, someText } from "../parse/shape.ts";
import { readUnread } from "./inbox.ts";
import { taskFiles } from "./list-directory.ts";
import { type Places, tasksDir } from "./paths.ts";
import { readForeignJson } from "./read-json.ts";
import { readVoices } from "./sessions.ts";

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
export function readFinished(
  places: Places,
  { session, team, agent }: Conversation,
  since: Date,
): Finished[] {
  return [
    ...subagents(places, session),
    ...(team && agent ? reports(places, team, agent) : []),
    ...(team ? completedTasks(places, team, since) : []),
  ]
    .filter(({ at }) => at > since)
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}

const subagents = (places: Places, session: string): Finished[] =>
  readVoices(places, session).flatMap(({ agentId, agent, lastWords, endedAt }) =>
    agentId && endedAt
      ? { id: agentId, type: agent ?? "agent", summary: lastWords ?? "", at: new Date(endedAt) }
      : [],
  );

const reports = (places: Places, team: string, agent: string): Finished[] =>
  readUnread(places, team, agent).flatMap(({ from, text, summary, kind, timestamp }) =>
    kind === "report" ? { id: from, type: "report", summary: summary ?? text, at: new Date(timestamp) } : [],
  );

const task = object({ id: someText, subject: someText, status: someText, owner: maybeText });

/** The file's age says when: a completed task is not written again. */
function completedTasks(places: Places, team: string, since: Date): Finished[] {
  const directory = tasksDir(places, team);
  return taskFiles(directory).flatMap((name) => {
    const at = statSync(join(directory, name), { throwIfNoEntry: false })?.mtime;
    if (!at || at <= since) return [];
    const found = readForeignJson(join(directory, name), task);
    if (found?.status !== "completed") return [];
    return { id: `#${found.id}`, type: found.owner ?? "task", summary: found.subject, at };
  });
}
