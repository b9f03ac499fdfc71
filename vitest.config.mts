import { ring } from "./test/support/ring.ts";

/** Kills, races, ratios and fuzz have a ring of their own, `npm run test:slow`. */
export const OTHER_RINGS = [
  "test/client/**",
  "test/browser/**",
  "test/machines/server/**",
  "test/**/*.slow.test.ts",
];

export default ring({
  files: ".test.ts",
  exclude: OTHER_RINGS,
  globalSetup: "test/support/run-in-memory.ts",
  setupFiles: ["test/support/small-forks.ts"],
});
