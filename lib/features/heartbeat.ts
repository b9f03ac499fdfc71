// Signs of life: a member registers when it starts, is seen at most once a minute, and says goodbye. Silence makes it stale;
// dead it is only with proof, which the others' signs of life and the lead's next start look for.

import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { seatOf, sessionSeatOf } from "../run/seat.ts";
import { takeBeat } from "../store/heartbeat.ts";
import { signOff } from "./heartbeat/sign-off.ts" with { loading: "lazy" };
import { signOn } from "./heartbeat/sign-on.ts" with { loading: "lazy" };
import { beatAndWatch } from "./heartbeat/write-beat.ts" with { loading: "lazy" };

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  return signOn(ctx, seat);
};

/** Any event is a sign of life, a subagent's too; written down when the answer is out. */
export function beat(ctx: Context): Outcome | void {
  const seat = sessionSeatOf(ctx);
  const throttleMs = ctx.settings["heartbeat.throttle_s"] * 1000;
  if (!seat || !takeBeat(ctx.places, seat.team, seat.agent, ctx.now, throttleMs)) return;
  return { after: () => beatAndWatch(ctx, seat, throttleMs) };
}

/** `clear` and `resume` end nothing. The lead's own end is the teammates feature's matter. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const { reason } = ctx.input;
  const seat = reason === "clear" || reason === "resume" ? undefined : seatOf(ctx);
  if (!seat || seat.isLead) return;
  return signOff(ctx, seat, reason);
};
