// What an agent is doing, decided from what is known about it, with the evidence for it. Pure.
import { age } from "../../core/time.ts";
import { type ClientState, isCurrent, promptSubject } from "../../sessions/store/client-state.ts";
import {
  isInTurn,
  isProbablyWaiting,
  isRateLimited,
  isSilent,
  type SessionRecord,
} from "../../sessions/store/sessions.ts";
import type { Liveness } from "./liveness.ts";

export const STATES = [
  "working",
  "thinking",
  "idle",
  "permission",
  "question",
  "rate-limited",
  "silent",
  "suspended",
  "paused",
  "gone",
  "unknown",
] as const;
export type State = (typeof STATES)[number];

export interface Evidence extends Liveness {
  isSuspended: boolean;
  /** The evidence, where a person has paused it. */
  paused?: string;
  /** The mark in the team's config: `starting`, `active`, `offline`. */
  mark?: string;
  session?: Pick<SessionRecord, "state" | "status" | "failure" | "tool" | "prompt" | "endedAt" | "endReason">;
  /** What its client says of itself: more certain than events, since none is fired when a person says no or interrupts. */
  client?: ClientState;
  pane?: string;
  /** The newest sign of the agent itself or of a subagent. */
  lastSign?: string;
}

/** Its session is on record. */
type Seen = Evidence & { session: NonNullable<Evidence["session"]> };

export interface Verdict {
  state: State;
  evidence: string;
  /** What it asks a person, and where. */
  waiting?: { tool?: string; detail?: string; since?: string; pane?: string };
}

export function stateOf(given: Evidence, now: Date, silentAfterMs: number): Verdict {
  const { session, client, paused, lastSign, mark } = given;
  const gone = absence(given, now);
  if (gone) return gone;
  if (!session && mark === "starting")
    return verdict("unknown", "it was started; its client has not sent an event yet");
  if (!session) return verdict("unknown", "no session record: no event of it was seen here");
  const seen = { ...given, session, client: client && isCurrent(client, lastSign, now) ? client : undefined };
  const asked = question(seen, now);
  if (asked) return asked;
  return paused === undefined ? activity(seen, now, silentAfterMs) : verdict("paused", paused);
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

/** By the client's own word; else by an event without an end; else by a call that should have ended long ago. */
function question({ session, client, pane }: Seen, now: Date): Verdict | undefined {
  if (client && client.status !== "waiting") return undefined;
  const { prompt, tool } = session;
  if (!client && !prompt) {
    if (!tool || !isProbablyWaiting(session, now)) return undefined;
    const { name, since } = tool;
    const evidence = `probably waits for permission: ${name} began ${ago(since, now)} and has not ended`;
    return { ...verdict("permission", evidence), waiting: { tool: name, since, pane } };
  }
  const isQuestion = prompt?.kind === "question" || /input|dialog/.test(client?.waitingFor ?? "");
  const since = prompt?.since ?? (client?.statusUpdatedAt && new Date(client.statusUpdatedAt).toISOString());
  const subject = promptSubject(prompt ?? { detail: client?.waitingFor }, LONGEST_SUBJECT);
  const evidence = [
    `waits for ${isQuestion ? "an answer" : "permission"}${subject ? `: ${subject}` : ""}`,
    ...(pane ? [`pane ${pane}`] : []),
    ...(since ? [`for ${age(since, now)}`] : []),
  ].join(", ");
  const waiting = { tool: prompt?.tool, detail: prompt?.detail, since: since || undefined, pane };
  return { ...verdict(isQuestion ? "question" : "permission", evidence), waiting };
}

const LONGEST_SUBJECT = 40;

function activity({ session, client, lastSign }: Seen, now: Date, silentAfterMs: number): Verdict {
  const { state, tool, failure } = session;
  const since = ago(lastSign, now);
  if (isInTurn(session)) {
    if (client?.status === "idle") return verdict("idle", "its turn was interrupted");
    if (isSilent(session, lastSign, now, silentAfterMs))
      return verdict("silent", `${inTurn(session)}, last sign ${since}`);
    return state === "tool_active" && tool
      ? verdict("working", `${tool.name} began ${ago(tool.since, now)}`)
      : verdict("thinking", `in a turn, last sign ${since}`);
  }
  if (isRateLimited(session)) return verdict("rate-limited", `its turn broke off ${since}: ${failure}`);
  if (client?.status === "busy") return verdict("thinking", "its client is busy");
  if (failure) return verdict("idle", `its turn broke off ${since}: ${failure}`);
  return verdict("idle", state === "idle" ? `its turn ended ${since}` : "started, no turn yet");
}

const inTurn = ({ tool }: Pick<SessionRecord, "tool">) => `in a turn${tool ? ` in ${tool.name}` : ""}`;

const verdict = (state: State, evidence: string): Verdict => ({ state, evidence });

const ago = (since: string | undefined, now: Date) => (age(since, now) ? `${age(since, now)} ago` : "once");

// What of it the lead is notified of.

export type Observed = Pick<Evidence, "life" | "evidence" | "lastSign"> & { record?: SessionRecord };

export interface Trouble {
  state: "gone" | "rate-limited" | "silent";
  /** The same sign is the same change. */
  sign: string;
  why: string;
}

export function troubleOf(
  { life, evidence, record, lastSign }: Observed,
  now: Date,
  silentMs: number,
): Trouble | undefined {
  if (life === "gone") return { state: "gone", sign: evidence, why: evidence };
  if (!record || record.endedAt) return undefined;
  if (isRateLimited(record))
    return {
      state: "rate-limited",
      sign: record.turnStartedAt ?? record.startedAt,
      why: `its turn broke off (${record.failure})`,
    };
  const sign = lastSign ?? record.lastSeen;
  const isAtPrompt = record.status === "attention" || isProbablyWaiting(record, now);
  if (isAtPrompt || !isSilent(record, sign, now, silentMs)) return undefined;
  const minutes = Math.round((now.getTime() - Date.parse(sign)) / 60_000);
  return { state: "silent", sign, why: `${inTurn(record)}, without a sign for ${minutes} min` };
}
