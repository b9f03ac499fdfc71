// How a case is measured: as a process of its own, the cases in turn, so that the machine's noise meets all of them alike.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Case {
  name: string;
  argv: string[];
  input: string;
  env: Record<string, string>;
  /** Before each run, and not part of it: what the run before has changed. */
  prepare?: () => void;
}

/** Nothing of this process's own environment: NODE_EXTRA_CA_CERTS alone costs as much as four starts of node. */
const processEnvironment = (env: Record<string, string>) => ({ PATH: process.env["PATH"], ...env });

export function time({ name, argv: [program = "", ...args], input, env, prepare }: Case): number {
  prepare?.();
  const before = performance.now();
  const { status, stderr } = spawnSync(program, args, {
    input,
    env: processEnvironment(env),
    encoding: "utf8",
  });
  const ms = performance.now() - before;
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`);
  return ms;
}

/** Of the processor, in user space and in the kernel; by bash, because node does not say it of a child. */
export function cpuMs({ name, argv, input, env, prepare }: Case): number {
  prepare?.();
  const script = 'TIMEFORMAT="cpu %3U %3S"; time "$@" >/dev/null';
  const { status, stderr } = spawnSync("bash", ["-c", script, "bash", ...argv], {
    input,
    env: processEnvironment(env),
    encoding: "utf8",
  });
  const [, user, kernel] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  if (status !== 0 || !user) throw new Error(`${name} ended with ${status}:\n${stderr}`);
  return 1000 * (Number(user) + Number(kernel));
}

/** The disk, and bytecode that grows with the first runs. */
export const ROUNDS_TO_WARM = 12;

/** `rounds` that count, after some that do not: the median of each case, in milliseconds. */
export function medians(cases: readonly Case[], rounds: number): Map<Case, number> {
  const times = new Map<Case, number[]>(cases.map((one) => [one, []]));
  for (let round = -ROUNDS_TO_WARM; round < rounds; round++)
    for (const one of cases) {
      const ms = time(one);
      if (round >= 0) times.get(one)?.push(ms);
    }
  return new Map([...times].map(([one, all]) => [one, median(all)]));
}

export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const hasValgrind = () => spawnSync("valgrind", ["--version"]).status === 0;

/** Instructions in user space, in millions: they repeat whatever else the machine does. A hook that came past its deadline, as on
 *  a busy machine under valgrind, leaves its features out and a line in the error log: it is counted again. */
export function instructions(one: Case, tries = 5): number {
  const before = errorsOf(one);
  const counted = countedOnce(one);
  if (errorsOf(one) === before) return counted;
  if (tries > 1) return instructions(one, tries - 1);
  throw new Error(`${one.name}: ${errorsOf(one).trim().split("\n").at(-1)}`);
}

function errorsOf({ env }: Case): string {
  const path = join(env["HOME"] ?? "", ".claude/swarm/errors.jsonl");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function countedOnce(one: Case): number {
  const { argv, input, env, prepare } = one;
  prepare?.();
  const options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
  const ran = spawnSync("valgrind", [...options, ...argv], {
    input,
    env: processEnvironment(env),
    encoding: "utf8",
  });
  const counted = Number(/Collected : (\d+)/.exec(ran.stderr)?.[1]) / 1e6;
  if (ran.status !== 0 || !counted) throw new Error(`${one.name} ended with ${ran.status}:\n${ran.stderr}`);
  return counted;
}

/** Node rehashes its snapshot with a random seed, which moves an empty script by a tenth: counted with fixed ones instead. Hooks are
 *  started with `--no-rehash-snapshot`. */
const HASH_SEEDS = [1, 2, 3, 4, 5, 6, 7];

export function baseInstructions({ argv: [node = "", ...args], ...empty }: Case): {
  median: number;
  spread: number;
} {
  const all = HASH_SEEDS.map((seed) =>
    instructions({ ...empty, argv: [node, `--hash-seed=${seed}`, ...args] }),
  );
  return { median: median(all), spread: (Math.max(...all) - Math.min(...all)) / median(all) };
}

/** A program by its own file: what stands on the path may be a script that looks for it, and takes longer than it. */
export function programOf(name: string, tellsItself: string[]): string | undefined {
  const { status, stdout } = spawnSync(name, tellsItself, { encoding: "utf8" });
  return status === 0 ? stdout.trim().split("\n")[0] : undefined;
}
