import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sessions from "../lib/features/sessions.ts";
import { PostToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostToolUse, {
  sessions: sessions.postToolUse,
  heartbeat: heartbeat.beat,
  inbox: inbox.postToolUse,
});
