import { expect, onTestFinished, test, vi } from "vitest";
import type { Env } from "../../lib/core/process.ts";
import {
  attendanceOf,
  bytecodePlace,
  type Environment,
  readEnvironment,
  workingDirectory,
} from "../../lib/hook/environment.ts";
import { anError } from "../support/file-calls.ts";

test("the client's directory may be elsewhere", () => {
  const { paths } = readEnvironment({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c", ATM_HOME: "/a", TMPDIR: "/t" });
  expect(paths).toEqual({ home: "/h", base: "/c", atmHome: "/a", tmp: "/t" });
});

test("without HOME the system's answer is used", () =>
  expect(readEnvironment({}).paths.home).toMatch(/^(\/|[A-Z]:)/));

test("a working directory that was deleted is the home; another failure is an error", () => {
  const cwd = vi.spyOn(process, "cwd");
  onTestFinished(() => cwd.mockRestore());
  const failing = (code: string) =>
    cwd.mockImplementation(() => {
      throw anError(code);
    });
  failing("ENOENT");
  expect(workingDirectory("/h")).toBe("/h");
  failing("EACCES");
  expect(() => workingDirectory("/h")).toThrow("EACCES");
});

test("empty variables are not set", () => {
  const { named, wrapperId } = readEnvironment({
    HOME: "/h",
    CLAUDE_CODE_TEAM_NAME: " ",
    CLAUDE_SESSION_ID: "",
  });
  expect(named.team).toBeUndefined();
  expect(wrapperId).toBeUndefined();
});

test.each([
  ["claude-code_2-1-325_harness", "2.1.325"],
  ["claude-code_2-1-197_agent", "2.1.197"],
  ["something-else", undefined],
])("AI_AGENT %s is client %s", (agent, version) =>
  expect(readEnvironment({ HOME: "/h", AI_AGENT: agent }).clientVersion).toBe(version),
);

test.each([
  ["mission", "mission"],
  ["background", "background"],
  ["autonomous", "autonomous"],
  ["Mission ", "mission"],
  ["interactive", "interactive"],
  ["nonsense", "interactive"],
  [undefined, "interactive"],
])("mode %s is %s", (given, mode) =>
  expect(readEnvironment({ HOME: "/h", CLAUDE_SESSION_MODE: given }).mode).toBe(mode),
);

test("CLAUDE_PID names the client, our parent does where it is missing or nonsense", () => {
  expect(readEnvironment({ HOME: "/h", CLAUDE_PID: "4711" }).clientPid).toBe(4711);
  for (const pid of [undefined, "x", "-1", "0", "1"])
    expect(readEnvironment({ HOME: "/h", CLAUDE_PID: pid }).clientPid).toBe(process.ppid);
});

test("SWARM_DISABLE takes a list", () =>
  expect([...readEnvironment({ HOME: "/h", SWARM_DISABLE: "inbox, effort" }).disabled]).toEqual([
    "inbox",
    "effort",
  ]));

test.each<[string, Env, keyof Environment, unknown]>([
  ["the tool's own variable", { CLAUDECODE: "1" }, "insideClient", true],
  ["the client's process", { CLAUDE_PID: "4711" }, "insideClient", true],
  ["neither", { CLAUDECODE: "0", CLAUDE_PID: "x" }, "insideClient", false],
  ["a version of two numbers", { AI_AGENT: "claude-code_2-1_x" }, "clientVersion", undefined],
  ["another program", { AI_AGENT: "other_2-1-325_x" }, "clientVersion", undefined],
  ["words for numbers", { AI_AGENT: "claude-code_2-1-x_agent" }, "clientVersion", undefined],
  ["a compaction window", { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "50000" }, "compactWindow", 50_000],
  ["no large window", { CLAUDE_CODE_DISABLE_1M_CONTEXT: "true" }, "compactWindow", 200_000],
  ["a large window", { CLAUDE_CODE_DISABLE_1M_CONTEXT: "0" }, "compactWindow", undefined],
  ["a watched session", { CLAUDE_CODE_SESSION_ATTENDED: "1" }, "attended", true],
  ["an unwatched one", { CLAUDE_CODE_SESSION_ATTENDED: "0" }, "attended", false],
  ["an unknown one", { CLAUDE_CODE_SESSION_ATTENDED: "x" }, "attended", undefined],
  [
    "our own choice of terminals",
    { SWARM_MULTIPLEXER: "a", CLAUDE_CODE_TEAMMATE_MODE: "b" },
    "multiplexer",
    "a",
  ],
  ["the client's", { CLAUDE_CODE_TEAMMATE_MODE: "b" }, "multiplexer", "b"],
  ["keeping alive", { SWARM_KEEP_ALIVE: "true" }, "keepAlive", true],
  ["another word for it", { SWARM_KEEP_ALIVE: "1" }, "keepAlive", false],
  ["plain text", { NO_COLOR: "1" }, "noColour", true],
  ["an empty wish for it", { NO_COLOR: "" }, "noColour", false],
  ["no search path", {}, "path", ""],
  ["a search path", { PATH: "/bin" }, "path", "/bin"],
])("of %s", (_, env, key, expected) =>
  expect(readEnvironment({ HOME: "/h", ...env })[key]).toEqual(expected),
);

test.each<[Env, object]>([
  [{ HOME: "/h" }, { home: "/h", base: "/h/.claude", atmHome: "/h", tmp: "/tmp" }],
  [
    { USERPROFILE: "/u", TEMP: "/temp", TMP: "/other" },
    { home: "/u", base: "/u/.claude", tmp: "/temp" },
  ],
  [
    { HOME: "/h", USERPROFILE: "/u", TMP: "/other" },
    { home: "/h", tmp: "/other" },
  ],
])("paths from %j", (env, expected) => expect(readEnvironment(env).paths).toMatchObject(expected));

test.each<[Partial<Environment>, string]>([
  [{}, "attended"],
  [{ attended: true, entrypoint: "cli" }, "attended"],
  [{ attended: false }, "unattended"],
  [{ entrypoint: "sdk-cli" }, "unattended"],
  [{ mode: "mission" }, "unattended"],
  [{ mode: "background" }, "unattended"],
  [{ named: { agentId: "a-1", leadId: "a-0" } }, "unattended"],
  [{ named: { agentId: "a-0", leadId: "a-0" } }, "attended"],
])("%j is %s", (given, expected) =>
  expect(attendanceOf({ ...readEnvironment({ HOME: "/h" }), ...given })).toBe(expected),
);

test("bytecode lies where the client keeps the plugin's data, or below its directory, by version and options", () => {
  const begin = encodeURIComponent(`${process.version} ${process.arch}`);
  const place = (env: Env) => bytecodePlace({ HOME: "/h", ...env });
  expect(place({ CLAUDE_PLUGIN_DATA: "/d" })).toContain(`/d/bytecode/${begin}`);
  expect(place({})).toContain(`/h/.claude/swarm/cache/bytecode/${begin}`);
  expect(place({ NODE_OPTIONS: "--x" })).toMatch(/--x$/);
  expect(place({})).not.toContain("undefined");
});
