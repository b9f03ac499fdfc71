// Pause: every tool call of a paused agent is refused and its turn ends; when the pause is lifted it is woken. While nothing is
// paused a call pays for one look whether a file is there.
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { isWatchFile } from "../../mail/store/session-files.ts";
import { wasStopped } from "../../sessions/store/sessions.ts";
import * as stopping from "../pause/stopping.ts" with { loading: "lazy" };

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) =>
  ctx.pause ? stopping.refuse(ctx, ctx.pause) : undefined;

/** What cannot be written down, as on a full disk, is refused all the same. */
export const refuseAnyway: Handler<typeof events.PreToolUse> = (ctx) =>
  ctx.pause ? stopping.refusal(ctx.pause) : undefined;

/** A restart lifts no pause; one that was lifted meanwhile is reported now. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (ctx.pause) return stopping.stillPaused(ctx.pause);
  return wasStopped(ctx.paths, ctx.input.session_id) ? stopping.released(ctx) : undefined;
};

/** What nothing could wake goes on with a prompt; else it would hear of this pause at a later start. */
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  if (!wasStopped(ctx.paths, ctx.input.session_id) || ctx.pause) return;
  return stopping.released(ctx);
};

/** Of the two entries for the watch file the one that can wake. */
export const fileChanged: Handler<typeof events.FileChanged> = (ctx) => {
  if (ctx.entry === undefined || !isWatchFile(ctx.input.file_path)) return;
  return wasStopped(ctx.paths, ctx.input.session_id) ? stopping.wakeReleased(ctx) : undefined;
};
