// Printed after every run: guard cases and other tests as two numbers, and what only passed when it was tried again. More than a few
// of those fail the run: a retry forgives a slow machine, not a test that often fails.
import type { Reporter, TestCase, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** How many cases of the guard's lists this test went through. */
    guardCases?: number;
  }
}

const ALLOWED_RETRIES = 2;

const isOfGuard = ({ moduleId }: TestModule) => moduleId.includes("/test/guard/");

function countsOf(modules: readonly TestModule[]) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const guard = modules.filter(isOfGuard).flatMap((module) => [...module.children.allTests()]);
  return {
    guardCases: guard.reduce((sum, test) => sum + (test.meta().guardCases ?? 1), 0),
    others: tests.length - guard.length,
    retried: tests.filter(retriesOf),
    retries: tests.reduce((sum, test) => sum + retriesOf(test), 0),
  };
}

const retriesOf = (test: TestCase) => test.diagnostic()?.retryCount ?? 0;

export const honestCounts: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { guardCases, others, retried, retries } = countsOf(modules);
    console.log(`guard cases: ${guardCases}; other tests: ${others}; retries: ${retries}`);
    for (const test of retried) console.log(`  retried: ${test.module.relativeModuleId} > ${test.fullName}`);
    if (retries <= ALLOWED_RETRIES) return;
    console.error(`${retries} retries, at most ${ALLOWED_RETRIES} are allowed`);
    process.exitCode = 1;
  },
};
