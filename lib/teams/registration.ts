// A member's start and end in its team's config, and what the lead learns at its own start about the others.
import { unlessLocked } from "../core/lock.ts";
import { escapeLine } from "../core/text.ts";
import { wholeSeconds } from "../core/time.ts";
import { type Context, isStale, isTaken, type Mailbox, NOBODY } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { mailLimits, notify } from "../mail/store/inbox.ts";
import { newMessage } from "../mail/store/message.ts";
import { endMembership } from "../sessions/store/sessions.ts";
import { startOf } from "../system/processes.ts";
import {
  isRemote,
  leadOf,
  type Member,
  memberOf,
  readTeam,
  type Team,
  updateTeam,
  writeEnd,
} from "./store/config.ts";
import { forgetBeat, lifeOfMember, takeBeat } from "./store/liveness.ts";

export function registerMember(ctx: Context, mailbox: Mailbox): Outcome | undefined {
  const team = readTeam(ctx.paths, mailbox.team);
  const self = memberOf(team, mailbox.agent);
  if (!team || !self) return undefined;
  if (isTaken(self, ctx)) {
    const journal = [{ what: "name-taken", ...mailbox, pid: self.pid }];
    leaveName(ctx, mailbox, self);
    return { context: nameTaken(mailbox, self), journal };
  }
  const crashed = mailbox.isLead ? crashedMembers(ctx, team, mailbox) : [];
  const own = ownProcess(ctx); // before the lock, as the proofs of a crash
  const register = (stored: Team) => reconcile(ctx, stored, mailbox, crashed, own);
  const registerNow = () => {
    updateTeam(ctx.paths, mailbox.team, register, { waitMs: REGISTRATION_WAIT_MS, ...PROCESSES });
    takeBeat(ctx.paths, mailbox, ctx.now, 0);
  };
  // As when a whole team starts at once: left to the next heartbeat.
  unlessLocked(registerNow, () => forgetBeat(ctx.paths, mailbox));
  return mailbox.isLead ? reportToLead(ctx, team, mailbox, crashed) : undefined;
}

/** From now on also for its verbs and later events, where the other session is proven to run. */
function leaveName(ctx: Context, { team, agent }: Mailbox, holder: Member): void {
  ctx.identity = NOBODY;
  if (isRemote(holder) || lifeOfMember(ctx.paths, holder).life === "alive")
    endMembership(ctx.paths, ctx.input.session_id, { team, agent, isShown: true });
}

const REGISTRATION_WAIT_MS = 500;
/** What is registered are processes, and a power cut ends them. */
const PROCESSES = { durable: "content" } as const;

type Lost = Member & { evidence: string };

const othersOnline = (team: Team, { agent }: Mailbox) =>
  team.members.filter((member) => member.name !== agent && member.status !== "offline");

const crashedMembers = (ctx: Context, team: Team, mailbox: Mailbox): Lost[] =>
  othersOnline(team, mailbox).flatMap((member) => {
    const { life, evidence } = lifeOfMember(ctx.paths, member);
    return life === "gone" ? { ...member, evidence } : [];
  });

/** Asks the system, on some by a program. */
export const ownProcess = ({ clientPid: pid }: Context) => ({ pid, pidStartedAt: startOf(pid) });
type OwnProcess = ReturnType<typeof ownProcess>;

/** One change under one lock. A member that came back in the meantime is another process and stays as it is. */
function reconcile(ctx: Context, team: Team, mailbox: Mailbox, crashed: Lost[], own: OwnProcess): Team {
  const isCrashed = ({ name, pid, sessionId }: Member) =>
    crashed.some((one) => one.name === name && one.pid === pid && one.sessionId === sessionId);
  return {
    ...team,
    leadSessionId: continuesLead(ctx, team, mailbox, own) ? ctx.input.session_id : team.leadSessionId,
    members: team.members.map((member) => {
      if (member.name === mailbox.agent) return present(ctx, member, own);
      return isCrashed(member) ? { ...member, status: "offline", crashedAt: wholeSeconds(ctx.now) } : member;
    }),
  };
}

