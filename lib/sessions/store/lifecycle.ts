// Seed 000's lifecycle log: one envelope for every source of agent events, so that hooks, MCP servers and other
// adapters share one line format.
import { appendLine } from "../../core/jsonl.ts";
import { LIMITS } from "../../core/log-limits.ts";
import { lifecycleLogPath, type Paths } from "../../core/paths.ts";

export const SOURCE_KINDS = ["claude_hook", "atm_mcp", "agent_hook", "unknown"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface LifecycleEvent {
  /** `session_start`, `session_end`, `teammate_idle`, … */
  event: string;
  agent: string;
  team: string;
  session: string;
  at: Date;
  source: SourceKind;
  pid: number;
  payload: unknown;
}

/** `2026-02-20T12:00:00Z`: whole seconds, as the seed writes them. */
export const secondsOf = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, "Z");

export function lifecycleLine(event: LifecycleEvent): Record<string, unknown> {
  return {
    type: event.event.replaceAll("_", "-"),
    agent: event.agent,
    team: event.team,
    session_id: event.session,
    received_at: secondsOf(event.at),
    payload: event.payload,
    source: { kind: event.source },
    process_id: event.pid,
  };
}

export const appendLifecycle = (paths: Paths, event: LifecycleEvent): void =>
  appendLine(lifecycleLogPath(paths), lifecycleLine(event), LIMITS.lifecycle);
