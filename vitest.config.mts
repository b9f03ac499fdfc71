import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/client/**", "test/browser/**"],
    pool: "forks",
    // Sources load their rare parts by `require("….ts")`; the built scripts find bundles there.
    execArgv: ["--require", "tsx/cjs"],
    testTimeout: 20_000,
  },
});
