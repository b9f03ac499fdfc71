// A lead that comes back to a suspended team learns how to wake it.

import type { Paths } from "../core/paths.ts";
import { escapeLine } from "../core/text.ts";
import type { Outcome } from "../hook/outcome.ts";
import { isLead, readTeam } from "../teams/store/config.ts";

export function tellSuspended(paths: Paths, name: string): Outcome | undefined {
  const team = readTeam(paths, name);
  if (team?.status !== "suspended") return undefined;
  const gone = team.members.flatMap((member) => (isLead(team, member) ? [] : escapeLine(member.name)));
  return {
    context: `The team ${name} is suspended since ${escapeLine(team.suspendedAt ?? "an unknown time")} (${gone.join(", ") || "no teammates"}). \`swarm resume ${name}\` brings it back.`,
  };
}
