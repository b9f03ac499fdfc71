// The governor: caps on what lives, on how fast it grows, how deep and how dear. It warns when a cap is reached,
// asks the person for the one beyond it, and denies the rest.
import { whyNotSegment } from "../../core/paths.ts";
import type { Settings } from "../../core/settings-keys.ts";
import { escapeLine } from "../../core/text.ts";
import type { Context } from "../../hook/context.ts";
import { readSession } from "../../sessions/store/sessions.ts";
import { lifeOf, readProcesses } from "../../system/processes.ts";
import { LEAD } from "../../teams/store/config.ts";
import type { Spawned } from "../store/spawn-ledger.ts";
import type { Teams } from "./gate.ts";
import type { Spawn } from "./rules.ts";

export type CapRule = "max-teammates" | "max-spawns-per-hour" | "max-depth" | "max-premium";
export type Level = "warn" | "ask" | "deny";

export interface CapUse {
  rule: CapRule;
  cap: number | undefined;
  /** With the spawn in question. */
  count: number;
  /** Who counts, by name; for the words. */
  who?: readonly string[];
}

export interface Verdict {
  level: Level;
  rule: CapRule;
  text: string;
}

export interface Teammate {
  name: string;
  type?: string;
  isIdle: boolean;
  /** How to reach it: `SendMessage(to: "alice", …)`. */
  call: string;
}

/** A cap of 0 means never; where nobody can answer, asking would be a denial in disguise. */
export function levelOf({ rule, cap, count }: CapUse, isAttended: boolean): Level | undefined {
  if (cap === undefined || count < cap) return undefined;
  if (count === cap) return rule === "max-depth" ? undefined : "warn";
  return cap > 0 && count === cap + 1 && isAttended ? "ask" : "deny";
}

const ORDER: readonly Level[] = ["deny", "ask", "warn"];

export function worstOf(
  loads: readonly CapUse[],
  isAttended: boolean,
  mates: readonly Teammate[],
): Verdict | undefined {
  const levels = loads.map((load) => levelOf(load, isAttended));
  const level = ORDER.find((one) => levels.includes(one));
  const load = loads[levels.indexOf(level)];
  return level && load ? { level, rule: load.rule, text: textOf(load, level, mates) } : undefined;
}

const some = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const SUBJECTS: Record<CapRule, (load: CapUse) => string> = {
  "max-teammates": ({ count }) => `${some(count, "teammate")} alive at once`,
  "max-spawns-per-hour": ({ count }) => `${some(count, "spawn")} within an hour`,
  "max-depth": ({ count }) => `agents ${some(count, "level")} deep`,
  "max-premium": ({ count }) => `${some(count, "agent")} alive on a premium model`,
};

const settingOf = (rule: CapRule) => `gate.${rule.replaceAll("-", "_")}`;

function textOf(load: CapUse, level: Level, mates: readonly Teammate[]): string {
  const subject = SUBJECTS[load.rule](load);
  const setting = settingOf(load.rule);
  const first = {
    warn: `Spawn gate: this makes ${subject}, which is the limit. The next one needs the person's consent.`,
    ask: `Spawn gate: this would make ${subject}; the limit is ${load.cap}. Spawn it anyway?`,
    deny: `BLOCKED: this would make ${subject}; the limit is ${load.cap}.`,
  }[level];
  const alive = load.who && load.who.length > 0 ? [`Alive: ${load.who.map(escapeLine).join(", ")}.`] : [];
  const idle = mates.filter((mate) => mate.isIdle);
  const instead = idle.length > 0 ? [`Idle, and can take the work: ${idle.map(mention).join("; ")}.`] : [];
  const how = `Limit: ${setting} (swarm config ${setting}); only your own settings.toml can raise it.`;
  return [first, ...alive, ...instead, how].join("\n");
}

const mention = ({ name, type, call }: Teammate) =>
  `${escapeLine(name)}${type ? ` (${escapeLine(type)})` : ""}: ${escapeLine(call)}`;

const ANYBODY = new Set(["", "general-purpose"]);

