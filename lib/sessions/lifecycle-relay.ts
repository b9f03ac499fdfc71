// Lifecycle events for an ATM daemon and the readers of its log (ATM hooks). The log is written first, the daemon is only offered the
// event; neither can delay the client. A lazy part, for sessions with ATM.
import { fieldsOf } from "../core/json.ts";
import type { Context } from "../hook/context.ts";
import { appendLifecycle, type LifecycleEvent, lifecycleEvent, offerToDaemon } from "./store/lifecycle.ts";

/** Added to the events of ATM hooks by its authors: these also serve a session that has ATM's variables without a `.atm.toml`, and then
 *  only the daemon gets them. */
const LATER: ReadonlySet<string> = new Set(["permission_request", "stop", "notification_idle_prompt"]);

export function relay(ctx: Context, event: string): void {
  const isProject = ctx.loaded.projectFile !== undefined;
  const { team, identity } = atmOf(ctx);
  if (!isProject && !(LATER.has(event) && team && identity)) return;
  const line = lifecycleOf(ctx, event);
  if (!line) return;
  try {
    if (isProject) appendLifecycle(ctx.paths, line);
  } finally {
    offerToDaemon(ctx.paths, line);
  }
}

/** Variables inherited from the agent that started this client name that agent. */
const atmOf = (ctx: Context): Context["atm"] => (ctx.isChild ? {} : ctx.atm);

export function lifecycleOf(ctx: Context, event: string): LifecycleEvent | undefined {
  const agent = agentFor(ctx, event);
  const team = teamFor(ctx, event);
  const { session_id } = ctx.input;
  if (!agent || !team || !session_id) return undefined;
  return lifecycleEvent(ctx, { event, agent, team, session_id }, "claude_hook", ctx.input);
}

/** The order of ATM hooks: the payload's own names, then `ATM_IDENTITY`, then what we know besides. */
function agentFor(ctx: Context, event: string): string | undefined {
  const { teammate_name, name, agent } = fieldsOf(ctx.input);
  const { kind, agent: known, parent } = ctx.identity;
  const inProcess = kind === "in-process" ? known : undefined;
  const said = firstText(teammate_name, name, agent, spawned(ctx, event)["name"]) ?? inProcess;
  const speaker = kind === "subagent" ? parent : known;
  // `.atm.toml` says who usually works here, which is not who has just gone idle.
  const usual = event === "teammate_idle" ? undefined : defaultAgent(ctx);
  return said ?? atmOf(ctx).identity ?? speaker ?? usual;
}

function defaultAgent({ identity, settings }: Context): string | undefined {
  const team = settings["core.default_team"];
  const isOther = team !== undefined && identity.team !== undefined && team !== identity.team;
  return isOther ? undefined : settings["core.identity"];
}

/** The payload, then `ATM_TEAM`, then `.atm.toml`, then what we know besides. */
function teamFor(ctx: Context, event: string): string | undefined {
  const { team_name, team } = fieldsOf(ctx.input);
  const said = firstText(team_name, spawned(ctx, event)["team_name"], team);
  return said ?? atmOf(ctx).team ?? ctx.settings["core.default_team"] ?? ctx.identity.team;
}

/** In other events `tool_input` belongs to a tool, and its `name` names no agent. */
const spawned = (ctx: Context, event: string) =>
  event === "teammate_idle" ? fieldsOf(fieldsOf(ctx.input)["tool_input"]) : {};

const firstText = (...values: unknown[]) =>
  values.find((value) => typeof value === "string" && value.trim() !== "") as string | undefined;
