// The bug report on the built script, over a home full of private things.
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, aTeam, inboxOf } from "../support/a-team.ts";
import { anEasyNode } from "../support/an-easy-node.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

const BODY = "the merger is off, tell nobody";
const SECRETS = [
  "sk-ant-api03-PLANTED0123456789",
  "ghp_PLANTEDabcdefghijkl123456",
  "hunter2-PLANTED",
  "PLANTED-in-the-environment",
];

function aLeakyHome(): Home {
  const home = aHome();
  anEasyNode();
  aTeam(home);
  const env = { CLAUDE_PID: String(process.pid), AI_AGENT: "claude-code_2-1-325_harness" };
  runHook(home, "session-start", { source: "startup" }, { env });
  runHook(home, "user-prompt-submit", { prompt: BODY }, { env });
  const command = `TOKEN=${SECRETS[0]} pkill -f "${BODY}"`;
  runHook(home, "pre-tool-use", { tool_name: "Bash", tool_input: { command }, tool_use_id: "t" }, { env });
  runHook(home, "stop", { last_assistant_message: BODY }, { env });
  home.write(inboxOf("alice"), [aMessage("bob", BODY)]);
  home.write(inboxOf("bob"), `[{"text": "${BODY}" oops`);
  runSwarm(home, ["inbox", "--team", "atm-dev", "--agent", "bob"]);
  home.write(
    ".claude/swarm/settings.toml",
    `[tasks]\nverify = "curl -H 'x: ${SECRETS[1]}'"\nverify_timeout_s = 60\n[core]\nwelcome-message = "${BODY}"\n[nonsense]\nx = "${SECRETS[1]}"\n`,
  );
  const at = new Date().toISOString();
  const errors = [
    {
      at,
      event: "Stop",
      feature: "inbox",
      error: `Unexpected token 't', "${BODY}" is not valid JSON`,
      where: "at f (x.cjs:1:2)",
    },
    { at, event: "Stop", feature: "tasks", error: `spawn failed: PASSWORD=${SECRETS[2]} npm test` },
    { at, event: "Stop", feature: "comms", error: `curl: ${SECRETS[3]} was refused` },
  ];
  home.write(".claude/swarm/errors.jsonl", errors.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return home;
}

/** Of the last two neither is a secret: one has no such name, one is too short to be found in a text. */
const env = { MY_API_TOKEN: SECRETS[3] ?? "", MY_WORDS: "was refused", MY_KEY: "curl" };
const report = (home: Home, ...args: string[]) => runSwarm(home, ["bug-report", ...args], { env });

test.each([[["--out", "-"]], [["--out", "-", "--json"]]])("%j holds no secret and no message", (args) => {
  const home = aLeakyHome();
  const { exitCode, stdout } = report(home, ...args);
  expect(exitCode).toBe(0);
  for (const planted of [BODY, "merger", ...SECRETS, "PLANTED", home.root])
    expect(stdout).not.toContain(planted);
});

test("but what a fault needs: versions, findings, settings, times, errors, rules", () => {
  const data = JSON.parse(report(aLeakyHome(), "--out", "-", "--json").stdout);
  expect(data.versions).toMatchObject({ clients: ["2.1.325"], node: process.versions.node });
  expect(data.findings.map((one: { what: string }) => one.what)).toContain("some settings are not used");
  expect(data.settings).toMatchObject({
    "tasks.verify_timeout_s": "60 (person)",
    "core.welcome-message": "text of 30 characters (person)",
  });
  expect(data.events.map((one: { event: string }) => one.event)).toContain("PreToolUse");
  expect(data.errors).toHaveLength(3);
  expect(data.errors[0]).toMatchObject({ feature: "inbox", where: "at f (x.cjs:1:2)" });
  expect(data.errors[2].error).toBe("curl: [removed] was refused");
  expect(data.decisions).toEqual({ "command-guard deny kill-by-name": 1 });
  expect(data.processEnvironment).toContain("CLAUDE_PROJECT_DIR");
});

test("a file of its own, never over another", () => {
  const home = aHome();
  const { stdout } = report(home);
  const path = stdout.split("\n")[0] ?? "";
  expect(path).toMatch(/\.claude\/swarm\/reports\/swarm-bug-report-\d{8}T\d{6}Z\.txt$/);
  expect(home.read(path.slice(home.root.length))).toMatch(/^## Versions\n\nswarm: \d/);
  expect(report(home, "--out", path)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("is there already"),
  });
  const json = JSON.parse(report(home, "--json", "--out", "bug.json").stdout);
  expect(home.json("project/bug.json").versions.swarm).toMatch(/^\d/);
  expect(json.path).toBe(home.path("project/bug.json"));
});
