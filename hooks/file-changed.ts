import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox/push.ts";
import { FileChanged } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(FileChanged, {
  inbox: inbox.fileChanged,
  heartbeat: heartbeat.beat,
});
