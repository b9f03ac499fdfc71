// The wake-up line of Claude OS hooks. `swarm wake` types it into the pane of a session that nothing else can wake; the prompt hook of
// that session (hooks/wake-up.ts) then adds what finished for it since the last summary.

import { badCall, type Call, didYouMean, refused } from "../cli/command.ts";
import type { Paths } from "../core/paths.ts";
import { escapeLine, shortened } from "../core/text.ts";
import { ago } from "../core/time.ts";
import type { Identity } from "../hook/context.ts";
import {
  isOpenSession,
  lifeOfRecord,
  readSessions,
  readSubagents,
  type SessionRecord,
} from "../sessions/store/sessions.ts";
import { descendsFrom } from "../system/processes.ts";
import { processInPane, typeLine } from "../system/tmux.ts";
import { readCompletedSince } from "../tasks/store.ts";
import { readUnread } from "./store/inbox.ts";
import { type Message, REPORT_MARK, REPORT_SUMMARY } from "./store/message.ts";

const WAKE_UP_LINE = "[CLAUDE OS SYS: NOTIFICATION]: Workers complete";
/** The sender in Claude OS hooks writes the time in front. */
const TIMESTAMP = /^\s*(\[\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?\]\s*)?/;

export const isWakeUp = (prompt: string): boolean => prompt.replace(TIMESTAMP, "").startsWith(WAKE_UP_LINE);

export function wakeVerb(call: Call) {
  const asked = call.words[0];
  if (!asked) throw badCall("wake whom? an agent's name or a session's id");
  const record = findSession(call, asked);
  const why = whyNotWoken(record);
  if (why) throw new Error(`${asked} cannot be woken: ${why}`);
  if (!typeLine(record.tmux ?? "", record.pane ?? "", WAKE_UP_LINE))
    throw new Error("tmux did not take the line");
  const { session, pane } = record;
  return { text: `woke ${session} in ${pane}`, data: { session, pane } };
}

function findSession(call: Call, asked: string): SessionRecord {
  const open = readSessions(call.paths).filter(isOpenSession);
  const found = open.filter(({ session, agent }) => agent === asked || session.startsWith(asked));
  const [only, another] = found;
  if (!only) {
    const names = open.flatMap(({ agent, session }) => [...(agent ? [agent] : []), session]);
    throw refused(
      `there is no running session ${asked}${didYouMean(asked, names)}`,
      "swarm session list lists them",
    );
  }
  if (another) throw badCall(`${asked} could be ${found.map(({ session }) => session).join(" or ")}`);
  return only;
}

/** Only a pane that is proven to hold the session's client: a shell would run the line as a command. */
function whyNotWoken(record: SessionRecord): string | undefined {
  if (!record.tmux || !record.pane || !record.pid) return "it runs in no tmux pane";
  if (lifeOfRecord(record) === "gone") return "its process is gone";
  if (record.state !== "idle") return `it is busy (${record.state})`;
  const holder = processInPane(record.tmux, record.pane);
  if (!holder) return "its pane is gone";
  return descendsFrom(record.pid, holder) === false ? "its pane holds another program" : undefined;
}

export interface Finished {
  id: string;
  type: string;
  summary: string;
  at: Date;
}

/** The session's own subagents, the unread reports in its inbox and its team's completed tasks; newest first. */
export function readFinished(
  paths: Paths,
  session: string,
  { team, agent }: Pick<Identity, "team" | "agent">,
  since: Date,
): Finished[] {
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
  readUnread(paths, team, agent).flatMap((one) =>
    one.kind === "report"
      ? { id: one.from, type: "report", summary: inShort(one), at: new Date(one.timestamp) }
      : [],
  );

function inShort({ summary, text }: Message): string {
  if (typeof summary === "string" && summary !== REPORT_SUMMARY) return summary;
  return text.startsWith(REPORT_MARK) ? text.slice(REPORT_MARK.length) : text;
}

const completedTasks = (paths: Paths, team: string, since: Date): Finished[] =>
  readCompletedSince(paths, team, since).map(({ task: { id, owner, subject }, at }) => ({
    id: `#${id}`,
    type: owner ?? "task",
    summary: subject,
    at,
  }));

const MOST_LINES = 5;
const LONGEST_SUMMARY = 60;

export function summaryOf(finished: readonly Finished[], now: Date): string {
  if (finished.length === 0) return "📬 Nothing has been completed since the last summary.";
  const rest = finished.length - MOST_LINES;
  return [
    `📬 ${finished.length} task(s) completed and ready for review:`,
    ...finished.slice(0, MOST_LINES).map((one) => `• ${lineOf(one, now)}`),
    ...(rest > 0 ? [`...and ${rest} more`] : []),
    "Each is listed here once; its author waits for an answer or for more work.",
  ].join("\n");
}

function lineOf({ id, type, summary, at }: Finished, now: Date): string {
  const said = shortened(escapeLine(summary.slice(0, 500)) || "no summary", LONGEST_SUMMARY);
  return `${escapeLine(id)} (${escapeLine(type)}) - ${said} [${ago(at, now)}]`;
}
