// What hooks leave for the person: a moment on disk and a helper beside the turn. Nothing is sent, counted or looked at in a hook.
import { toText } from "../../core/text.ts";
import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { asksForAttention, isRateLimited } from "../../sessions/store/sessions.ts";
import { startHelper } from "../../system/programs.ts";
import * as offers from "../notify/offer.ts" with { loading: "lazy" };
import type { Given } from "../notify/offer.ts";
import { hasBudget } from "../settings.ts";

const isCalling = ({ settings }: Context) => settings["notify.targets"].length > 0;
const isLooking = (ctx: Context) => isCalling(ctx) || hasBudget(ctx.settings);

function startNotifier({ ownRoot, paths }: Context): void {
  startHelper(ownRoot, ["notify", "run"], paths.base);
}

function call(ctx: Context, given: Given): Outcome | undefined {
  if (!isCalling(ctx)) return undefined;
  return {
    after: () => {
      if (offers.offerFor(ctx, given)) startNotifier(ctx);
    },
  };
}

function lookAround(ctx: Context): Outcome | undefined {
  if (!isLooking(ctx)) return undefined;
  return {
    after: () => {
      offers.askForLook(ctx.paths, ctx.now);
      startNotifier(ctx);
    },
  };
}

const nameOf = ({ identity, input }: Context): string => {
  const { agent, team } = identity;
  return agent ? (team ? `${agent}@${team}` : agent) : `session ${input.session_id.slice(0, 8)}`;
};

const QUESTIONS = new Set(["AskUserQuestion", "ExitPlanMode"]);

export const permissionRequest: Handler<typeof events.PermissionRequest> = (ctx) => {
  const { tool_name, tool_input } = ctx.input;
  const what = QUESTIONS.has(tool_name)
    ? "has a question for you"
    : `waits for your permission (${tool_name})`;
  return call(ctx, {
    event: "waiting",
    text: `${nameOf(ctx)} ${what}`,
    detail: toText(
      tool_input["command"] ?? tool_input["questions"] ?? tool_input["plan"] ?? tool_input["file_path"] ?? "",
    ),
    sign: ctx.now.toISOString(),
  });
};

/** The client repeats a permission prompt as a notification after 6 s: where one is waiting already it is the same. */
export const notification: Handler<typeof events.Notification> = (ctx) => {
  const { notification_type: type, message } = ctx.input;
  if (type === "idle_prompt" || !asksForAttention(type)) return;
  const text =
    type === "worker_permission_prompt"
      ? `a teammate of ${nameOf(ctx)} waits for your permission`
      : `${nameOf(ctx)} waits for you`;
  return call(ctx, { event: "waiting", text, detail: message, sign: ctx.now.toISOString() });
};

export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => {
  const failure = toText(ctx.input.error) || "unknown";
  const isLimit = isRateLimited({ state: "idle", failure });
  if (!isLimit && !isCalling(ctx)) return;
  return {
    after: () => {
      if (offers.afterFailure(ctx, { name: nameOf(ctx), failure, isLimit, isCalling: isCalling(ctx) }))
        startNotifier(ctx);
    },
  };
};

export const stop: Handler<typeof events.Stop> = lookAround;
export const teammateIdle: Handler<typeof events.TeammateIdle> = lookAround;
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) =>
  ctx.input.reason === "clear" || ctx.input.reason === "resume" ? undefined : lookAround(ctx);
export const taskCompleted: Handler<typeof events.TaskCompleted> = lookAround;
