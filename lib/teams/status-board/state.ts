// What an agent is doing, decided from what is known about it, with the evidence for it. Pure.
import { age } from "../../core/time.ts";
import type { SessionRecord } from "../../sessions/store/sessions.ts";
import { isInTurn, isProbablyWaiting, isRateLimited } from "../../sessions/store/states.ts";
import type { Liveness } from "../store/liveness.ts";

export type State =
  | "working"
  | "idle"
  | "waiting"
  | "permission?"
  | "rate-limited"
  | "paused"
  | "silent"
  | "starting"
  | "suspended"
  | "gone"
  | "unknown";

export interface Evidence extends Liveness {
  isSuspended: boolean;
  /** The evidence, where a person has paused it. */
  paused?: string;
  /** The mark in the team's config: `starting`, `active`, `offline`. */
  mark?: string;
  session?: Pick<SessionRecord, "state" | "status" | "failure" | "tool" | "endedAt" | "endReason">;
  /** The newest sign of the agent itself or of a subagent. */
  lastSign?: string;
}

export interface Verdict {
  state: State;
  evidence: string;
}

export function stateOf(seen: Evidence, now: Date, silentAfterMs: number): Verdict {
  return (
    absence(seen, now) ??
    beginning(seen) ??
    (seen.paused === undefined ? undefined : verdict("paused", seen.paused)) ??
    interruption(seen, now) ??
    silence(seen, now, silentAfterMs) ??
    activity(seen, now)
  );
}

function absence({ isSuspended, mark, life, evidence, session, lastSign }: Evidence, now: Date) {
  const isAbsent =
    life === "gone" || session?.endedAt !== undefined || (mark === "offline" && life !== "alive");
  if (!isAbsent) return undefined;
  if (isSuspended) return verdict("suspended", "its team is suspended");
  if (session?.endedAt)
    return verdict("gone", `ended ${ago(session.endedAt, now)} (${session.endReason ?? "no reason given"})`);
  if (life === "gone") return verdict("gone", evidence);
  return verdict("gone", `marked offline${lastSign ? `, last seen ${ago(lastSign, now)}` : ""}`);
}

function beginning({ session, mark }: Evidence): Verdict | undefined {
  if (session) return undefined;
  return mark === "starting"
    ? verdict("starting", "its client has not sent an event yet")
    : verdict("unknown", "no session record: no event of it was seen here");
}

/** What keeps it from going on, the most certain sign first. */
function interruption({ session, lastSign }: Evidence, now: Date): Verdict | undefined {
  if (!session) return undefined;
  const { status, failure, tool } = session;
  if (isRateLimited(session))
    return verdict("rate-limited", `its turn broke off ${ago(lastSign, now)}: ${failure}`);
  if (status === "attention")
    return verdict("waiting", `asked for attention ${ago(lastSign, now)}: look at its pane`);
  if (tool && isProbablyWaiting(session, now))
    return verdict("permission?", `${tool.name} began ${ago(tool.since, now)} and has not ended`);
  return undefined;
}

/** Only an agent in a turn can fall silent. */
function silence({ session, lastSign }: Evidence, now: Date, limitMs: number): Verdict | undefined {
  if (!session || !isInTurn(session) || !lastSign) return undefined;
  if (now.getTime() - Date.parse(lastSign) <= limitMs) return undefined;
  const where = session.tool ? ` in ${session.tool.name}` : "";
  return verdict("silent", `in a turn${where}, last sign ${ago(lastSign, now)}`);
}

function activity({ session, lastSign }: Evidence, now: Date): Verdict {
  if (!session) return verdict("unknown", "no event of it was seen");
  if (isInTurn(session))
    return session.tool
      ? verdict("working", `${session.tool.name} began ${ago(session.tool.since, now)}`)
      : verdict("working", `in a turn, last sign ${ago(lastSign, now)}`);
  if (session.failure) return verdict("idle", `its turn broke off ${ago(lastSign, now)}: ${session.failure}`);
  return session.state === "idle"
    ? verdict("idle", `its turn ended ${ago(lastSign, now)}`)
    : verdict("idle", "started, no turn yet");
}

const verdict = (state: State, evidence: string): Verdict => ({ state, evidence });

const ago = (since: string | undefined, now: Date) => (age(since, now) ? `${age(since, now)} ago` : "once");
