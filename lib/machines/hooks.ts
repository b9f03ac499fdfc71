// What hooks do for a relayed team: see that a courier runs, say when it cannot reach the relay, and keep the client's own Task
// tools from deciding what is decided on the relay. No hook touches the network.
import { join } from "node:path";
import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { sessionSeatOf } from "../run/seat.ts";
import { startHelper } from "../store/background.ts";
import { whyNotSegment } from "../store/paths.ts";
import { isCourierFresh, isRelayed } from "./store/paths.ts";

const relayedTeam = ({ identity, places }: Context): string | undefined => {
  const { team } = identity;
  return team && !whyNotSegment(team) && isRelayed(places, team) ? team : undefined;
};

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const team = relayedTeam(ctx);
  if (!team) return;
  const { relayProblem } = require("./session-line.ts") as typeof import("./session-line.ts");
  const problem = relayProblem(ctx.places, team);
  const said = problem && { name: "relay", text: problem, where: "swarm relay status" };
  return { ...(said ? { context: said } : {}), after: () => ensureCourier(ctx) };
};

/** Asynchronous for most tools, and at the end of a turn: a courier that died is replaced by whoever is at work. */
export function keepCourier(ctx: Context): Outcome | void {
  const team = sessionSeatOf(ctx)?.team;
  if (team && isRelayed(ctx.places, team) && !isCourierFresh(ctx.places, ctx.now.getTime()))
    return { after: () => ensureCourier(ctx) };
}

function ensureCourier({ places, ownRoot, now }: Context): void {
  if (isCourierFresh(places, now.getTime())) return;
  startHelper(join(ownRoot, "dist", "scripts", "relay.cjs"), ["courier"], places.base);
}

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { tool_name: tool, tool_input: input } = ctx.input;
  if (tool !== "TaskCreate" && tool !== "TaskUpdate") return;
  const team = relayedTeam(ctx);
  // A list of the session's own is nobody else's.
  if (!team || ctx.taskList !== team) return;
  const { insteadOf } = require("./instead.ts") as typeof import("./instead.ts");
  const line = insteadOf(tool, input);
  if (line)
    return {
      deny: `The tasks of ${team} are shared by several machines and decided on its relay. Use: ${line}`,
      rule: "machines.tasks",
    };
};
