// The two machines of a session. State says what it does: active → tool_active → active → idle → ended (seed 002).
// Status says whether somebody should look: error > attention > working > checked > done (seed 003).

export type State = "active" | "tool_active" | "idle" | "ended";
export type Status = "error" | "attention" | "working" | "checked" | "done";

export const STATUS_ORDER: readonly Status[] = ["error", "attention", "working", "checked", "done"];

/** What the window or the lead's board shows for several voices. */
export const worstOf = (statuses: readonly Status[]): Status =>
  STATUS_ORDER.find((status) => statuses.includes(status)) ?? "done";

export type Move =
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

const AFTER: Record<Move, { state?: State; status?: Status }> = {
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

export function after(move: Move, state: State, status: Status): { state: State; status: Status } {
  if (state === "ended" && move !== "start") return { state, status };
  if (move === "seen")
    return { state, status: status === "attention" || status === "error" ? "checked" : status };
  return { state, status, ...AFTER[move] };
}

export type Phase = "working" | "idle" | "waiting" | "failed" | "ended";

/** What a timeline shows: coarse enough that a turn leaves a line or two in the journal, not one a tool. */
export function phaseOf({ state, status }: { state: string; status: string }): Phase {
  if (state === "ended") return "ended";
  if (state === "idle") return status === "error" ? "failed" : "idle";
  if (status === "attention") return "waiting";
  return state === "active" && status === "done" ? "idle" : "working";
}

/** Which notifications mean that somebody is waited for. */
export const isWaiting = (notificationType: string): boolean =>
  /^(permission_prompt|worker_permission_prompt|idle_prompt|elicitation_dialog|elicitation_url_dialog|agent_needs_input)$/.test(
    notificationType,
  );

const COLOURS: Record<Status, string> = {
  error: "#3d2020",
  attention: "#081a10",
  working: "#080c10",
  checked: "#0a1005",
  done: "#0a0a0a",
};

export const colourOf = (status: Status): string => COLOURS[status];

// The status as the pane's background: visible across a wall of panes, silent everywhere else.
/** A colour, `none` to take it away at the end, or nothing to do. */
export function paintOf(
  setting: "team" | "always" | "off",
  team: string | undefined,
  status: Status | undefined,
  before: Status | undefined,
): string | undefined {
  if (setting === "off" || (setting === "team" && !team)) return undefined;
  if (status === undefined) return "none";
  return status === before ? undefined : colourOf(status);
}
