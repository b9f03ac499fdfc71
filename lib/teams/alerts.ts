// The write behind a heartbeat, and the look at the other members that one heartbeat of the team a minute takes: the lead is notified,
// once, of a member that fell silent in a turn, hit a limit or is gone.

import { appendJournal } from "../core/journal.ts";
import { unlessLocked } from "../core/lock.ts";
import { reported } from "../core/process.ts";
import { wholeSeconds } from "../core/time.ts";
import { type Context, isTaken, type Mailbox } from "../hook/context.ts";
import { mergeBroadcasts } from "../mail/store/inbox.ts";
import { notePromptEnd, notifyLead } from "../mail/store/lead-notes.ts";
import { clientStateOf, isCurrent } from "../sessions/store/client-state.ts";
import {
  findSession,
  lastSignOf,
  readSubagents,
  type SessionRecord,
  sessionsWithSubagents,
  updateSession,
} from "../sessions/store/sessions.ts";
import { ownProcess, present } from "./registration.ts";
import { type Observed, type Trouble, troubleOf } from "./store/agent-state.ts";
import {
  isRemote,
  type Member,
  memberOf,
  readTeam,
  type Team,
  teammatesOf,
  updateTeam,
} from "./store/config.ts";
import {
  claimNotice,
  forgetBeat,
  forgetNotice,
  isThrottled,
  lifeOfMember,
  takeBeat,
} from "./store/liveness.ts";

/** The client waits for the hook's end: a heartbeat that finds the lock held is left to the next. */
const LOCK_WAIT_MS = 100;
/** The team's own throttle: however many members there are, one of them looks. No member can have this name. */
const WATCH = "+watch";

export function beatAndWatch(ctx: Context, mailbox: Mailbox, throttleMs: number): void {
  const leaveToNext = () => {
    const own = memberOf(readTeam(ctx.paths, mailbox.team), mailbox.agent);
    if (own && isUnregistered(ctx, own)) forgetBeat(ctx.paths, mailbox);
  };
  unlessLocked(() => writeBeat(ctx, mailbox, throttleMs), leaveToNext);
  if (takeBeat(ctx.paths, { ...mailbox, agent: WATCH }, ctx.now, throttleMs)) watchTeam(ctx, mailbox);
}

function writeBeat(ctx: Context, mailbox: Mailbox, throttleMs: number): void {
  const own = ownProcess(ctx); // before the lock
  const isMarked = isThrottled(ctx.paths, mailbox, ctx.now, throttleMs); // else the config alone throttles
  const beaten = (member: Member): Member => {
    if (member.name !== mailbox.agent || isTaken(member, ctx)) return member;
    if (isUnregistered(ctx, member)) return present(ctx, member, own);
    const isRecent = ctx.now.getTime() - Date.parse(member.lastSeen ?? "") < throttleMs;
    return isRecent && !isMarked ? member : { ...member, lastSeen: wholeSeconds(ctx.now) };
  };
  const change = (stored: Team) => {
    const members = stored.members.map(beaten);
    return stored.members.some((one, at) => one !== members[at]) ? { ...stored, members } : undefined;
  };
  updateTeam(ctx.paths, mailbox.team, change, { waitMs: LOCK_WAIT_MS, durable: "content" });
}

/** Its start found the config locked, or a second client of its session registered itself since. A hook run by hand registers nothing. */
const isUnregistered = (
  { insideClient, input, clientPid }: Context,
  { sessionId, pid = clientPid }: Member,
): boolean =>
  insideClient && input.session_id !== "" && (input.session_id !== sessionId || clientPid !== pid);

/** Each takes a sync, and the client may wait. */
const MERGED_AT_ONCE = 10;

function watchTeam(ctx: Context, mailbox: Mailbox): void {
  const team = readTeam(ctx.paths, mailbox.team);
  if (!team || team.status === "suspended") return;
  mergeBroadcasts(ctx.paths, mailbox.team, MERGED_AT_ONCE);
  const others = teammatesOf(team).filter(
    // The machine of a remote one watches it.
    (member) => member.name !== mailbox.agent && member.status !== "offline" && !isRemote(member),
  );
  if (others.length === 0) return;
  const withSubagents = sessionsWithSubagents(ctx.paths);
  const silentMs = ctx.settings["heartbeat.stale_s"] * 1000;
  for (const member of others)
    reportedFor(member, () => {
      const observed = observe(ctx, member, withSubagents);
      reportedFor(member, () => closePrompt(ctx, observed.record));
      const trouble = troubleOf(observed, ctx.now, silentMs);
      if (trouble && claimNotice(ctx.paths, mailbox.team, member.name, trouble))
        alertLead(ctx, mailbox.team, member.name, trouble);
    });
}

/** What fails with one member must not keep the lead from hearing of the others. */
const reportedFor = ({ name }: Member, work: () => void): void =>
  reported(work, `${name} could not be looked after`);

function observe({ paths }: Context, member: Member, withSubagents: ReadonlySet<string>): Observed {
  const life = lifeOfMember(paths, member);
  const record = findSession(paths, member.sessionId);
  if (!record || life.life === "gone") return life;
  const subagents = withSubagents.has(record.session) ? readSubagents(paths, record.session) : [];
  return { ...life, record, lastSign: lastSignOf(record, subagents) };
}

/** For the lead's next turn, which shall not begin with a question that is closed. */
export function closeAnsweredPrompts(ctx: Context, team: string, names: readonly string[]): void {
  for (const member of readTeam(ctx.paths, team)?.members ?? [])
    if (names.includes(member.name))
      reportedFor(member, () => closePrompt(ctx, findSession(ctx.paths, member.sessionId)));
}

/** Answered with no or Esc: no event says so, only its client. */
function closePrompt({ paths, now }: Context, record: SessionRecord | undefined): void {
  const client = record?.prompt?.isReported ? clientStateOf(paths, record) : undefined;
  if (!record || !client || client.status === "waiting" || !isCurrent(client, record.lastSeen, now)) return;
  const closed = updateSession(paths, { session: record.session }, (stored) =>
    stored && stored.prompt?.since === record.prompt?.since ? { ...stored, prompt: undefined } : undefined,
  );
  if (closed) notePromptEnd(paths, record, now);
}

function alertLead(ctx: Context, team: string, name: string, { state, why }: Trouble): void {
  const { paths, now, event, input } = ctx;
  const summary = `${name} is ${state}`;
  const text = `${summary}: ${why}. \`swarm status\` shows the whole team.`;
  try {
    notifyLead(paths, team, { from: name, text, summary, at: now });
  } catch (error) {
    forgetNotice(paths, team, name); // its mailbox is full: the next look tries again
    throw error;
  }
  const by = { event, session: input.session_id, agent: "main", feature: "heartbeat" };
  appendJournal(paths, now, { ...by, what: "member-state", team, name, state, why });
}
