// What the guard's settings are where nobody has set them: apart, for whoever judges a call before anything else is loaded.

const NO_LIST: readonly string[] = [];
const NO_TABLE: Readonly<Record<string, unknown>> = {};

export const GUARD_DEFAULTS = {
  "guard.enabled": true,
  "guard.rules": NO_TABLE,
  "guard.protect": NO_LIST,
  "guard.unprotect": NO_LIST,
  "guard.allow_paths": NO_LIST,
  "guard.allow_commands": NO_TABLE,
};

export type GuardSettings = Readonly<typeof GUARD_DEFAULTS>;
