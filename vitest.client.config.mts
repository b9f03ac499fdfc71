import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/client/**/*.test.ts"],
    globalSetup: ["test/client/support/fetch-clients.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    // A real terminal client and its own timers: what fails is tried once more, and the report shows both.
    retry: 1,
    hookTimeout: 300_000,
  },
});
