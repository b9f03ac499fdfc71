// A teammate in a pane that asks for permission fires no event of its own: the board infers it from a tool that began and
// never ended.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import { agent } from "./support/tools.ts";
import { until } from "./support/until.ts";
import { ROOT, TEAMS } from "./support/world.ts";

describe.each(CLIENTS)("the %s client", (client) => {
  test("a permission prompt that nobody answers is on the board, as seen from another shell", async () => {
    const note = { name: "Write", input: { file_path: "notes.txt", content: "x" } };
    const world = await aWorld({
      client,
      env: TEAMS,
      scripts: {
        lead: [{ tools: [agent({ prompt: "please [[alice]]", name: "alice" })] }, { text: "waiting" }],
        alice: [{ tools: [note] }, { text: "done" }],
      },
    });
    note.input.file_path = join(world.project, "notes.txt");
    const swarm = (...words: string[]) =>
      run(process.execPath, [join(ROOT, "plugin/bin/swarm"), ...words], {
        cwd: world.project,
        env: world.env,
      });
    const board = async () => (await swarm("status")).stdout;
    const lead = await world.tui("--teammate-mode", "tmux", "--permission-mode", "default");
    await lead.type("go [[lead]]");
    await until(async () => /alice@\S+ +working +\d+% +\S+ +Write began/.test(await board()), {
      what: "alice at work",
      everyMs: 500,
    });
    const asks = /alice@\S+ +permission +\d+% +\S+ +probably waits for permission: Write began \d+s ago/;
    await until(async () => asks.test(await board()), { what: "the inference", everyMs: 1_000 });
    expect((await swarm("session", "list")).stdout).toMatch(/\(probably waiting for permission\) +alice@/);
    expect(existsSync(join(world.project, "notes.txt"))).toBe(false);
  });
});
