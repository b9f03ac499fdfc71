// One look at a team, once a minute by whoever gives a sign of life then: what its lead should hear is told, once a change.
import type { Context } from "../../run/context.ts";
import { LEAD } from "../../run/identity.ts";
import { leadOf, type Seat } from "../../run/seat.ts";
import { appendJournal, newId } from "../../store/journal.ts";
import { tellLead } from "../../store/lead-notes.ts";
import { lifeOfMember } from "../../store/liveness.ts";
import { claimNotice } from "../../store/notices.ts";
import { whyNotSegment } from "../../store/paths.ts";
import { readSession, readVoices, sessionsWithVoices } from "../../store/sessions.ts";
import { type Member, readTeam } from "../../store/team.ts";
import { type Seen, type Trouble, troubleLine, troubleOf } from "./trouble.ts";

export function watchTeam(ctx: Context, seat: Seat): void {
  const team = readTeam(ctx.places, seat.team);
  if (!team || team.status === "suspended") return;
  const lead = leadOf(team);
  const others = team.members.filter(
    ({ name, status }) => name !== lead && name !== LEAD && name !== seat.agent && status !== "offline",
  );
  if (others.length === 0) return;
  const voiced = sessionsWithVoices(ctx.places);
  for (const member of others) {
    const trouble = troubleOf(seenOf(ctx, member, voiced), ctx.now, ctx.settings["heartbeat.stale_s"] * 1000);
    if (trouble && claimNotice(ctx.places, seat.team, member.name, trouble))
      tell(ctx, seat.team, member.name, trouble);
  }
}

function seenOf({ places }: Context, member: Member, voiced: ReadonlySet<string>): Seen {
  const { sessionId } = member;
  const life = lifeOfMember(places, member);
  const record =
    sessionId && !whyNotSegment(sessionId) ? readSession(places, { session: sessionId }) : undefined;
  if (!record || life.life === "gone") return life;
  const voices = voiced.has(record.session) ? readVoices(places, record.session) : [];
  const lastSign = [record, ...voices]
    .map((one) => one.lastSeen)
    .sort()
    .at(-1);
  return { ...life, record, lastSign };
}

function tell(ctx: Context, team: string, name: string, trouble: Trouble): void {
  const { places, now, input } = ctx;
  const { state, why } = trouble;
  tellLead(places, team, {
    from: name,
    text: troubleLine(name, trouble),
    summary: `${name} is ${state}`,
    at: now,
  });
  appendJournal(places, now, {
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
