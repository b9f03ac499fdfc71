// One lazy part for the verbs, which share most of their code: `swarm send` and its like need none of it.
export { cleanupVerb } from "./cleanup.ts";
export { createVerb, joinVerb } from "./create.ts";
export { killVerb, stopVerb, suspendVerb } from "./end.ts";
export { leadVerb } from "./lead.ts";
export { listTeamsVerb } from "./list.ts";
export { onboardVerb } from "./onboard.ts";
export { setupVerb } from "./setup.ts";
export { resumeVerb, spawnVerb } from "./spawn.ts";
