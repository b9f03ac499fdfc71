// One lazy part for the three verbs, which share most of their code.
export { costVerb } from "./cost.ts";
export { notifyVerb } from "./notify/notify.ts";
export { serveVerb } from "./view/serve.ts";
