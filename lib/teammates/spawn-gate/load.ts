// How heavy the load already is: the ledger's lines weighed against everything that proves an end.

import { whyNotSegment } from "../../core/paths.ts";
import type { Settings } from "../../core/settings-keys.ts";
import type { Context } from "../../hook/context.ts";
import { readSession } from "../../sessions/store/sessions.ts";
import { lifeOf, readProcesses } from "../../system/processes.ts";
import { LEAD } from "../../teams/store/config.ts";
import type { Spawned } from "../store/spawn-ledger.ts";
import { isPremium, type Load } from "./governor.ts";
import { type Evidence, liveAgents, liveTeammates, spawnsOfLastHour } from "./live.ts";
import type { Spawn } from "./rules.ts";
import type { Teams } from "./team.ts";

const DEEPEST = 10;

export function evidenceOf(ctx: Context, { sessions, native }: Teams): Evidence {
  const voiceOf = ({ agentId }: Spawned) =>
    agentId && !whyNotSegment(agentId)
      ? sessions.flatMap((session) => readSession(ctx.paths, { session, agentId }) ?? [])[0]
      : undefined;
  const panes = native ? readProcesses(ctx.paths).filter((one) => one.team === native.name) : [];
  const isPaneGone = (name: string) => {
    const own = panes.filter((one) => one.agent === name);
    return own.length > 0 && own.every((one) => lifeOf(one) === "gone");
  };
  return {
    now: ctx.now.getTime(),
    roster: native?.members
      .filter((one) => one.name !== LEAD && !isPaneGone(one.name))
      .map((one) => one.name),
    isGone: (one) =>
      one.pane
        ? isPaneGone(one.name ?? "")
        : lifeOf({ pid: one.pid, startedAt: one.pidStartedAt }) === "gone" ||
          (one.fate === "background" && voiceOf(one)?.endedAt !== undefined),
    isSeen: (one) => voiceOf(one) !== undefined,
  };
}

/** Each load is weighed only where its cap is set: what nobody limits costs nothing. */
export function loadsOf(
  settings: Settings,
  spawn: Spawn,
  teams: Teams,
  depth: number,
  known: readonly Spawned[],
  evidence: Evidence,
): Load[] {
  const premium = settings["gate.premium_models"];
  const loads: Load[] = [{ rule: "max-depth", cap: settings["gate.max_depth"], count: depth }];
  if (spawn.name && teams.native) {
    const who = liveTeammates(known, evidence);
    loads.push({ rule: "max-teammates", cap: settings["gate.max_teammates"], count: who.length + 1, who });
  }
  const perHour = settings["gate.max_spawns_per_hour"];
  if (perHour !== undefined)
    loads.push({ rule: "max-spawns-per-hour", cap: perHour, count: spawnsOfLastHour(known, evidence) + 1 });
  const dearest = settings["gate.max_premium"];
  if (dearest !== undefined && isPremium(spawn.model, premium)) {
    const dear = liveAgents(known, evidence).filter((one) => isPremium(one.model, premium));
    const who = dear.map((one) => one.name ?? one.type);
    loads.push({ rule: "max-premium", cap: dearest, count: who.length + 1, who });
  }
  return loads;
}

/** 0 for a session somebody started; a teammate's own session and a client started by an agent stand deeper. */
export function baseDepth(ctx: Context): number {
  const { kind, isLead } = ctx.identity;
  const isMember = kind === "pane" || (kind === "named" && !isLead);
  let depth = isMember ? 1 : 0;
  for (let at = ctx.record?.parent; at && depth < DEEPEST; depth++)
    at = readSession(ctx.paths, { session: at })?.parent;
  return depth;
}
