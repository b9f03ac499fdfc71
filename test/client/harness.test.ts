// The ring itself, proved with a plugin that only watches: what a test of Swarm relies on works on both clients.
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { aWorld } from "./support/a-world.ts";
import { CLIENTS } from "./support/clients.ts";
import type { Scripts } from "./support/script.ts";
import { agent, bash, sendMessage } from "./support/tools.ts";
import { OBSERVER, TEAMS } from "./support/world.ts";

describe.each(CLIENTS)("the %s client", (client) => {
  const observed = (scripts: Scripts) => aWorld({ client, plugins: [OBSERVER], env: TEAMS, scripts });

  test("answers one prompt and ends", async () => {
    const world = await observed({ hi: [{ text: "hello there" }] });
    expect(await world.print("say [[hi]]")).toEqual({ code: 0, stdout: "hello there\n", stderr: "" });
    expect(world.seen("hi")).toEqual([expect.stringContaining("say [[hi]]")]);
    expect(world.observed("SessionEnd")).toHaveLength(1);
  });

  test("calls a tool and shows the model its result", async () => {
    const world = await observed({ run: [{ tools: [bash("echo $((6 * 7))")] }, { text: "done" }] });
    expect(await world.print("go [[run]]")).toMatchObject({ code: 0, stdout: "done\n" });
    expect(world.seen("run")[1]).toContain("<result>42</result>");
    expect(world.observed("PreToolUse").map(({ payload }) => payload["tool_name"])).toEqual(["Bash"]);
  });

  test("runs a subagent with a script of its own", async () => {
    const world = await observed({
      lead: [{ tools: [agent({ prompt: "please [[sub]]", run_in_background: false })] }, { text: "over" }],
      sub: [{ tools: [bash("echo from the sub")] }, { text: "sub result" }],
    });
    expect(await world.print("go [[lead]]")).toMatchObject({ stdout: "over\n" });
    expect(world.seen("sub")[1]).toContain("from the sub");
    expect(world.seen("lead")[1]).toContain("sub result");
  });

  test("reports an error of the model", async () => {
    const error = { status: 400, type: "invalid_request_error", message: "too strange to answer" };
    const world = await observed({ bad: Array.from({ length: 20 }, () => ({ error })) });
    const { code, stdout } = await world.print("go [[bad]]");
    expect(code).toBe(1);
    expect(stdout).toContain("too strange to answer");
  });

  test("starts on a screen, takes a line and leaves", async () => {
    const world = await observed({ hi: [{ text: "hello there" }] });
    const screen = await world.tui();
    await screen.type("say [[hi]]");
    await screen.wait(/hello there/);
    await screen.exit();
    await until(() => world.processes().length === 1, { what: "nothing but tmux to be left" });
    expect(world.observed("SessionEnd")[0]?.payload).toMatchObject({ reason: "prompt_input_exit" });
  });

  test("compacts and goes on", async () => {
    const world = await observed({
      run: [{ tools: [bash("echo enough to compact")] }, { text: "hello there" }],
      more: [{ text: "still here" }],
    });
    const screen = await world.tui();
    await screen.type("go [[run]]");
    await screen.wait(/hello there/);
    await screen.type("/compact");
    await until(() => world.observed("PostCompact").length, { what: "the end of the compaction" });
    await screen.type("on [[more]]");
    await screen.wait(/still here/);
    expect(world.observed("SessionStart").map(({ payload }) => payload["source"])).toEqual([
      "startup",
      "compact",
    ]);
    expect(world.conversation("more")).toContain("MOCK SUMMARY");
  });

  test.each(["in-process", "tmux"])("runs a teammate, %s", async (mode) => {
    const world = await observed({
      lead: [{ tools: [agent({ prompt: "please [[alice]]", name: "alice" })] }, { text: "waiting" }],
      alice: [{ tools: [sendMessage("team-lead", "a report")] }, { text: "alice is done" }],
    });
    const screen = await world.tui("--teammate-mode", mode);
    await screen.type("go [[lead]]");
    await until(() => world.seen("lead").some((text) => text.includes("a report")), { what: "the report" });

    const idle = await until(() => world.observed("TeammateIdle")[0], { what: "the teammate to be idle" });
    const [lead] = world.observed("SessionStart");
    expect(idle.payload["teammate_name"]).toBe("alice");
    expect(idle.payload.session_id === lead?.payload.session_id).toBe(mode === "in-process");
    expect(screen.panes()).toHaveLength(mode === "tmux" ? 2 : 1);
    await screen.exit();
  });
});
