import { runCommand } from "../lib/cli/command.ts";
import { REPORT_FLAGS, reportVerb } from "../lib/ops/report/report.ts";

runCommand({
  usage: `swarm report [--team TEAM | --all] [--since 8h|3d|2026-02-20] [--out FILE]
One HTML file of what happened: states as a picture, messages, tasks, decisions, context. It needs no network and holds the messages' texts.
--since counts back from now (m, h, d, w) or names a day or a time; usually 24h. --out - prints it.`,
  flags: REPORT_FLAGS,
  run: reportVerb,
});
