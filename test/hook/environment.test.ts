import { expect, test } from "vitest";
import { readEnvironment } from "../../lib/hook/environment.ts";

test("the client's directory may be elsewhere", () => {
  const { paths } = readEnvironment({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c", ATM_HOME: "/a", TMPDIR: "/t" });
  expect(paths).toEqual({ home: "/h", base: "/c", atmHome: "/a", tmp: "/t" });
});

test("without HOME the system's answer is used", () =>
  expect(readEnvironment({}).paths.home).toMatch(/^(\/|[A-Z]:)/));

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
