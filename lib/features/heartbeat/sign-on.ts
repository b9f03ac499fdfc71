// A member's start in the team's config, and what the lead learns there about the others. Loaded only inside a team.
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import { isStale, isTaken, type Seat } from "../../run/seat.ts";
import { takeBeat } from "../../store/heartbeat.ts";
import { lifeOfMember } from "../../store/liveness.ts";
import { startOf } from "../../store/processes.ts";
import { type Member, memberOf, readTeam, type Team, updateTeam } from "../../store/team.ts";
import { type Lost, lifeReport, nameTaken, seconds } from "./words.ts";

export function signOn(ctx: Context, seat: Seat): Outcome | undefined {
  const team = readTeam(ctx.places, seat.team);
  const self = team && memberOf(team, seat.agent);
  if (!team || !self) return undefined;
  if (isTaken(self, ctx))
    return {
      context: nameTaken(seat.agent, seat.team, self.pid),
      journal: [{ what: "name-taken", ...seat, pid: self.pid }],
    };
  const crashed = seat.isLead ? crashedMembers(ctx, team, seat) : [];
  updateTeam(ctx.places, seat.team, (stored) => stored && reconciled(ctx, stored, seat, crashed));
  takeBeat(ctx.places, seat.team, seat.agent, ctx.now, 0);
  return seat.isLead ? told(ctx, team, seat, crashed) : undefined;
}

type Crashed = Member & Lost;

const others = (team: Team, { agent }: Seat) =>
  team.members.filter((member) => member.name !== agent && member.status !== "offline");

function crashedMembers(ctx: Context, team: Team, seat: Seat): Crashed[] {
  return others(team, seat).flatMap((member) => {
    const { life, proof } = lifeOfMember(ctx.places, member);
    return life === "gone" && proof ? { ...member, proof } : [];
  });
}

/** One change under one lock. A member that came back meanwhile is another process by now and stays as it is. */
function reconciled(ctx: Context, team: Team, seat: Seat, crashed: Crashed[]): Team {
  const isCrashed = (member: Member) =>
    crashed.some(
      (one) => one.name === member.name && one.pid === member.pid && one.sessionId === member.sessionId,
    );
  const self = memberOf(team, seat.agent);
  return {
    ...team,
    leadSessionId: followsLead(ctx, team, seat, self) ? ctx.input.session_id : team.leadSessionId,
    members: team.members.map((member) => {
      if (member.name === seat.agent) return { ...member, ...present(ctx, member) };
      return isCrashed(member) ? { ...member, status: "offline", crashedAt: seconds(ctx.now) } : member;
    }),
  };
}

/** `/clear` gives the lead's own process a new session: the lead is still the lead. */
const followsLead = (ctx: Context, team: Team, seat: Seat, self: Member | undefined) =>
  seat.isLead &&
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

function told(ctx: Context, team: Team, seat: Seat, crashed: Crashed[]): Outcome {
  const silent = others(team, seat)
    .filter((member) => member.lastSeen && isStale(member.lastSeen, ctx))
    .filter((member) => !crashed.some((one) => one.name === member.name))
    .map((member) => ({ ...member, proof: `silent for more than ${ctx.settings["heartbeat.stale_s"]} s` }));
  const text = lifeReport(seat.agent, crashed, silent);
  return {
    context: text && { name: "team status", text, where: "swarm status", priority: 80 },
    journal: crashed.map(({ name, proof }) => ({ what: "member-crashed", team: seat.team, name, proof })),
  };
}
