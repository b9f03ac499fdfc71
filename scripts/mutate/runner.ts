// Runs each test once as it is, noting which mutants it passes, and then once with each of those that still lives. A failure counts
// only if the same test passes again without the mutant.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunnerTestCase } from "vitest";
import { VitestTestRunner } from "vitest/runners";
import { testsOf } from "./near.ts";

const STATES = process.env["SWARM_MUTATE"] ?? "";
/** Through how many tests a mutant may pass unnoticed: those of its own domain, and others. */
const MOST_TRIES = { near: 400, far: 12 };
/** A loop that lasts so much longer than the whole test did without a mutant does not end. */
const LOOP_MS = 8_000;
/** Slower tests are not repeated; on a busy machine the domain's own may take longer. */
const LONGEST_TEST_MS = { near: 15_000, far: 4_000 };

interface World {
  $m: (id: number) => boolean;
  $l: () => void;
}
interface Attempt {
  retry: number;
  repeats: number;
}

const passed = new Set<number>();
let active = 0;
let began = 0;
let usualMs = 0;
let file = "";
const world = globalThis as unknown as World;
world.$m = (id) => {
  passed.add(id);
  return id === active;
};
world.$l = () => {
  if (active !== 0 && performance.now() - began > LOOP_MS + 2 * usualMs)
    throw new Error("this loop does not end");
};

const path = (name: string) => join(STATES, name);
const read = (name: string, otherwise: string) =>
  existsSync(path(name)) ? readFileSync(path(name), "utf8") : otherwise;
/** By id, with its domain. Each test file has a process of its own, or what one mocks would be there for the next. */
const alive = new Map<number, string>(JSON.parse(read("alive.json", "[]")));
for (const id of read("killed", "").split("\n")) alive.delete(Number(id));
const tries = new Map<number, number>(JSON.parse(read("tries.json", "[]")));

function setActive(id: number): void {
  active = id;
  began = performance.now();
  writeFileSync(path("active"), String(id));
}

setActive(0);
writeFileSync(path("passed"), "");

// biome-ignore lint/style/noDefaultExport: vitest loads a runner so
export default class MutationRunner extends VitestTestRunner {
  #waiting: number[] = [];
  #suspect = 0;

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test as never);
    file = test.file.name;
    test.repeats = 1;
    test.retry = 0;
    this.#waiting = [];
    this.#suspect = 0;
  }

  override onBeforeTryTask(test: RunnerTestCase, attempt?: Attempt): void {
    super.onBeforeTryTask(test as never);
    if (test.result) test.result.errors = [];
    if (test.result) test.result.state = "run";
    if (attempt?.repeats === 0) {
      passed.clear();
      writeFileSync(path("passed"), "");
    }
    const next = attempt?.repeats === 0 || this.#suspect ? 0 : (this.#waiting[0] ?? 0);
    setActive(next);
    writeFileSync(
      path("current.json"),
      JSON.stringify({ mutant: next, test: test.name, file: test.file.name }),
    );
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const isNothingLeft = active === 0 && !this.#suspect && test.result?.repeatCount === 1;
    if (!isNothingLeft && alive.size > 0) await VitestTestRunner.getTestFn(test as never)();
  }

  onAfterRetryTask(test: RunnerTestCase, { repeats }: Attempt): void {
    const isPassed = test.result?.state === "pass";
    if (repeats === 0) {
      usualMs = performance.now() - began;
      const inOthers = readFileSync(path("passed"), "utf8").split("\n").map(Number);
      const all = new Set([...passed, ...inOthers]);
      this.#waiting = isPassed ? [...all].filter((id) => isWorthATry(id, test.file.name)) : [];
      if (!isPassed) appendFileSync(path("failing"), `${test.file.name} > ${test.name}\n`);
      test.retry = 2 * this.#waiting.length;
      if (test.result) test.result.state = "pass";
      setActive(0);
      return;
    }
    this.#settle(isPassed);
    setActive(0);
    if (!test.result) return;
    const isOver = this.#waiting.length === 0 && !this.#suspect;
    test.result.state = isOver ? "pass" : "fail";
    test.result.errors = [{ message: "the next mutant" }];
  }

  /** What the try that has just ended says. */
  #settle(isPassed: boolean): void {
    if (this.#suspect) {
      if (isPassed) kill(this.#suspect);
      else this.#waiting = [];
      this.#suspect = 0;
      return;
    }
    const id = this.#waiting.shift();
    if (id === undefined) return;
    tries.set(id, (tries.get(id) ?? 0) + 1);
    if (!isPassed) this.#suspect = id;
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles();
    appendFileSync(path("done"), `${file}\n`);
    writeFileSync(path("tries.json"), JSON.stringify([...tries]));
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    if (test.result) {
      test.result.state = "pass";
      test.result.errors = [];
    }
    super.onAfterRunTask(test as never);
  }
}

function isWorthATry(id: number, file: string): boolean {
  const domain = alive.get(id);
  if (domain === undefined) return false;
  const isNear = ["test/durability", ...testsOf(domain)].some((start) => file.startsWith(start));
  const reach = isNear ? "near" : "far";
  return usualMs <= LONGEST_TEST_MS[reach] && (tries.get(id) ?? 0) < MOST_TRIES[reach];
}

function kill(id: number): void {
  alive.delete(id);
  appendFileSync(path("killed"), `${id}\n`);
}
