// What a started teammate may do without asking: allow rules for the verbs it needs, and the permission mode of its lead. Both are
// given on its command line; nobody's settings are written.
import type { Paths } from "../core/paths.ts";
import { latestRecord } from "../sessions/store/sessions.ts";
import type { Team } from "../teams/store/config.ts";

/**
 * Verbs that only read and write the team's mail, tasks and notes. Not here: what starts, ends or removes something, what changes
 * settings or rules, and what shows a file from outside the project (`effort preload`).
 */
const HARMLESS_VERBS = [
  "broadcast",
  ...["dehydrate", "finish", "list", "log", "phase", "show", "start"].map((action) => `effort ${action}`),
  "help",
  "inbox",
  "list-teams",
  "outbox",
  "scratchpad",
  "send",
  "status",
  ...["claim", "create", "done", "list", "release", "show", "update"].map((action) => `task ${action}`),
];

/** The spelling that both supported clients match by whole words: `swarm status:*` does not match `swarm statusline`. */
export const ALLOW_RULES: readonly string[] = HARMLESS_VERBS.map((verb) => `Bash(swarm ${verb}:*)`);

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
