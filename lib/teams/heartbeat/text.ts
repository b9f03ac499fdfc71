// What the lead reads about its members' lives, and what a member says when it leaves (seed 001, to the letter).
import { escapeLine } from "../../core/text.ts";

/** Times in a team's config are as seed 001 writes them. */
export const seconds = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, "Z");

export const farewell = (agent: string): string =>
  `${agent} session ended cleanly. Check task status for any incomplete work.`;

export interface Lost {
  name: string;
  proof: string;
  lastSeen?: string;
}

export function lifeReport(
  lead: string,
  crashed: readonly Lost[],
  silent: readonly Lost[],
): string | undefined {
  if (crashed.length + silent.length === 0) return undefined;
  return [
    "<system-reminder>",
    `# Team Status for ${escapeLine(lead)}`,
    ...section("Crashed, now marked offline", crashed),
    ...section("Silent, but not proven dead", silent),
    "",
    "</system-reminder>",
  ].join("\n");
}

function section(title: string, members: readonly Lost[]): string[] {
  if (members.length === 0) return [];
  return ["", `## ${title} (${members.length})`, "", ...members.map(line)];
}

const line = ({ name, proof, lastSeen }: Lost) =>
  `- ${escapeLine(name)}: ${escapeLine(proof)}${lastSeen ? `, last seen ${escapeLine(lastSeen)}` : ""}`;

export const nameTaken = (agent: string, team: string, pid: number | undefined): string =>
  `The name ${escapeLine(agent)} in team ${escapeLine(team)} belongs to another live session (process ${pid}). ` +
  "This session does not get its mail and does not speak for it; `swarm join` gives it a name of its own.";
