// Which events reach us, how long they keep the client, and why one may never have come.

import type { Fired } from "../../core/journal.ts";
import { counted } from "../../core/text.ts";
import { ago } from "../../core/time.ts";
import { bad, type Finding, ok, warnIfAny } from "./finding.ts";

/** A client that runs at all fires the others in its first turn: SessionStart, UserPromptSubmit, PreToolUse and Stop. */
const WHY_NEVER: Record<string, string> = {
  SessionEnd: "comes when a client exits normally; a killed one sends nothing",
  PostToolUse: "comes after a tool has run",
  PostToolUseFailure: "comes only when a tool fails",
  PermissionRequest:
    "comes only when the client asks, which it rarely does in auto mode; never for a teammate in a pane",
  Notification: "comes when a client has waited for its user for a while",
  SubagentStart: "comes only with subagents",
  SubagentStop: "comes only with subagents",
  StopFailure: "comes only when a turn breaks off; with -p the client ends before the hook does",
  TeammateIdle:
    "comes only in the client's own teams, which need CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1 and a screen",
  TaskCreated: "comes only with the Task tools; newer clients need CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
  TaskCompleted: "comes only with the Task tools; newer clients need CLAUDE_CODE_ENABLE_TODO_TOOLS=1",
  PreCompact: "comes only when a conversation is compacted",
  PostCompact: "comes only when a conversation is compacted",
  ConfigChange: "comes only when a settings file changes under a running client",
  FileChanged: "comes only for files a session watches: the inbox of a team member",
};

const SLOW_MS = 400;

export function eventFindings(wired: readonly string[], fired: readonly Fired[], now: Date): Finding[] {
  const start =
    "start a client with the plugin installed; `claude --debug` shows what it does with the hooks";
  if (fired.length === 0) return bad("no event has fired yet", ["there is no stamp of any hook"], start);
  const names = new Set(fired.map((one) => one.event));
  // The doctor itself may be the first turn's first tool: that turn has not ended.
  const isFirstTurn = fired.some(({ event, times }) => event === "UserPromptSubmit" && times.length === 1);
  const missing = wired.filter((event) => !names.has(event) && !(event === "Stop" && isFirstTurn));
  const expected = missing.filter((event) => !WHY_NEVER[event]);
  const rare = missing.filter((event) => WHY_NEVER[event]);
  const why = rare.map((event) => `${event.padEnd(18)} ${WHY_NEVER[event]}`);
  const measured = fired.map(timesOf);
  const slow = measured.filter(({ p95 }) => p95 > SLOW_MS);
  return [
    ...ok(
      `${counted(fired.length, "event")} of ${wired.length} fired`,
      ...measured.map((one) => lineOf(one, now)),
    ),
    ...warnIfAny(
      slow.map(({ event, p95 }) => `${event}: p95 ${p95} ms`),
      `${counted(slow.length, "event")} took longer than ${SLOW_MS} ms in one of twenty runs`,
      "look at the load of the machine first, then at NODE_EXTRA_CA_CERTS and the size of the settings files",
    ),
    ...warnIfAny(
      expected.length > 0 ? ["every client fires these in its first turn with a tool"] : [],
      `${expected.join(", ")} never fired, while other events did`,
      "run one turn with a tool; if it stays so, `/hooks` in the client shows whether the hook is registered",
    ),
    ...(rare.length > 0
      ? ok(`${counted(rare.length, "event")} never fired, which may be right`, ...why)
      : []),
  ];
}

export const timesOf = ({ event, times, last }: Fired) => {
  return { event, runs: times.length, p50: percentile(times, 50), p95: percentile(times, 95), last };
};

function lineOf({ event, runs, p50, p95, last }: ReturnType<typeof timesOf>, now: Date): string {
  const took = runs > 0 ? `p50 ${p50} ms, p95 ${p95} ms` : "no times";
  return `${event.padEnd(18)} ${counted(runs, "run").padEnd(10)} ${took}, last ${ago(last, now)}`;
}

/** The nearest rank, in whole milliseconds. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.ceil((share / 100) * sorted.length) - 1] ?? 0);
}
