// One look at a team, once a minute by whoever gives a sign of life then: what its lead should hear is told, once a change.

import { appendJournal, newId } from "../../core/journal.ts";
import { whyNotSegment } from "../../core/paths.ts";
import type { Context } from "../../hook/context.ts";
import { LEAD } from "../../hook/identity.ts";
import { leadOf, type Mailbox } from "../../hook/mailbox.ts";
import { notifyLead } from "../../mail/store/lead-notes.ts";
import { readSession, readVoices, sessionsWithVoices } from "../../sessions/store/sessions.ts";
import { lifeOfMember } from "../store/liveness.ts";
import { claimNotice } from "../store/notices.ts";
import { type Member, readTeam } from "../store/team.ts";
import { type Seen, type Trouble, troubleLine, troubleOf } from "./trouble.ts";

export function watchTeam(ctx: Context, mailbox: Mailbox): void {
  const team = readTeam(ctx.paths, mailbox.team);
  if (!team || team.status === "suspended") return;
  const lead = leadOf(team);
  const others = team.members.filter(
    ({ name, status }) => name !== lead && name !== LEAD && name !== mailbox.agent && status !== "offline",
  );
  if (others.length === 0) return;
  const voiced = sessionsWithVoices(ctx.paths);
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
  const voices = voiced.has(record.session) ? readVoices(paths, record.session) : [];
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
