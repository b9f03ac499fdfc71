// Efforts: how often to log, when to write down a window.
import { defineSettings } from "../core/settings-declaration.ts";

export const EFFORT_KEYS = defineSettings({
  "effort.block_after": {
    kind: "count",
    default: 10,
    reach: "project-tightens",
    tightens: "lower",
    min: 5,
    about: "tool calls without a log entry before one is denied",
  },
  "effort.overflow_warn": {
    kind: "count",
    default: 90,
    about: "used context share in percent at which the effort should be dehydrated",
  },
  "effort.precompact": {
    kind: "choice",
    default: "snapshot",
    choices: ["snapshot", "block", "kill"],
    about: "what happens before a compaction",
  },
});
