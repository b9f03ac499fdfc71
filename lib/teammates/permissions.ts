// The permission mode a teammate is started in: the one of its lead. Given on its command line, with the allow rules of
// store/setup.ts; no settings are written.
import type { Paths } from "../core/paths.ts";
import { latestRecord } from "../sessions/store/sessions.ts";
import type { Team } from "../teams/store/config.ts";

export const BYPASS_PERMISSIONS = "bypassPermissions";

/** Narrowest first. `dontAsk` denies where `default` would ask. */
const MODES = ["plan", "dontAsk", "default", "acceptEdits", "auto", BYPASS_PERMISSIONS];

export const isWider = (mode: string, than: string): boolean => MODES.indexOf(mode) > MODES.indexOf(than);

interface Caller {
  paths: Paths;
  session: string | undefined;
}

/** The mode the team's lead is in now; the narrower one where another member starts the teammate. */
export function inheritedMode({ paths, session }: Caller, { leadSessionId }: Team): string {
  const lead = leadSessionId ? modeOf(paths, leadSessionId) : undefined;
  const own = session ? modeOf(paths, session) : undefined;
  if (lead && own) return isWider(own, lead) ? lead : own;
  return lead ?? own ?? "default";
}

/** 2.1.197 does not know `manual`, a newer name of `default`. A name that is not known here is not passed on. */
function modeOf(paths: Paths, session: string): string {
  const mode = latestRecord(paths, session)?.permissionMode ?? "default";
  return MODES.includes(mode) ? mode : "default";
}
