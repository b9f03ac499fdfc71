// The doctor on the built script: a home in order, and one in which much is broken.
import { chmodSync, mkdirSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, TEAM } from "../support/a-team.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

interface Found {
  level: string;
  what: string;
  evidence: string[];
  advice: string;
}

function examine(home: Home, env: Record<string, string> = {}) {
  const { exitCode, stdout } = runSwarm(home, ["doctor", "--json"], { env });
  const findings: Found[] = JSON.parse(stdout).findings;
  return { exitCode, findings, of: (level: string) => findings.filter((one) => one.level === level) };
}

/** One turn of a client that lives. */
function aTurn(home: Home) {
  const env = { CLAUDE_PID: String(process.pid), AI_AGENT: "claude-code_2-1-325_harness" };
  runHook(home, "session-start", { source: "startup" }, { env });
  runHook(home, "user-prompt-submit", { prompt: "go" }, { env });
  runHook(home, "pre-tool-use", { tool_name: "Bash", tool_input: { command: "ls" } }, { env });
  runHook(home, "stop", {}, { env });
}

test("after one turn everything is in order", () => {
  const home = aHome();
  aTurn(home);
  const { exitCode, findings, of } = examine(home);
  expect({ exitCode, bad: of("bad") }).toEqual({ exitCode: 0, bad: [] });
  const whats = findings.map((one) => one.what);
  expect(whats).toEqual(expect.arrayContaining(["Claude Code 2.1.325", "the command guard protects"]));
  expect(whats).toContainEqual(expect.stringMatching(/^4 events of \d+ fired$/));
});

test("every trouble is found, with what shows it and what to do", () => {
  const home = aHome();
  aTurn(home);
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session", pid: 4_194_300, pidStartedAt: "1" }]);
  home.write(".claude/swarm/processes/4194301.json", { pid: 4_194_301, startedAt: "1", session: "s-gone" });
  home.write(".claude/swarm/sessions/x.json.corrupt-2026-02-20", "{");
  home.write(".claude/swarm/settings.toml", "[guard]\nenabled = false\n[nonsense]\nx = 1\n");
  mkdirSync(home.path(`.claude/teams/${TEAM}/config.json.lock`));
  utimesSync(home.path(`.claude/teams/${TEAM}/config.json.lock`), 1, 1);
  chmodSync(home.path(".claude/swarm"), 0o755);
  const { exitCode, of } = examine(home);
  expect(exitCode).toBe(1);
  expect(of("bad").map((one) => one.what)).toEqual(["the command guard does not protect"]);
  expect(of("warn").map((one) => one.what)).toEqual([
    "some settings are not used",
    "1 damaged file was set aside",
    "1 lock left behind",
    "other users of this machine may look into the state directory",
    `the lead of ${TEAM} is gone`,
    "1 client ended without a word",
  ]);
  for (const { evidence, advice } of [...of("bad"), ...of("warn")]) {
    expect(evidence).not.toEqual([]);
    expect(advice).not.toBe("");
  }
});

test("it changes nothing", () => {
  const home = aHome();
  aTurn(home);
  const before = home.read(".claude/swarm/sessions/s-1.json");
  const stamps = home.read(".claude/swarm/fired/Stop");
  examine(home);
  expect([home.read(".claude/swarm/sessions/s-1.json"), home.read(".claude/swarm/fired/Stop")]).toEqual([
    before,
    stamps,
  ]);
});

test("a person reads the worst first, and the sum last", () => {
  const home = aHome();
  const { exitCode, stdout } = runSwarm(home, ["doctor"]);
  const lines = stdout.trimEnd().split("\n");
  expect(exitCode).toBe(1);
  expect(lines[0]).toBe("bad   the plugin is not installed");
  expect(lines.at(-1)).toMatch(/^2 bad, 1 to look at, \d+ in order$/);
});
