// What a lead should hear about a member without asking: that it fell silent in a turn, hit a limit, or is gone. Pure.

import { isProbablyWaiting, type SessionRecord } from "../../sessions/store/sessions.ts";
import type { Life } from "../../system/processes.ts";

export interface Seen {
  life: Life;
  proof?: string;
  record?: SessionRecord;
  /** The newest sign of the session or of a voice inside it. */
  lastSign?: string;
}

export interface Trouble {
  state: "gone" | "rate-limited" | "silent";
  /** The same sign is the same change. */
  sign: string;
  why: string;
}

const LIMIT = /rate_limit|overloaded|usage_limit/;

export function troubleOf(
  { life, proof, record, lastSign }: Seen,
  now: Date,
  silentMs: number,
): Trouble | undefined {
  if (life === "gone") return { state: "gone", sign: proof ?? "", why: proof ?? "its process has ended" };
  if (!record || record.endedAt) return undefined;
  if (isLimited(record))
    return {
      state: "rate-limited",
      sign: record.turnStartedAt ?? record.startedAt,
      why: `its turn broke off (${record.failure})`,
    };
  const quietMs = now.getTime() - Date.parse(lastSign ?? record.lastSeen);
  if (!isInTurn(record) || isProbablyWaiting(record, now) || !(quietMs > silentMs)) return undefined;
  const where = record.tool ? ` in ${record.tool.name}` : "";
  return {
    state: "silent",
    sign: lastSign ?? record.lastSeen,
    why: `in a turn${where}, without a sign for ${Math.round(quietMs / 60_000)} min`,
  };
}

export const isLimited = ({ state, failure }: Pick<SessionRecord, "state" | "failure">): boolean =>
  state === "idle" && LIMIT.test(failure ?? "");

/** One that waits for a person is not silent. */
const isInTurn = ({ state, status }: SessionRecord) =>
  status !== "attention" && (state === "tool_active" || (state === "active" && status !== "done"));

export const troubleLine = (name: string, { state, why }: Trouble): string =>
  `${name} is ${state}: ${why}. \`swarm status\` shows the whole team.`;
