import { mergeConfig } from "vitest/config";
import usual from "./vitest.config.mts";

export default mergeConfig(
  {
    ...usual,
    test: { ...usual.test, include: [], exclude: [], globalSetup: ["test/support/run-on-disk.ts"] },
  },
  { test: { include: ["test/**/*.slow.test.ts"], testTimeout: 60_000 } },
);
