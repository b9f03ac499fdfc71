// npm run budget [-- <node> | <major> … | --only <text>]: what each hook and verb costs in instructions, as a ratio to an empty node
// script. Instructions do not depend on what else the machine does, so CI holds every row to its limit by them. Exit code 1 for a row
// more than 5 % above it. A major version of node is fetched from npm's own packages of node; SWARM_NODE names a program, as an argument does.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hookCases, NODE, starts } from "./bench/hooks.ts";
import {
  baseInstructions,
  type Case,
  hasValgrind,
  instructions,
  ROUNDS_TO_WARM,
  time,
} from "./bench/measure.ts";
import { fetchNode } from "./nodes/fetch.ts";

/** With fixed hash seeds a count repeats within 0.1 %; what remains is the length of paths, which functions the bytecode holds,
 *  when V8 collects its young objects, and on another processor the routines that the C library chooses for it. A row between its
 *  limit and this much above is marked. */
const TOLERANCE = 1.05;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" } },
});
const { only } = values;

function check(root: string): string[] {
  const script = join(root, "empty.cjs");
  writeFileSync(script, "");
  const empty: Case = { name: "empty", argv: [NODE, script], input: "", env: { HOME: root } };
  const base = baseInstructions(empty);
  const version = execFileSync(NODE, ["--version"], { encoding: "utf8" }).trim();
  const spread = (base.spread * 100).toFixed(1);
  console.log(
    `node ${version}: an empty script takes ${base.median.toFixed(1)} M instructions, spread ${spread} %`,
  );
  const cases = hookCases(root).filter(({ name }) => name.includes(only));
  for (const start of starts(cases)) time(start);
  for (let round = 0; round < ROUNDS_TO_WARM; round++) for (const one of cases) time(one);
  return cases.flatMap((one) => {
    // A run that refreshes its bytecode pays for the others, in the end one in 256. What is above its limit for another reason
    // stays there when it is counted again.
    const least = () => Math.min(...[1, 2, 3].map(() => instructions(one))) / base.median;
    const first = least();
    const ratio = first > one.target ? Math.min(first, least()) : first;
    const mark = ratio > one.target ? "  (above its limit)" : "";
    const line = `${ratio.toFixed(3)} of ${one.target.toFixed(2)}  ${one.name}${mark}`;
    console.log(line);
    return ratio <= one.target * TOLERANCE ? [] : [line];
  });
}

function main(): number {
  if (!hasValgrind()) {
    console.error("needs valgrind");
    return 1;
  }
  const root = mkdtempSync(join(tmpdir(), "swarm-budget-"));
  try {
    const wanted = positionals;
    if (wanted.length > 0) return Math.max(...wanted.map((one) => checkOn(one, root)));
    const over = check(root);
    if (over.length > 0) console.error(`\nover budget:\n${over.join("\n")}`);
    return over.length === 0 ? 0 : 1;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** In a process of its own, with that node in SWARM_NODE. */
function checkOn(wanted: string, root: string): number {
  const node = /^\d+$/.test(wanted) ? fetchNode(wanted, join(root, wanted)) : wanted;
  const self = [...process.execArgv, process.argv[1] ?? "", "--only", only];
  const env = { ...process.env, SWARM_NODE: node };
  return spawnSync(process.execPath, self, { env, stdio: "inherit" }).status ?? 1;
}

process.exitCode = main();
