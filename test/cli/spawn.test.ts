// `swarm spawn` on the built script, with a real tmux and a stand-in for the client.
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { aLeadWithTeam, aTeamHome, HEADLESS, LEAD_SESSION, STAND_IN } from "../support/a-tmux-team.ts";
import { runSwarm } from "../support/run-built.ts";

test("a teammate in a pane has identity, model, prompt and its own session", () => {
  const { swarm, started, member, tmux, config } = aLeadWithTeam("alpha");
  const { exitCode, stdout, stderr } = swarm("spawn", "ada", "reviewer", "sonnet", "Look at the docs");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^ada is up: tmux pane %1/);

  const { argv, env, session, pid, cwd } = started("ada");
  const ada = member("alpha", "ada");
  expect(argv.slice(-2)).toEqual(["--", "Look at the docs"]);
  expect(argv).toEqual(expect.arrayContaining(["--model", "sonnet", "--session-id", session]));
  expect(argv).not.toContain("--agent"); // no definition stands behind "reviewer"
  expect(env).toMatchObject({
    CLAUDE_CODE_TEAM_NAME: "alpha",
    CLAUDE_CODE_AGENT_NAME: "ada",
    CLAUDE_CODE_AGENT_TYPE: "reviewer",
    CLAUDE_CODE_AGENT_ID: ada.agentId,
    CLAUDE_CODE_TEAM_LEAD_ID: config("alpha").leadAgentId,
  });
  expect(env).not.toHaveProperty("CLAUDE_CODE_SESSION_ID");
  expect(ada).toMatchObject({
    pid,
    sessionId: session,
    paneId: "%1",
    backend: "tmux",
    status: "active",
    cwd,
  });
  expect(ada.pidStartedAt).toMatch(/^\d+(@|$)/);
  expect(session).not.toBe(LEAD_SESSION);
  expect(tmux("list-panes", "-a", "-F", "#{pane_id} #{@swarm}")).toContain(`%1 ada@alpha:${ada.agentId}`);
});

/** At the beginning, in the middle and at the end of a prompt. */
const HOSTILE = [
  [
    "--dangerously-skip-permissions -p",
    `it's "so" \`odd\``,
    "$(touch pwned) `touch pwned` ${HOME}",
    "\n  indented\t",
    "👩🏽‍💻 שלום 你好 \u0301",
    "#{pane_id} #(touch pwned) %1",
    "do this; and that;",
  ].join("\n"),
  "a\\;b\\\\;",
];

