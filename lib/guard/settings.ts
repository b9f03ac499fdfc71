// The settings of the command guard.
import { defineSettings, type ValuesOf } from "../core/settings-declaration.ts";

export const GUARD_KEYS = defineSettings({
  "guard.enabled": { kind: "flag", default: true, about: "the command guard" },
  "guard.rules": {
    kind: "table",
    default: {},
    reach: "project-tightens",
    tightens: "weighed",
    about: '`<rule id> = "deny" | "ask" | "once" | "off"`',
  },
  "guard.protect": {
    kind: "list",
    default: [],
    reach: "project-tightens",
    tightens: "weighed",
    inside: "patterns",
    about: "more paths that no agent may write; a project's count inside it only",
  },
  "guard.unprotect": { kind: "list", default: [], about: "paths the built-in protection leaves alone" },
  "guard.allow_paths": {
    kind: "list",
    default: [],
    about: "directories outside the project where recursive deletes are fine",
  },
  "guard.allow_commands": {
    kind: "table",
    default: {},
    about: '`<name> = { match = "…", reason = "…" }`: commands the guard lets pass',
  },
});

export type GuardSettings = ValuesOf<typeof GUARD_KEYS>;
