import type { Row } from "../shell/rare-programs.ts";

export const GIT_GLOBAL: readonly Row[] = [
  {
    programs: "git",
    verb: /(^| )config (\S+ )*--(global|system)\b/,
    unless:
      /--(get|get-all|get-regexp|list|show-origin|show-scope|name-only)\b|(^| )-l( |$)|config (get|list)\b|--(global|system) (get|list|\S+)$/,
    why: "changes the git settings of every repository of this user",
    instead: "set it for this repository only: `git config user.name`",
  },
];
