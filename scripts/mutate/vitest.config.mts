import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const near: string[] = JSON.parse(process.env["SWARM_MUTATE_NEAR"] ?? "[]");

/** They start git, a client or a built script. */
const STARTS_PROCESSES =
  /a-(repository|checkout|pair|tmux-team)|agents-in-a-checkout|run-built|child_process/;
/** One for the whole file, which is quicker. */
const STARTS_A_SERVER = /a-(nats-server|machine)/;

/** The tests of the broken domains first, the quick ones before all: most mutants end there. The slow ring's only for what is left. */
class NearFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = [...near, "test/durability", ""];
    const rank = ({ moduleId }: TestSpecification) => {
      if (moduleId.endsWith(".slow.test.ts")) return order.length;
      const text = readFileSync(moduleId, "utf8");
      const slowness = STARTS_PROCESSES.test(text) ? 0.5 : STARTS_A_SERVER.test(text) ? 0.25 : 0;
      return order.findIndex((start) => moduleId.includes(`/${start}`)) + slowness;
    };
    return files.sort((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** For `scripts/mutate.ts`, in its copy of the project: one test at a time, each with every mutant it passes. */
// biome-ignore lint/style/noDefaultExport: as every config
export default defineConfig({
  root: process.cwd(),
  test: {
    include: [
      ...near.map((start) => `${start}{*,**/*}.test.ts`),
      ...(process.env["SWARM_MUTATE_NEAR_ONLY"] === "true"
        ? ["test/durability.test.ts"]
        : ["test/{hooks,cli,ops,people}/**/*.test.ts", "test/*.test.ts"]),
    ],
    exclude: [
      "test/{client,browser,docs}/**",
      "test/{architecture,house,plugin}.test.ts",
      "test/{hooks,cli}/**/*.slow.test.ts",
      "test/*.slow.test.ts",
      ...(process.env["SWARM_MUTATE_GUARD"] === "true" ? [] : ["test/guard/**"]),
    ],
    runner: "./scripts/mutate/runner.ts",
    setupFiles: ["test/support/fresh-process.ts", "test/support/patient-git.cjs"],
    sequence: { sequencer: NearFirst },
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 60_000,
    reporters: ["dot"],
    silent: true,
  },
});
