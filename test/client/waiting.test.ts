// Questions of teammates on the board and in their lead's next turn, where the client fires no event: a native pane teammate asks on its
// lead's screen, and a no ends a question without a word.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { run } from "./support/run.ts";
import { agent, bash } from "./support/tools.ts";
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
    const asks = /alice@\S+ +permission +\d+% +\S+ +waits for permission: Write, pane %0, for \d+s/;
    await until(async () => asks.test(await board()), { what: "alice's question", ms: 15_000, everyMs: 500 });
    expect(existsSync(join(world.project, "notes.txt"))).toBe(false);
    lead.keys("Escape");
    await until(async () => !/permission/.test(await board()), { what: "the end of it", everyMs: 500 });
  });

  test("after a no to a teammate the lead's next turn knows that it no longer waits", async () => {
    const world = await aWorld({
      client,
      mode: "default",
      env: { ENABLE_TOOL_SEARCH: "false" },
      scripts: {
        make: [{ tools: [bash("swarm create alpha x")] }, { text: "made it" }],
        spawn: [
          { tools: [bash("swarm spawn ada --wait 60 --prompt 'go [[ada]]'")] },
          { text: "spawned her" },
        ],
        ada: [{ tools: [bash("git push origin main")] }, { text: "unreachable" }],
        next: [{ text: "so be it" }],
      },
    });
    const lead = await world.tui();
    await lead.type("go [[make]]");
    await lead.allow(/swarm create/);
    await lead.wait(/made it/, 60_000);
    await lead.type("go [[spawn]]");
    await lead.allow(/swarm spawn/);
    await lead.wait(/spawned her/, 60_000);
    const inbox = () => readFileSync(join(world.configDir, "teams/alpha/inboxes/team-lead.json"), "utf8");
    await until(() => inbox().includes("ada waits for permission"), { what: "the note", ms: 30_000 });
    lead.keysIn("%1", "Escape");
    await until(() => /Interrupted/.test(lead.screen("%1")), { what: "the no", ms: 15_000 });
    await lead.type("and now? [[next]]");
    await lead.wait(/so be it/, 60_000);
    expect(world.conversation("next")).toContain("ada no longer waits: Bash(git push origin main)");
  });
});
