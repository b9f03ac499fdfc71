// `swarm lead`: shows who leads a team and hands the lead over. A session gets the lead of a team whose lead is proven dead; with
// --force also otherwise, which is recorded in the journal. ATM hooks names the missing hand-over as a known limitation.

import { badCall } from "../cli/command.ts";
import { noTeam, requireTeamName, whichTeam } from "../cli/unknown-names.ts";
import { appendCommand } from "../core/journal.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine } from "../core/text.ts";
import { type Context, PERSON } from "../hook/context.ts";
import type { JournalNote, Outcome } from "../hook/outcome.ts";
import { isRelayed } from "../machines/store/paths.ts";
import { newestFirst, readSession, readSessions, sessionsBefore } from "../sessions/store/sessions.ts";
import type { Life } from "../system/processes.ts";
import {
  isNative,
  leadOf,
  memberOf,
  readTeam,
  type Team,
  teammatesOf,
  updateTeam,
} from "../teams/store/config.ts";
import { lifeOfSession } from "../teams/store/liveness.ts";
import type { CallOf } from "./commands.ts";
import {
  leadsTeam,
  memberOfSession,
  moveBelongings,
  recordMembership,
  refuseInOtherTeam,
  replaceSession,
} from "./create.ts";
import { notifyTeammates, withMember, withoutMember } from "./roster.ts";

export function leadVerb(call: CallOf<"lead">) {
  const [action, named] = call.words;
  const name = named ?? call.identity.team;
  if (!name) throw whichTeam(call);
  const team = requireTeamName(call.paths, name);
  return action === "take" ? take(call, name) : show(call, name, team);
}

function show({ paths }: CallOf<"lead">, name: string, team: Team) {
  const { leadSessionId } = team;
  const life = leadSessionId ? lifeOfSession(paths, leadSessionId, team) : undefined;
  const text = life ? `${name} is led by session ${leadSessionId}: ${life.evidence}` : `${name} has no lead`;
  return { text: plainLine(text), data: { team: name, leadSessionId, ...life } };
}

function take(call: CallOf<"lead">, team: string) {
  const { paths, now } = call;
  const session = askingSession(call);
  if (!whyNotSegment(session)) restoreOwnLead(paths, team, session, now);
  const done = takeLead(call, team, session);
  const lead = leadOf(readTeam(paths, team));
  if (readSession(paths, { session }))
    recordMembership(paths, session, { team, agent: lead, isLead: true }, now);
  return { text: handOverText(paths, done, lead), data: done };
}

/** `--session-id`, the client's environment, or `CLAUDE_SESSION_ID`, which may be a spawn wrapper's name for it. */
export function askingSession(call: Pick<CallOf<"lead">, "session" | "wrapperId" | "paths">): string {
  if (call.session) return call.session;
  if (!call.wrapperId)
    throw badCall("which session? give --session-id, or run this in a session of the client");
  const known = readSessions(call.paths).filter((one) => one.wrapper === call.wrapperId && !one.endedAt);
  return known.sort(newestFirst)[0]?.session ?? call.wrapperId;
}

function handOverText(paths: Paths, done: HandOver, lead: string): string {
  const { team, session, before, evidence, isForced, isNew, memberBefore } = done;
  if (!isNew) return `session ${session} already leads ${team}`;
  const how = isForced ? ", by force" : "";
  const head = `session ${session} now leads ${team}${how}${before ? ` (before: ${before}; ${evidence})` : ""}`;
  if (!memberBefore) return head;
  const moved = isRelayed(paths, team) ? ["mail", "is"] : ["mail and open tasks", "are"];
  return `${head}\nIt was ${memberBefore}; ${moved[0]} of ${memberBefore} ${moved[1]} now ${lead}'s.`;
}

/** Decided under the team's lock: of two sessions at the same time, the second finds the first as a living lead. */
export function takeLead(call: CallOf<"lead">, team: string, session: string, verb = "lead take") {
  const { paths, now, identity, subject } = call;
  const agent = identity.kind === "person" ? PERSON : "main";
  const record = (news: JournalNote) =>
    appendCommand({ paths, now, session }, { agent, feature: "hand-over", team, ...news });
  const bad = whyNotSegment(session);
  if (bad) throw new Error(`the session id ${bad}`);
  if (isNative(team)) throw new Error(`${team} is a team of the client, which decides who leads it`);
  refuseInOtherTeam(paths, subject, team);
  const named = subject.team === team && !subject.isLead ? subject.agent : undefined;
  let done: HandOver | undefined;
  let refusal: string | undefined;
  const led = updateTeam(paths, team, (stored) => {
    const facts = factsOf(paths, stored, session, named);
    refusal = whyNotLead(facts);
    if (refusal && !call.flags.force) return undefined;
    done = handOver(stored, team, session, facts, refusal !== undefined);
    const others = facts.memberName ? withoutMember(stored, facts.memberName) : stored;
    return ledBy(paths, others, session, now);
  });
  if (!done && refusal === undefined) throw noTeam(paths, team);
  if (!done) {
    record({ what: "lead-refused", reason: refusal });
    throw new Error(`${refusal}\nTo take it anyway: swarm ${verb} ${team} --force (recorded in the journal)`);
  }
  if (done.memberBefore) moveBelongings(paths, team, done.memberBefore, leadOf(led));
  if (done.isNew) replaceSession(paths, done.before, { team });
  if (done.isNew) announce(call, led, done);
  record({ what: "lead-taken", ...done });
  return done;
}

