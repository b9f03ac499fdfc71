// A lead that has joined its own team under a second name is locked out of it: its session counts as that member. `swarm join` refuses
// it; version 0.1.0 did not, and here such a team is put in order.
import type { Paths } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { appendMessage, buryInbox, readUnread } from "../mail/store/inbox.ts";
import { readSession, sessionsBefore } from "../sessions/store/sessions.ts";
import { isLead, leadOf, readTeam, updateTeam } from "../teams/store/config.ts";
import { leadsTeam, recordMembership } from "./create.ts";

/** The session has its lead's name again, and unread mail of its second name. Returns that name; `undefined` where all is well. */
export function restoreOwnLead(paths: Paths, team: string, session: string, now: Date): string | undefined {
  const stored = readTeam(paths, team);
  const record = readSession(paths, { session });
  if (!stored || !record?.agent || record.team !== team || !leadsTeam(paths, stored, session))
    return undefined;
  const lead = leadOf(stored);
  const second = record.agent;
  if (second === lead) return undefined;
  const own = new Set(sessionsBefore(paths, session));
  const { pid, pidStartedAt, pane } = record;
  updateTeam(
    paths,
    team,
    (current) =>
      current && {
        ...current,
        leadSessionId: session,
        members: current.members
          .filter(({ name, sessionId = "" }) => name !== second || !own.has(sessionId))
          .map((member) =>
            isLead(current, member)
              ? { ...member, sessionId: session, pid, pidStartedAt, paneId: pane, status: "active" }
              : member,
          ),
      },
  );
  for (const message of readUnread(paths, team, second)) appendMessage(paths, team, lead, message);
  buryInbox(paths, team, second);
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
