// npm run budget: what each hook costs, in instructions as valgrind counts them, against an empty node script: no noise can change
// that, so CI holds every hook to its target by it. Exit code 1 past one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hookCases } from "./bench/hooks.ts";
import { type Case, hasValgrind, instructions, medians } from "./bench/measure.ts";

/** How much an empty script takes depends on a random seed. */
const EMPTY_RUNS = 5;
const WARM_UP_ONLY = 0;

function check(root: string): string[] {
  const script = join(root, "empty.cjs");
  writeFileSync(script, "");
  const empty: Case = { name: "empty", argv: [process.execPath, script], input: "", env: { HOME: root } };
  const base = instructions(empty, EMPTY_RUNS);
  const cases = hookCases(root);
  medians(cases, WARM_UP_ONLY);
  return cases.flatMap((one) => {
    const once = () => instructions(one, 1) / base;
    const first = once();
    // A run that leaves bytecode for the others pays for it.
    const ratio = first <= one.target ? first : Math.min(first, once());
    const line = `${ratio.toFixed(2)} of ${one.target.toFixed(2)}  ${one.name}`;
    console.log(line);
    return ratio <= one.target ? [] : [line];
  });
}

if (!hasValgrind()) {
  console.error("needs valgrind");
  process.exitCode = 1;
} else {
  const root = mkdtempSync(join(tmpdir(), "swarm-budget-"));
  try {
    const over = check(root);
    if (over.length > 0) console.error(`\nover budget:\n${over.join("\n")}`);
    process.exitCode = over.length === 0 ? 0 : 1;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
