// Starts of teammates that are slow to try: kitty, large environments and prompts, tmux servers that were there before.
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { aLeadWithTeam, LEAD_SESSION } from "../support/a-tmux-team.ts";
import { runSwarm } from "../support/run-built.ts";

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
