// What an agent may do in a team: manage it and spawn into it, by `[team."x"]` of the person's settings, for `swarm` commands and the
// spawn gate; and the permission mode a teammate is started in, which is its lead's.

import type { Call } from "../cli/command.ts";
import { asTable, asTexts, valueAt } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import type { Settings } from "../core/settings.ts";
import { asWord } from "../core/text.ts";
import { latestRecord } from "../sessions/store/sessions.ts";
import { isMember, leadOf, readTeam, type Team } from "../teams/store/config.ts";

export type TeamPolicy = ReturnType<typeof teamPolicy>;

export function teamPolicy(tables: Readonly<Record<string, unknown>>, team: string) {
  const table = asTable(valueAt(tables, team));
  const coLeaders = asTexts(table?.["co_leaders"]).map((name) => name.trim());
  return {
    /** Who may spawn; a policy that is not known counts as the stricter one. */
    policy: table?.["spawn_policy"] === "any-member" ? ("any-member" as const) : ("leaders-only" as const),
    coLeaders: coLeaders.filter(Boolean),
  };
}

type Managing = Pick<Call, "identity" | "paths"> & { loaded: { values: Pick<Settings, "team"> } };

/** A person at a terminal and a session outside the team may; a member only if it leads or is a co-leader. */
export function whyMayNotManage({ identity, loaded, paths }: Managing, team: string): string | undefined {
  if (identity.team !== team || identity.isLead || !identity.agent) return undefined;
  if (teamPolicy(loaded.values.team, team).coLeaders.includes(identity.agent)) return undefined;
  const roster = readTeam(paths, team);
  const lead = leadOf(roster);
  const ask = isMember(roster, lead) ? `ask ${lead} (\`swarm send ${asWord(lead)} "…"\`)` : "it has no lead";
  return `${identity.agent} does not lead ${team}: ${ask}`;
}

export const whyMayNotSpawn = (call: Managing, team: string): string | undefined =>
  teamPolicy(call.loaded.values.team, team).policy === "any-member" ? undefined : whyMayNotManage(call, team);

export function requireManager(call: Managing, team: string): void {
  const refusal = whyMayNotManage(call, team);
  if (refusal) throw new Error(refusal);
}

// Given on its command line, with the allow rules of store/setup.ts; no settings are written.
export const BYPASS_PERMISSIONS = "bypassPermissions";

/** Narrowest first. `dontAsk` denies where `default` would ask. */
const MODES = ["plan", "dontAsk", "default", "acceptEdits", "auto", BYPASS_PERMISSIONS];

export const isWider = (mode: string, than: string): boolean => MODES.indexOf(mode) > MODES.indexOf(than);

/** The mode the team's lead is in now; the narrower one where another member starts the teammate. */
export function inheritedMode(
  { paths, session }: Pick<Call, "paths" | "session">,
  { leadSessionId }: Team,
): string {
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
