// Files at session start, and warnings about a filling context window.
import { defineSettings } from "../core/settings-declaration.ts";

export const CONTEXT_KEYS = defineSettings({
  "context.core": {
    kind: "list",
    default: ["Desktop/TODAY.md", "Desktop/MEMORY.md", "Desktop/SYSTEM-INDEX.md"],
    reach: "project",
    inside: "paths",
    about: "files every session gets at its start, where they exist; a project's must lie inside it",
  },
  "context.roles_dir": {
    kind: "text",
    reach: "project",
    inside: "paths",
    about:
      "where role files are; else `.claude/roles` of the project, then your own; a project's must lie inside it",
  },
  "context.window": {
    kind: "count",
    reach: "project-within-limits",
    min: 10_000,
    max: 10_000_000,
    about: "the context window in tokens, where no status line says it and the model does not tell",
  },
  "context.warn": {
    kind: "numbers",
    default: [60, 80, 90, 95],
    reach: "project-within-limits",
    min: 20,
    max: 95,
    items: { min: 1, max: 10 },
    about: "used share in percent at which a warning is given, once each",
  },
  "context.max_chars": {
    kind: "count",
    default: 6_000,
    about: "room for the files' contents at session start",
  },
});
