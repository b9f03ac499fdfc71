import { defineConfig } from "vitest/config";

/** Against real servers; `npm run test:machines -- mail hostile` runs some of the files. */
export default defineConfig({
  test: {
    include: ["test/machines/server/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
