// A lead that comes back to a suspended team learns how to wake it.
import { escapeLine } from "../../parse/xml.ts";
import type { Outcome } from "../../run/outcome.ts";
import type { Places } from "../../store/paths.ts";
import { readTeam } from "../../store/team.ts";
import { isLead } from "./roster.ts";

export function tellSuspended(places: Places, name: string): Outcome | undefined {
  const team = readTeam(places, name);
  if (team?.status !== "suspended") return undefined;
  const gone = team.members.flatMap((member) => (isLead(team, member) ? [] : escapeLine(member.name)));
  return {
    context: `The team ${name} is suspended since ${escapeLine(team.suspendedAt ?? "an unknown time")} (${gone.join(", ") || "no teammates"}). \`swarm resume ${name}\` brings it back.`,
  };
}
