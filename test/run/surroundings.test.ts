import { expect, test } from "vitest";
import { surroundings } from "../../lib/run/surroundings.ts";

test("the client's directory may be elsewhere", () => {
  const { places } = surroundings({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c", ATM_HOME: "/a", TMPDIR: "/t" });
  expect(places).toEqual({ home: "/h", base: "/c", atmHome: "/a", tmp: "/t" });
});

test("without HOME the system's answer is used", () =>
  expect(surroundings({}).places.home).toMatch(/^(\/|[A-Z]:)/));

test("empty variables are not set", () => {
  const { named, wrapperId } = surroundings({
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
  expect(surroundings({ HOME: "/h", AI_AGENT: agent }).clientVersion).toBe(version),
);

test.each([
  ["mission", "mission"],
  ["background", "background"],
  ["interactive", "interactive"],
  ["nonsense", "interactive"],
  [undefined, "interactive"],
])("mode %s is %s", (given, mode) =>
  expect(surroundings({ HOME: "/h", CLAUDE_SESSION_MODE: given }).mode).toBe(mode),
);

test("CLAUDE_PID names the client, our parent does where it is missing or nonsense", () => {
  expect(surroundings({ HOME: "/h", CLAUDE_PID: "4711" }).clientPid).toBe(4711);
  for (const pid of [undefined, "x", "-1", "0", "1"])
    expect(surroundings({ HOME: "/h", CLAUDE_PID: pid }).clientPid).toBe(process.ppid);
});

test("SWARM_DISABLE takes a list", () =>
  expect([...surroundings({ HOME: "/h", SWARM_DISABLE: "inbox, effort" }).disabled]).toEqual([
    "inbox",
    "effort",
  ]));
