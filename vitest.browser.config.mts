import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    pool: "forks",
    execArgv: ["--require", "tsx/cjs"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