/** `/clear` gives the lead's own process a new session, which leads from then on. */
function continuesLead(ctx: Context, team: Team, { agent, isLead }: Mailbox, own: OwnProcess): boolean {
  if (!isLead || !ctx.input.session_id) return false;
  const { sessionId, pid, pidStartedAt } = memberOf(team, agent) ?? {};
  const isSameProcess = pid === own.pid && pidStartedAt === own.pidStartedAt;
  return isSameProcess && sessionId !== undefined && sessionId === team.leadSessionId;
}

export const present = (ctx: Context, before: Member, own: OwnProcess): Member => ({
  ...before,
  ...(ctx.insideClient ? own : {}),
  sessionId: ctx.input.session_id || before.sessionId,
  paneId: ctx.pane ?? before.paneId,
  socket: ctx.tmux?.split(",")[0] ?? before.socket,
  cwd: ctx.cwd,
  status: "active",
  lastSeen: wholeSeconds(ctx.now),
});

function reportToLead(ctx: Context, team: Team, mailbox: Mailbox, crashed: Lost[]): Outcome {
  const evidence = `silent for more than ${ctx.settings["heartbeat.stale_s"]} s`;
  const silent = othersOnline(team, mailbox)
    .filter(({ lastSeen }) => lastSeen && isStale(lastSeen, ctx))
    .filter(({ name }) => !crashed.some((one) => one.name === name))
    .map((member) => ({ ...member, evidence }));
  const text = teamStatus(mailbox.agent, crashed, silent);
  const noted = { what: "member-crashed", team: mailbox.team };
  return {
    context: text && { name: "team status", text, where: "swarm status", priority: 80 },
    journal: crashed.map(({ name, evidence: proof }) => ({ ...noted, name, proof })),
  };
}

export function teamStatus(lead: string, crashed: Lost[], silent: Lost[]): string | undefined {
  if (crashed.length + silent.length === 0) return undefined;
  return [
    "<system-reminder>",
    `# Team Status for ${escapeLine(lead)}`,
    ...section("Crashed, now marked offline", crashed),
    ...section("Silent, but not proven dead", silent),
    "",
    "</system-reminder>",
  ].join("\n");
}

const section = (title: string, members: Lost[]): string[] =>
  members.length === 0 ? [] : ["", `## ${title} (${members.length})`, "", ...members.map(lineOf)];

const lineOf = ({ name, evidence, lastSeen }: Lost) =>
  `- ${escapeLine(name)}: ${escapeLine(evidence)}${lastSeen ? `, last seen ${escapeLine(lastSeen)}` : ""}`;

const nameTaken = ({ agent, team }: Mailbox, { pid, machine }: Member): string =>
  `The name ${escapeLine(agent)} in team ${escapeLine(team)} belongs to ${machine ? `a member on ${escapeLine(machine)}` : `another live session (process ${pid})`}. ` +
  "This session does not get its mail and does not speak for it; `swarm join` gives it a name of its own.";

/** When a whole team ends, all its members want the same two files, and the client gives its last hooks little time: what cannot be
 *  written at once is spooled, and the next process that holds the lock merges it. */
const END_WAIT_MS = 50;

export function unregisterMember(ctx: Context, mailbox: Mailbox, reason: string): Outcome | undefined {
  const team = readTeam(ctx.paths, mailbox.team);
  const self = memberOf(team, mailbox.agent);
  if (!team || !self || isTaken(self, ctx)) return undefined;
  const { agent } = mailbox;
  const mark = { ended: agent, at: wholeSeconds(ctx.now), pid: self.pid, session: self.sessionId };
  writeEnd(ctx.paths, mailbox.team, mark, { waitMs: END_WAIT_MS, ...PROCESSES });
  const isOrdered = team.status === "suspended" || self.status === "offline"; // by the lead itself
  if (!isOrdered) {
    // In the words of Claude Swarm hooks.
    const text = `${agent} session ended cleanly. Check task status for any incomplete work.`;
    const message = newMessage({ from: agent, text, at: ctx.now, kind: "system" });
    notify(ctx.paths, mailbox.team, leadOf(team), message, { waitMs: 0, limits: mailLimits(ctx.settings) });
  }
  return { journal: [{ what: "member-ended", ...mailbox, reason }] };
}
