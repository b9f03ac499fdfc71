// `npm run coverage [-- FILE…]`: which lines and which ways of a decision the tests run (the default ring, machines and browser), in unit tests,
// built scripts and the processes they start alike. Prints every file below the limits and the sum without the guard; exit code 1 if that sum is
// below, or a file's lines are and `coverage/exceptions.ts` has no reason.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { aCopy, SOURCES, writeAndBuild } from "./a-copy.ts";
import { type Counter, counted } from "./coverage/counters.ts";
import { EXCEPTIONS } from "./coverage/exceptions.ts";

/** Tests that look at the sources themselves are left out. */
const OF_SOURCES = ["test/architecture.test.ts", "test/house.test.ts", "test/plugin.test.ts", "test/docs"];
const CONFIGS = ["vitest.machines.config.mts", "vitest.browser.config.mts", "vitest.config.mts"];
const LIMITS = { lines: 90, branches: 80 };

interface Share {
  lines: number;
  branches: number;
}

/** A line is run if any statement that begins on it is. */
function shareOf(counters: readonly Counter[], hit: ReadonlySet<string>): Share & { missed: number[] } {
  const lines = new Map<number, boolean>();
  for (const { id, line, kind } of counters)
    if (kind === "statement") lines.set(line, lines.get(line) === true || hit.has(id));
  const branches = counters.filter(({ kind }) => kind === "branch");
  const percent = (part: number, all: number) => (all === 0 ? 100 : (100 * part) / all);
  return {
    lines: percent([...lines.values()].filter(Boolean).length, lines.size),
    branches: percent(branches.filter(({ id }) => hit.has(id)).length, branches.length),
    missed: [...lines].filter(([, isHit]) => !isHit).map(([line]) => line),
  };
}

const isBelow = ({ lines, branches }: Share) => lines < LIMITS.lines || branches < LIMITS.branches;

const shown = ({ lines, branches }: Share) =>
  `${lines.toFixed(1).padStart(5)} % lines  ${branches.toFixed(1).padStart(5)} % branches`;

function report(counters: readonly Counter[], hit: ReadonlySet<string>): number {
  const files = new Map<string, Counter[]>();
  for (const counter of counters) files.set(counter.file, [...(files.get(counter.file) ?? []), counter]);
  let unlisted = 0;
  for (const [file, own] of files) {
    const share = shareOf(own, hit);
    if (!isBelow(share) || file.startsWith("lib/guard/")) continue;
    const reason = EXCEPTIONS[file];
    if (!reason && share.lines < LIMITS.lines) unlisted++;
    console.log(`${shown(share)}  ${file}: ${reason ?? `lines ${share.missed.join(" ") || "all"}`}`);
  }
  const sum = (of: (file: string) => boolean) =>
    shareOf(joined(counters.filter(({ file }) => of(file))), hit);
  const others = sum((file) => !file.startsWith("lib/guard/"));
  console.log(`\n${shown(others)}  without the guard`);
  console.log(`${shown(sum((file) => file.startsWith("lib/guard/")))}  the guard`);
  if (unlisted > 0)
    console.log(`${unlisted} files have fewer than ${LIMITS.lines} % of their lines run, without a reason`);
  return isBelow(others) || unlisted > 0 ? 1 : 0;
}

/** Lines of different files are different lines. */
const joined = (counters: readonly Counter[]): Counter[] => {
  const files = [...new Set(counters.map(({ file }) => file))];
  const first = new Map(files.map((file, at) => [file, at * 100_000]));
  return counters.map((counter) => ({ ...counter, line: counter.line + (first.get(counter.file) ?? 0) }));
};

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
