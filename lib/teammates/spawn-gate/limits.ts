// Limits on spawns: agents alive at once, spawns per hour, depth, agents on a premium model. At a limit the spawn passes with a
// warning, the one beyond it needs the person's consent, any further one is denied.

import { whyNotSegment } from "../../core/paths.ts";
import type { Settings } from "../../core/settings.ts";
import { counted, escapeLine } from "../../core/text.ts";
import { HOUR_MS } from "../../core/time.ts";
import { type Context, isTeammateSession } from "../../hook/context.ts";
import { readSession } from "../../sessions/store/sessions.ts";
import { lifeOf, readProcesses } from "../../system/processes.ts";
import { teammatesOf } from "../../teams/store/config.ts";
import type { Spawned } from "../store/spawns.ts";
import type { Teams } from "./gate.ts";
import type { Spawn } from "./rules.ts";

type LimitRule = "max-teammates" | "max-spawns-per-hour" | "max-depth" | "max-premium";
const STRICTEST_FIRST = ["deny", "ask", "warn"] as const;
type Level = (typeof STRICTEST_FIRST)[number];

export interface LimitUse {
  rule: LimitRule;
  limit: number | undefined;
  /** With the spawn in question. */
  count: number;
  /** The agents that count, by name, for the text. */
  who?: readonly string[];
}

export interface Teammate {
  name: string;
  type?: string;
  isIdle: boolean;
  /** How to reach it: `SendMessage(to: "alice", …)`. */
  call: string;
}

/** A limit of 0 means never. Where no person can answer, asking would be a denial without a reason, so it is a denial with one. */
export function levelOf({ rule, limit, count }: LimitUse, isAttended: boolean): Level | undefined {
  if (limit === undefined || count < limit) return undefined;
  if (count === limit) return rule === "max-depth" ? undefined : "warn";
  return limit > 0 && count === limit + 1 && isAttended ? "ask" : "deny";
}

export function verdictOn(uses: readonly LimitUse[], isAttended: boolean, teammates: readonly Teammate[]) {
  const levels = uses.map((use) => levelOf(use, isAttended));
  const level = STRICTEST_FIRST.find((one) => levels.includes(one));
  const use = uses[levels.indexOf(level)];
  return level && use ? { level, rule: use.rule, text: textOf(use, level, teammates) } : undefined;
}

const SUBJECTS: Record<LimitRule, (count: number) => string> = {
  "max-teammates": (count) => `${counted(count, "teammate")} alive at once`,
  "max-spawns-per-hour": (count) => `${counted(count, "spawn")} within an hour`,
  "max-depth": (count) => `agents ${counted(count, "level")} deep`,
  "max-premium": (count) => `${counted(count, "agent")} alive on a premium model`,
};

function textOf(use: LimitUse, level: Level, teammates: readonly Teammate[]): string {
  const subject = SUBJECTS[use.rule](use.count);
  const setting = `gate.${use.rule.replaceAll("-", "_")}`;
  const first = {
    warn: `Spawn gate: this makes ${subject}, which is the limit. The next one needs the person's consent.`,
    ask: `Spawn gate: this would make ${subject}; the limit is ${use.limit}. Spawn it anyway?`,
    deny: `BLOCKED: this would make ${subject}; the limit is ${use.limit}.`,
  }[level];
  const alive = use.who && use.who.length > 0 ? [`Alive: ${use.who.map(escapeLine).join(", ")}.`] : [];
  const idle = teammates.filter((teammate) => teammate.isIdle);
  const instead = idle.length > 0 ? [`Idle, and can take the work: ${idle.map(mention).join("; ")}.`] : [];
  const how = `Limit: ${setting} (swarm config ${setting}); only your own settings.toml can raise it.`;
  return [first, ...alive, ...instead, how].join("\n");
}

const mention = ({ name, type, call }: Teammate) =>
  `${escapeLine(name)}${type ? ` (${escapeLine(type)})` : ""}: ${escapeLine(call)}`;

/** Suggests idle teammates of that name or type: a second alice would become alice-2. */
export function suggestIdle(
  { name: wanted, type: role }: { name?: string; type: string },
  teammates: readonly Teammate[],
): string | undefined {
  if (!wanted) return undefined;
  const isNamesake = (name: string) =>
    name === wanted || (name.startsWith(`${wanted}-`) && /^\d+$/.test(name.slice(wanted.length + 1)));
  const isRole = role !== "" && role !== "general-purpose";
  const idle = teammates.filter(
    ({ name, type, isIdle }) => isIdle && (isNamesake(name) || (isRole && type === role)),
  );
  if (idle.length === 0) return undefined;
  return `Spawn gate: already in the team and idle: ${idle.map(mention).join("; ")}. A message costs no new agent.`;
}

export const isPremium = (model: string | undefined, premium: readonly string[]): boolean =>
  model !== undefined && premium.some((one) => one !== "" && model.toLowerCase().includes(one.toLowerCase()));

// Which spawned agents are still alive. The ledger says what was started; the client's roster, the agents' records and the processes
// say what has ended. Without proof of an end, a spawn counts only for a while, so that dead ones do not fill up a limit.

/** From the gate's decision to the client's report of the spawn; a person may be asked in between. */
const PENDING_MS = 2 * 60_000;
/** The client reports a teammate a moment before it is in the roster. */
const ROSTER_LAG_MS = 30_000;
/** A foreground subagent reports only when it is done. */
const UNREPORTED_MS = 10 * 60_000;

