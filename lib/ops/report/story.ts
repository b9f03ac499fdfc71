// The data of a report page: agents with their states, and everything that happened, in order.

export type LaneState = "working" | "idle" | "waiting" | "failed" | "limited" | "silent" | "gone";

/** An agent's state as observed at a moment. */
export interface Sign {
  at: number;
  agent: string;
  state: LaneState;
}

export interface Span {
  state: LaneState;
  from: number;
  to: number;
}

/** How full an agent's context was from a moment on, in percent. */
export interface Level {
  at: number;
  share: number;
}

export interface Lane {
  agent: string;
  role: string;
  spans: Span[];
  levels: Level[];
}

export const KINDS = ["message", "task", "decision", "context", "state", "note"] as const;
type Kind = (typeof KINDS)[number];

export interface Entry {
  at: number;
  kind: Kind;
  agent: string;
  /** Who a message went to. */
  to?: string;
  head: string;
  /** The whole of it, where the head is not all. */
  text?: string;
  /** `deny`, `ask`, `warn`; a message's `queued`, `shown`, …; a task's status. */
  tone?: string;
  /** The rule behind a decision. */
  rule?: string;
}

export interface TaskRow {
  id: string;
  subject: string;
  status: string;
  owner: string;
  blockedBy: string[];
  /** Of a completed one: what verified it, or that nothing did. */
  proof?: string;
}

/** A test or build run. */
interface RunRow {
  id: string;
  agent: string;
  command: string;
  exit: string;
  /** A fingerprint of the tree it ran on. */
  tree: string;
  verdict: string;
}

export interface Story {
  title: string;
  from: number;
  to: number;
  /** Minutes to add to UTC for the local time of the machine that made it. */
  zone: number;
  lanes: Lane[];
  entries: Entry[];
  tasks: TaskRow[];
  /** None where nobody ran a test or build. */
  runs?: RunRow[];
  /** What it cost, by agent; none where nothing was counted. */
  costs?: { total: string; rows: { agent: string; messages: number; output: string; usd: string }[] };
  /** Older entries that did not fit. */
  leftOut: number;
}
