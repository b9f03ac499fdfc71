import { runCommand } from "../lib/cli/command.ts";
import { BUG_REPORT_FLAGS, bugReportVerb } from "../lib/ops/bug-report/bug-report.ts";
import { version } from "../package.json";

runCommand({
  usage: `swarm bug-report [--out FILE] [--json]
What a report of a fault needs in one file: findings, versions, settings, times and errors. Secrets and messages are left out.
--out - prints it.`,
  flags: BUG_REPORT_FLAGS,
  run: bugReportVerb(version),
});