export type Evidence = ReturnType<typeof evidenceOf>;

const ageOf = (spawned: Spawned, { now }: Evidence) => now - Date.parse(spawned.at);

/** Each started teammate is the one of that name in the roster, or an additional one: five calls for alice are five agents. */
export function liveTeammates(known: readonly Spawned[], evidence: Evidence): string[] {
  const unclaimed = [...(evidence.roster ?? [])];
  const more: string[] = [];
  for (const spawned of known) {
    const { name } = spawned;
    if (!name || !isLiveTeammate(spawned, evidence)) continue;
    const at = unclaimed.indexOf(name);
    if (at >= 0) unclaimed.splice(at, 1);
    else more.push(name);
  }
  return [...(evidence.roster ?? []), ...more];
}

function isLiveTeammate(spawned: Spawned, evidence: Evidence): boolean {
  if (spawned.fate && spawned.fate !== "teammate") return false;
  if (evidence.isGone(spawned)) return false;
  if (!spawned.fate) return ageOf(spawned, evidence) < PENDING_MS;
  if (!evidence.roster || evidence.roster.includes(spawned.name ?? "")) return true;
  return ageOf(spawned, evidence) < ROSTER_LAG_MS;
}

/** Teammates and subagents: both cost the same. */
export const liveAgents = (known: readonly Spawned[], evidence: Evidence): Spawned[] =>
  known.filter((one) =>
    one.fate === "teammate" || (one.name && !one.fate && evidence.roster)
      ? isLiveTeammate(one, evidence)
      : isLiveSubagent(one, evidence),
  );

function isLiveSubagent(spawned: Spawned, evidence: Evidence): boolean {
  if (spawned.fate === "failed" || spawned.fate === "done" || evidence.isGone(spawned)) return false;
  if (evidence.isSeen(spawned)) return true;
  const waitMs = spawned.ifGranted && !spawned.fate ? PENDING_MS : UNREPORTED_MS;
  return ageOf(spawned, evidence) < waitMs;
}

/** Every spawn that was allowed, except those that failed or that the person refused. */
export const spawnsOfLastHour = (known: readonly Spawned[], evidence: Evidence): number =>
  known.filter((one) => {
    const age = ageOf(one, evidence);
    const isRefused = one.ifGranted && !one.fate && age > PENDING_MS;
    return age < HOUR_MS && one.fate !== "failed" && !isRefused;
  }).length;

/**
 * An agent's depth: 0 for a session, 1 for what it spawned. `base` is the depth of its session. The name is an in-process teammate's:
 * older clients report it by name only.
 */
export function depthOf(
  { agentId, type, name }: { agentId?: string; type?: string; name?: string },
  base: number,
  known: readonly Spawned[],
): number {
  if (!agentId) return base;
  const own = known.find((one) => one.agentId === agentId || (name && one.name === name));
  if (own) return own.depth;
  // Not reported yet: the lowest depth of the open spawns of its type, so that no agent is denied wrongly.
  const open = known.filter((one) => !one.fate && one.type === type).map((one) => one.depth);
  return open.length > 0 ? Math.min(...open) : base + 1;
}

export function evidenceOf(ctx: Context, { sessions, native }: Teams) {
  const recordOf = ({ agentId }: Spawned) =>
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
    /** The native team's members without the lead; `undefined` when no config can be read. */
    roster:
      native &&
      teammatesOf(native)
        .map(({ name }) => name)
        .filter((name) => !isPaneGone(name)),
    /** Proven: its process is gone, or its end was seen. */
    isGone: (one: Spawned) =>
      one.pane
        ? isPaneGone(one.name ?? "")
        : lifeOf({ pid: one.pid, startedAt: one.pidStartedAt }) === "gone" ||
          (one.fate === "background" && recordOf(one)?.endedAt !== undefined),
    /** Its beginning is on record. */
    isSeen: (one: Spawned) => recordOf(one) !== undefined,
  };
}

/** What is not limited is not counted. */
export function limitUses(
  settings: Settings,
  spawn: Spawn,
  depth: number,
  known: readonly Spawned[],
  evidence: Evidence,
): LimitUse[] {
  const premium = settings["gate.premium_models"];
  const { "gate.max_spawns_per_hour": perHour, "gate.max_premium": maxPremium } = settings;
  const uses: LimitUse[] = [{ rule: "max-depth", limit: settings["gate.max_depth"], count: depth }];
  if (spawn.name && evidence.roster) {
    const who = liveTeammates(known, evidence);
    uses.push({ rule: "max-teammates", limit: settings["gate.max_teammates"], count: who.length + 1, who });
  }
  if (perHour !== undefined)
    uses.push({ rule: "max-spawns-per-hour", limit: perHour, count: spawnsOfLastHour(known, evidence) + 1 });
  if (maxPremium !== undefined && isPremium(spawn.model, premium)) {
    const alive = liveAgents(known, evidence).filter((one) => isPremium(one.model, premium));
    const who = alive.map((one) => one.name ?? one.type);
    uses.push({ rule: "max-premium", limit: maxPremium, count: who.length + 1, who });
  }
  return uses;
}

const DEEPEST = 10;

/** 0 for a session that a person started; more for a teammate's own session and for a client started by an agent. */
export function baseDepth(ctx: Context): number {
  let depth = isTeammateSession(ctx.identity) ? 1 : 0;
  for (let at = ctx.record?.parent; at && depth < DEEPEST; depth++)
    at = readSession(ctx.paths, { session: at })?.parent;
  return depth;
}
