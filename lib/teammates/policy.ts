// Who may manage a team and who may spawn into it: `[team."x"]` of the person's settings, for `swarm` commands and the spawn gate.
import { isTable } from "../core/shape.ts";
import type { Identity } from "../hook/identity.ts";

export interface TeamPolicy {
  /** Who may spawn. */
  policy: "leaders-only" | "any-member";
  coLeaders: readonly string[];
}

/** A spawn policy that is not known counts as the stricter one. */
export function teamPolicy(tables: Readonly<Record<string, unknown>>, team: string): TeamPolicy {
  const table = Object.hasOwn(tables, team) ? asTable(tables[team]) : undefined;
  const coLeaders = table?.["co_leaders"];
  return {
    policy: table?.["spawn_policy"] === "any-member" ? "any-member" : "leaders-only",
    coLeaders: Array.isArray(coLeaders)
      ? coLeaders.flatMap((one) => (typeof one === "string" && one.trim() ? one.trim() : []))
      : [],
  };
}

export const asTable = (value: unknown) => (isTable(value) ? value : undefined);

/** A person at a terminal and a session outside the team may; a member only if it leads or is a co-leader. */
export function whyMayNotManage(
  identity: Identity,
  team: string,
  { coLeaders }: Pick<TeamPolicy, "coLeaders">,
): string | undefined {
  if (identity.team !== team || identity.isLead || !identity.agent) return undefined;
  if (coLeaders.includes(identity.agent)) return undefined;
  return `${identity.agent} does not lead ${team}: ask team-lead (\`swarm send team-lead "…"\`)`;
}

export const whyMayNotSpawn = (identity: Identity, team: string, policy: TeamPolicy): string | undefined =>
  policy.policy === "any-member" ? undefined : whyMayNotManage(identity, team, policy);
