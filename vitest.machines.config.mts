import { defineConfig } from "vitest/config";
import { honestCounts } from "./test/support/honest-counts.ts";

/** Against real servers; `npm run test:machines -- mail hostile` runs some of the files. */
export default defineConfig({
  test: {
    include: ["test/machines/server/**/*.test.ts"],
    reporters: ["default", honestCounts],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
