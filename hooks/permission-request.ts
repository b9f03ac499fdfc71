import * as effort from "../lib/efforts/hooks.ts";
import { PermissionRequest } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks/sessions.ts";
import * as heartbeat from "../lib/teams/hooks/heartbeat.ts";

runHook(PermissionRequest, {
  sessions: sessions.permissionRequest,
  heartbeat: heartbeat.beat,
  effort: effort.permissionRequest,
});