test("hostile prompts arrive as they are, and nothing in them is run", () => {
  const { swarm, started, home } = aLeadWithTeam("alpha");
  for (const [at, prompt] of HOSTILE.entries()) {
    const { exitCode, stderr } = swarm("spawn", `m${at}`, `--prompt=${prompt}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(started(`m${at}`).argv.slice(-2)).toEqual(["--", prompt]);
  }
  expect(home.has("project/pwned")).toBe(false);
});

test.each([
  ["a path", "../x"],
  ["a leading dash", "-x"],
  ["a space", "a b"],
  ["a substitution", "$(x)"],
  ["a line break", "a\nb"],
  ["an emoji", "🐝"],
  ["101 characters", "a".repeat(101)],
  ["nothing", ""],
  ["the lead's name", "team-lead"],
])("a teammate is not named by %s", (_, name) => {
  const { swarm, config } = aLeadWithTeam("alpha", { outside: true });
  const { exitCode, stderr } = swarm("spawn", "--", name);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/name/);
  expect(config("alpha").members).toHaveLength(1);
});

test.each([
  ["--model", "-x"],
  ["--type", "a b"],
  ["--permission-mode", "$(x)"],
])("%s cannot smuggle in another option: %s", (flag, value) => {
  const { swarm } = aLeadWithTeam("alpha", { outside: true });
  expect(swarm("spawn", "ada", `${flag}=${value}`)).toMatchObject({ exitCode: 2 });
});

test("headless: in the background, the prompt on stdin however long, the output in a log", () => {
  const { swarm, started, member } = aLeadWithTeam("alpha", { outside: true });
  const prompt = `-p "x"\n${"long ".repeat(30_000)}`;
  expect(swarm("spawn", "ada", "--backend", "headless", `--prompt=${prompt.slice(0, 1_000)}`).exitCode).toBe(
    0,
  );
  expect(started("ada").stdin).toBe(prompt.slice(0, 1_000));
  expect(started("ada").argv).toEqual(expect.arrayContaining(["-p", "--output-format", "stream-json"]));
  expect(started("ada").env).not.toHaveProperty("CLAUDE_CODE_SESSION_ID");
  expect(member("alpha", "ada")).toMatchObject({ backend: "headless", pid: started("ada").pid });
  expect(swarm("kill", "ada").stdout).toContain("ada: ended");
});

test.each([
  [
    "kitty without remote control",
    ["--backend", "kitty"],
    /kitty is not on the PATH|KITTY_LISTEN_ON is not set/,
  ],
  ["an unknown backend", ["--backend", "screen"], /the backends are tmux, kitty and headless/],
])("a clear error for %s, and nobody on the roster", (_, flags, why) => {
  const { swarm, config } = aLeadWithTeam("alpha", { outside: true });
  const { exitCode, stderr } = swarm("spawn", "ada", ...flags);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(why);
  expect(config("alpha").members).toHaveLength(1);
});

test("a client that is not there is a clear error, and nobody is on the roster", () => {
  const { home, env, config } = aLeadWithTeam("alpha", { outside: true });
  const { exitCode, stderr } = runSwarm(home, ["spawn", "ada"], {
    env: { ...env, CLAUDE_CODE_TEAMMATE_COMMAND: "/nowhere/claude" },
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    "CLAUDE_CODE_TEAMMATE_COMMAND names /nowhere/claude, which is not an executable program",
  );
  expect(config("alpha").members).toHaveLength(1);
});

test("a client that ends at once leaves its last words, not a pane", () => {
  const { home, env, member, tmux } = aLeadWithTeam("alpha");
  const { exitCode, stderr } = runSwarm(home, ["spawn", "ada"], { env: { ...env, STAND_IN_REFUSES: "1" } });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("ada ended at once; the end of its output:\nI would rather not");
  expect(member("alpha", "ada").status).toBe("offline");
  expect(tmux("list-panes", "-a", "-F", "#{pane_id}").trim()).toBe("%0");
});

test("the dangerous mode needs its own flag", () => {
  const { swarm, started, member } = aLeadWithTeam("alpha", { outside: true });
  expect(swarm("spawn", "ada", "--permission-mode", "bypassPermissions")).toMatchObject({ exitCode: 2 });
  expect(swarm("spawn", "ada", "--permission-mode", "plan", ...HEADLESS).exitCode).toBe(0);
  expect(started("ada").argv).toEqual(expect.arrayContaining(["--permission-mode", "plan"]));
  const bob = swarm("spawn", "bob", "--dangerously-skip-permissions", ...HEADLESS);
  expect(bob.stdout).toContain("it runs in permission mode bypassPermissions, its lead in default");
  expect(started("bob").argv).toEqual(expect.arrayContaining(["--permission-mode", "bypassPermissions"]));
  expect(member("alpha", "bob").permissionMode).toBe("bypassPermissions");
});

test("--dry-run shows the words and the environment, starts nothing and needs no tmux", () => {
  const { home, env, config } = aLeadWithTeam("alpha", { outside: true, env: { MY_SECRET: "s3cret" } });
  const without = { ...env, PATH: dirname(process.execPath) };
  const ask = (...more: string[]) =>
    runSwarm(home, ["spawn", "ada", "--model", "opus", "--dry-run", ...more], { env: without });
  const { exitCode, stdout } = ask("--backend", "tmux", "--json", "Look at the docs");
  expect(exitCode).toBe(0);
  const { command, environment, backend } = JSON.parse(stdout);
  expect(backend).toBe("tmux");
  expect(command[0]).toBe(STAND_IN);
  expect(command[command.indexOf("--permission-mode") + 1]).toBe("default");
  expect(command.slice(-2)).toEqual(["--", "Look at the docs"]);
  expect(environment.set).toMatchObject({ CLAUDE_CODE_TEAM_NAME: "alpha", CLAUDE_CODE_AGENT_NAME: "ada" });
  expect(environment.removed).toContain("CLAUDE_CODE_SESSION_ID");
  expect(environment.inherited).toContain("MY_SECRET");
  expect(stdout).not.toContain("s3cret");
  expect(ask().stdout).toMatch(/^Nothing was started[\s\S]*"--permission-mode","default"/);
  expect(ask("--prompt", "x".repeat(5_000)).exitCode).toBe(0);
  expect(config("alpha").members).toHaveLength(1);
  expect(home.has(".claude/teams/alpha/prompts")).toBe(false);
  expect(home.has("notes/ada.json")).toBe(false);
});

test("a member that does not lead cannot spawn, unless the team lets everyone", () => {
  const { home, env, swarm } = aLeadWithTeam("alpha", { outside: true });
  const asBob = {
    ...env,
    CLAUDE_CODE_SESSION_ID: "s-bob",
    CLAUDE_CODE_TEAM_NAME: "alpha",
    CLAUDE_CODE_AGENT_NAME: "bob",
  };
  expect(runSwarm(home, ["join", "alpha", "--name", "bob"], { env: asBob }).exitCode).toBe(0);
  expect(runSwarm(home, ["spawn", "eve"], { env: asBob }).stderr).toContain("bob does not lead alpha");
  const anyMember = '[team."alpha"]\nspawn_policy = "any-member"\nco_leaders = ["bob"]';
  home.write("project/.atm.toml", anyMember);
  expect(runSwarm(home, ["spawn", "eve"], { env: asBob }).stderr).toContain("bob does not lead alpha");
  home.write(".claude/swarm/settings.toml", anyMember);
  expect(runSwarm(home, ["spawn", "eve", ...HEADLESS], { env: asBob }).exitCode).toBe(0);
  expect(swarm("kill", "eve").exitCode).toBe(0);
});

test("without a team there is nothing to spawn into", () => {
  const { home, swarm } = aTeamHome({ outside: true });
  expect(swarm("spawn", "ada")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("which team?"),
  });
  expect(swarm("spawn", "ada", "--team", "nope").stderr).toContain("there is no team nope");
  home.write(".claude/teams/session-0123abcd/config.json", { members: [] });
  expect(swarm("spawn", "ada", "--team", "session-0123abcd").stderr).toContain("a team of the client");
  expect(STAND_IN).toBeTruthy();
});
