// Whose effort is it? Pure: it weighs the active efforts of a project against what is known of the asker.

import type { Identity } from "../hook/identity.ts";
import { isNative } from "../teams/store/config.ts";
import type { Effort } from "./store/efforts.ts";

export type Asker = {
  /** Seed 003's `AGENT_ID`. */
  fleet?: string;
  team?: string;
  agent?: string;
};

/** A native team's name dies with its session, and its lead is whoever sits there: neither can own anything for long. */
export function askerOf(
  fleet: string | undefined,
  { team, agent, isLead }: Pick<Identity, "team" | "agent" | "isLead">,
): Asker {
  if (!team || !isNative(team)) return { fleet, team, agent };
  return { fleet, agent: isLead ? undefined : agent };
}

/** By `AGENT_ID`, then by team and name, then the latest. `efforts` are those of the project, newest first. */
export function chooseEffort(efforts: readonly Effort[], asker: Asker): Effort | undefined {
  const { fleet, team, agent } = asker;
  return (
    efforts.find(({ owner }) => fleet !== undefined && owner.fleet === fleet) ??
    efforts.find(({ owner }) => agent !== undefined && owner.agent === agent && owner.team === team) ??
    efforts.find(({ owner }) => !isAnothers(owner, asker))
  );
}

/** An agent with a name does not fall into the effort of another one with a name. */
const isAnothers = (owner: Asker, asker: Asker) =>
  differ(owner.fleet, asker.fleet) || differ(owner.agent, asker.agent) || differ(owner.team, asker.team);

const differ = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one !== other;
