// Which of the spawned still live. The ledger says what was begun; the client's roster, the voices' records and the
// processes say what has ended. Without any proof a spawn lives for a while, not for ever: ghosts must not fill a cap.
import type { Spawned } from "../store/spawn-ledger.ts";

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
