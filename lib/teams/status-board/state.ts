// What an agent does just now, from what was seen of it. Evidence comes with the answer: a board that guesses says so.
import type { Life } from "../../system/processes.ts";

export type State =
  | "working"
  | "idle"
  | "waiting"
  | "permission?"
  | "rate-limited"
  | "silent"
  | "starting"
  | "suspended"
  | "gone"
  | "unknown";

export interface Evidence {
  isSuspended: boolean;
  /** The mark in the team's config: `starting`, `active`, `offline`. */
  mark?: string;
  life: Life;
  /** What proves that it is gone. */
  proof?: string;
  session?: {
    state: string;
    status: string;
    failure?: string;
    tool?: { name: string; since: string };
    isProbablyWaiting: boolean;
    endedAt?: string;
    endReason?: string;
  };
  /** The newest sign of itself or of a voice inside it. */
  lastSign?: string;
}

export interface Standing {
  state: State;
  evidence: string;
}

export function stateOf(seen: Evidence, now: Date, silentAfterMs: number): Standing {
  return (
    absence(seen, now) ??
    beginning(seen) ??
    interruption(seen, now) ??
    silence(seen, now, silentAfterMs) ??
    activity(seen, now)
  );
}

function absence({ isSuspended, mark, life, proof, session, lastSign }: Evidence, now: Date) {
  const isOut = life === "gone" || session?.endedAt !== undefined || (mark === "offline" && life !== "alive");
  if (!isOut) return undefined;
  if (isSuspended) return said("suspended", "its team is suspended");
  if (session?.endedAt)
    return said("gone", `ended ${ago(session.endedAt, now)} (${session.endReason ?? "no reason given"})`);
  if (life === "gone") return said("gone", proof ?? "its process has ended");
  return said("gone", `marked offline${lastSign ? `, last seen ${ago(lastSign, now)}` : ""}`);
}

function beginning({ session, mark }: Evidence): Standing | undefined {
  if (session) return undefined;
  return mark === "starting"
    ? said("starting", "its client has not spoken yet")
    : said("unknown", "no session record: it has fired no event here");
}

/** What keeps it from going on, the surest sign first. */
function interruption({ session, lastSign }: Evidence, now: Date): Standing | undefined {
  if (!session) return undefined;
  const { state, status, failure, tool, isProbablyWaiting } = session;
  if (state === "idle" && /rate_limit|overloaded|usage_limit/.test(failure ?? ""))
    return said("rate-limited", `its turn broke off ${ago(lastSign, now)}: ${failure}`);
  if (status === "attention") return said("waiting", `its client asked for somebody ${ago(lastSign, now)}`);
  if (isProbablyWaiting && tool)
    return said("permission?", `${tool.name} began ${ago(tool.since, now)} and has not ended`);
  return undefined;
}

/** Only who is in a turn can fall silent. */
function silence({ session, lastSign }: Evidence, now: Date, limitMs: number): Standing | undefined {
  if (!session || !isInTurn(session) || !lastSign) return undefined;
  if (now.getTime() - Date.parse(lastSign) <= limitMs) return undefined;
  const where = session.tool ? ` in ${session.tool.name}` : "";
  return said("silent", `in a turn${where}, last sign ${ago(lastSign, now)}`);
}

function activity({ session, lastSign }: Evidence, now: Date): Standing {
  if (!session) return said("unknown", "nothing was seen of it");
  if (isInTurn(session))
    return session.tool
      ? said("working", `${session.tool.name} began ${ago(session.tool.since, now)}`)
      : said("working", `in a turn, last sign ${ago(lastSign, now)}`);
  if (session.failure) return said("idle", `its turn broke off ${ago(lastSign, now)}: ${session.failure}`);
  return session.state === "idle"
    ? said("idle", `its turn ended ${ago(lastSign, now)}`)
    : said("idle", "started, no turn yet");
}

/** A session that has just started is `active` too, but nobody has asked it anything. */
const isInTurn = ({ state, status }: { state: string; status: string }) =>
  state === "tool_active" || (state === "active" && status !== "done");

const said = (state: State, evidence: string): Standing => ({ state, evidence });

/** `12s`, `4m`, `3h`, `2d`; empty for no time at all. */
export function age(since: string | undefined, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since ?? "")) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

const ago = (since: string | undefined, now: Date) => (age(since, now) ? `${age(since, now)} ago` : "once");
