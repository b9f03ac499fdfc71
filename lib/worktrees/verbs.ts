// One lazy part for the verbs, which share most of their code: `swarm send` and its like need none of it.
export { claimsVerb, claimVerb, releaseVerb } from "./claim-verbs.ts";
export { runsVerb } from "./runs-verb.ts";
export { worktreeVerb } from "./worktree-verb.ts";
