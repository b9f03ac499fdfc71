import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/client/**/*.test.ts"],
    globalSetup: ["test/client/support/fetch-clients.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
