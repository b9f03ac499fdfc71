// In real clients: two agents in one checkout, and a commit that would take the other one's files along.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { bash } from "./support/tools.ts";

const spawnAda = 'swarm spawn ada --dangerously-skip-permissions --wait 60 --prompt "begin [[ada]]"';

const AUTHOR = {
  GIT_AUTHOR_NAME: "lead",
  GIT_AUTHOR_EMAIL: "lead@example.com",
  GIT_COMMITTER_NAME: "lead",
  GIT_COMMITTER_EMAIL: "lead@example.com",
};

describe.each(CLIENTS)("the %s client", (client) => {
  test("a sweep over a teammate's uncommitted file is refused, and the way out takes only one's own", async () => {
    const world = await aWorld({
      client,
      env: AUTHOR,
      scripts: {
        lead: [{ tools: [bash("swarm create alpha")] }, { tools: [bash(spawnAda)] }, { text: "all done" }],
        ada: [{ tools: [bash("echo ada > ada.txt")] }, { text: "ada wrote it" }],
        sweep: [
          { tools: [bash("echo lead > lead.txt")] },
          { tools: [bash("git add -A && git commit -m everything")] },
          { tools: [bash("git add -- lead.txt && git commit -m mine -- lead.txt")] },
          { text: "swept" },
        ],
      },
    });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", world.project, ...args], { encoding: "utf8" }).trim();
    const screen = await world.tui();
    await screen.type("go [[lead]]");
    await screen.wait(/all done/, 100_000);
    await until(() => existsSync(join(world.project, "ada.txt")), { what: "ada's file" });
    await screen.type("go on [[sweep]]");
    await screen.wait(/swept/, 60_000);
    const said = world.conversation("sweep");
    expect(said).toMatch(/ada\.txt[^\n]*ada|ada[^\n]*ada\.txt/);
    expect(said).toContain("Take only your own: `git add");
    expect(git("log", "--format=%s")).not.toContain("everything");
    expect(git("show", "--name-only", "--format=%s", "HEAD")).toBe("mine\n\nlead.txt");
    expect(git("status", "--porcelain", "--", "ada.txt")).toBe("?? ada.txt");
  });
});
