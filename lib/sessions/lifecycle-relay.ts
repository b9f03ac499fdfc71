// Lifecycle events for an ATM daemon and whoever reads its log, where ATM is in use (seed 000). The log is written
// first and the daemon only offered the event; neither can hold the client up.
import { newId } from "../core/journal.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { appendLifecycle, hookEventRequest, type LifecycleEvent, offerToDaemon } from "./store/lifecycle.ts";

/** The seed's own events, which need a `.atm.toml`. */
type SeedEvent = "session_start" | "session_end" | "teammate_idle";
/** Added by its authors later: these also serve a session that only has ATM's variables, and then tell the daemon alone. */
type LaterEvent = "permission_request" | "stop" | "notification_idle_prompt";
const LATER: readonly string[] = [
  "permission_request",
  "stop",
  "notification_idle_prompt",
] satisfies LaterEvent[];

export const relayed = (ctx: Context, event: LaterEvent, outcome: Outcome | undefined): Outcome => ({
  ...outcome,
  after: () => {
    outcome?.after?.();
    relay(ctx, event);
  },
});

export function relay(ctx: Context, event: SeedEvent | LaterEvent): void {
  const isProject = ctx.loaded.projectFile !== undefined;
  const { team, identity } = atmOf(ctx);
  if (!isProject && !(LATER.includes(event) && team && identity)) return;
  const line = lifecycleOf(ctx, event);
  if (!line) return;
  try {
    if (isProject) appendLifecycle(ctx.paths, line);
  } finally {
    offerToDaemon(ctx.paths, hookEventRequest(line, newId(ctx.now)));
  }
}

/** What a client inherited from the agent that started it names that agent. */
const atmOf = (ctx: Context): Context["atm"] => (ctx.isChild ? {} : ctx.atm);

export function lifecycleOf(ctx: Context, event: SeedEvent | LaterEvent): LifecycleEvent | undefined {
  const who = whoIs(ctx, event);
  const whose = whoseIs(ctx, event);
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

/** Seed 000's order: the payload's own names, then `ATM_IDENTITY`, then what we know besides. */
function whoIs(ctx: Context, event: string): string | undefined {
  const { teammate_name, name, agent } = fieldsOf(ctx.input);
  const { kind, agent: known, parent } = ctx.identity;
  const voice = kind === "in-process" ? known : undefined;
  const said = text(teammate_name) ?? text(name) ?? text(agent) ?? text(spawned(ctx, event)["name"]) ?? voice;
  const named = said ?? atmOf(ctx).identity;
  if (named) return named;
  const speaker = kind === "subagent" ? parent : known;
  // `.atm.toml` says who usually works here, which is not who has just gone idle.
  return speaker ?? (event === "teammate_idle" ? undefined : usuallyHere(ctx));
}

function usuallyHere({ identity, settings }: Context): string | undefined {
  const team = settings["core.default_team"];
  const isOther = team !== undefined && identity.team !== undefined && team !== identity.team;
  return isOther ? undefined : settings["core.identity"];
}

/** The payload, then `ATM_TEAM`, then `.atm.toml`, then what we know besides. */
function whoseIs(ctx: Context, event: string): string | undefined {
  const { team_name, team } = fieldsOf(ctx.input);
  return (
    text(team_name) ??
    text(spawned(ctx, event)["team_name"]) ??
    text(team) ??
    atmOf(ctx).team ??
    ctx.settings["core.default_team"] ??
    ctx.identity.team
  );
}

/** Elsewhere `tool_input` belongs to a tool, whose `name` is nobody's. */
const spawned = (ctx: Context, event: string) =>
  event === "teammate_idle" ? fieldsOf(fieldsOf(ctx.input)["tool_input"]) : {};

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
