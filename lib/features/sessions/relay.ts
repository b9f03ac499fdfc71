// Lifecycle events for an ATM daemon and whoever reads its log: only in a project with `.atm.toml` (seed 000).
import type { Context } from "../../run/context.ts";
import { hookEventRequest, offerToDaemon } from "../../store/daemon.ts";
import { newId } from "../../store/journal.ts";
import { appendLifecycle, type LifecycleEvent } from "../../store/lifecycle.ts";

export function relay(ctx: Context, event: string): void {
  if (!ctx.loaded.projectFile) return;
  const line = lifecycleOf(ctx, event);
  if (!line) return;
  appendLifecycle(ctx.places, line);
  offerToDaemon(ctx.places, hookEventRequest(line, newId(ctx.now)));
}

/** Seed 000's order: the payload's own names, then `ATM_TEAM` and `ATM_IDENTITY`, then `.atm.toml`, then what we know. */
export function lifecycleOf(ctx: Context, event: string): LifecycleEvent | undefined {
  const { teammate_name, team_name, name, agent, team } = ctx.input as unknown as Record<string, unknown>;
  const who = text(teammate_name) ?? text(name) ?? text(agent) ?? ctx.atm.identity ?? ctx.identity.agent;
  const whose =
    text(team_name) ?? text(team) ?? ctx.atm.team ?? ctx.settings["core.default_team"] ?? ctx.identity.team;
  if (!who || !whose || !ctx.input.session_id) return undefined;
  return {
    event,
    agent: who,
    team: whose,
    session: ctx.input.session_id,
    at: ctx.now,
    source: "claude_hook",
    pid: ctx.clientPid,
    payload: ctx.input,
  };
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
