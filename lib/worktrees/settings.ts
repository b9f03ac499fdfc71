// The settings of agents that share a repository.
import { defineSettings } from "../core/settings-declaration.ts";

export const WORKTREE_KEYS = defineSettings({
  "worktrees.collisions": {
    kind: "choice",
    choices: ["notice", "ask", "deny"],
    default: "notice",
    reach: "project-tightens",
    tightens: "later-choice",
    about: "a write to a file that another live agent has changed since this one read it",
  },
  "worktrees.shared_checkout": {
    kind: "choice",
    choices: ["off", "ask", "deny"],
    default: "deny",
    reach: "project-tightens",
    tightens: "later-choice",
    about: "git commands that would take or move another live agent's uncommitted work",
  },
  "worktrees.runs": {
    kind: "list",
    default: ["usual"],
    reach: "project-tightens",
    tightens: "adds",
    about:
      "test and build commands, word by word with `*` and `{a,b}`; `usual` stands for the common runners",
  },
});
