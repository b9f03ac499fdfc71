// The settings of task lists.
import { defineSettings } from "../core/settings-declaration.ts";

export const TASK_KEYS = defineSettings({
  "tasks.enforce": {
    kind: "flag",
    default: true,
    reach: "project-tightens",
    tightens: "true",
    about: "the task rules, on our own commands and on the client's Task tools",
  },
  "tasks.verify": { kind: "text", about: "command that must succeed before a task counts as completed" },
  "tasks.verify_timeout_s": { kind: "count", default: 120, about: "how long that command may take" },
  "tasks.hold_idle": {
    kind: "flag",
    default: false,
    reach: "project-tightens",
    tightens: "true",
    about: "a teammate that goes idle with work in progress is held back, twice at most",
  },
});
