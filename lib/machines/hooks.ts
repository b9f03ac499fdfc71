// What hooks do for a relayed team: see that a courier runs, report once a session that the relay is out of reach, and keep the
// client's own Task tools from deciding what is decided on the relay. No hook touches the network.
import type { Context } from "../hook/context.ts";
import { sessionMailboxOf } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { relayProblem, whyDenied } from "./hook-texts.ts" with { loading: "lazy" };
import { startCourier } from "./start.ts" with { loading: "lazy" };
import { isCourierFresh, isRelayed } from "./store/paths.ts";

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const team = sessionMailboxOf(ctx)?.team;
  if (!isRelayed(ctx.paths, team)) return;
  const text = relayProblem(ctx.paths, team);
  return text ? { context: { name: "relay", text, where: "swarm relay status" } } : undefined;
};

/** In hooks that the turn does not wait for. */
export function keepCourier(ctx: Context): Outcome | void {
  const team = sessionMailboxOf(ctx)?.team;
  if (isRelayed(ctx.paths, team) && !isCourierFresh(ctx.paths, ctx.now.getTime()))
    return { after: () => startCourier(ctx) };
}

/** After ExitPlanMode alone the turn waits. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) =>
  ctx.input.tool_name === "ExitPlanMode" ? undefined : keepCourier(ctx);

/** A list of the session's own concerns no other machine. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { team } = ctx.identity;
  if (team === undefined || ctx.taskList !== team || !isRelayed(ctx.paths, team)) return;
  const why = whyDenied(team, ctx.input.tool_name, ctx.input.tool_input);
  if (why) return { deny: why, rule: "machines.tasks" };
};
