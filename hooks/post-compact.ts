import * as sessions from "../lib/features/sessions.ts";
import { PostCompact } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostCompact, {
  sessions: sessions.postCompact,
});
