// The scratchpad chain in the real client: held back, written, passed.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { localDay } from "../../lib/core/time.ts";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import { TEAMS } from "./support/world.ts";

const WHOLE = "## What I did\na\n## Cross-agent observations\nb\n## Unresolved\nc\n";
const pageOf = (agent: string) => `.claude/scratchpad/${agent}/${localDay(new Date())}.md`;
const agent = (input: object) => ({
  name: "Agent",
  input: { description: "a test", prompt: "please [[sub]]", ...input },
});
const write = (path: string, content: string) => ({
  name: "Bash",
  input: { command: `mkdir -p $(dirname ${path}) && printf '${content}' > ${path}`, description: "write" },
});
const files = {
  ".claude/scratchpad/ego/2026-02-19.md": "# Ego\n\nThe forest before the trees.\n",
  ".claude/scratchpad/coordinator/2026-02-19.md": "# Coordinator\n\nParser first, then the printer.\n",
};

describe.each(CLIENTS)("the %s client", (client) => {
  test("a subagent and its coordinator are oriented, held back, write, and pass", async () => {
    const world = await aWorld({
      client,
      files,
      scripts: {
        lead: [
          { tools: [agent({ subagent_type: "general-purpose", run_in_background: false })] },
          { text: "delegated, done" },
          { tools: [write(pageOf("coordinator"), "All is well.")] },
          { text: "now over" },
        ],
        sub: [
          { text: "done without a page" },
          { tools: [write(pageOf("general-purpose"), WHOLE)] },
          { text: "done with a page" },
        ],
      },
    });
    expect(await world.print("go [[lead]]")).toMatchObject({ code: 0, stdout: "now over\n" });

    const [start, afterAgent, held] = world.seen("lead");
    expect(start).toContain("## Session Orientation");
    expect(start).toContain("Parser first, then the printer.");
    expect(start).toMatch(/[0-9a-f]{7} start/);
    expect(afterAgent).toContain("done with a page");
    expect(held).toContain(
      `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${pageOf("coordinator")} before ending session.`,
    );

    const [notices, blocked] = world.seen("sub");
    expect(notices).toContain(`Scratchpad: ${pageOf("general-purpose")}`);
    expect(notices).toContain("The forest before the trees.");
    expect(blocked).toContain("Still missing: What I did");
    expect(blocked).toContain(
      `Scratchpad missing or incomplete. Write to ${pageOf("general-purpose")} with all three required sections before completing.`,
    );
  });

  test("who never writes is let go after two reminders, and a reader owes nothing", async () => {
    const world = await aWorld({
      client,
      files,
      scripts: {
        lead: [
          { tools: [agent({ subagent_type: "general-purpose", run_in_background: false })] },
          {
            tools: [agent({ subagent_type: "Explore", prompt: "look [[reader]]", run_in_background: false })],
          },
          { text: "over" },
        ],
        sub: ["no", "still no", "never"].map((text) => ({ text })),
        reader: [{ text: "I only read" }],
      },
    });
    expect(await world.print("go [[lead]]")).toMatchObject({ code: 0, stdout: "over\n" });
    expect(world.seen("sub").filter((text) => text.includes("Scratchpad missing"))).toHaveLength(2);
    expect(world.seen("lead")[1]).toContain("never");
    expect(world.seen("reader")).toHaveLength(1);
    expect(world.seen("reader")[0]).not.toContain("Scratchpad:");
  });

  test("/swarm-scratchpad is known by its bare name, and its command shows the pages", async () => {
    const list = { name: "Bash", input: { command: "swarm scratchpad list", description: "list" } };
    const world = await aWorld({
      client,
      files: { [pageOf("writer")]: WHOLE, [pageOf("coordinator")]: "done" },
      scripts: { go: [{ tools: [list] }, { text: "ok" }] },
    });
    await world.print("/swarm-scratchpad list [[go]]");
    const [asked, shown] = world.seen("go");
    expect(asked).toContain("<arguments>\nlist [[go]]\n</arguments>");
    expect(shown).toContain(`${pageOf("writer")}  complete`);
  });

  test("an in-process teammate is held to a page under its own name", async () => {
    const world = await aWorld({
      client,
      files,
      env: TEAMS,
      scripts: {
        lead: [
          { tools: [agent({ subagent_type: "general-purpose", name: "alice", prompt: "hi [[alice]]" })] },
          { text: "waiting" },
        ],
        alice: [{ text: "done" }, { tools: [write(pageOf("alice"), WHOLE)] }, { text: "written" }],
      },
    });
    const screen = await world.tui("--teammate-mode", "in-process");
    await screen.type("go [[lead]]");
    await until(() => existsSync(join(world.project, pageOf("alice"))), { what: "alice's page" });
    expect(world.seen("alice")[1]).toContain(`Write to ${pageOf("alice")}`);
    await screen.exit();
  });
});
