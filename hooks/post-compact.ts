import { PostCompact } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks/sessions.ts";

runHook(PostCompact, {
  sessions: sessions.postCompact,
});
