// One lazy part for the verbs, which share most of their code.
export { costVerb } from "./cost.ts";
export { notifyVerb } from "./notify/notify.ts";
export { pauseVerb, unpauseVerb } from "./pause/pause.ts";
export { serveVerb } from "./view/serve.ts";
