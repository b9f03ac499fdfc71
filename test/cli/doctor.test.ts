// The doctor on the built script: a home in order, and one in which much is broken.
import { chmodSync, existsSync, mkdirSync, utimesSync } from "node:fs";
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
  for (const event of ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"])
    home.write(`.claude/swarm/fired/${event}`, "30.0\n"); // not how long this busy machine took
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
  home.write(".claude/swarm/fired/Stop", "900.0\n");
  home.write(".claude/swarm/settings.toml", "[guard]\nenabled = false\n[nonsense]\nx = 1\n");
  mkdirSync(home.path(`.claude/teams/${TEAM}/config.json.lock`));
  utimesSync(home.path(`.claude/teams/${TEAM}/config.json.lock`), 1, 1);
  chmodSync(home.path(".claude/swarm"), 0o755);
  const { exitCode, of } = examine(home);
  expect(exitCode).toBe(1);
  expect(of("bad").map((one) => one.what)).toEqual(["the command guard does not protect"]);
  expect(of("warn").map((one) => one.what)).toEqual([
    "`swarm` is not on a terminal's PATH",
    "the client asks before harmless verbs of `swarm`",
    "some settings are not used",
    "1 damaged file was set aside",
    "1 lock left behind",
    "other users of this machine can read the state directory",
    `the lead of ${TEAM} is gone`,
    "1 client ended unexpectedly",
    "1 event took longer than 400 ms in one of twenty runs",
  ]);
  for (const { evidence, advice } of [...of("bad"), ...of("warn")]) {
    expect(evidence).not.toEqual([]);
    expect(advice).not.toBe("");
  }
});

test("without --fix it changes nothing", () => {
  const home = aHome();
  aTurn(home);
  const before = home.read(".claude/swarm/sessions/s-1/session.json");
  const stamps = home.read(".claude/swarm/fired/Stop");
  examine(home);
  expect([
    home.read(".claude/swarm/sessions/s-1/session.json"),
    home.read(".claude/swarm/fired/Stop"),
  ]).toEqual([before, stamps]);
});

test("--fix shows first, takes away only what was left behind, and writes it down", () => {
  const home = aHome();
  aTurn(home);
  const damaged = home.write(".claude/swarm/sessions/x.json.corrupt-2026-02-20", "{");
  const half = home.write(".claude/swarm/sessions/y.json.tmp.1f-2", "{");
  const young = home.write(".claude/swarm/sessions/z.json.tmp.1f-3", "{");
  const [left, held] = ["a", "b"].map((name) => home.path(`.claude/swarm/sessions/${name}.json.lock`));
  for (const lock of [left, held]) mkdirSync(lock as string);
  for (const path of [half, left]) utimesSync(path as string, 1, 1);
  const shown = runSwarm(home, ["doctor", "--fix"]).stdout;
  expect(shown.split("\n").sort()).toEqual(
    [
      "",
      "Nothing was repaired; `swarm doctor --fix --yes` does it.",
      `would delete ${damaged}`,
      `would delete ${half}`,
      `would release ${left}`,
    ].sort(),
  );
  expect([damaged, half, left].map((path) => existsSync(path as string))).toEqual([true, true, true]);
  expect(runSwarm(home, ["doctor", "--fix", "--yes"]).exitCode).toBe(0);
  expect([damaged, half, left].map((path) => existsSync(path as string))).toEqual([false, false, false]);
  expect([young, held].map((path) => existsSync(path as string))).toEqual([true, true]);
  const day = new Date().toISOString().slice(0, 10);
  const notes = home.lines(`.claude/swarm/journal/${day}.jsonl`).filter((line) => line.feature === "doctor");
  expect(notes.map(({ path }) => path).sort()).toEqual([damaged, half, left].sort());
  expect(runSwarm(home, ["doctor", "--fix"]).stdout).toBe("Nothing to repair.\n");
});

test("--yes alone is a bad call", () =>
  expect(runSwarm(aHome(), ["doctor", "--yes"])).toMatchObject({ exitCode: 2 }));

test("a person reads the worst first, and the sum last", () => {
  const home = aHome();
  const { exitCode, stdout } = runSwarm(home, ["doctor"]);
  const lines = stdout.trimEnd().split("\n");
  expect(exitCode).toBe(1);
  expect(lines[0]).toBe("bad   the plugin is not installed");
  expect(lines.at(-1)).toMatch(/^2 bad, 3 to look at, \d+ in order$/);
});

test.each([
  ["the doctor", ["doctor"]],
  ["swarm config", ["config"]],
])("a key that a project may not set is reported by %s", (_, args) => {
  const home = aHome();
  home.write("project/.atm.toml", "[mail]\ndeliver = []\n[gate]\nmax_teammates = 3");
  const { stdout } = runSwarm(home, args);
  const file = home.path(".claude/swarm/settings.toml");
  expect(stdout).toContain(
    `${home.path("project/.atm.toml")}: mail.deliver is ignored: a project may not set it; it belongs in your own ${file}`,
  );
  expect(stdout).not.toContain("gate.max_teammates is ignored");
});