/** An idle member of that name or role, to be messaged instead: a second alice would become alice-2. */
export function idleTwin(
  { name: wanted, type: role }: { name?: string; type: string },
  mates: readonly Teammate[],
): string | undefined {
  if (!wanted) return undefined;
  const isNamesake = (name: string) =>
    name === wanted || (name.startsWith(`${wanted}-`) && /^\d+$/.test(name.slice(wanted.length + 1)));
  const twins = mates.filter(
    ({ name, type, isIdle }) => isIdle && (isNamesake(name) || (type === role && !ANYBODY.has(role))),
  );
  if (twins.length === 0) return undefined;
  return `Spawn gate: already in the team and idle: ${twins.map(mention).join("; ")}. A message costs no new agent.`;
}

export const isPremium = (model: string | undefined, premium: readonly string[]): boolean =>
  model !== undefined && premium.some((one) => one !== "" && model.toLowerCase().includes(one.toLowerCase()));

// Which of the spawned still live. The ledger says what was begun; the client's roster, the voices' records and the
// processes say what has ended. Without any proof a spawn lives for a while, not for ever: ghosts must not fill a cap.
/** From the gate's yes to the client's word about it; a person may be asked in between. */
export const PENDING_MS = 2 * 60_000;
/** A teammate is in the roster a moment after it was reported. */
export const ROSTER_LAG_MS = 30_000;
/** A foreground subagent reports only when it is done. */
export const UNREPORTED_MS = 10 * 60_000;
export const HOUR_MS = 60 * 60_000;

export interface Evidence {
  now: number;
  /** The native team's members without the lead; `undefined` when no config can be read. */
  roster: readonly string[] | undefined;
  /** Proven: its process is gone, or its end was seen. */
  isGone: (spawned: Spawned) => boolean;
  /** Its record says that it has begun and not ended. */
  isSeen: (spawned: Spawned) => boolean;
}

const ageOf = (spawned: Spawned, { now }: Evidence) => now - Date.parse(spawned.at);

/** Each begun teammate is the roster's of that name, or one more: five calls for alice are five agents. */
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

/** Teammates and subagents alike, since both cost the same. */
export const liveAgents = (known: readonly Spawned[], evidence: Evidence): Spawned[] =>
  known.filter((one) =>
    one.fate === "teammate" || (one.name && !one.fate && evidence.roster)
      ? isLiveTeammate(one, evidence)
      : isLiveSubagent(one, evidence),
  );

function isLiveSubagent(spawned: Spawned, evidence: Evidence): boolean {
  if (spawned.fate === "failed" || spawned.fate === "done" || evidence.isGone(spawned)) return false;
  if (evidence.isSeen(spawned)) return true;
  const patience = spawned.ifGranted && !spawned.fate ? PENDING_MS : UNREPORTED_MS;
  return ageOf(spawned, evidence) < patience;
}

/** Every spawn that was let pass, except those that failed or that the person refused. */
export const spawnsOfLastHour = (known: readonly Spawned[], evidence: Evidence): number =>
  known.filter((one) => {
    const age = ageOf(one, evidence);
    const isRefused = one.ifGranted && !one.fate && age > PENDING_MS;
    return age < HOUR_MS && one.fate !== "failed" && !isRefused;
  }).length;

export interface Voice {
  agentId: string | undefined;
  type: string | undefined;
  /** An in-process teammate's: older clients report it by name only. */
  name: string | undefined;
}

/** How deep an agent stands: 0 for a session, 1 for what it spawned. `base` is the depth of its session. */
export function depthOf(voice: Voice, base: number, known: readonly Spawned[]): number {
  if (!voice.agentId) return base;
  const own = known.find((one) => one.agentId === voice.agentId || (voice.name && one.name === voice.name));
  if (own) return own.depth;
  // Not reported yet: of the open spawns of its type, the shallowest does nobody wrong.
  const open = known.filter((one) => !one.fate && one.type === voice.type).map((one) => one.depth);
  return open.length > 0 ? Math.min(...open) : base + 1;
}

// How heavy the load already is: the ledger's lines weighed against everything that proves an end.
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
): CapUse[] {
  const premium = settings["gate.premium_models"];
  const loads: CapUse[] = [{ rule: "max-depth", cap: settings["gate.max_depth"], count: depth }];
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
