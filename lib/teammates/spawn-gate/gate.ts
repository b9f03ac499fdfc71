// Whether a spawn may happen: the rules of ATM hooks first, then the limits. Loaded only for calls that spawn.
import { newId } from "../../core/journal.ts";
import { asText } from "../../core/json.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { elapsedMs } from "../../core/process.ts";
import { type Context, isTeammateSession } from "../../hook/context.ts";
import type { InputOf, PreToolUse } from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import { findSession, inProcessName, readSubagents, sessionsBefore } from "../../sessions/store/sessions.ts";
import { startOf } from "../../system/processes.ts";
import {
  isLedBy,
  isNative,
  LEAD,
  readNativeTeams,
  readTeam,
  type Team,
  teammatesOf,
} from "../../teams/store/config.ts";
import { lifeOfSession } from "../../teams/store/liveness.ts";
import { teamPolicy } from "../policy.ts";
import { readAgentDefinition } from "../store/member-files.ts";
import { type Asked, decideSpawn } from "../store/spawns.ts";
import {
  baseDepth,
  depthOf,
  evidenceOf,
  limitUses,
  suggestIdle,
  type Teammate,
  verdictOn,
} from "./limits.ts";
import {
  type Caller,
  demandsName,
  type Spawn,
  spawnOf,
  type Target,
  whyLeadOnly,
  whyUnnamed,
  whyWrongTeam,
} from "./rules.ts";

type Gated = Context<InputOf<typeof PreToolUse>>;

export function checkSpawn(ctx: Gated): Outcome {
  const spawn = spawnOf(ctx.input.tool_input);
  const definition = readAgentDefinition(ctx.paths, ctx.projectDir ?? ctx.cwd, spawn.type);
  const unnamed = whyUnnamed(spawn, demandFor(ctx, spawn, demandsName(definition)));
  if (unnamed) return denied(unnamed);
  const teams = teamsOf(ctx);
  for (const team of targetsOf(ctx, spawn, teams)) {
    const blocked = whyLeadOnly(spawn, callerOf(ctx, team, teams), targetOf(ctx, spawn, team));
    if (blocked) return denied(blocked);
  }
  const { sources, values } = ctx.loaded;
  const required = sources["core.default_team"] === "project" ? values["core.default_team"] : undefined;
  const misdirected = whyWrongTeam(spawn, required);
  if (misdirected) return denied(misdirected);
  const model = spawn.model ?? modelOf(definition) ?? ctx.record?.model;
  return checkLimits(ctx, { ...spawn, model }, teams);
}

const denied = ({ rule, text }: { rule: string; text: string }): Outcome => ({
  deny: text,
  rule,
  loud: true,
});

/** The default list of orchestrators applies in a project with an `.atm.toml` and inside a named team. */
function demandFor({ loaded, identity }: Context, { type }: Spawn, byDefinition: boolean) {
  const isInTeam = identity.team !== undefined && !isNative(identity.team);
  const applies =
    loaded.projectFile !== undefined || loaded.sources["gate.orchestrators"] === "person" || isInTeam;
  if (applies && loaded.values["gate.orchestrators"].includes(type)) return "setting";
  return byDefinition ? "definition" : undefined;
}

function modelOf(definition: Record<string, unknown> | undefined): string | undefined {
  const model = asText(definition?.["model"]);
  return model && model !== "inherit" ? model : undefined;
}

function checkLimits(ctx: Gated, spawn: Spawn, teams: Teams): Outcome {
  const root = teams.sessions.at(-1);
  if (!root) return {};
  const { agent_id: agentId, agent_type: agentType, tool_use_id: call = newId(ctx.now) } = ctx.input;
  const inProcess = ctx.identity.kind === "in-process" ? ctx.identity.agent : undefined;
  const teammates = messageableTeammates(ctx, teams);
  const evidence = evidenceOf(ctx, teams);
  const asked = {
    what: "asked" as const,
    call,
    at: ctx.now.toISOString(),
    by: agentId ?? "main",
    type: short(spawn.type),
    name: spawn.name && short(spawn.name),
    model: spawn.model && short(spawn.model),
    pid: ctx.clientPid,
    pidStartedAt: startOf(ctx.clientPid), // before the lock
  };
  const { verdict, depth } = decideSpawn(ctx.paths, root, waitMs(ctx), (known) => {
    const depth = depthOf({ agentId, type: agentType, name: inProcess }, baseDepth(ctx), known) + 1;
    const uses = limitUses(ctx.settings, spawn, depth, known, evidence);
    const verdict = verdictOn(uses, ctx.attended !== false, teammates);
    const line: Asked = { ...asked, depth, ifGranted: verdict?.level === "ask" ? true : undefined };
    return { verdict, depth, line: verdict?.level === "deny" ? undefined : line };
  });
  if (verdict?.level === "deny") return denied(verdict);
  const { level, rule, text } = verdict ?? {};
  const hint = suggestIdle(spawn, teammates);
  if (level === "ask") return { ask: text, rule, context: hint };
  const note = { type: asked.type, name: asked.name, by: asked.by, depth };
  return {
    context: [text, hint].filter(Boolean).join("\n") || undefined,
    journal: [level ? { what: "warn", rule, reason: text, ...note } : { what: "spawn", ...note }],
  };
}

