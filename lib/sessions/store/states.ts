// What a session does and whether somebody should look at it. State: active → tool_active → active → idle → ended (Claude OS hooks).
// Status, the most urgent first: error, attention, working, checked, done (Engine hooks).
import type { SessionRecord } from "./sessions.ts";

export type State = "active" | "tool_active" | "idle" | "ended";
export type Status = "error" | "attention" | "working" | "checked" | "done";

const BY_URGENCY: readonly Status[] = ["error", "attention", "working", "checked", "done"];

/** What a window or a board shows for several agents. */
export const mostUrgent = (statuses: readonly Status[]): Status =>
  BY_URGENCY.find((status) => statuses.includes(status)) ?? "done";

export type Transition =
  | "start"
  | "prompt"
  | "tool-start"
  | "tool-end"
  | "tool-failed"
  | "waiting"
  | "seen"
  | "turn-end"
  | "turn-failed"
  | "idle"
  | "end";

const AFTER: Record<Transition, { state?: State; status?: Status }> = {
  start: { state: "active", status: "done" },
  prompt: { state: "active", status: "working" },
  "tool-start": { state: "tool_active", status: "working" },
  "tool-end": { state: "active", status: "working" },
  "tool-failed": { state: "active", status: "error" },
  waiting: { status: "attention" },
  seen: {},
  "turn-end": { state: "idle", status: "done" },
  "turn-failed": { state: "idle", status: "error" },
  idle: { state: "idle", status: "done" },
  end: { state: "ended", status: "done" },
};

export function afterTransition(
  transition: Transition,
  state: State,
  status: Status,
): { state: State; status: Status } {
  if (state === "ended" && transition !== "start") return { state, status };
  if (transition === "seen")
    return { state, status: status === "attention" || status === "error" ? "checked" : status };
  return { state, status, ...AFTER[transition] };
}

export function withTransition(record: SessionRecord, transition: Transition, now: Date): SessionRecord {
  const next = afterTransition(transition, record.state as State, record.status as Status);
  return { ...record, ...next, lastSeen: now.toISOString() };
}

type Doing = Pick<SessionRecord, "state" | "status">;

export type Phase = "working" | "idle" | "waiting" | "failed" | "ended";

/** For timelines: coarse enough that a turn leaves one or two lines in the journal, not one for each tool. */
export function phaseOf({ state, status }: Doing): Phase {
  if (state === "ended") return "ended";
  if (state === "idle") return status === "error" ? "failed" : "idle";
  if (status === "attention") return "waiting";
  return state === "active" && status === "done" ? "idle" : "working";
}

/** A session that has just started is `active` too, but it has not been asked anything yet. */
export const isInTurn = ({ state, status }: Doing): boolean =>
  state === "tool_active" || (state === "active" && status !== "done");

/** Its last turn was broken off by a limit of the service. */
export const isRateLimited = ({ state, failure }: Pick<SessionRecord, "state" | "failure">): boolean =>
  state === "idle" && /rate_limit|overloaded|usage_limit/.test(failure ?? "");

const NEVER_ASKS = new Set(["bypassPermissions", "dontAsk"]);
/** Calls whose end is not reported: hooks.json starts nothing after them, so their beginning is not recorded as a running call either. */
export const ASKS_NOTHING: ReadonlySet<string> = new Set(["TaskGet", "TaskList", "TodoWrite", "ToolSearch"]);
const RUNS_LONG = new Set(["Agent", "Task", "Workflow", "Monitor", "ScheduleWakeup", "TaskOutput"]);
const ENDS_AT_ONCE = new Set(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep"]);
const QUICK_MS = 15_000;
const SLOW_MS = 180_000;

/**
 * A tool call that began, never ended and may need a permission: the client is most likely showing a permission prompt. No event says
 * so for a teammate in a pane.
 */
export function isProbablyWaiting(
  { state, tool }: Pick<SessionRecord, "state" | "tool">,
  now: Date,
): boolean {
  if (state !== "tool_active" || !tool) return false;
  if (NEVER_ASKS.has(tool.permission ?? "") || RUNS_LONG.has(tool.name)) return false;
  const limit = ENDS_AT_ONCE.has(tool.name) ? QUICK_MS : SLOW_MS;
  return now.getTime() - Date.parse(tool.since) > limit;
}

/** Notifications that mean that the client waits for a person. */
export const asksForAttention = (notificationType: string): boolean =>
  /^(permission_prompt|worker_permission_prompt|idle_prompt|elicitation_dialog|elicitation_url_dialog|agent_needs_input)$/.test(
    notificationType,
  );

/** Made for a black terminal, by the document Engine hooks. */
const BACKGROUNDS: Record<Status, string> = {
  error: "#3d2020",
  attention: "#081a10",
  working: "#080c10",
  checked: "#0a1005",
  done: "#0a0a0a",
};

/** Colours of the terminal's own theme. An agent with nothing to report has the border that the person chose. */
const BORDERS: Record<Status, string | undefined> = {
  error: "red",
  attention: "yellow",
  working: "green",
  checked: "cyan",
  done: undefined,
};

export interface PaneStyle {
  shownOn: "team" | "always" | "off";
  where: "border" | "background";
}

/** tmux options of the session's pane with their values, none to remove one; `undefined` to leave all as they are. */
export type PaneOptions = Record<string, string | undefined>;

/** Everything that is ever set. */
export const PLAIN_PANE: PaneOptions = { "window-style": undefined, "pane-border-format": undefined };

export function paneOptionsOf(
  { shownOn, where }: PaneStyle,
  team: string | undefined,
  status: Status | undefined,
  before: Status | undefined,
): PaneOptions | undefined {
  if (shownOn === "off" || (shownOn === "team" && !team)) return undefined;
  if (status === undefined) return PLAIN_PANE;
  if (status === before) return undefined;
  if (where === "background") return { "window-style": `bg=${BACKGROUNDS[status]}` };
  const colour = BORDERS[status];
  // tmux runs what a format names: no text from outside may be in it.
  const text = `#[fg=${colour}]#{pane_index} "#{pane_title}" ${status}#[default]`;
  return { "pane-border-format": colour && text };
}
