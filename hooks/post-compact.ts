import { PostCompact } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks.ts";

runHook(PostCompact, {
  sessions: sessions.postCompact,
});
