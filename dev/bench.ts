// npm run bench [-- --rounds N] [--markdown]: every hook against an empty node script, interleaved, so that the machine's noise
// meets all of them alike. The figure is the ratio of medians; milliseconds differ from machine to machine.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Case, cases } from "./bench/cases.ts";

const argument = (name: string, fallback: string) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback);
};
const ROUNDS = Number(argument("--rounds", "40"));

function time({ argv, input, env = {} }: Case, home: string): number {
  const [program = "", ...args] = argv;
  const before = performance.now();
  spawnSync(program, args, { input, env: { PATH: process.env["PATH"], HOME: home, TMPDIR: home, ...env } });
  return performance.now() - before;
}

const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const root = mkdtempSync(join(tmpdir(), "swarm-bench-"));
try {
  const all = cases(root).filter(
    ({ argv }) => spawnSync("sh", ["-c", 'command -v "$0"', argv[0] ?? ""]).status === 0,
  );
  const times = new Map<Case, number[]>(all.map((one) => [one, []]));
  for (let round = -2; round < ROUNDS; round++)
    for (const one of all) {
      const ms = time(one, join(root, "quiet"));
      if (round >= 0) times.get(one)?.push(ms); // the first two rounds warm the disk
    }
  const empty = median(times.get(all[0] as Case) ?? []);
  console.log(`node ${process.version}, ${ROUNDS} rounds, empty script ${empty.toFixed(1)} ms\n`);
  console.log("| what | ratio | target | ms over empty |\n|---|---|---|---|");
  for (const one of all) {
    const own = median(times.get(one) ?? []);
    const ratio = own / empty;
    const allowed = (one.target ?? Number.POSITIVE_INFINITY) + (one.extraMs ?? 0) / empty;
    const verdict =
      one.target === undefined ? "" : `≤ ${allowed.toFixed(2)}${ratio > allowed ? " missed" : ""}`;
    console.log(`| ${one.name} | ${ratio.toFixed(2)} | ${verdict} | ${(own - empty).toFixed(1)} |`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
