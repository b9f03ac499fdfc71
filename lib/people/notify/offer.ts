// A moment as a hook saw it, put where the helper finds it.

import { transcriptOf } from "../../context/store/window.ts";
import { HOUR_MS } from "../../core/time.ts";
import type { Context } from "../../hook/context.ts";
import { addMoment, type Moment, momentKey, readMoments, WAKE, waitingSaidAt } from "../store/moments.ts";
import { clock, noteLimit, resetOf } from "../store/quota.ts";

export { askForLook } from "../store/moments.ts";

/** The same event of the same session with the same sign is the same moment. */
export type Given = Pick<Moment, "event" | "text" | "detail"> & { sign: string };

/** True where a helper is to be started: not where nobody wants to hear of it, or it waits already. */
export function offerFor(ctx: Context, { event, text, detail, sign }: Given): boolean {
  const { settings } = ctx;
  if (!settings["notify.events"].includes(event)) return false;
  const { session_id: session, agent_id: agentId } = ctx.input;
  const at = ctx.now.getTime();
  const same = event === "waiting" ? waitingAlready(ctx) : undefined;
  if (same) return same.due < at; // overdue: its helper has died, or is quiet and sends the other away
  if (event === "waiting" && isRepetition(ctx)) return false;
  return addMoment(ctx.paths, {
    key: momentKey(event, `${session} ${agentId ?? ""}`, sign),
    event,
    text,
    at,
    due: at + settings["notify.after_s"] * 1000,
    session,
    pid: ctx.clientPid,
    ...(agentId ? { agentId } : {}),
    ...(detail ? { detail } : {}),
    ...(ctx.tmux ? { tmux: ctx.tmux } : {}),
  });
}

/** One prompt after the other is one call while it has not been said. */
const waitingAlready = ({ paths, input, event }: Context): Moment | undefined =>
  readMoments(paths).find(
    (one) =>
      one.event === "waiting" &&
      one.session === input.session_id &&
      (event === "Notification" || one.agentId === input.agent_id),
  );

/** A notification repeats what a request has said. */
const isRepetition = ({ paths, input, event, now }: Context): boolean =>
  event === "Notification" && now.getTime() - waitingSaidAt(paths, input.session_id) < REPEATED_WITHIN_MS;

/** The client's notification comes 6 s after the request it repeats, and does not name a subagent. */
const REPEATED_WITHIN_MS = 30_000;

export interface Failure {
  name: string;
  failure: string;
  isLimit: boolean;
  isCalling: boolean;
}

/** A limit's reset is written down whether or not somebody is called. */
export function afterFailure(ctx: Context, { name, failure, isLimit, isCalling }: Failure): boolean {
  const { paths, now, input } = ctx;
  if (isLimit) noteLimit(paths, transcriptOf(input), input.session_id, now);
  const reset = isLimit ? resetOf(paths, input.session_id, now) : undefined;
  const isToBeWoken = reset !== undefined && offerWake(ctx, reset);
  if (!isCalling) return isToBeWoken;
  const until = reset === undefined ? "" : `, resets ${clock(reset, now.getTime())}`;
  const text = isLimit
    ? `${name} is rate-limited${until}`
    : `${name} failed: its turn broke off (${failure.slice(0, 60)})`;
  const event = isLimit ? "rate-limited" : "failed";
  return offerFor(ctx, { event, text, sign: now.toISOString() }) || isToBeWoken;
}

/** 2.1.325 goes on by itself about 80 s after the reset, but not in a teammate; 2.1.197 never does. */
const AFTER_RESET_MS = 100_000;
/** The helper waits for it: for five hours it does, for a week it does not. */
const LONGEST_WAIT_MS = 6 * HOUR_MS;

function offerWake({ paths, now, input, identity }: Context, reset: number): boolean {
  const { team, agent } = identity;
  const at = now.getTime();
  if (!team || !agent || reset - at > LONGEST_WAIT_MS) return false;
  const { session_id: session, agent_id: agentId } = input;
  return addMoment(paths, {
    key: momentKey(WAKE, `${session} ${agentId ?? ""}`, String(reset)),
    event: WAKE,
    text: "",
    at,
    due: reset + AFTER_RESET_MS,
    session,
    team,
    agent,
    ...(agentId ? { agentId } : {}),
  });
}
