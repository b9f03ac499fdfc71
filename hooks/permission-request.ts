import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as sessions from "../lib/features/sessions.ts";
import { PermissionRequest } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PermissionRequest, {
  sessions: sessions.permissionRequest,
  heartbeat: heartbeat.beat,
  effort: effort.permissionRequest,
});
