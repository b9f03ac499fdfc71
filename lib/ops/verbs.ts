// One lazy part for the verbs, which share most of their code: `swarm send` and its like need none of it.
export { bugReportVerb } from "./bug-report.ts";
export { configVerb } from "./config.ts";
export { demo } from "./demo/demo.ts";
export { doctorVerb } from "./doctor/doctor.ts";
export { gcVerb } from "./gc.ts";
export { explainVerb, journalVerb } from "./journal.ts";
export { reportVerb } from "./report/report.ts";
