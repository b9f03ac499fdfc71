import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { PostToolUseFailure } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostToolUseFailure, {
  sessions: sessions.postToolUseFailure,
  effort: effort.postToolUseFailure,
});
