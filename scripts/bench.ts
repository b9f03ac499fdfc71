// npm run bench [-- --rounds N] [--instructions] [--growth TEXT [--column TEXT] [--cpu]] [--docs]: what a hook costs. Each figure is a ratio to an empty node script or
// to a smaller home, measured in one run; milliseconds differ from machine to machine. `--instructions` counts them too, by
// valgrind; `--docs` writes the tables into docs/evidence.md.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { growthColumns, measureGrowth } from "./bench/growth.ts";
import { quietHome } from "./bench/homes.ts";
import { hookCases } from "./bench/hooks.ts";
import { jobCases } from "./bench/jobs.ts";
import { baseInstructions, type Case, hasValgrind, instructions, medians } from "./bench/measure.ts";
import { withBlock } from "./docs/blocks.ts";

const option = (name: string) => process.argv.includes(name);
const value = (name: string) => (option(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const rounds = Number(value("--rounds")) || 40;
const counts = option("--instructions") && hasValgrind();
const root = mkdtempSync(join(tmpdir(), "swarm-bench-"));

const fixed = (value: number) => value.toFixed(2);
const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

function emptyScript(): Case {
  const script = join(root, "empty.cjs");
  writeFileSync(script, "");
  const env = { HOME: quietHome(join(root, "empty")) };
  return { name: "empty node script", argv: [process.execPath, script], input: "{}\n", env };
}

function hooksTable(): string {
  const empty = emptyScript();
  const cases = hookCases(root);
  const times = medians([empty, ...cases], rounds);
  const base = times.get(empty) ?? Number.NaN;
  const baseCount = counts ? baseInstructions(empty).median : Number.NaN;
  const rows = cases.map((one) => {
    const ms = times.get(one) ?? Number.NaN;
    const counted = counts ? [fixed(instructions(one) / baseCount)] : [];
    return [one.name, fixed(ms / base), ...counted, `≤ ${fixed(one.target)}`, (ms - base).toFixed(1)];
  });
  const head = ["hook", "time", ...(counts ? ["instructions"] : []), "target", "ms more than empty"];
  const about = `node ${process.version}, ${cpus().length} cores, medians of ${rounds} rounds; an empty script took ${base.toFixed(1)} ms.`;
  return `${about}\n\n${table(head, rows)}`;
}

function jobsTable(): string {
  const empty = emptyScript();
  const jobs = jobCases(root);
  const times = medians([empty, ...jobs.flatMap(({ cases }) => cases)], Math.ceil(rounds / 2));
  const base = times.get(empty) ?? Number.NaN;
  const rows = jobs.flatMap(({ job, cases }) =>
    cases.map((one, n) => [n === 0 ? job : "", one.name, fixed((times.get(one) ?? Number.NaN) / base)]),
  );
  return table(["job", "done by", "time"], rows);
}

/** `--growth TEXT` measures only the rows with this text, `--column TEXT` only such columns, `--cpu` by processor time where counting takes too long. */
function growthTable(): string {
  const byTime = option("--cpu") || !hasValgrind();
  const column = value("--column") ?? "";
  const rows = measureGrowth(root, value("--growth") ?? "", column, byTime).map(
    ({ what, change, limit: most, ratios }) => [what, change, `≤ ${fixed(most)}`, ...ratios.map(fixed)],
  );
  const unit = byTime ? "processor time, least of five runs" : "instructions, least of two runs";
  return `Ratios of ${unit}.\n\n${table(["what grows", "from → to", "target", ...growthColumns(column)], rows)}`;
}

try {
  const hooks = () => ({ bench: hooksTable(), jobs: jobsTable() });
  const parts = { ...(value("--growth") === undefined ? hooks() : {}), growth: growthTable() };
  for (const text of Object.values(parts)) console.log(`${text}\n`);
  if (option("--docs")) {
    const written = Object.entries(parts).reduce(
      (page, [name, text]) => withBlock(page, name, text),
      readFileSync("docs/evidence.md", "utf8"),
    );
    writeFileSync("docs/evidence.md", written);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
