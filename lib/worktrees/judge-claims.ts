// Writes to files that another agent, or the owner of a task, asked to leave alone. Loaded only where there are claims.
import { type Paths, whyNotSegment } from "../core/paths.ts";
import type { Outcome } from "../hook/outcome.ts";
import { readTeam } from "../teams/store/config.ts";
import { askOrDeny } from "./ask-or-deny.ts";
import type { Shared } from "./judge-shared.ts";
import { latestOf, shownName } from "./store/agents.ts";
import { type Claim, claimsOn } from "./store/claims.ts";
import * as text from "./text.ts";

export function judgeClaims(shared: Shared): Outcome | undefined {
  const { ctx, files } = shared;
  for (const { tree, file } of files) {
    const claim = claimsOn(ctx.paths, tree, file, ctx.now).find((one) => !isOwn(one, shared));
    if (!claim) continue;
    const own = ctx.record?.team;
    const team = isOfNoTeam(claim, ctx.paths) ? own : claim.team; // its owner may be in ours
    return askOrDeny(ctx, text.claimed(file, { ...claim, team }, own), "worktrees:claim");
  }
  return undefined;
}

function isOwn(claim: Claim, { key, me, ctx }: Shared): boolean {
  if (claim.by !== undefined) return claim.by === key;
  const record = latestOf(ctx.paths, me)?.record;
  if (record === undefined || shownName(record) !== claim.name) return false;
  // In the list of another team it is a namesake, as every team has its lead.
  return !record.team || record.team === claim.team || isOfNoTeam(claim, ctx.paths);
}

/** A task's list need not be a team's. */
const isOfNoTeam = ({ task, team = "" }: Claim, paths: Paths): boolean =>
  task !== undefined && (whyNotSegment(team) !== undefined || !readTeam(paths, team));
