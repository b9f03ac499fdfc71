// The scratchpad protocol: when it is on, what a page must have, who owes one.
import { defineSettings } from "../core/settings-declaration.ts";

export const SCRATCHPAD_KEYS = defineSettings({
  "scratchpad.enabled": {
    kind: "choice",
    default: "auto",
    choices: ["off", "auto", "on"],
    reach: "project-tightens",
    tightens: "later-choice",
    about: "`auto`: on where `.claude/scratchpad` exists",
  },
  "scratchpad.sections": {
    kind: "list",
    default: ["What I did", "Cross-agent observations", "Unresolved"],
    reach: "project",
    items: { min: 1, max: 20 },
    about: "the headings each page must have",
  },
  "scratchpad.exclude": {
    kind: "list",
    default: ["coordinator", "ego"],
    about: "folders that are no sign of delegation",
  },
  "scratchpad.exempt": {
    kind: "list",
    default: ["Explore", "Plan"],
    about: "agent types that owe no page",
  },
  "scratchpad.empty_is_missing": {
    kind: "flag",
    default: false,
    reach: "project-tightens",
    tightens: "true",
    about: "a section without text counts as missing",
  },
  "scratchpad.max_blocks": {
    kind: "count",
    default: 2,
    reach: "project-within-limits",
    min: 0,
    max: 5,
    about: "how often an agent is blocked for its page, 5 at most",
  },
});
