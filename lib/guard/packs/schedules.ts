import type { Row } from "../shell/rare-programs.ts";

export const SCHEDULES: readonly Row[] = [
  {
    programs: "crontab",
    verb: /(^| )-\w*r/,
    why: "deletes all scheduled jobs of this user",
    instead: "look with `crontab -l` and ask the user to take out one line",
  },
  {
    programs: "atrm",
    verb: /./,
    why: "deletes scheduled jobs",
    instead: "look with `atq` and ask the user",
  },
];
