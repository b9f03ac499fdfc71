// What the disk says about a spawn's team: who leads it, who is in it, who of them is idle.

import { whyNotSegment } from "../../core/paths.ts";
import type { Context } from "../../hook/context.ts";
import { inProcessName } from "../../hook/identity.ts";
import { readSession, readSubagents, sessionsBefore } from "../../sessions/store/sessions.ts";
import { isLead, isNative, LEAD, readNativeTeams, readTeam, type Team } from "../../teams/store/config.ts";
import { lifeOfSession } from "../../teams/store/liveness.ts";
import type { Mate } from "./governor.ts";
import { type Caller, policyOf, type Spawn, type Target } from "./rules.ts";

export interface Teams {
  /** This session's ids, newest first: `/clear` changes them, the person stays. */
  sessions: string[];
  /** The client's own team, which a named spawn joins. */
  native: Team | undefined;
  /** Our named team. */
  named: Team | undefined;
}

export function teamsOf(ctx: Context): Teams {
  const sessions = sessionsBefore(ctx.paths, ctx.input.session_id);
  const { team } = ctx.identity;
  const isOurs = (one: Team) => leads(ctx, one, sessions) || one.name === team;
  return {
    sessions,
    native: readNativeTeams(ctx.paths).find(isOurs),
    named: team && !isNative(team) && !whyNotSegment(team) ? readTeam(ctx.paths, team) : undefined,
  };
}

/** By session, or by process: after `/clear` a native team still names the session before. */
function leads(ctx: Context, team: Team, sessions: string[]): boolean {
  if (team.leadSessionId && sessions.includes(team.leadSessionId)) return true;
  const process = team["leadProcess"] as { pid?: unknown } | undefined;
  return process?.pid === ctx.clientPid;
}

interface Led {
  team: Team;
  label: string;
}

/** `team_name` names the team; a name alone may add to the client's team and belongs to our named one. */
export function targetsOf(ctx: Context, spawn: Spawn, { native, named }: Teams): Led[] {
  const asked = spawn.team && !whyNotSegment(spawn.team) ? readTeam(ctx.paths, spawn.team) : undefined;
  const found = spawn.team ? [asked] : spawn.name ? [native, named] : [];
  return found.flatMap((team) =>
    team?.leadSessionId ? { team, label: spawn.team ?? team.name ?? ctx.identity.team ?? "" } : [],
  );
}

export function callerOf(ctx: Context, team: Team, { sessions }: Teams): Caller {
  const { kind, agent, isLead } = ctx.identity;
  if (kind === "in-process") return { standing: "voice", name: agent };
  if (ctx.input.agent_id) return { standing: "voice" };
  if (leads(ctx, team, sessions)) return { standing: "lead", name: LEAD };
  const isMember = (kind === "pane" || kind === "named") && !isLead;
  if (isMember) return { standing: "member", name: agent };
  const listed = team.members.find((one) => one.sessionId && sessions.includes(one.sessionId))?.name;
  return listed ? { standing: "member", name: listed } : { standing: "other" };
}

export function ruledBy(ctx: Context, { team, label }: Led): Target {
  const { values, sources } = ctx.loaded;
  // A project's default team must not choose which of the person's policies applies.
  const usual = sources["core.default_team"] === "person" ? values["core.default_team"] : undefined;
  const policyTeam = isNative(label) ? (usual ?? label) : label;
  const life = lifeOfSession(ctx.paths, team.leadSessionId ?? "", team);
  return {
    team: policyTeam,
    ...policyOf(values.team[policyTeam]),
    leadGone: life.is === "gone" ? life.evidence : undefined,
  };
}

/** Everybody a message could reach, with what their records say about them. */
export function matesOf(ctx: Context, { sessions, native, named }: Teams): Mate[] {
  const inNative = others(native).map((member) => ({
    name: member.name,
    type: member.agentType,
    isIdle: member["isActive"] === false || sessions.some((one) => isIdleVoice(ctx, one, member.name)),
    call: `SendMessage(to="${member.name}", message="...")`,
  }));
  const inNamed = others(named).map((member) => ({
    name: member.name,
    type: member.agentType,
    isIdle: member.sessionId ? isIdleSession(ctx, member.sessionId) : false,
    call: `swarm send ${member.name} "..."`,
  }));
  return [...inNative, ...inNamed];
}

const others = (team: Team | undefined) =>
  team ? team.members.filter((member) => !isLead(team, member)) : [];

function isIdleVoice(ctx: Context, session: string, name: string): boolean {
  const voices = readSubagents(ctx.paths, session, (agentId) => inProcessName(agentId) === name);
  return voices.some((voice) => voice.state === "idle");
}

function isIdleSession(ctx: Context, session: string): boolean {
  const record = whyNotSegment(session) ? undefined : readSession(ctx.paths, { session });
  return record?.state === "idle" && !record.endedAt;
}
