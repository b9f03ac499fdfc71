// Who may manage a team, and who may lead it.
import type { Identity } from "../../run/identity.ts";
import type { Life } from "../../store/processes.ts";

interface Policy {
  /** `any-member` lets every member spawn. */
  spawnPolicy?: unknown;
  coLeaders?: unknown;
}

/** A person at a terminal may, and so may a session outside the team; a member of it only if it leads. */
export function whyMayNotManage(
  identity: Identity,
  team: string,
  { coLeaders }: Policy = {},
): string | undefined {
  if (identity.team !== team || identity.isLead || !identity.agent) return undefined;
  if (Array.isArray(coLeaders) && coLeaders.includes(identity.agent)) return undefined;
  return `${identity.agent} does not lead ${team}: ask team-lead (\`swarm send team-lead "…"\`)`;
}

export const whyMayNotSpawn = (identity: Identity, team: string, policy: Policy): string | undefined =>
  policy.spawnPolicy === "any-member" ? undefined : whyMayNotManage(identity, team, policy);

export function policyOf(table: Record<string, unknown>, team: string): Policy {
  const { spawn_policy, co_leaders } = (table[team] ?? {}) as Record<string, unknown>;
  return { spawnPolicy: spawn_policy, coLeaders: co_leaders };
}

export interface Lead {
  /** The team's `leadSessionId`. */
  session: string | undefined;
  life: Life;
}

/** The session that asks becomes the lead when it is the lead, when nobody is, or when the lead is proven dead. */
export function mayTakeLead(lead: Lead, asking: string, force: boolean): { yes: boolean; why: string } {
  if (!lead.session) return { yes: true, why: "the team had no lead" };
  if (lead.session === asking) return { yes: true, why: "this session leads it already" };
  if (lead.life === "gone") return { yes: true, why: "the old lead's process is gone" };
  if (force) return { yes: true, why: "by --force" };
  const evidence = lead.life === "alive" ? "is alive" : "may be alive";
  return {
    yes: false,
    why: `its lead, session ${lead.session}, ${evidence}; --force takes the lead all the same`,
  };
}
