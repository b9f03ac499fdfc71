import { defineConfig } from "vitest/config";
import { honestCounts } from "./test/support/honest-counts.ts";

export default defineConfig({
  test: {
    include: ["test/client/**/*.test.ts"],
    globalSetup: ["test/client/support/fetch-clients.ts"],
    reporters: ["default", honestCounts],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    // A real terminal client and its own timers: what fails is tried once more; the run counts that, and fails after a few.
    retry: 1,
    hookTimeout: 300_000,
  },
});
