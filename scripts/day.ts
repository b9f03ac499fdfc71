// npm run day [-- --calls 200] [--prompts 20] [--runs 3] [--docs]: a day in the real client, three times: with the plugin, with one whose
// hooks are empty node scripts, and without hooks. What hooks cost is what a day with them takes more than one without. Needs tmux.
// `--docs` writes the table into docs/evidence.md.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Day, liveADay, VARIANTS, type Variant } from "./day/day.ts";
import { withBlock } from "./docs/blocks.ts";

const LIMIT = 1.35;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "200" },
    prompts: { type: "string", default: "20" },
    runs: { type: "string", default: "3" },
    docs: { type: "boolean", default: false },
  },
});
const plan = { calls: Number(values.calls), prompts: Number(values.prompts) };

const best = (days: readonly Day[], of: (day: Day) => number) => Math.min(...days.map(of));

function tableOf(days: Record<Variant, Day[]>): string {
  const waited = (variant: Variant) => best(days[variant], (day) => day.waitedMs);
  const cpu = (variant: Variant) => best(days[variant], (day) => day.cpuSeconds);
  const more = (value: (variant: Variant) => number, variant: Variant) => value(variant) - value("no hooks");
  const rows = VARIANTS.map((variant) => [
    variant,
    `${best(days[variant], (day) => day.calls)}`,
    (waited(variant) / 1000).toFixed(1),
    `${Math.round(more(waited, variant) / plan.calls)}`,
    cpu(variant).toFixed(1),
    more(cpu, variant).toFixed(1),
    `${best(days[variant], (day) => day.inotify.instances)}, ${best(days[variant], (day) => day.inotify.watches)}`,
  ]);
  const ratio = (value: (variant: Variant) => number) =>
    (more(value, "Swarm") / more(value, "empty scripts")).toFixed(2);
  return [
    "| hooks | tool calls | s between answer and next request | ms a call for hooks | CPU s | CPU s for hooks | inotify instances, watches |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    `Swarm's hooks against empty ones: time ${ratio(waited)}, CPU ${ratio(cpu)} (limit ${LIMIT}).`,
  ].join("\n");
}

async function main(): Promise<void> {
  const days: Record<Variant, Day[]> = { "no hooks": [], "empty scripts": [], Swarm: [] };
  for (let run = 0; run < Number(values.runs); run++)
    for (const variant of VARIANTS) {
      const day = await liveADay(variant, plan);
      days[variant].push(day);
      console.log(`run ${run + 1}, ${variant}: ${JSON.stringify(day)}`);
    }
  const head = `node ${process.version}, ${cpus().length} cores, ${plan.prompts} prompts, 3 teammates inside the client; best of ${values.runs} days each.`;
  const page = `${head}\n\n${tableOf(days)}`;
  console.log(`\n${page}`);
  if (values.docs)
    writeFileSync("docs/evidence.md", withBlock(readFileSync("docs/evidence.md", "utf8"), "day", page));
}

void main();
