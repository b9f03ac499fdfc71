// One lazy part for the verbs, which share most of their code: `swarm send` and its like need none of it.
export { guard, inject, preload } from "./provisions.ts";
export { list, show } from "./show.ts";
export { dehydrate, finish, log, phase, start } from "./steps.ts";
