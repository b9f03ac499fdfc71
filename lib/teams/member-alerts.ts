// The write behind a heartbeat, and the look at the others that goes with one of them. Loaded at most once a minute.

import { appendJournal, newId } from "../core/journal.ts";
import { whyNotSegment } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import { isTaken, type Mailbox } from "../hook/identity.ts";
import { notifyLead } from "../mail/store/lead-notes.ts";
import {
  isProbablyWaiting,
  readSession,
  readSubagents,
  type SessionRecord,
  sessionsWithSubagents,
} from "../sessions/store/sessions.ts";
import type { Life } from "../system/processes.ts";
import { seconds } from "./heartbeat/text.ts";
import { leadOf, type Member, readTeam, updateTeam } from "./store/config.ts";
import { claimNotice, takeBeat } from "./store/heartbeat.ts";
import { lifeOfMember } from "./store/liveness.ts";

const WAIT_MS = 500;
/** The team's own throttle: however many members there are, one of them looks. No member has this name. */
const WATCH = "+watch";

export function beatAndWatch(ctx: Context, mailbox: Mailbox, throttleMs: number): void {
  writeBeat(ctx, mailbox, throttleMs);
  if (takeBeat(ctx.paths, mailbox.team, WATCH, ctx.now, throttleMs)) watchTeam(ctx, mailbox);
}

function writeBeat(ctx: Context, { team, agent }: Mailbox, throttleMs: number): void {
  const seen = (member: Member) =>
    member.name === agent && !isTaken(member, ctx) && isDue(member, ctx.now, throttleMs)
      ? { ...member, lastSeen: seconds(ctx.now) }
      : member;
  updateTeam(
    ctx.paths,
    team,
    (stored) => {
      const members = stored?.members.map(seen);
      return members?.some((member, at) => member !== stored?.members[at])
        ? { ...stored, members }
        : undefined;
    },
    { waitMs: WAIT_MS, durable: false },
  );
}

/** Also where the marker could not be written. */
const isDue = ({ lastSeen }: Member, now: Date, throttleMs: number) =>
  !(now.getTime() - Date.parse(lastSeen ?? "") < throttleMs);

// One look at a team, once a minute by whoever gives a sign of life then: what its lead should hear is told, once a change.
export function watchTeam(ctx: Context, mailbox: Mailbox): void {
  const team = readTeam(ctx.paths, mailbox.team);
  if (!team || team.status === "suspended") return;
  const lead = leadOf(team);
  const others = team.members.filter(
    ({ name, status }) => name !== lead && name !== mailbox.agent && status !== "offline",
  );
  if (others.length === 0) return;
  const voiced = sessionsWithSubagents(ctx.paths);
  for (const member of others) {
    const trouble = troubleOf(seenOf(ctx, member, voiced), ctx.now, ctx.settings["heartbeat.stale_s"] * 1000);
    if (trouble && claimNotice(ctx.paths, mailbox.team, member.name, trouble))
      tell(ctx, mailbox.team, member.name, trouble);
  }
}

function seenOf({ paths }: Context, member: Member, voiced: ReadonlySet<string>): Seen {
  const { sessionId } = member;
  const life = lifeOfMember(paths, member);
  const record =
    sessionId && !whyNotSegment(sessionId) ? readSession(paths, { session: sessionId }) : undefined;
  if (!record || life.life === "gone") return life;
  const voices = voiced.has(record.session) ? readSubagents(paths, record.session) : [];
  const lastSign = [record, ...voices]
    .map((one) => one.lastSeen)
    .sort()
    .at(-1);
  return { ...life, record, lastSign };
}

function tell(ctx: Context, team: string, name: string, trouble: Trouble): void {
  const { paths, now, input } = ctx;
  const { state, why } = trouble;
  notifyLead(paths, team, {
    from: name,
    text: troubleLine(name, trouble),
    summary: `${name} is ${state}`,
    at: now,
  });
  appendJournal(paths, now, {
    id: newId(now),
    at: now.toISOString(),
    event: ctx.event,
    session: input.session_id,
    agent: "main",
    feature: "heartbeat",
    what: "member-state",
    team,
    name,
    state,
    why,
  });
}

// What a lead should hear about a member without asking: that it fell silent in a turn, hit a limit, or is gone. Pure.
export interface Seen {
  life: Life;
  proof?: string;
  record?: SessionRecord;
  /** The newest sign of the session or of a voice inside it. */
  lastSign?: string;
}

export interface Trouble {
  state: "gone" | "rate-limited" | "silent";
  /** The same sign is the same change. */
  sign: string;
  why: string;
}

const LIMIT = /rate_limit|overloaded|usage_limit/;

export function troubleOf(
  { life, proof, record, lastSign }: Seen,
  now: Date,
  silentMs: number,
): Trouble | undefined {
  if (life === "gone") return { state: "gone", sign: proof ?? "", why: proof ?? "its process has ended" };
  if (!record || record.endedAt) return undefined;
  if (isLimited(record))
    return {
      state: "rate-limited",
      sign: record.turnStartedAt ?? record.startedAt,
      why: `its turn broke off (${record.failure})`,
    };
  const quietMs = now.getTime() - Date.parse(lastSign ?? record.lastSeen);
  if (!isInTurn(record) || isProbablyWaiting(record, now) || !(quietMs > silentMs)) return undefined;
  const where = record.tool ? ` in ${record.tool.name}` : "";
  return {
    state: "silent",
    sign: lastSign ?? record.lastSeen,
    why: `in a turn${where}, without a sign for ${Math.round(quietMs / 60_000)} min`,
  };
}

export const isLimited = ({ state, failure }: Pick<SessionRecord, "state" | "failure">): boolean =>
  state === "idle" && LIMIT.test(failure ?? "");

/** One that waits for a person is not silent. */
const isInTurn = ({ state, status }: SessionRecord) =>
  status !== "attention" && (state === "tool_active" || (state === "active" && status !== "done"));

export const troubleLine = (name: string, { state, why }: Trouble): string =>
  `${name} is ${state}: ${why}. \`swarm status\` shows the whole team.`;
