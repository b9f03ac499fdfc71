import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/client/**", "test/browser/**"],
    pool: "forks",
    // A process for each file costs half a minute; nothing here leaves anything behind in its own.
    isolate: false,
    setupFiles: ["test/support/fresh-process.ts"],
    maxWorkers: "100%",
    testTimeout: 20_000,
  },
});
