// Which member a session is by the variables of its kitty window: Claude Swarm hooks set `swarm_team` and `swarm_agent` there, and a
// client that was started in such a window by hand has no other sign of its team. Asked once, at the session's start.
import { whyNotSegment } from "../core/paths.ts";
import { readWindows } from "../system/kitty.ts";
import { isNative, listTeams, memberOf, readTeam } from "../teams/store/config.ts";
import type { Claim } from "./context.ts";
import type { Environment } from "./environment.ts";

const LIMIT_MS = 2_000;

export function memberOfWindow({ paths, kitty }: Pick<Environment, "paths" | "kitty">): Claim | undefined {
  if (!kitty.socket || !kitty.window || !listTeams(paths).some((name) => !isNative(name))) return undefined;
  const window = readWindows(kitty.socket, LIMIT_MS).find(({ id }) => id === kitty.window);
  const { swarm_team: team, swarm_agent: agent } = window?.variables ?? {};
  if (!team || !agent || isNative(team) || whyNotSegment(team)) return undefined;
  return memberOf(readTeam(paths, team), agent) ? { team, agent } : undefined;
}
