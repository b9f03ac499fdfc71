// A session has one name in a team. A member that takes the lead gives its name up: what was its own becomes the lead's. The same puts a
// team in order whose lead has a second name, by which it counts as that member and is locked out: a hand-over that was interrupted, or
// a lead that joined its own team (`swarm join` refuses that; version 0.1.0 did not).
import type { Paths } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { appendMessage, buryInbox, readUnread } from "../mail/store/inbox.ts";
import { readSession, sessionsBefore } from "../sessions/store/sessions.ts";
import { readOpenTasks } from "../tasks/store/select.ts";
import { updateTask } from "../tasks/store.ts";
import { isLead, isRemote, leadOf, readTeam, type Team, updateTeam } from "../teams/store/config.ts";
import { leadsTeam, recordMembership } from "./create.ts";
import { withoutMember } from "./roster.ts";

export const withoutSecondName = (team: Team, second: string | undefined): Team =>
  second && second !== leadOf(team) ? withoutMember(team, second) : team;

/** Unread mail and open tasks. Of tasks that several machines share, the relay decides: those keep their owner. */
export function moveToLead(paths: Paths, team: string, second: string): void {
  const config = readTeam(paths, team);
  const lead = leadOf(config);
  for (const message of readUnread(paths, team, second)) appendMessage(paths, team, lead, message);
  buryInbox(paths, team, second);
  if (config?.members.some(isRemote)) return;
  for (const { id } of readOpenTasks(paths, team, { owner: second }))
    updateTask(paths, team, id, (task) => (task.owner === second ? { ...task, owner: lead } : undefined));
}

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
  moveToLead(paths, team, second);
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
