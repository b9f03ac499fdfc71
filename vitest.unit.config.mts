import { ring } from "./test/support/ring.ts";
import { OTHER_RINGS } from "./vitest.config.mts";

/** Only what runs in one process and is quick: no built scripts, no git, no long lists of the guard. */
export default ring({
  files: ".test.ts",
  exclude: [
    ...OTHER_RINGS,
    "test/{cli,hooks,docs,worktrees}/**",
    "test/*.test.ts",
    "test/guard/{corpus,limits,time}.test.ts",
    "test/people/{notify,pause,wiring}.test.ts",
    "test/system/{git,terminals}.test.ts",
    "test/tasks/task-index.test.ts",
    "test/teammates/screens.test.ts",
  ],
  globalSetup: "test/support/run-in-memory.ts",
  setupFiles: ["test/support/small-forks.ts"],
});
