// The verdict on one spawn. A bundle of its own: few tool calls are spawns, and the others shall not carry it.

import { newId } from "../../core/journal.ts";
import { elapsedMs } from "../../core/time.ts";
import type { Context } from "../../hook/context.ts";
import type { PreToolUse } from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { startOf } from "../../system/processes.ts";
import { readAgentDefinition } from "../store/agent-definitions.ts";
import { type Asked, weighSpawn } from "../store/spawn-ledger.ts";
import { idleTwin, type Verdict, verdictOn } from "./governor.ts";
import { depthOf } from "./live.ts";
import { baseDepth, evidenceOf, loadsOf } from "./load.ts";
import {
  type Denial,
  demandsName,
  type Spawn,
  spawnOf,
  whyNotLead,
  whyUnnamed,
  whyWrongTeam,
} from "./rules.ts";
import { callerOf, matesOf, ruledBy, type Teams, targetsOf, teamsOf } from "./team.ts";

type Gated = Parameters<Handler<typeof PreToolUse>>[0];

export function verdictOf(ctx: Gated): Outcome {
  const spawn = spawnOf(ctx.input.tool_input);
  const definition = readAgentDefinition(ctx.paths, ctx.projectDir ?? ctx.cwd, spawn.type);
  const unnamed = whyUnnamed(spawn, demandOn(ctx, spawn, demandsName(definition)));
  if (unnamed) return denied(unnamed);
  const teams = teamsOf(ctx);
  const blocked = whyBlockedByTeam(ctx, spawn, teams) ?? whyWrongTeam(spawn, requiredTeam(ctx));
  if (blocked) return denied(blocked);
  const model = spawn.model ?? modelOf(definition) ?? ctx.record?.model;
  return governed(ctx, { ...spawn, model }, teams);
}

const denied = ({ rule, text }: Denial): Outcome => ({ deny: text, rule, loud: true });

/** The seed's gate belongs to a project: its default list counts only where there is a `.atm.toml`. */
function demandOn({ loaded }: Context, { type }: Spawn, byDefinition: boolean) {
  const isActive = loaded.projectFile !== undefined || loaded.sources["gate.orchestrators"] === "person";
  if (isActive && loaded.values["gate.orchestrators"].includes(type)) return "setting";
  return byDefinition ? "definition" : undefined;
}

const requiredTeam = ({ loaded }: Context) =>
  loaded.sources["core.default_team"] === "project" ? loaded.values["core.default_team"] : undefined;

function whyBlockedByTeam(ctx: Context, spawn: Spawn, teams: Teams): Denial | undefined {
  for (const led of targetsOf(ctx, spawn, teams)) {
    const denial = whyNotLead(spawn, callerOf(ctx, led.team, teams), ruledBy(ctx, led));
    if (denial) return denial;
  }
  return undefined;
}

function modelOf(definition: Record<string, unknown> | undefined): string | undefined {
  const model = definition?.["model"];
  return typeof model === "string" && model !== "" && model !== "inherit" ? model : undefined;
}

function governed(ctx: Gated, spawn: Spawn, teams: Teams): Outcome {
  const root = teams.sessions.at(-1);
  if (!root) return {};
  const mates = matesOf(ctx, teams);
  const evidence = evidenceOf(ctx, teams);
  const { line, verdict } = weighSpawn(ctx.paths, root, patience(ctx), (known) => {
    const { agent_id: agentId, agent_type: type } = ctx.input;
    const name = ctx.identity.kind === "in-process" ? ctx.identity.agent : undefined;
    const depth = depthOf({ agentId, type, name }, baseDepth(ctx), known) + 1;
    const loads = loadsOf(ctx.settings, spawn, teams, depth, known, evidence);
    const found = verdictOn(loads, ctx.attended !== false, mates);
    return {
      verdict: found,
      line: found?.level === "deny" ? undefined : askedLine(ctx, spawn, depth, found),
    };
  });
  return outcomes(verdict, idleTwin(spawn, mates), line);
}

/** What is left of the hook's time, less a little to answer in. */
const patience = ({ deadline }: Context) => Math.max(0, deadline - elapsedMs() - 200);

function askedLine(ctx: Gated, spawn: Spawn, depth: number, verdict: Verdict | undefined): Asked {
  return {
    what: "asked",
    call: ctx.input.tool_use_id ?? newId(ctx.now),
    at: ctx.now.toISOString(),
    by: ctx.input.agent_id ?? "main",
    type: short(spawn.type),
    name: spawn.name && short(spawn.name),
    model: spawn.model && short(spawn.model),
    depth,
    pid: ctx.clientPid,
    pidStartedAt: startOf(ctx.clientPid),
    ...(verdict?.level === "ask" ? { ifGranted: true as const } : {}),
  };
}

const short = (text: string) => text.slice(0, 100);

function outcomes(verdict: Verdict | undefined, hint: string | undefined, line: Asked | undefined): Outcome {
  const { level, rule, text } = verdict ?? {};
  if (level === "deny") return { deny: text, rule, loud: true };
  if (level === "ask") return { ask: text, rule, context: hint };
  const note = { type: line?.type, name: line?.name, by: line?.by, depth: line?.depth };
  return {
    context: [text, hint].filter(Boolean).join("\n") || undefined,
    journal: [level ? { what: "warn", rule, reason: text, ...note } : { what: "spawn", ...note }],
  };
}
