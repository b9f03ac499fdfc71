// Who may manage a team, and who may spawn into it.
import type { Identity } from "../hook/identity.ts";

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
