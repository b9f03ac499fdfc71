// What belongs to the whole machine: git's settings for every repository, scheduled jobs, services.
import type { Row } from "../shell/rare-programs.ts";

export const GIT_GLOBAL: readonly Row[] = [
  {
    programs: "git",
    verb: /(^| )config (\S+ )*--(global|system)\b/,
    unless:
      /--(get|get-all|get-regexp|list|show-origin|show-scope|name-only)\b|(^| )-l( |$)|config (get|list)\b|(?<!(unset|unset-all|remove-section) )--(global|system) \S+$/,
  },
];

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
    instead: "look with `atq` and ask the user",
  },
];

export const SERVICES: readonly Row[] = [
  { programs: "systemctl", verb: /(^| )(stop|disable|mask|kill)( |$)/ },
  { programs: "service rc-service invoke-rc.d", verb: /\S+ stop\b/ },
  { programs: "brew", verb: /^services (stop|kill)\b/ },
  { programs: "launchctl", verb: /^(unload|bootout|remove|disable|kill|stop)\b/ },
  { programs: "supervisorctl", verb: /(^| )(stop|shutdown|remove)\b/ },
  {
    programs: "pm2",
    verb: /^((stop|delete|del) all|kill)\b/,
    instead: "stop one of your own: `pm2 stop my-app`",
  },
  { programs: "pg_ctl pg_ctlcluster", verb: /(^| )stop\b/ },
  { programs: "nginx", verb: /-s (stop|quit)\b/ },
  { programs: "apachectl apache2ctl httpd", verb: /(^| )(-k )?(stop|graceful-stop)\b/ },
  { programs: "sc net", verb: /^(stop|delete)\b/ },
];
