import { FileChanged } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as heartbeat from "../lib/teams/hooks/heartbeat.ts";

runHook(FileChanged, {
  inbox: inbox.fileChanged,
  heartbeat: heartbeat.beat,
});
