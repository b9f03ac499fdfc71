// The settings of the spawn gate and of teammates.
import { defineSettings } from "../core/settings-declaration.ts";

/** A project may lower a limit and add to a list. */
const LIMIT = { kind: "count", reach: "project-tightens", tightens: "lower" } as const;
const LIST = { kind: "list", reach: "project-tightens", tightens: "adds" } as const;

export const TEAMMATE_KEYS = defineSettings({
  "gate.orchestrators": {
    ...LIST,
    default: ["scrum-master"],
    about: "agent types that must be spawned with a name; a project's are added",
    defaultApplies: "in a project with an .atm.toml, and inside a named team",
  },
  "gate.max_teammates": { ...LIMIT, default: 16, about: "teammates alive at once in one team" },
  "gate.max_spawns_per_hour": { ...LIMIT, about: "spawns by one session in an hour" },
  "gate.max_depth": { ...LIMIT, about: "how deep subagents may spawn subagents" },
  "gate.premium_models": {
    ...LIST,
    default: ["opus"],
    about: "parts of model names counted by `max_premium`; a project's are added",
  },
  "gate.max_premium": { ...LIMIT, about: "agents alive at once on a premium model" },
  team: {
    kind: "table",
    default: {},
    about: 'one table a team: `spawn_policy = "leaders-only" | "any-member"`, `co_leaders = […]`',
  },
  "teammates.keep_alive": {
    kind: "flag",
    default: false,
    about: "teammates go on when the lead's session ends, as with SWARM_KEEP_ALIVE=true",
  },
  "teammates.worktree": {
    kind: "choice",
    choices: ["never", "always"],
    default: "never",
    about: "a git worktree for each spawned teammate, or only with `swarm spawn --worktree`",
  },
  "teammates.worktree_dir": {
    kind: "text",
    about: "where worktrees of teammates are put; `~/.swarm/worktrees` without it",
  },
  "teammates.worktree_include": {
    kind: "list",
    default: [],
    about: "ignored files to copy into each worktree beside those of `.worktreeinclude`, such as `.env`",
  },
});
