// `npm run coverage [-- FILE…]`: which lines and which ways of a decision the tests run (all rings but those of real clients), in unit tests,
// built scripts and the processes they start alike. Prints every file below a limit and the sum without the guard; exit code 1 if that sum is
// below, a file is and `coverage/exceptions.ts` has no reason, or a reason there is no longer needed.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { aCopy, SOURCES, writeAndBuild } from "./a-copy.ts";
import { type Counter, counted } from "./coverage/counters.ts";
import { EXCEPTIONS } from "./coverage/exceptions.ts";
import { isBelow, judged, shareOf, shown } from "./coverage/verdict.ts";

/** Tests that look at the sources themselves are left out. */
const OF_SOURCES = ["test/architecture.test.ts", "test/house.test.ts", "test/plugin.test.ts", "test/docs"];
const CONFIGS = [
  "vitest.machines.config.mts",
  "vitest.browser.config.mts",
  "vitest.slow.config.mts",
  "vitest.config.mts",
];

const isOfGuard = ({ file }: { file: string }) => file.startsWith("lib/guard/");

function report(counters: readonly Counter[], hit: ReadonlySet<string>): number {
  const own = counters.filter((counter) => !isOfGuard(counter));
  const files = new Map<string, Counter[]>();
  for (const counter of own) files.set(counter.file, [...(files.get(counter.file) ?? []), counter]);
  const shares = new Map([...files].map(([file, of]) => [file, shareOf(of, hit)]));
  const { below, faults } = judged(shares, EXCEPTIONS);
  const sum = shareOf(own, hit);
  for (const line of below) console.log(line);
  console.log(`\n${shown(sum)}  without the guard`);
  console.log(`${shown(shareOf(counters.filter(isOfGuard), hit))}  the guard`);
  for (const fault of faults) console.log(fault);
  return isBelow(sum) || faults.length > 0 ? 1 : 0;
}

function main(): number {
  const copy = aCopy();
  try {
    const folder = join(copy, ".coverage");
    mkdirSync(folder, { mode: 0o777 });
    const all = SOURCES.map((file, index) => ({
      file,
      ...counted(file, index, readFileSync(join(copy, file), "utf8"), folder),
    }));
    writeAndBuild(copy, new Map(all.map(({ file, code }) => [file, code])));
    for (const path of OF_SOURCES) rmSync(join(copy, path), { recursive: true });
    for (const config of CONFIGS)
      spawnSync(
        process.execPath,
        ["node_modules/vitest/vitest.mjs", "run", "--config", config, ...process.argv.slice(2)],
        { cwd: copy, stdio: "inherit" },
      );
    const hit = new Set(
      readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n")),
    );
    return report(
      all.flatMap(({ counters }) => counters),
      hit,
    );
  } finally {
    rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.exitCode = main();
