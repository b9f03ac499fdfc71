// A look at everything, beside the turn: who fell silent or is gone, which team is done or idle with work left, which budget is
// used up. The lead hears of a budget at 80 %, the person at 100 %.

import { appendError } from "../../core/journal.ts";
import type { Paths } from "../../core/paths.ts";
import type { LoadedSettings } from "../../core/settings.ts";
import { counted } from "../../core/text.ts";
import { notifyLead } from "../../mail/store/lead-notes.ts";
import { pauseOf } from "../../sessions/store/pauses.ts";
import {
  isInTurn,
  lastSignOf,
  latestRecord,
  lifeOfRecord,
  readSessions,
  readSubagents,
  type SessionRecord,
} from "../../sessions/store/sessions.ts";
import { isOpen } from "../../tasks/store.ts";
import { type Trouble, troubleOf } from "../../teams/store/agent-state.ts";
import { isNative, leadOf, listTeams, readTeam } from "../../teams/store/config.ts";
import { lifeOfMember } from "../../teams/store/liveness.ts";
import { type Spent, spentOf, spentText } from "../budget.ts";
import { hasBudget, type NotifyEvent } from "../settings.ts";
import { claimBudgetNotice } from "../store/budget.ts";
import { costsOf } from "../store/costs.ts";
import { type LeftOut, readableTasks } from "../store/left-out.ts";
import { type Moment, momentKey } from "../store/moments.ts";

export interface Looking {
  paths: Paths;
  now: Date;
  loaded: Pick<LoadedSettings, "values">;
}

export type Found = Pick<Moment, "key" | "event" | "text" | "session" | "pid" | "tmux">;

const found = (
  event: NotifyEvent,
  subject: string,
  sign: string,
  text: string,
  record?: SessionRecord,
): Found => ({
  key: momentKey(event, subject, sign),
  event,
  text,
  ...(record ? { session: record.session, pid: record.pid, tmux: record.tmux } : {}),
});

export function look(looking: Looking): Found[] {
  const records = readSessions(looking.paths).filter((one) => !one.next);
  return [
    ...listTeams(looking.paths).map((team) => () => ofTeam(looking, team, records)),
    ...records.filter(({ team }) => !team).map((record) => () => ofSolo(looking, record)),
    () => budgets(looking),
  ].flatMap((part) => attempt(looking, part) ?? []);
}

/** What fails is in the error log, and does not keep the others from being looked at, written to or woken. */
export function attempt<T>({ paths, now }: Pick<Looking, "paths" | "now">, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    logFailure(paths, now, error);
    return undefined;
  }
}

/** Nobody reads what a helper prints. */
export const logFailure = (paths: Paths, now: Date, error: unknown): void =>
  appendError(paths, {
    ...{ at: now.toISOString(), event: "notify", feature: "people" },
    error: (error as Error).message,
  });

const MINUTE_MS = 60_000;
/** An older end or silence is no news. */
const NEWS_MS = 24 * 60 * MINUTE_MS;
/** A team in which nobody has done anything for so long is not waiting for its person. */
const LIVELY_MS = 30 * MINUTE_MS;

const isSince = (record: SessionRecord, now: Date, ms: number) =>
  now.getTime() - Date.parse(record.lastSeen) <= ms;
const silentMs = ({ loaded }: Looking) => loaded.values["heartbeat.stale_s"] * 1000;

function ofSolo(looking: Looking, record: SessionRecord): Found[] {
  if (record.endedAt || !isSince(record, looking.now, NEWS_MS)) return [];
  const life = lifeOfRecord(record);
  const name = `session ${record.session.slice(0, 8)}`;
  const observed = { life, evidence: "its process has ended", record, lastSign: lastSign(looking, record) };
  return ofTrouble(name, troubleOf(observed, looking.now, silentMs(looking)), record);
}

/** A limit is said when it is hit, with its reset. */
function ofTrouble(name: string, trouble: Trouble | undefined, record: SessionRecord): Found[] {
  if (!trouble || trouble.state === "rate-limited") return [];
  return [
    found(
      trouble.state,
      name,
      `${record.session} ${trouble.state === "gone" ? record.pid : trouble.sign}`,
      `${name} is ${trouble.state}: ${trouble.why}`,
      record,
    ),
  ];
}

