// A member's start in the team's config, and what the lead learns there about the others. Loaded only inside a team.

import { newId, noteProblem } from "../core/journal.ts";
import type { Context } from "../hook/context.ts";
import { isStale, isTaken, type Mailbox } from "../hook/identity.ts";
import type { Outcome } from "../hook/outcome.ts";
import { dropMessage, mailLimits, mergeMail } from "../mail/store/inbox.ts";
import { startOf } from "../system/processes.ts";
import { farewell, type Lost, lifeReport, nameTaken, seconds } from "./heartbeat/text.ts";
import {
  dropEndMark,
  leadOf,
  type Member,
  memberOf,
  mergeEndMarks,
  readTeam,
  type Team,
  updateTeam,
} from "./store/config.ts";
import { takeBeat } from "./store/heartbeat.ts";
import { lifeOfMember } from "./store/liveness.ts";

export function registerMember(ctx: Context, mailbox: Mailbox): Outcome | undefined {
  const team = readTeam(ctx.paths, mailbox.team);
  const self = team && memberOf(team, mailbox.agent);
  if (!team || !self) return undefined;
  if (isTaken(self, ctx))
    return {
      context: nameTaken(mailbox.agent, mailbox.team, self.pid),
      journal: [{ what: "name-taken", ...mailbox, pid: self.pid }],
    };
  const crashed = mailbox.isLead ? crashedMembers(ctx, team, mailbox) : [];
  updateTeam(ctx.paths, mailbox.team, (stored) => stored && reconciled(ctx, stored, mailbox, crashed));
  takeBeat(ctx.paths, mailbox.team, mailbox.agent, ctx.now, 0);
  return mailbox.isLead ? told(ctx, team, mailbox, crashed) : undefined;
}

type Crashed = Member & Lost;

const others = (team: Team, { agent }: Mailbox) =>
  team.members.filter((member) => member.name !== agent && member.status !== "offline");

function crashedMembers(ctx: Context, team: Team, mailbox: Mailbox): Crashed[] {
  return others(team, mailbox).flatMap((member) => {
    const { life, proof } = lifeOfMember(ctx.paths, member);
    return life === "gone" && proof ? { ...member, proof } : [];
  });
}

/** One change under one lock. A member that came back meanwhile is another process by now and stays as it is. */
function reconciled(ctx: Context, team: Team, mailbox: Mailbox, crashed: Crashed[]): Team {
  const isCrashed = (member: Member) =>
    crashed.some(
      (one) => one.name === member.name && one.pid === member.pid && one.sessionId === member.sessionId,
    );
  const self = memberOf(team, mailbox.agent);
  return {
    ...team,
    leadSessionId: followsLead(ctx, team, mailbox, self) ? ctx.input.session_id : team.leadSessionId,
    members: team.members.map((member) => {
      if (member.name === mailbox.agent) return { ...member, ...present(ctx, member) };
      return isCrashed(member) ? { ...member, status: "offline", crashedAt: seconds(ctx.now) } : member;
    }),
  };
}

/** `/clear` gives the lead's own process a new session: the lead is still the lead. */
const followsLead = (ctx: Context, team: Team, mailbox: Mailbox, self: Member | undefined) =>
  mailbox.isLead &&
  ctx.input.session_id !== "" &&
  self?.sessionId !== undefined &&
  self.sessionId === team.leadSessionId &&
  self.pid === ctx.clientPid &&
  self.pidStartedAt === startOf(ctx.clientPid);

function present(ctx: Context, before: Member): Partial<Member> {
  const process = ctx.insideClient ? { pid: ctx.clientPid, pidStartedAt: startOf(ctx.clientPid) } : {};
  return {
    ...process,
    sessionId: ctx.input.session_id || before.sessionId,
    paneId: ctx.pane ?? before.paneId,
    socket: ctx.tmux?.split(",")[0] ?? before["socket"],
    cwd: ctx.cwd,
    status: "active",
    lastSeen: seconds(ctx.now),
  };
}

function told(ctx: Context, team: Team, mailbox: Mailbox, crashed: Crashed[]): Outcome {
  const silent = others(team, mailbox)
    .filter((member) => member.lastSeen && isStale(member.lastSeen, ctx))
    .filter((member) => !crashed.some((one) => one.name === member.name))
    .map((member) => ({ ...member, proof: `silent for more than ${ctx.settings["heartbeat.stale_s"]} s` }));
  const text = lifeReport(mailbox.agent, crashed, silent);
  return {
    context: text && { name: "team status", text, where: "swarm status", priority: 80 },
    journal: crashed.map(({ name, proof }) => ({ what: "member-crashed", team: mailbox.team, name, proof })),
  };
}

// A member's end: its mark in the team's config and its word to the lead. Loaded only inside a team.
/** Nothing is lost when it is over: what is spooled is merged by the next process that holds the lock. */
const MERGE_WAIT_MS = 500;

/**
 * Both are spooled at once, without a lock: when a whole team ends, everybody wants the same two files, and the client gives its
 * last hooks little time.
 */
export function unregisterMember(ctx: Context, mailbox: Mailbox, reason: string): Outcome | undefined {
  const team = readTeam(ctx.paths, mailbox.team);
  const self = team && memberOf(team, mailbox.agent);
  if (!team || !self || isTaken(self, ctx)) return undefined;
  const lead = leadOf(team);
  dropEndMark(ctx.paths, mailbox.team, {
    ...{ ended: mailbox.agent, at: seconds(ctx.now), pid: self.pid, session: self.sessionId },
  });
  if (team.status !== "suspended") sayGoodbye(ctx, mailbox, lead);
  return {
    journal: [{ what: "member-ended", ...mailbox, reason }],
    after: () => {
      mergeMail(ctx.paths, mailbox.team, lead, { waitMs: MERGE_WAIT_MS });
      mergeEndMarks(ctx.paths, mailbox.team, { waitMs: MERGE_WAIT_MS, durable: false });
    },
  };
}

function sayGoodbye(ctx: Context, { team, agent }: Mailbox, lead: string): void {
  const message = {
    id: newId(ctx.now),
    from: agent,
    text: farewell(agent),
    timestamp: ctx.now.toISOString(),
    read: false,
    kind: "system",
  };
  try {
    dropMessage(ctx.paths, team, lead, message, mailLimits(ctx.settings));
  } catch (error) {
    noteProblem(`${agent} could not say goodbye: ${(error as Error).message}`); // its end is written down all the same
  }
}
