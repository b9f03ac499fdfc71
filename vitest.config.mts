import { defineConfig } from "vitest/config";
import { honestCounts } from "./test/support/honest-counts.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Kills, races, ratios and fuzz have a ring of their own, `npm run test:slow`.
    exclude: ["test/client/**", "test/browser/**", "test/machines/server/**", "test/**/*.slow.test.ts"],
    reporters: ["default", honestCounts],
    pool: "forks",
    // A process for each file costs half a minute; nothing here leaves anything behind in its own.
    isolate: false,
    globalSetup: ["test/support/run-in-memory.ts"],
    setupFiles: ["test/support/fresh-process.ts"],
    maxWorkers: "100%",
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
    // Only against a hang: a busy machine makes everything ten times slower.
    testTimeout: 60_000,
  },
});
