// What the rings have in common. Their files share the processes of the workers, which saves half a minute; a file that mocks a
// module has one of its own, or the mock would be there for the files after it, or not be there because of those before.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { ViteUserConfig } from "vitest/config";
import { honestCounts } from "./honest-counts.ts";

interface Ring {
  /** How the names of its files end. */
  files: string;
  exclude?: string[];
  globalSetup: string;
  setupFiles?: string[];
}

export function ring({ files, exclude = [], globalSetup, setupFiles = [] }: Ring): ViteUserConfig {
  const mocking = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(files))
    .map((name) => join("test", name))
    .filter((path) => readFileSync(path, "utf8").includes("vi.mock("));
  const usual = {
    pool: "forks" as const,
    setupFiles: ["test/support/fresh-process.ts", ...setupFiles, "test/support/patient-git.cjs"],
    // Only against a hang: a busy machine makes everything ten times slower.
    testTimeout: 60_000,
  };
  return {
    test: {
      reporters: ["default", honestCounts],
      // Tests wait for programs half of their time.
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
      projects: [
        {
          test: {
            ...usual,
            name: "shared",
            include: [`test/**/*${files}`],
            exclude: [...exclude, ...mocking],
            globalSetup: [globalSetup],
            isolate: false,
          },
        },
        { test: { ...usual, name: "alone", include: mocking, exclude } },
      ],
    },
  };
}
