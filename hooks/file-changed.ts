import { FileChanged } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as heartbeat from "../lib/teams/hooks/heartbeat.ts";

runHook(FileChanged, {
  inbox: always(inbox.fileChanged),
  heartbeat: heartbeat.beat,
});