const lastSign = ({ paths }: Looking, record: SessionRecord) =>
  lastSignOf(record, readSubagents(paths, record.session));

function ofTeam(looking: Looking, name: string, records: readonly SessionRecord[]): Found[] {
  const { paths, now } = looking;
  const team = readTeam(paths, name);
  if (!team || team.status === "suspended" || team.status === "archived") return [];
  const own = records.filter((record) => record.team === name && !record.endedAt);
  const troubles = team.members.flatMap((member) => {
    const sessionId = member.sessionId ?? (member.name === leadOf(team) ? team.leadSessionId : undefined);
    const record = latestRecord(paths, sessionId);
    if (!record || record.endedAt || member.status === "offline" || !isSince(record, now, NEWS_MS)) return [];
    const life = lifeOfMember(paths, { ...member, sessionId });
    const seen = { ...life, record, lastSign: lastSign(looking, record) };
    return ofTrouble(`${member.name}@${name}`, troubleOf(seen, now, silentMs(looking)), record);
  });
  return [...troubles, ...ofTasks(looking, name, own)];
}

function ofTasks({ paths, now }: Looking, team: string, own: readonly SessionRecord[]): Found[] {
  const living = own.filter((record) => lifeOfRecord(record) !== "gone");
  if (!living.some((record) => isSince(record, now, LIVELY_MS))) return [];
  const leftOut: LeftOut = new Set();
  const tasks = readableTasks(paths, team, leftOut);
  for (const line of leftOut) logFailure(paths, now, new Error(line));
  const open = tasks.filter(isOpen);
  const newest = tasks.at(-1)?.id ?? "";
  const unread = leftOut.size > 0 ? `; ${leftOut.size} cannot be read` : "";
  if (tasks.length > 0 && open.length === 0)
    return [
      found(
        "done",
        team,
        `${newest} ${tasks.length}`,
        `team ${team}: ${tasks.length === 1 ? "the task is" : `all ${tasks.length} tasks are`} done${unread}`,
      ),
    ];
  const isIdle = living.every(
    (record) =>
      !pauseOf(paths, record) &&
      !isInTurn(record) &&
      readSubagents(paths, record.session).every((one) => one.endedAt || !isInTurn(one)),
  );
  if (open.length === 0 || !isIdle) return [];
  const since =
    living
      .map(({ lastSeen }) => lastSeen)
      .sort()
      .at(-1) ?? "";
  return [found("idle", team, since, `team ${team} is idle with ${counted(open.length, "open task")}`)];
}

const COUNT_MS = 60_000;

function budgets({ paths, now, loaded }: Looking): Found[] {
  const settings = loaded.values;
  if (!hasBudget(settings)) return [];
  const counting = costsOf({ paths, now, prices: settings["cost.prices"] }, { until: Date.now() + COUNT_MS });
  return spentOf(settings, counting, now).flatMap((spent) => {
    const isOver = spent.usd >= spent.limit;
    if (claimBudgetNotice(paths, { ...spent, level: isOver ? 100 : 80 })) notifyLeads(paths, spent, now);
    return isOver
      ? [found("budget", `${spent.scope} ${spent.name}`, String(spent.limit), spentText(spent))]
      : [];
  });
}

/** A day's budget concerns every lead. */
function notifyLeads(paths: Paths, spent: Spent, now: Date): void {
  const teams = listTeams(paths).filter((team) => spent.scope === "day" || teamOf(spent) === team);
  const summary = `budget of ${spent.scope} ${spent.name}`;
  for (const team of teams)
    if (!isNative(team))
      attempt({ paths, now }, () =>
        notifyLead(paths, team, { from: "swarm", text: spentText(spent), summary, at: now }),
      );
}

function teamOf({ scope, name }: Spent): string | undefined {
  if (scope === "team") return name;
  return scope === "task" ? name.replace(/ #\d+$/, "") : name.split("@").at(-1);
}