type HandOver = ReturnType<typeof handOver>;

const handOver = (stored: Team, team: string, session: string, facts: Facts, isForced: boolean) => ({
  team,
  session,
  /** The lead's session until now. */
  before: stored.leadSessionId,
  evidence: facts.lead.evidence,
  isForced,
  /** False where the session already led, also under its id before `/clear`. */
  isNew: facts.lead.life !== "self",
  /** The member that this session was: a session has one name in a team. */
  memberBefore: facts.memberName,
});

function ledBy(paths: Paths, team: Team, session: string, now: Date): Team {
  const name = leadOf(team);
  const cwd = memberOf(team, name)?.cwd;
  const led = withMember(team, { ...memberOfSession({ paths, now, cwd, session }), name });
  return { ...led, leadSessionId: session };
}

function announce({ paths, now }: CallOf<"lead">, led: Team | undefined, done: HandOver): void {
  const { team, session, memberBefore } = done;
  const lead = leadOf(led);
  const who = memberBefore ? ` It was ${memberBefore} until now: write to ${lead} instead.` : "";
  const text = `Team-lead has rejoined the team, in session ${session}. Messages to ${lead} are read again.${who}`;
  notifyTeammates(paths, team, led, text, now);
}

export type Facts = ReturnType<typeof factsOf>;

export function whyNotLead({ lead, asker, memberName }: Facts): string | undefined {
  if (lead.life === "self") return undefined;
  if (asker.life === "gone") return `the calling session has ended: ${asker.evidence}`;
  if (memberName) return `this session is the member ${memberName}, not a lead`;
  if (lead.life === "gone") return undefined;
  const verb = lead.life === "alive" ? "is alive" : "is not proven dead";
  return `the lead ${verb}: ${lead.evidence}`;
}

/** `named` is the other member of the team that this session is by its environment; the roster knows better. */
function factsOf(paths: Paths, team: Team, session: string, named: string | undefined) {
  const listed = teammatesOf(team).find((one) => one.sessionId === session);
  const memberName = listed?.name ?? named;
  return {
    lead: lifeOfLead(paths, team, session),
    asker: lifeOfSession(paths, session),
    memberName: memberName === leadOf(team) ? undefined : memberName,
  };
}

function lifeOfLead(paths: Paths, team: Team, session: string): { life: "self" | Life; evidence: string } {
  if (!team.leadSessionId) return { life: "gone", evidence: "no session is on record as its lead" };
  if (leadsTeam(paths, team, session))
    return { life: "self", evidence: "this session is on record as its lead" };
  return lifeOfSession(paths, team.leadSessionId, team);
}

// A session has one name in a team. A member that takes the lead gives its name up: what was its own becomes the lead's. The same puts a
// team in order whose lead has a second name, by which it counts as that member and is locked out: a hand-over that was interrupted, or
// a lead that joined its own team (`swarm join` refuses that; version 0.1.0 did not).

/** The session has its lead's name again, and unread mail of its second name. Returns that name; `undefined` where all is well. */
export function restoreOwnLead(paths: Paths, team: string, session: string, now: Date): string | undefined {
  const stored = readTeam(paths, team);
  const record = readSession(paths, { session });
  if (!stored || !record?.agent || record.team !== team || !leadsTeam(paths, stored, session))
    return undefined;
  const lead = leadOf(stored);
  const second = record.agent;
  if (second === lead || whyNotSegment(second) || whyNotSegment(lead)) return undefined; // damaged names have no mailbox
  const own = sessionsBefore(paths, session);
  updateTeam(paths, team, (current) => {
    const members = current.members.filter(
      ({ name, sessionId = "" }) => name !== second || !own.includes(sessionId),
    );
    return ledBy(paths, { ...current, members }, session, now);
  });
  moveBelongings(paths, team, second, lead);
  recordMembership(paths, session, { team, agent: lead, isLead: true }, now);
  return second;
}

/** At the next prompt of such a session. */
export function restoreAtPrompt(ctx: Context): Outcome | undefined {
  const { paths, record, input } = ctx;
  const { team = "" } = record ?? {};
  const second = restoreOwnLead(paths, team, input.session_id, ctx.now);
  if (!second) return undefined;
  ctx.record = readSession(paths, { session: input.session_id });
  return {
    context: `This session leads the team ${team} and had also joined it as ${second}, which kept it from leading. It is ${ctx.record?.agent} again, and the mail for ${second} comes to it.`,
    journal: [{ what: "lead-restored", team, second }],
  };
}
