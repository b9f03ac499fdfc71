// Where cost, limits and calls show up: the verbs, the board, the report, the status line and the doctor, from the built scripts.
import { describe, expect, test } from "vitest";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, TEAM } from "../support/a-team.ts";
import { anEasyNode } from "../support/an-easy-node.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { runSwarm } from "../support/run-built.ts";
import { answer, append, mainFile } from "./transcripts.ts";

const toml = (home: Home, text: string) => home.write(".claude/swarm/settings.toml", text);

function aPaidDay(): Home {
  const home = aHome();
  aDay(home);
  const at = new Date(Date.now() - 60_000).toISOString();
  append(
    home,
    mainFile("s-alice"),
    answer({ id: "m1", session: "s-alice", at, blocks: 3, input: 1_000_000, output: 1_000 }),
  );
  append(home, mainFile("s-bob"), answer({ id: "m2", session: "s-bob", at, model: "gpt-9", output: 77 }));
  return home;
}

describe("swarm cost", () => {
  test("--json has the shape it promises", () => {
    const { reply, exitCode } = runSwarm(aPaidDay(), ["cost", "--team", DAY_TEAM, "--since", "8h", "--json"]);
    const NONE = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    expect({ reply, exitCode }).toEqual({
      exitCode: 0,
      reply: {
        since: expect.stringMatching(/^\d{4}-.*Z$/),
        totals: { ...NONE, input: 1_000_000, output: 1_077, messages: 2, usd: 3.015, noPrice: ["gpt-9"] },
        rows: [
          { key: "alice", ...NONE, input: 1_000_000, output: 1_000, messages: 1, usd: 3.015 },
          { key: "bob", ...NONE, input: 0, output: 77, messages: 1, usd: null, noPrice: ["gpt-9"] },
        ],
      },
    });
  });

  test("a model without a price shows its tokens, and how to give it one", () => {
    const home = aPaidDay();
    const { stdout } = runSwarm(home, ["cost", "--by", "model"]);
    expect(stdout).toMatch(/^gpt-9 +0 +77 .* no price$/m);
    expect(stdout).toContain('[cost.prices."gpt-9"] in your settings.toml sets one');
    toml(home, '[cost.prices."gpt-9"]\ninput = 1\noutput = 1000.0\n');
    expect(runSwarm(home, ["cost", "--by", "model"]).stdout).toMatch(/^gpt-9 .* \$0\.0770$/m);
  });

  test.each([
    [["--by", "colour"], "--by is one of agent, task, model, day, team"],
    [["--since", "soon"], "--since is a time like"],
    [["--team", "../x"], "the team's name"],
  ])("%j is a bad call", (args, why) =>
    expect(runSwarm(aHome(), ["cost", ...args])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(why),
    }),
  );

  test("without a transcript there is nothing to count", () =>
    expect(runSwarm(aHome(), ["cost"])).toMatchObject({
      exitCode: 0,
      stdout: "the transcripts hold no answer of a model\n",
    }));

  test("without one of a team neither, and that says so", () => {
    const home = aHome();
    aTeam(home);
    expect(runSwarm(home, ["cost", "--team", TEAM]).stdout).toBe(
      `the transcripts hold no answer of a model in team ${TEAM}\n`,
    );
  });
});

test("the board has the limits, the reset of who hit one, and the cost", () => {
  const home = aPaidDay();
  const input = {
    session_id: "s-alice",
    rate_limits: { five_hour: { used_percentage: 62, resets_at: Math.floor(Date.now() / 1000) + 7200 } },
  };
  expect(runSwarm(home, ["statusline"], { stdin: JSON.stringify(input) }).exitCode).toBe(0);
  const path = ".claude/swarm/sessions/s-carol/session.json";
  home.write(path, { ...home.json(path), state: "idle", status: "error", failure: "rate_limit" });
  const reading = {
    at: Date.now(),
    window: "seven_day",
    used: 100,
    resetsAt: Date.now() + 3_600_000,
    session: "s-carol",
    account: "",
    hit: true,
  };
  home.write(
    ".claude/swarm/quota/readings.jsonl",
    `${home.read(".claude/swarm/quota/readings.jsonl")}${JSON.stringify(reading)}\n`,
  );
  const { stdout } = runSwarm(home, ["status", "--team", DAY_TEAM]);
  expect(stdout).toMatch(/^5-hour limit: 62 % used, resets .* \(in 2 h\)$/m);
  expect(stdout).toMatch(/^cost in 24 h: \$3\.02, some models without a price \(swarm cost\)$/m);
  expect(stdout).toMatch(/^carol .* rate-limited .* resets .*; its turn broke off/m);
});

test("a board without readings and transcripts says nothing of either", () => {
  const home = aHome();
  aDay(home);
  const { stdout } = runSwarm(home, ["status", "--team", DAY_TEAM]);
  expect(stdout).not.toMatch(/limit:|cost/);
});

test("the report has the cost of each agent, as text", () => {
  const home = aPaidDay();
  append(
    home,
    mainFile("x"),
    answer({
      id: "m9",
      session: "x",
      at: new Date().toISOString(),
      output: 5,
      fields: { agentName: "<b>eve</b>", teamName: DAY_TEAM },
    }),
  );
  const { stdout } = runSwarm(home, ["report", "--team", DAY_TEAM, "--out", "-"]);
  expect(stdout).toContain("<h2>Cost<small>$3.02 + no price</small></h2>");
  const figures = ["1", "1.0k", "$3.02"].map((text) => `<td class="number">${text}</td>`);
  expect(stdout).toContain(`<td>alice</td>${figures.join("")}`);
  expect(stdout).toContain("<td>&lt;b&gt;eve&lt;/b&gt;</td>");
});

test("the doctor names a target that failed until it works again, and a pause, which else looks like a broken agent", async () => {
  const home = aHome();
  const doctor = () => runSwarm(home, ["doctor"]).stdout;
  anEasyNode();
  toml(home, '[notify]\ntargets = [["false"]]\n');
  home.write(".claude/swarm/pauses.json", [{ by: "person", since: "2026-02-20T12:00:00Z", why: "lunch" }]);
  expect((await callSwarm(home, ["notify", "test"])).exitCode).toBe(1);
  const broken = doctor();
  expect(broken).toMatch(/warn {2}a call to you did not get through\n +false: exit code 1/);
  expect(broken).toContain("agents are paused and begin no tool call");
  expect(broken).toContain("everything: by person since 2026-02-20T12:00:00Z: lunch");
  toml(home, '[notify]\ntargets = [["true"]]\n');
  expect(await callSwarm(home, ["notify", "test"])).toMatchObject({ exitCode: 0, stdout: "true: sent\n" });
  const working = doctor();
  expect(working).toContain("you are called when an agent needs you");
  expect(working).not.toContain("did not get through");
});
