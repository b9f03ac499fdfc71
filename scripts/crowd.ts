// npm run crowd [-- --sessions 64] [--seconds 180] [--runs 3] [--docs]: many sessions at once on this machine. Every hook is compared
// with an empty script that runs in the same loops; of several runs the best counts. `--docs` writes the table into docs/evidence.md.
// Exit code 1 if anything was lost.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type CrowdResult, crowd } from "./crowd/crowd.ts";
import { figures, percentile, table } from "./crowd/figures.ts";
import { withBlock } from "./docs/blocks.ts";

const SHOWN_FAILURES = 20;

const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "64" },
    seconds: { type: "string", default: "180" },
    runs: { type: "string", default: "3" },
    trace: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  const options = {
    sessions: Number(values.sessions),
    seconds: Number(values.seconds),
    startsWithinSeconds: 5,
    trace: values.trace,
  };
  const results: CrowdResult[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const result = await crowd(options);
    results.push(result);
    console.log(
      `run ${run + 1}: ${summary(result)}\n\n${table(figures([result]))}\n${values.trace ? `\n${result.holds}\n` : ""}`,
    );
    for (const [error, times] of [...result.errors].sort((a, b) => b[1] - a[1]).slice(0, SHOWN_FAILURES))
      console.log(`${times} × ${error}`);
  }
  const head = `node ${process.version}, ${cpus().length} cores, ${options.sessions} sessions for ${options.seconds} s, all started within ${options.startsWithinSeconds} s; best of ${results.length} runs.`;
  const page = [
    head,
    "",
    table(figures(results)),
    "",
    ...results.map((one, n) => `Run ${n + 1}: ${summary(one)}`),
  ].join("\n");
  console.log(`\n${page}`);
  if (values.docs)
    writeFileSync("docs/evidence.md", withBlock(readFileSync("docs/evidence.md", "utf8"), "crowd", page));
  const failures = results.flatMap((one) => one.failures);
  if (failures.length === 0) return;
  console.error(`\n${failures.length} broken:\n${failures.slice(0, SHOWN_FAILURES).join("\n")}`);
  process.exitCode = 1;
}

function summary(result: CrowdResult): string {
  const { sessions, accepted, refused, twice, afterwards, passedBy, cut, failures, runs } = result;
  const errors = [...result.errors.values()].reduce((sum, times) => sum + times, 0);
  return [
    `${sessions} sessions from start to end, ${runs.length} processes`,
    `${accepted} messages accepted, ${refused} refused, ${failures.length} lost or broken, ${twice} shown twice`,
    `a message was passed by at most ${Math.max(0, ...passedBy)} hooks of its reader (p95 ${percentile(passedBy, 0.95)}), ${afterwards} came with the reader's next session`,
    `${cut} hooks ended by the client's limit, ${errors} lines in the error log`,
  ].join("; ");
}

void main();
