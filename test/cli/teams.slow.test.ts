// The text on the borders of panes, in a real tmux.
import { expect, test } from "vitest";
import { aMessage } from "../support/a-team.ts";
import { aLeadWithTeam, aTeamHome, HEADLESS, LEAD_SESSION } from "../support/a-tmux-team.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

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

test("a lead does not join its own team; a team in which it did is put in order by its next prompt, lead take or resume", () => {
  const { home, swarm, env, config } = aLeadWithTeam("alpha", { outside: true });
  const refused = swarm("join", "alpha", "--name", "second");
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("leads alpha as team-lead") });
  expect(config("alpha").members).toHaveLength(1);
  const recordPath = `.claude/swarm/sessions/${LEAD_SESSION}/session.json`;
  const names = () => config("alpha").members.map((one: { name: string }) => one.name);
  const ways = [
    () => runHook(home, "user-prompt-submit", { session_id: LEAD_SESSION, prompt: "x" }, { env }),
    () => swarm("lead", "take", "alpha"),
    () => swarm("resume", "alpha"),
  ];
  for (const restore of ways) {
    const { members, ...rest } = config("alpha");
    const second = { name: "second", sessionId: LEAD_SESSION, backend: "joined", status: "active" };
    home.write(".claude/teams/alpha/config.json", { ...rest, members: [...members, second] });
    home.write(recordPath, { ...home.json(recordPath), agent: "second", isLead: false, kind: "named" });
    home.write(".claude/teams/alpha/inboxes/second.json", [aMessage("bob", "hello second")]);
    home.write(".claude/teams/alpha/inboxes/team-lead.json", []);
    expect(swarm("spawn", "ada", "--dry-run").exitCode).toBe(1);
    const done = restore();
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(names()).toEqual(["team-lead"]);
    expect(home.json(recordPath)).toMatchObject({ agent: "team-lead", isLead: true });
    expect(home.read(".claude/teams/alpha/inboxes/team-lead.json")).toContain("hello second");
    expect(swarm("spawn", "ada", "--dry-run").exitCode).toBe(0);
  }
}, 60_000);

test("the status is on the pane's border; no option stays after a cleanup, nor after a killed session", async () => {
  const { home, swarm, env, tmux } = aLeadWithTeam("alpha");
  const options = () => tmux("show-options", "-p", "-t", "%0").trim();
  const prompt = () =>
    runHook(home, "user-prompt-submit", { session_id: LEAD_SESSION, prompt: "x" }, { env });
  prompt();
  await until(() => options().includes("working"), "the status on the border");
  expect(options()).toMatch(/^pane-border-format [^\n]*$/);
  expect(swarm("cleanup", "alpha", "--yes").exitCode).toBe(0);
  await until(() => options() === "", "a plain pane after the cleanup");

  tmux("set-option", "-p", "-t", "%0", "pane-border-format", "left behind");
  const killed = { pid: 4_190_001, startedAt: "1", session: "killed", pane: "%0", tmux: env["TMUX"] };
  home.write(".claude/swarm/processes/4190001.json", killed);
  runHook(home, "session-start", { session_id: "next", source: "startup" });
  await until(() => options() === "", "a plain pane after the crash");
});

test("a conversation goes on where there is one, and begins anew where it is lost", () => {
  const { home, env, swarm, started } = aTeamHome({ outside: true });
  const transcript = home.write("t.jsonl", '{"type":"user"}\n');
  const world = { ...env, STAND_IN_TRANSCRIPT: transcript };
  const run = (...args: string[]) => runSwarm(home, args, { env: world });
  expect(run("create", "alpha").exitCode).toBe(0);
  expect(run("spawn", "ada", ...HEADLESS).exitCode).toBe(0);
  const { session } = started("ada");
  expect(run("suspend").exitCode).toBe(0);
  expect(run("resume")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(started("ada").argv.slice(0, 2)).toEqual(["--resume", session]);
  expect(run("suspend").exitCode).toBe(0);
  expect(run("resume", "--fresh").exitCode).toBe(0);
  expect(started("ada").argv[0]).toBe("--session-id");
  expect(swarm("kill", "--all").exitCode).toBe(0);
});
