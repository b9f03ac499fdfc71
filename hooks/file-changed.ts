import { FileChanged } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as pause from "../lib/people/hooks/pause.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(FileChanged, {
  pause: always(pause.fileChanged),
  inbox: always(inbox.fileChanged),
  heartbeat: teams.beat,
});
