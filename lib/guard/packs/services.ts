import type { Row } from "../shell/rare-programs.ts";

const INSTEAD = "look with `systemctl status nginx` and ask the user to stop it";
const WHY = "stops a service that others may use";

export const SERVICES: readonly Row[] = [
  {
    programs: "systemctl",
    verb: /(^| )(stop|disable|mask|kill)( |$)/,
    why: WHY,
    instead: INSTEAD,
  },
  { programs: "service rc-service invoke-rc.d", verb: /\S+ stop\b/, why: WHY, instead: INSTEAD },
  { programs: "brew", verb: /^services (stop|kill)\b/, why: WHY, instead: INSTEAD },
  { programs: "launchctl", verb: /^(unload|bootout|remove|disable|kill|stop)\b/, why: WHY, instead: INSTEAD },
  { programs: "supervisorctl", verb: /(^| )(stop|shutdown|remove)\b/, why: WHY, instead: INSTEAD },
  {
    programs: "pm2",
    verb: /^((stop|delete|del) all|kill)\b/,
    why: WHY,
    instead: "stop one of your own: `pm2 stop my-app`",
  },
  { programs: "pg_ctl pg_ctlcluster", verb: /(^| )stop\b/, why: WHY, instead: INSTEAD },
  { programs: "nginx", verb: /-s (stop|quit)\b/, why: WHY, instead: INSTEAD },
  {
    programs: "apachectl apache2ctl httpd",
    verb: /(^| )(-k )?(stop|graceful-stop)\b/,
    why: WHY,
    instead: INSTEAD,
  },
  { programs: "sc net", verb: /^(stop|delete)\b/, why: WHY, instead: INSTEAD },
];
