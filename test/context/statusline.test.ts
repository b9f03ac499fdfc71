import { chmodSync, mkdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { statusLine } from "../../lib/context/commands.ts";
import { moveStatusLine } from "../../lib/context/hooks.ts";
import { SessionStart } from "../../lib/hook/events.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anEffort } from "../support/an-effort.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { ROOT, runHook, runSwarm } from "../support/run-built.ts";

test.each([
  [{}, ""],
  [{ context: 42.9 }, "context 42%"],
  [
    { team: "t", agent: "bob", unread: 0, tasks: { done: 0, all: 0, verified: 0 }, context: 0 },
    "bob@t · context 0%",
  ],
  [
    {
      team: "t",
      agent: "bob",
      unread: 2,
      tasks: { done: 3, all: 7, verified: 1 },
      context: 61,
      effort: "build 2",
    },
    "bob@t · 2 unread · 3/7 tasks · context 61% · effort build 2",
  ],
  [{ team: "t\u001b[31m\n" }, "t[31m"],
])("%j is drawn as %j", (facts, line) => expect(statusLine(facts)).toBe(line));

const SETTINGS = '{\n    "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}\n';
const input = (home: Home, more: object = {}) =>
  JSON.stringify({
    session_id: "s-1",
    transcript_path: home.path("t.jsonl"),
    model: { id: "some-model" },
    context_window: { context_window_size: 200_000, used_percentage: 7 },
    ...more,
  });
const usage = (tokens: number) =>
  `${JSON.stringify({ type: "assistant", message: { usage: { input_tokens: tokens } } })}\n`;

test("the line is drawn from the files, and the window is left for the hooks", () => {
  const home = aHome();
  home.write("t.jsonl", usage(84_000));
  const unread = { from: "alice", text: "hello", read: false };
  home.write(".claude/teams/t/inboxes/bob.json", [unread, { ...unread, read: true }, unread]);
  home.write(".claude/tasks/t/1.json", { id: "1", subject: "a", status: "completed" });
  home.write(".claude/tasks/t/2.json", { id: "2", subject: "a", status: "pending" });
  anEffort(home, { skill: "build", phase: "test" });
  home.write(".claude/teams/t/config.json", { members: [{ name: "bob" }] });
  const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" };
  const { stdout } = runSwarm(home, ["statusline"], { stdin: input(home), env });
  expect(stdout).toBe("bob@t · 2 unread · 1/2 tasks · context 42% · effort build test\n");
  expect(home.json(".claude/swarm/context/s-1/status-line.json")).toMatchObject({
    window: 200_000,
    tokens: 84_000,
    model: "some-model",
  });
});

test("before the first answer the client's own figure will do, and broken input draws nothing", () => {
  const home = aHome();
  expect(runSwarm(home, ["statusline"], { stdin: input(home) }).stdout).toBe("context 7%\n");
  const none = { context_window: { context_window_size: 200_000, used_percentage: null } };
  expect(runSwarm(home, ["statusline"], { stdin: input(home, none) }).stdout).toBe("");
  expect(runSwarm(home, ["statusline"], { stdin: "{" })).toMatchObject({
    exitCode: 0,
    stdout: "",
    stderr: "",
  });
});

test("installed and removed, the settings are what they were, byte for byte", () => {
  const home = aHome();
  const settings = home.write(".claude/settings.json", SETTINGS);
  chmodSync(settings, 0o640);
  expect(runSwarm(home, ["statusline", "install"]).exitCode).toBe(0);
  const { statusLine: line, ...rest } = home.json(".claude/settings.json");
  expect(line).toEqual({ type: "command", command: `node '${home.path(".claude/swarm/statusline.cjs")}'` });
  expect(rest).toEqual(JSON.parse(SETTINGS));
  expect(runSwarm(home, ["statusline", "install"]).stdout).toContain("was already");
  expect(runSwarm(home, ["statusline", "remove"]).exitCode).toBe(0);
  expect(home.read(".claude/settings.json")).toBe(SETTINGS);
  expect(statSync(settings).mode & 0o777).toBe(0o640);
  expect(home.has(".claude/swarm/statusline.cjs")).toBe(false);
});

test("comments in the settings stay", () => {
  const home = aHome();
  const text = '// mine\n{\n  "model": "opus", // for now\n}\n';
  home.write(".claude/settings.json", text);
  expect(runSwarm(home, ["statusline", "install"]).exitCode).toBe(0);
  expect(home.read(".claude/settings.json")).toContain("// for now");
  expect(runSwarm(home, ["statusline", "install"]).stdout).toContain("was already");
  expect(runSwarm(home, ["statusline", "remove"]).exitCode).toBe(0);
  expect(home.read(".claude/settings.json")).toBe(text);
});

const launched = (home: Home) => {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const command = home.json(".claude/settings.json").statusLine.command;
  return spawnSync("/bin/sh", ["-c", command], {
    input: input(home),
    env: { PATH: process.env["PATH"], HOME: home.root },
    encoding: "utf8",
  });
};

test("a line that was there goes on above, keeps its looks, and comes back", () => {
  const home = aHome();
  const mine = { type: "command", command: "printf 'mine '; grep -o some-model", padding: 2 };
  home.write(".claude/settings.json", { statusLine: mine });
  expect(runSwarm(home, ["statusline", "install"]).stdout).toContain("Your own line goes on above it");
  expect(home.json(".claude/settings.json").statusLine).toMatchObject({ padding: 2 });
  expect(launched(home).stdout).toBe("mine some-model\ncontext 7%\n");
  runSwarm(home, ["statusline", "install"]);
  runSwarm(home, ["statusline", "remove"]);
  expect(home.json(".claude/settings.json")).toEqual({ statusLine: mine });
});

test("the launcher follows the plugin when it moves, and without it the old line goes on", () => {
  const home = aHome();
  home.write(".claude/settings.json", { statusLine: { type: "command", command: "echo mine" } });
  runSwarm(home, ["statusline", "install"]);
  const state = home.json(".claude/swarm/statusline.json");
  home.write(".claude/swarm/statusline.json", { ...state, root: home.path("gone") });
  expect(launched(home).stdout).toBe("mine\n");
  runHook(home, "session-start", { source: "startup" }, { env: { CLAUDE_PLUGIN_ROOT: `${ROOT}/plugin` } });
  expect(launched(home).stdout).toBe("mine\ncontext 7%\n");
});

test("a line somebody else has put there since is left alone", () => {
  const home = aHome();
  runSwarm(home, ["statusline", "install"]);
  home.write(".claude/settings.json", { statusLine: { type: "command", command: "echo theirs" } });
  expect(runSwarm(home, ["statusline", "remove"]).stdout).toContain("no line of ours");
  expect(home.json(".claude/settings.json").statusLine.command).toBe("echo theirs");
});

test("settings behind a link are written through it", () => {
  const home = aHome();
  home.write(".claude/settings.json", "{}");
  mkdirSync(home.path("dotfiles"));
  renameSync(home.path(".claude/settings.json"), home.path("dotfiles/settings.json"));
  symlinkSync(home.path("dotfiles/settings.json"), home.path(".claude/settings.json"));
  runSwarm(home, ["statusline", "install"]);
  expect(home.json("dotfiles/settings.json").statusLine).toBeDefined();
});

test.each(["{ broken", "[]", '{"statusLine": "text"}'])("settings like %j are left alone, loudly", (text) => {
  const home = aHome();
  home.write(".claude/settings.json", text);
  expect(runSwarm(home, ["statusline", "install"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("left alone"),
  });
  expect(home.read(".claude/settings.json")).toBe(text);
});

test("as data: the line before, or none, and whether anything changed", async () => {
  const home = aHome();
  const data = async (verb: string) =>
    JSON.parse((await callSwarm(home, ["statusline", verb, "--json"])).stdout);
  const settings = home.path(".claude/settings.json");
  expect(await data("install")).toEqual({ settings, previous: null, changed: true });
  expect(await data("install")).toEqual({ settings, previous: null, changed: false });
  expect(await data("remove")).toEqual({ settings, previous: null, changed: true });
  home.write(".claude/settings.json", { statusLine: { type: "command", command: "echo mine" } });
  expect(await data("remove")).toEqual({ settings, previous: "echo mine", changed: false });
  expect(await data("install")).toEqual({ settings, previous: "echo mine", changed: true });
  expect(await data("install")).toEqual({ settings, previous: "echo mine", changed: false });
  expect(await data("remove")).toEqual({ settings, previous: "echo mine", changed: true });
});

test("a session's start moves only a line that is installed, and only when the plugin has moved", () => {
  const home = aHome();
  const start = (root: string) =>
    moveStatusLine(aContext(home, SessionStart, {}, { env: { CLAUDE_PLUGIN_ROOT: root } }));
  const STATE = ".claude/swarm/statusline.json";
  start("/new");
  expect(home.has(STATE)).toBe(false);
  home.write(STATE, { root: "/old", previous: { command: "x" } });
  start("");
  expect(home.json(STATE).root).toBe("/old");
  start("/new");
  expect(home.json(STATE)).toEqual({ root: "/new", previous: { command: "x" } });
  home.write(STATE, '{"root":"/new"}   ');
  start("/new");
  expect(home.read(STATE)).toBe('{"root":"/new"}   ');
});

const LAUNCHER = ".claude/swarm/statusline.cjs";
const MINE = { type: "command", command: "echo mine" };

test.each([
  ["through a link", (home: Home) => `node '${home.path("link/swarm/statusline.cjs")}'`],
  ["with other quotes", (home: Home) => `node "${home.path(LAUNCHER)}"`],
  ["of a home that is gone", () => "node /old/.claude/swarm/statusline.cjs"],
])("our own launcher, %s, is never the line before it", async (_, command) => {
  const home = aHome();
  home.write(".claude/settings.json", { statusLine: MINE });
  symlinkSync(home.path(".claude"), home.path("link"));
  await callSwarm(home, ["statusline", "install"]);
  const ours = home.json(".claude/settings.json").statusLine;
  home.write(".claude/settings.json", { statusLine: { type: "command", command: command(home) } });
  await callSwarm(home, ["statusline", "install"]);
  expect(home.json(".claude/settings.json").statusLine).toEqual(ours);
  expect(home.json(".claude/swarm/statusline.json").previous).toEqual(MINE);
  home.write(".claude/settings.json", { statusLine: { type: "command", command: command(home) } });
  const { stdout } = await callSwarm(home, ["statusline", "remove"]);
  expect(stdout).toContain("The line is again: echo mine");
  expect(home.json(".claude/settings.json")).toEqual({ statusLine: MINE });
});

test("a command that a person has put around our launcher stays, and is not started by it", async () => {
  const home = aHome();
  const wrapper = { type: "command", command: `node '${home.path(LAUNCHER)}' | head -1` };
  home.write(".claude/settings.json", { statusLine: wrapper });
  expect((await callSwarm(home, ["statusline", "install"])).stdout).toContain("was already");
  expect(home.json(".claude/settings.json").statusLine).toEqual(wrapper);
  expect(home.json(".claude/swarm/statusline.json").previous).toBeUndefined();
  const removal = await callSwarm(home, ["statusline", "remove"]);
  expect(removal).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("starts ours") });
  expect(home.json(".claude/settings.json").statusLine).toEqual(wrapper);
  expect(home.has(LAUNCHER)).toBe(true);
});

test("a launcher that was stored as the line before it is not run", async () => {
  const home = aHome();
  const ran = home.path("ran");
  const command = `touch '${ran}'; : '${home.path(LAUNCHER)}'`;
  home.write(".claude/swarm/statusline.json", { root: ROOT, previous: { type: "command", command } });
  await callSwarm(home, ["statusline"], { stdin: input(home) });
  expect(home.has("ran")).toBe(false);
});

test("a file of ours that cannot be read does not cost the person their own line", async () => {
  const home = aHome();
  const effort = anEffort(home);
  const path = `.claude/swarm/efforts/${effort.id}/effort.json`;
  renameSync(home.path(path), home.path("away.json"));
  mkdirSync(home.path(path));
  home.write(".claude/swarm/statusline.json", { root: ROOT, previous: MINE });
  const { stdout, exitCode } = await callSwarm(home, ["statusline"], { stdin: input(home) });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^mine\nswarm: .*effort\.json is not a regular file\n$/);
});
