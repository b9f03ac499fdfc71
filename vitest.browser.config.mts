import { defineConfig } from "vitest/config";
import { honestCounts } from "./test/support/honest-counts.ts";

export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    reporters: ["default", honestCounts],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
