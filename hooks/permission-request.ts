import * as effort from "../lib/efforts/hooks.ts";
import { PermissionRequest } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(PermissionRequest, {
  sessions: sessions.permissionRequest,
  heartbeat: teams.beat,
  effort: effort.permissionRequest,
  people: people.permissionRequest,
});
