// Starts of teammates that are slow to try: kitty, large environments and prompts, tmux servers that were there before.
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { aLeadWithTeam, HEADLESS, LEAD_SESSION } from "../support/a-tmux-team.ts";
import { ROOT, runHook, runSwarm } from "../support/run-built.ts";

const KITTY = `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const { spawn } = require("node:child_process");
const words = process.argv.slice(2);
appendFileSync(process.env.KITTY_NOTES, JSON.stringify(words) + "\\n");
if (words[3] === "launch") {
  const at = words.indexOf("--");
  const given = words.filter((word) => word.startsWith("--env=") && word.indexOf("=", 6) > 0).map((word) => word.slice(6));
  const env = Object.fromEntries(given.map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]));
  spawn(words[at + 1], words.slice(at + 2), { detached: true, stdio: "ignore", env }).unref();
  console.log("7");
} else console.log("[]");
`;

test("a prompt of 100 KB goes by a file that the teammate may read", () => {
  const { swarm, started, home } = aLeadWithTeam("alpha");
  const prompt = `do "all" of $(this)\n${"é🐝".repeat(17_000)};`;
  home.write("project/long.md", prompt);
  expect(swarm("spawn", "ada", "--prompt-file", "long.md")).toMatchObject({ exitCode: 0 });
  const { argv } = started("ada");
  const path = home.path(".claude/teams/alpha/prompts/ada/first-prompt.md");
  expect(argv.at(-1)).toContain(path);
  expect(argv).toEqual(expect.arrayContaining(["--add-dir", home.path(".claude/teams/alpha/prompts/ada")]));
  expect(home.read(".claude/teams/alpha/prompts/ada/first-prompt.md")).toBe(prompt);
});

test("an older tmux server does not matter: the lead's variables arrive, another session's do not", () => {
  const { swarm, started, tmux, env } = aLeadWithTeam("alpha", {
    env: {
      MY_SECRET: `s3cret 'x" $(y)\nline;`,
      CLAUDE_SESSION_ID: LEAD_SESSION,
      CLAUDE_SESSION_MODE: "mission",
    },
  });
  tmux("set-environment", "-g", "CLAUDE_SESSION_ID", "somebody-else");
  tmux("set-environment", "-g", "CLAUDE_CODE_SESSION_ID", "somebody-else");
  tmux("set-environment", "-g", "ATM_IDENTITY", "somebody-else");
  expect(swarm("spawn", "ada")).toMatchObject({ exitCode: 0 });
  const ada = started("ada").env;
  expect(ada["MY_SECRET"]).toBe(env["MY_SECRET"]);
  expect(ada["CLAUDE_SESSION_MODE"]).toBe("mission");
  for (const name of ["CLAUDE_SESSION_ID", "CLAUDE_CODE_SESSION_ID", "ATM_IDENTITY"])
    expect(ada).not.toHaveProperty(name);
  expect(ada["TMUX_PANE"]).toBe("%1");
  expect(tmux("list-panes", "-a", "-F", "#{pane_start_command}")).not.toContain("s3cret");
});

test("an environment larger than tmux takes is cut at the least needed end, and says so", () => {
  const { swarm, started } = aLeadWithTeam("alpha", {
    env: { HUGE: "x".repeat(14_000), ANTHROPIC_BASE_URL: "http://127.0.0.1:1" },
  });
  const { exitCode, stdout } = swarm("spawn", "ada");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("did not fit into tmux's 16 KB: HUGE");
  expect(started("ada").env["ANTHROPIC_BASE_URL"]).toBe("http://127.0.0.1:1");
});

