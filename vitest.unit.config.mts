import { mergeConfig } from "vitest/config";
import usual from "./vitest.config.mts";

/** Only what runs in one process and is quick: no built scripts, no git, no long lists of the guard. */
export default mergeConfig(usual, {
  test: {
    exclude: [
      "test/{cli,hooks,docs,worktrees}/**",
      "test/*.test.ts",
      "test/guard/{corpus,limits,time}.test.ts",
      "test/people/{notify,pause,wiring}.test.ts",
      "test/tasks/task-index.test.ts",
    ],
  },
});
