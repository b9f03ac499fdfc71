import { execFileSync } from "node:child_process";
import { linkSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { appendSpawnDebug, writeBreadcrumb } from "../../lib/teammates/store/spawns.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { agent, aProject, spawn, TOML } from "../support/a-spawn.ts";

const DEBUG = "tmp/gate-agent-spawns-debug.jsonl";
const CRUMB = "tmp/atm-session-id";

test("every call leaves a line and the session's id, readable by us alone", () => {
  const home = aProject({ toml: TOML });
  spawn(home, agent("scrum-master"), { session_id: "first-and-longer" });
  spawn(home, agent("rust-developer"), { session_id: "second" });
  const lines = home.lines(DEBUG);
  expect(lines.map((line) => [line.session_id, line.tool_input.subagent_type])).toEqual([
    ["first-and-longer", "scrum-master"],
    ["second", "rust-developer"],
  ]);
  expect(lines[0].process_id).toBeTypeOf("number");
  expect(home.read(CRUMB)).toBe("second");
  expect(statSync(home.path(DEBUG)).mode & 0o777).toBe(0o600);
  expect(statSync(home.path(CRUMB)).mode & 0o777).toBe(0o600);
});

test("only where ATM is in use: a .atm.toml, or its variables", () => {
  const home = aProject({});
  spawn(home, agent("rust-developer"));
  expect(home.has(DEBUG) || home.has(CRUMB)).toBe(false);
  spawn(home, agent("rust-developer"), {}, { env: { ATM_TEAM: "atm-dev" } });
  expect(home.has(DEBUG) && home.has(CRUMB)).toBe(true);
});

test("no session, no breadcrumb", () => {
  const home = aProject({ toml: TOML });
  spawn(home, agent("rust-developer"), { session_id: "" });
  expect(home.has(CRUMB)).toBe(false);
});

const planted: [string, (home: Home, name: string) => void][] = [
  ["a symlink", (home, name) => symlinkSync(home.path("victim"), home.path(name))],
  ["a symlink to nowhere", (home, name) => symlinkSync(home.path("nowhere"), home.path(name))],
  ["a hard link", (home, name) => linkSync(home.path("victim"), home.path(name))],
  ["a pipe nobody reads", (home, name) => void execFileSync("mkfifo", [home.path(name)])],
  ["a directory", (home, name) => void home.write(`${name}/x`, "")],
];

test.each(planted)("%s in their place is refused, never followed, never waited for", (_, plant) => {
  const home = aHome();
  const victim = home.write("victim", "precious");
  plant(home, DEBUG);
  plant(home, CRUMB);
  expect(() => appendSpawnDebug(home.paths, { a: 1 })).toThrow();
  expect(() => writeBreadcrumb(home.paths, "s")).toThrow();
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(home.has("nowhere")).toBe(false);
});

test("one refused trace does not keep the other from being left", () => {
  const home = aProject({ toml: TOML });
  home.write(`${DEBUG}/x`, "");
  expect(() => spawn(home, agent("rust-developer"))).toThrow(); // the runner's ring reports it
  expect(home.read(CRUMB)).toBe("s-1");
});
