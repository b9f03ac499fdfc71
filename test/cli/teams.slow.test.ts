// The text on the borders of panes, in a real tmux.
import { expect, test } from "vitest";
import { aLeadWithTeam, LEAD_SESSION } from "../support/a-tmux-team.ts";
import { runHook } from "../support/run-built.ts";

const until = async (seen: () => boolean, what: string) => {
  for (const giveUp = Date.now() + 15_000; !seen(); ) {
    if (Date.now() > giveUp) throw new Error(`waited for ${what}`);
    await new Promise((next) => setTimeout(next, 30));
  }
};

test("in a tmux with its own defaults borders have a text while a teammate is in the window, and no longer", async () => {
  const { swarm, tmux, home, env } = aLeadWithTeam("alpha");
  const options = () => tmux("show-options", "-w", "-t", "%0").trim();
  const spawned = (name: string) =>
    expect(swarm("spawn", name, "--prompt", "x", "--wait", "60")).toMatchObject({ exitCode: 0, stderr: "" });
  const shown = "@swarm_border on\npane-border-status top";
  spawned("ada");
  spawned("bob");
  expect(options()).toBe(shown);
  swarm("kill", "ada");
  expect(options()).toBe(shown);
  swarm("kill", "bob");
  expect(options()).toBe("");

  // A teammate that ends by itself: with the lead's next status.
  spawned("ada");
  expect(options()).toBe(shown);
  tmux("kill-pane", "-t", tmux("list-panes", "-a", "-f", "#{@swarm}", "-F", "#{pane_id}").trim());
  runHook(home, "user-prompt-submit", { session_id: LEAD_SESSION, prompt: "x" }, { env });
  await until(() => options() === "", "the window's own border");

  tmux("set-option", "-w", "-t", "%0", "pane-border-status", "bottom");
  spawned("cid");
  swarm("cleanup", "alpha", "--force");
  expect(options()).toBe("pane-border-status bottom");
}, 60_000);