test("a teammate's own tmux session in which a person still works is used again", () => {
  const { swarm, member } = aLeadWithTeam("alpha", { outside: true });
  expect(swarm("spawn", "ada").exitCode).toBe(0);
  const { socket } = member("alpha", "ada");
  spawnSync("tmux", ["-S", socket, "split-window", "-d", "-t", "swarm-alpha-ada", "sleep", "1000"]);
  expect(swarm("kill", "ada").exitCode).toBe(0);
  expect(swarm("spawn", "ada")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(member("alpha", "ada").socket).toBe(socket);
  expect(swarm("kill", "ada").exitCode).toBe(0);
});

test("kitty by remote control: a window with our mark, the variables and the words as they are", () => {
  const screens = aLeadWithTeam("alpha", { outside: true, env: { KITTY_LISTEN_ON: "unix:/tmp/kitty-x" } });
  const { home, env, started, member } = screens;
  chmodSync(home.write("bin/kitty", KITTY), 0o755);
  const inKitty = {
    ...env,
    PATH: `${home.path("bin")}:${process.env["PATH"]}`,
    KITTY_NOTES: home.path("kitty.jsonl"),
  };
  const prompt = "it's $(touch pwned)\n--x;";
  expect(runSwarm(home, ["spawn", "ada", `--prompt=${prompt}`], { env: inKitty })).toMatchObject({
    exitCode: 0,
  });
  const ada = member("alpha", "ada");
  expect(ada).toMatchObject({ backend: "kitty", paneId: "7", socket: "unix:/tmp/kitty-x" });
  const launch = home.lines("kitty.jsonl").find((words) => words.includes("launch"));
  expect(launch.slice(0, 3)).toEqual(["@", "--to", "unix:/tmp/kitty-x"]);
  expect(launch).toEqual(
    expect.arrayContaining([
      "--type=window",
      `--env=SWARM_WINDOW=ada@alpha:${ada.agentId}`,
      "--env=CLAUDE_SESSION_ID",
    ]),
  );
  expect(started("ada").argv.at(-1)).toBe(prompt);
  expect(started("ada").env).toMatchObject({ CLAUDE_CODE_AGENT_NAME: "ada", CLAUDE_CODE_TEAM_NAME: "alpha" });
  process.kill(started("ada").pid, "SIGTERM");
});

test("a strange directory is a directory", () => {
  const { swarm, started, home } = aLeadWithTeam("alpha");
  const odd = home.path("project/a #(touch pwned) #{x} 'b");
  home.write("project/a #(touch pwned) #{x} 'b/.keep", "");
  expect(swarm("spawn", "ada", "--cwd", odd)).toMatchObject({ exitCode: 0 });
  expect(started("ada").cwd).toBe(odd);
});

test("outside tmux the teammate gets a session of its own, on a server without the lead's session in it", () => {
  const { swarm, started, home, member, env } = aLeadWithTeam("alpha", { outside: true });
  const { exitCode, stdout } = swarm("spawn", "ada");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("tmux attach -t swarm-alpha-ada");
  expect(started("ada").env["TMUX_PANE"]).toBe("%0");
  const { socket } = member("alpha", "ada");
  const asked = spawnSync("tmux", ["-S", socket, "show-environment", "-g"], { encoding: "utf8" }).stdout;
  expect(asked).not.toContain(LEAD_SESSION);
  expect(runSwarm(home, ["kill", "ada"], { env })).toMatchObject({ exitCode: 0 });
});

test("a teammate starts in the mode its lead is in at that moment, again after a suspend, and with rules for harmless verbs", () => {
  const { swarm, started, home, env } = aLeadWithTeam("alpha", { outside: true });
  const leadIn = (permission_mode: string) =>
    runHook(home, "user-prompt-submit", { session_id: LEAD_SESSION, prompt: "x", permission_mode }, { env });
  const after = (name: string, option: string) => {
    const { argv } = started(name);
    return argv[argv.indexOf(option) + 1];
  };
  expect(swarm("spawn", "ada", ...HEADLESS).stdout).not.toContain("permission mode");
  expect(after("ada", "--permission-mode")).toBe("default");
  expect(after("ada", "--allowedTools")).toContain("Bash(swarm send:*)");
  leadIn("acceptEdits");
  swarm("spawn", "bob", ...HEADLESS);
  expect(after("bob", "--permission-mode")).toBe("acceptEdits");
  swarm("suspend");
  leadIn("manual");
  expect(swarm("resume", "alpha").exitCode).toBe(0);
  expect(after("bob", "--permission-mode")).toBe("default");
  expect(after("bob", "--allowedTools")).toBe(after("ada", "--allowedTools"));
  expect(home.has(".claude/settings.json")).toBe(false);
});

test("an agent with a definition becomes the client's agent, and a plugin directory goes along", () => {
  const { swarm, started, home } = aLeadWithTeam("alpha", { outside: true });
  home.write("project/.claude/agents/reviewer.md", "---\nname: reviewer\ndescription: x\n---\nReview.");
  expect(swarm("spawn", "ada", "--type", "reviewer", "--plugin-dir", ROOT, ...HEADLESS).exitCode).toBe(0);
  const { argv } = started("ada");
  expect(argv[argv.indexOf("--agent") + 1]).toBe("reviewer");
  expect(argv[argv.indexOf("--plugin-dir") + 1]).toBe(ROOT);
});

test("a name that runs is refused, and so is one too many", () => {
  const { swarm, home } = aLeadWithTeam("alpha", { outside: true });
  home.write("project/.atm.toml", "[gate]\nmax_teammates = 1");
  expect(swarm("spawn", "ada", ...HEADLESS).exitCode).toBe(0);
  expect(swarm("spawn", "ada").stderr).toContain("ada is already running in the team");
  expect(swarm("spawn", "bob").stderr).toContain("gate.max_teammates is 1");
  expect(swarm("kill", "ada").exitCode).toBe(0);
  expect(swarm("spawn", "bob", ...HEADLESS).exitCode).toBe(0);
});
