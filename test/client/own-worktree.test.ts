// In real clients: a teammate in a worktree of its own, and a test run under which somebody else wrote.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import type { Scripts } from "./support/script.ts";
import { bash } from "./support/tools.ts";

const spawn = (name: string, flags = "") =>
  `swarm spawn ${name} --dangerously-skip-permissions --wait 60 ${flags} --prompt "begin [[${name}]]"`;

const runs = (...commands: string[]): Scripts[string] => [
  ...commands.map((command) => ({ tools: [bash(command)] })),
  { text: "all done" },
];

/** Passes once another agent has written its file. */
const WAITING_TEST = `import { existsSync, writeFileSync } from "node:fs";
import test from "node:test";
test("waits", async () => {
  writeFileSync("running", "");
  while (!existsSync("written.txt")) await new Promise((done) => setTimeout(done, 100));
});
`;

describe.each(CLIENTS)("the %s client", (client) => {
  test("a teammate starts in its own worktree without a question, and learns where it is", async () => {
    const world = await aWorld({
      client,
      scripts: {
        lead: runs("swarm create alpha", spawn("ada", "--worktree"), "swarm worktree list"),
        ada: runs("pwd; git branch --show-current"),
      },
    });
    const screen = await world.tui();
    await screen.type("go [[lead]]");
    await screen.wait(/all done/, 100_000);
    expect(world.conversation("lead")).toMatch(/branch swarm\/alpha\/ada from HEAD [0-9a-f]{7}/);
    expect(world.conversation("lead")).toContain("ada@alpha  running  swarm/alpha/ada");
    await until(() => world.seen("ada").length > 1, { what: "ada's first turn" });
    expect(world.seen("ada")[0]).toContain("You work in a git worktree of your own");
    expect(world.seen("ada")[1]).toMatch(
      /\/\.swarm\/worktrees\/project-[0-9a-f]{8}\/alpha\/ada\nswarm\/alpha\/ada/,
    );
  });

  test("a run under which the lead wrote is void, and the agent hears it", async () => {
    const world = await aWorld({
      client,
      files: { "slow.test.mjs": WAITING_TEST },
      scripts: {
        lead: runs("swarm create alpha", spawn("ada")),
        write: [
          (): { tools: ReturnType<typeof bash>[] } => ({
            tools: [
              { name: "Write", input: { file_path: join(world.project, "written.txt"), content: "now\n" } },
            ],
          }),
          { text: "wrote it" },
        ],
        ada: runs("node --test slow.test.mjs", "sleep 3", "swarm runs"),
      },
    });
    const screen = await world.tui();
    await screen.type("go [[lead]]");
    await screen.wait(/all done/, 100_000);
    await until(() => existsSync(join(world.project, "running")), { what: "ada's test to run" });
    await screen.type("write [[write]]");
    await screen.wait(/wrote it/);
    await until(() => world.seen("ada").length > 3, { what: "ada to end its turn", ms: 60_000 });
    expect(world.conversation("ada")).toContain(
      "1 file changed during this run by team-lead: written.txt; run again before trusting it",
    );
    expect(world.seen("ada")[3]).toMatch(
      /r-\S+ {2}\d+s ago {2}ada {2}exit 0 {2}[0-9a-f]{7}\+[0-9a-f]{8} {2}void/,
    );
    expect(readFileSync(join(world.project, "written.txt"), "utf8")).toBe("now\n");
  });
});