const short = (text: string) => text.slice(0, 100);

/** What is left of the hook's time, less what the answer takes. */
const waitMs = ({ deadline }: Context) => Math.max(0, deadline - elapsedMs() - 200);

export type Teams = ReturnType<typeof teamsOf>;

function teamsOf(ctx: Context) {
  /** The ids of this session, newest first: each `/clear` starts a new one. */
  const sessions = sessionsBefore(ctx.paths, ctx.input.session_id);
  const { team } = ctx.identity;
  const isOurs = (one: Team) => isLedBy(one, { sessions, clientPid: ctx.clientPid }) || one.name === team;
  return {
    sessions,
    /** The client's own, which a named spawn joins. */
    native: readNativeTeams(ctx.paths).find(isOurs),
    named: team && !isNative(team) && !whyNotSegment(team) ? readTeam(ctx.paths, team) : undefined,
  };
}

/** `team_name` names the team. A spawn with only a name adds to the client's team and to our named one. */
function targetsOf(ctx: Context, spawn: Spawn, { native, named }: Teams): Team[] {
  const asked = spawn.team && !whyNotSegment(spawn.team) ? readTeam(ctx.paths, spawn.team) : undefined;
  const found = spawn.team ? [asked] : spawn.name ? [native, named] : [];
  return found.flatMap((team) => (team?.leadSessionId ? team : []));
}

function callerOf(ctx: Context, team: Team, { sessions }: Teams): Caller {
  const { kind, agent } = ctx.identity;
  if (kind === "in-process") return { standing: "subagent", name: agent };
  if (ctx.input.agent_id) return { standing: "subagent" };
  if (isLedBy(team, { sessions, clientPid: ctx.clientPid })) return { standing: "lead", name: LEAD };
  if (isTeammateSession(ctx.identity)) return { standing: "member", name: agent };
  const listed = team.members.find((one) => one.sessionId && sessions.includes(one.sessionId))?.name;
  return listed ? { standing: "member", name: listed } : { standing: "other" };
}

function targetOf(ctx: Context, spawn: Spawn, team: Team): Target {
  const { values, sources } = ctx.loaded;
  const label = spawn.team ?? team.name ?? ctx.identity.team ?? "";
  // A project's default team must not choose which of the person's policies applies.
  const usual = sources["core.default_team"] === "person" ? values["core.default_team"] : undefined;
  const policyTeam = isNative(label) ? (usual ?? label) : label;
  const life = lifeOfSession(ctx.paths, team.leadSessionId ?? "", team);
  return {
    team: policyTeam,
    ...teamPolicy(values.team, policyTeam),
    leadGone: life.life === "gone" ? life.evidence : undefined,
  };
}

/** Members that can be messaged, with their state by their records. */
function messageableTeammates(ctx: Context, { sessions, native, named }: Teams): Teammate[] {
  const inNative = teammatesOf(native).map(({ name, agentType: type, isActive }) => ({
    name,
    type,
    isIdle: isActive === false || sessions.some((session) => hasIdleSubagent(ctx, session, name)),
    call: `SendMessage(to="${name}", message="...")`,
  }));
  const inNamed = teammatesOf(named).map(({ name, agentType: type, sessionId }) => {
    const record = findSession(ctx.paths, sessionId);
    const isIdle = record?.state === "idle" && !record.endedAt;
    return { name, type, isIdle, call: `swarm send ${name} "..."` };
  });
  return [...inNative, ...inNamed];
}

const hasIdleSubagent = ({ paths }: Context, session: string, name: string) =>
  readSubagents(paths, session, (agentId) => inProcessName(agentId) === name).some(
    ({ state }) => state === "idle",
  );
