// Costs, to the token: transcripts made for it, counted by the verb's own code.
import { appendFileSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import { BEYOND, costsOf } from "../../lib/people/store/costs.ts";
import { tasksAt } from "../../lib/people/store/task-times.ts";
import { listTranscripts, readPart } from "../../lib/people/store/transcripts.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { anError, onFileCalls } from "../support/file-calls.ts";
import { type Asked, costs, counting, NOW } from "./costs.ts";
import { agentFile, answer, append, MODEL, mainFile } from "./transcripts.ts";

const row = (home: Home, key: string, asked: Asked = {}) =>
  costs(home, asked).rows.find((one) => one.key === key);
const keys = (home: Home, asked: Asked = {}) =>
  costs(home, asked)
    .rows.map(({ key }) => key)
    .sort();
const INDEX = ".claude/swarm/cost/index.jsonl";
const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, messages: 0 };

test.each([
  ["ENOENT", false],
  ["EACCES", false],
  ["EISDIR", false],
  ["EIO", true],
])("a transcript that cannot be read by %s is an error: %s", (code, fails) => {
  const home = aHome();
  append(home, mainFile("s1"), answer({ id: "m1", session: "s1" }));
  const [file] = listTranscripts(home.paths);
  const part = () => readPart(home.paths, file?.path ?? "", 0);
  expect(part()?.text).toContain('"m1');
  onFileCalls((name, [path]) => {
    if (name === "openSync" && String(path).endsWith(".jsonl")) throw anError(code);
  });
  if (fails) expect(part).toThrow(code);
  else expect(part()).toBeUndefined();
});

describe("each message counts once", () => {
  test("however many content blocks it has", () => {
    const home = aHome();
    append(
      home,
      mainFile("s1"),
      answer({
        id: "m1",
        session: "s1",
        blocks: 5,
        input: 10,
        output: 20,
        read: 30,
        write5m: 40,
        write1h: 50,
      }),
    );
    for (const _ of ["read", "remembered"])
      expect(costs(home).totals).toMatchObject({
        ...{ input: 10, output: 20, cacheRead: 30, cacheWrite5m: 40, cacheWrite1h: 50, messages: 1 },
      });
  });

  test("of several records of a message the most of each kind", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 10, output: 25 }),
      ...answer({ id: "m1", session: "s1", input: 12, output: 1 }),
    ]);
    for (const _ of ["read", "remembered"])
      expect(costs(home).totals).toMatchObject({ input: 12, output: 25, messages: 1 });
  });

  test("the last record of a message that was written while it streamed is the whole one", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 10, output: 1 }),
      ...answer({ id: "m1", session: "s1", input: 10, output: 25 }),
    ]);
    expect(costs(home).totals).toMatchObject({ input: 10, output: 25, messages: 1 });
  });

  test("also when the rest of its records comes after a first count", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    expect(costs(home).totals.output).toBe(1);
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 25 }));
    expect(costs(home).totals).toMatchObject({ output: 25, messages: 1 });
    expect(costs(home).totals).toMatchObject({ output: 25, messages: 1 });
  });

  test("a record that says nothing new is not written down again", () => {
    const home = aHome();
    for (const _ of [1, 2]) {
      append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
      costs(home);
    }
    expect(home.read(INDEX).match(/^\["m"/gm)).toHaveLength(1);
  });

  test("a fork copies records under a new session: they stay the first one's", () => {
    const home = aHome();
    append(home, mainFile("first"), answer({ id: "m1", session: "first", output: 100 }));
    expect(costs(home).totals.output).toBe(100);
    append(home, mainFile("fork"), [
      ...answer({ id: "m1", session: "fork", output: 100 }),
      ...answer({ id: "m2", session: "fork", output: 7 }),
    ]);
    expect(costs(home).totals).toMatchObject({ output: 107, messages: 2 });
    expect(row(home, "first")).toMatchObject({ output: 100 });
    expect(row(home, "fork")).toMatchObject({ output: 7 });
  });

  test("of two that are new the older file is the first, whatever its name", () => {
    const home = aHome();
    append(home, mainFile("z-first"), answer({ id: "m1", session: "z-first", output: 100 }));
    const born = (session: string) => statSync(home.path(mainFile(session))).birthtimeMs;
    do {
      rmSync(home.path(mainFile("a-fork")), { force: true });
      append(home, mainFile("a-fork"), answer({ id: "m1", session: "a-fork", output: 100 }));
    } while (born("a-fork") <= born("z-first"));
    expect(keys(home)).toEqual(["z-first"]);
  });

  test("a record belongs to the session it names, not to the one its file is named after", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", output: 1 }),
      ...answer({ id: "m2", session: "s2", output: 2, fields: { session_id: "s1" } }),
    ]);
    expect(row(home, "s2")).toMatchObject({ output: 2 });
  });

  test("a resumed session goes on in its file or in a new one with copies", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    append(home, mainFile("s1"), answer({ id: "m2", session: "s1", output: 2 }));
    append(
      home,
      mainFile("s2"),
      ["m1", "m2"].flatMap((id) => answer({ id, session: "s1", output: id === "m1" ? 1 : 2 })),
    );
    append(home, mainFile("s2"), answer({ id: "m3", session: "s2", output: 4 }));
    expect(costs(home).totals).toMatchObject({ output: 7, messages: 3 });
  });

  test("compaction repeats nothing and is no message; a synthetic one is none either", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", output: 3 }),
      { type: "system", subtype: "compact_boundary", sessionId: "s1", timestamp: "2026-02-20T11:01:00Z" },
      {
        type: "user",
        isCompactSummary: true,
        sessionId: "s1",
        message: { content: 'text with "usage" in it' },
      },
      ...answer({ id: "m1", session: "s1", output: 3 }),
      ...answer({ id: "m9", session: "s1", output: 999, model: "<synthetic>" }),
    ]);
    expect(costs(home).totals).toMatchObject({ output: 3, messages: 1 });
  });

  test("a tool result that looks like an answer is none", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      {
        type: "user",
        sessionId: "s1",
        message: { id: "x", model: MODEL, usage: { output_tokens: 50 }, content: [] },
      },
      {
        type: "progress",
        sessionId: "s1",
        data: { message: answer({ id: "y", session: "s1", output: 60 })[0] },
      },
      ...answer({ id: "m1", session: "s1", output: 5 }),
    ]);
    expect(costs(home).totals.output).toBe(5);
  });
});

describe("who it was", () => {
  function aWorkingTeam(): Home {
    const home = aHome();
    aTeam(home, [
      { name: "team-lead", sessionId: "lead-session" },
      { name: "alice", sessionId: "s-alice" },
      "dora",
    ]);
    append(home, mainFile("lead-session"), answer({ id: "l1", session: "lead-session", output: 1 }));
    append(
      home,
      agentFile("lead-session", "aexplore1"),
      answer({
        id: "e1",
        session: "lead-session",
        output: 10,
        fields: { agentId: "aexplore1", isSidechain: true },
      }),
    );
    home.write(agentFile("lead-session", "aexplore1").replace(".jsonl", ".meta.json"), {
      agentType: "Explore",
      spawnDepth: 1,
    });
    append(
      home,
      agentFile("lead-session", "anested", "deeper/still/"),
      answer({ id: "e2", session: "lead-session", output: 20 }),
    );
    append(
      home,
      agentFile("lead-session", "adora-0123456789abcdef"),
      answer({ id: "d1", session: "lead-session", output: 100 }),
    );
    home.write(agentFile("lead-session", "adora-0123456789abcdef").replace(".jsonl", ".meta.json"), {
      agentType: "dora",
      name: "dora",
      taskKind: "in_process_teammate",
      teamName: TEAM,
    });
    home.write(agentFile("lead-session", "anested", "deeper/still/").replace(".jsonl", ".meta.json"), {
      ...{ agentType: "Plan", parentAgentId: "aexplore1", spawnDepth: 2 },
      name: "of no team",
    });
    append(home, mainFile("s-alice"), answer({ id: "a1", session: "s-alice", output: 1000 }));
    append(
      home,
      mainFile("pane"),
      answer({ id: "p1", session: "pane", output: 10_000, fields: { agentName: "paul", teamName: TEAM } }),
    );
    append(
      home,
      mainFile("5f0e8a4c-1111-4222-8333-444455556666"),
      answer({ id: "x1", session: "5f0e8a4c-1111-4222-8333-444455556666", output: 100_000 }),
    );
    return home;
  }

  test("sessions, subagents at any depth, in-process, pane and headless teammates, and strangers", () => {
    const home = aWorkingTeam();
    const outputs = Object.fromEntries(costs(home).rows.map(({ key, output }) => [key, output]));
    expect(outputs).toEqual({
      [`team-lead@${TEAM}`]: 1,
      [`team-lead/Explore@${TEAM}`]: 10,
      [`team-lead/Plan@${TEAM}`]: 20,
      [`dora@${TEAM}`]: 100,
      [`alice@${TEAM}`]: 1000,
      [`paul@${TEAM}`]: 10_000,
      "5f0e8a4c": 100_000,
    });
    expect(costs(home).totals.output).toBe(111_131);
  });

  test("the lead is the one whom the team's config says, also without an id", () => {
    const home = aHome();
    const boss = { name: "boss", agentType: "team-lead" };
    home.write(CONFIG, { name: TEAM, leadSessionId: "lead-session", members: [boss] });
    append(home, mainFile("lead-session"), answer({ id: "l1", session: "lead-session", output: 1 }));
    expect(keys(home)).toEqual([`boss@${TEAM}`]);
  });

  test("--team counts its members alone, under their plain names", () => {
    const home = aWorkingTeam();
    const { totals } = costs(home, { team: TEAM });
    expect(totals).toMatchObject({ output: 11_131, messages: 6 });
    expect(keys(home, { team: TEAM })).toEqual([
      "alice",
      "dora",
      "paul",
      "team-lead",
      "team-lead/Explore",
      "team-lead/Plan",
    ]);
    expect(costs(home, { team: "other" })).toMatchObject({ totals: NONE, rows: [] });
  });

  test("a name is remembered when the team and its records are gone", () => {
    const home = aWorkingTeam();
    costs(home);
    rmSync(home.path(".claude/teams"), { recursive: true });
    expect(row(home, `alice@${TEAM}`)).toMatchObject({ output: 1000 });
  });

  test("what was counted stays counted when the client deletes the transcript", () => {
    const home = aWorkingTeam();
    costs(home);
    rmSync(home.path(mainFile("s-alice")));
    expect(row(home, `alice@${TEAM}`)).toMatchObject({ output: 1000 });
  });

  test.each(["agent", "owner", "task", "model", "day", "team"] as const)(
    "by %s the rows add up to the totals",
    (by) => {
      const { totals, rows } = costs(aWorkingTeam(), { by });
      const sum = (name: "output" | "messages" | "usd") => rows.reduce((n, one) => n + (one[name] ?? 0), 0);
      expect([sum("output"), sum("messages")]).toEqual([totals.output, totals.messages]);
      expect(sum("usd")).toBeCloseTo(totals.usd ?? Number.NaN, 5);
    },
  );
});

test("a model without a price has none, and what has one is summed up", () => {
  const home = aHome();
  append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1, model: "gpt-9" }));
  append(home, mainFile("s2"), answer({ id: "m2", session: "s2", output: 1, model: "" }));
  expect(costs(home).totals).toMatchObject({ usd: null, noPrice: ["", "gpt-9"] });
  append(home, mainFile("s3"), answer({ id: "m3", session: "s3", input: 1_000_000 }));
  expect(costs(home).totals).toMatchObject({ usd: 3, noPrice: ["", "gpt-9"] });
  expect(row(home, "s3")).not.toHaveProperty("noPrice");
  expect(keys(home, { by: "model" })).toEqual(["(no model)", MODEL, "gpt-9"]);
  expect(costs(aHome()).totals).toEqual({ ...NONE, usd: 0 });
});

test("rows: the dearest first, then the longest answers, then by name; what has no price last", () => {
  const home = aHome();
  const said = (session: string, more: object) =>
    append(home, mainFile(session), answer({ id: session, session, ...more }));
  said("cheap", { input: 1_000_000 });
  said("dear", { input: 2_000_000 });
  said("b-none", { model: "gpt-9", output: 5 });
  said("a-none", { model: "gpt-9", output: 5 });
  said("most-none", { model: "gpt-9", output: 9 });
  expect(costs(home).rows.map(({ key }) => key)).toEqual(["dear", "cheap", "most-none", "a-none", "b-none"]);
});

test("transcripts are looked for ten directories deep, and only such files", () => {
  const home = aHome();
  const at = (depth: number) => `.claude/projects/${"d/".repeat(depth)}s${depth}.jsonl`;
  for (const depth of [0, 10, 11])
    append(home, at(depth), answer({ id: `m${depth}`, session: `s${depth}`, output: 1 }));
  append(home, ".claude/projects/p/s-x.json", answer({ id: "m-x", session: "s-x", output: 1 }));
  expect(keys(home)).toEqual(["s0", "s10"]);
});

describe("when it was", () => {
  test("--since leaves out what is older, and days are separate", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", output: 1, at: "2026-02-18T11:00:00Z" }),
      ...answer({ id: "m2", session: "s1", output: 2, at: "2026-02-19T11:00:00Z" }),
      ...answer({ id: "m3", session: "s1", output: 4, at: "2026-02-20T11:00:00Z" }),
    ]);
    expect(costs(home, { since: new Date("2026-02-19T11:00:00Z") }).totals.output).toBe(6);
    expect(costs(home, { since: new Date("2026-02-19T11:00:00.001Z") }).totals.output).toBe(4);
    expect(costs(home, { by: "day" }).rows.map(({ key, output }) => [key, output])).toEqual([
      ["2026-02-18", 1],
      ["2026-02-19", 2],
      ["2026-02-20", 4],
    ]);
  });
});

describe("what a record says", () => {
  const totals = (more: Record<string, unknown>, given: object = {}) => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", more, ...given }));
    const read = costs(home).totals;
    expect(costs(home).totals).toEqual(read); // as the index has it
    return read;
  };
  const opus = { model: "claude-opus-4-6", input: 1_000_000 };

  test.each<[string, Record<string, unknown>, object, number]>([
    ["in fast mode", { speed: "fast" }, opus, 30],
    ["in the usual one", { speed: "standard" }, opus, 5],
    ["in one region", { inference_geo: "us" }, opus, 5.5],
    ["anywhere", { inference_geo: "global" }, opus, 5],
    ["with searches", { server_tool_use: { web_search_requests: 2 } }, opus, 5.02],
  ])("%s", (_, more, given, usd) => expect(totals(more, given).usd).toBe(usd));

  test.each<[string, Record<string, unknown>, number, number]>([
    ["without a detail all is for five minutes", { cache_creation: undefined }, 10, 0],
    [
      "an hour's part is at most the whole",
      { cache_creation: { ephemeral_1h_input_tokens: 99, ephemeral_5m_input_tokens: 5 } },
      0,
      10,
    ],
    [
      "without the whole the parts are it",
      {
        cache_creation_input_tokens: undefined,
        cache_creation: { ephemeral_1h_input_tokens: 3, ephemeral_5m_input_tokens: 4 },
      },
      4,
      3,
    ],
  ])("cache writes: %s", (_, more, cacheWrite5m, cacheWrite1h) =>
    expect(totals(more, { write5m: 10 })).toMatchObject({ cacheWrite5m, cacheWrite1h }),
  );

  test.each<[string, object]>([
    ["its message's id", {}],
    ["its request's id", { message: undefined }],
    ["its own id", { message: undefined, requestId: undefined }],
  ])("by %s it is counted once", (_, without) => {
    const home = aHome();
    const twice = [0, 1].map(() => {
      const [one = {}] = answer({ id: "m1", session: "s1", output: 3, blocks: 1 });
      const { message, ...fields } = one as { message: Record<string, unknown> };
      const { id: _id, ...rest } = message;
      return { ...fields, ...without, message: "message" in without ? rest : message };
    });
    append(home, mainFile("s1"), twice);
    expect(costs(home).totals).toMatchObject({ output: 3, messages: 1 });
  });

  test("without a session it is its file's", () => {
    const home = aHome();
    append(home, mainFile("s9"), answer({ id: "m1", session: "", output: 3 }));
    expect(keys(home)).toEqual(["s9"]);
  });

  test("a subagent's name is not its session's, a teammate's is its own", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    const fields = { agentName: "ada", teamName: TEAM };
    append(home, agentFile("s1", "a1"), answer({ id: "m2", session: "s1", output: 2, fields }));
    const file = agentFile("s1", "a2");
    append(home, file, answer({ id: "m3", session: "s1", output: 4 }));
    home.write(file.replace(".jsonl", ".meta.json"), { name: "eve", teamName: TEAM, agentType: "x" });
    expect(keys(home)).toEqual([`eve@${TEAM}`, "s1", "s1/subagent"].sort());
  });
});

describe("beyond the transcripts", () => {
  const costState = (session: string, usd: number, models: Record<string, unknown>) => ({
    type: "cost-state",
    sessionId: session,
    totalCostUSD: usd,
    modelUsage: models,
  });
  const model = (inputTokens: number, outputTokens: number, costUSD: number) => ({
    [MODEL]: {
      inputTokens,
      outputTokens,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      webSearchRequests: 0,
      costUSD,
    },
  });

  test("where the client's figure is ours there is no such row", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000, output: 100_000 }),
      costState("s1", 4.5, model(1_000_000, 100_000, 4.5)),
    ]);
    expect(keys(home)).toEqual(["s1"]);
    expect(costs(home).totals.usd).toBe(4.5);
  });

  test("a compaction's request is a row of its own, and only the last figure of a session counts", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000 }),
      costState("s1", 3, model(1_000_000, 0, 3)),
    ]);
    append(home, mainFile("s1"), [costState("s1", 4.8, model(1_100_000, 100_000, 4.8))]);
    append(home, mainFile("s1"), [costState("s1", 4.8, model(1_100_000, 100_000, 4.8))]);
    for (const _ of [1, 2]) {
      expect(row(home, BEYOND)).toEqual({ key: BEYOND, ...NONE, input: 100_000, output: 100_000, usd: 1.8 });
      expect(costs(home).totals).toMatchObject({ input: 1_100_000, output: 100_000, messages: 1, usd: 4.8 });
    }
    expect(home.read(INDEX).match(/^\["c"/gm)).toHaveLength(2);
  });

  test("a fork's figure that includes the original's is not counted again", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000 }),
      costState("s1", 3, model(1_000_000, 0, 3)),
    ]);
    append(home, mainFile("s2"), [
      ...answer({ id: "m1", session: "s2", input: 1_000_000 }),
      ...answer({ id: "m2", session: "s2", input: 1_000_000 }),
      costState("s2", 6, model(2_000_000, 0, 6)),
    ]);
    expect(costs(home).totals).toMatchObject({ input: 2_000_000, usd: 6 });
  });

  test("each figure adds what grew since the one before it, at its own time", () => {
    const home = aHome();
    const at = (hour: number) => `2026-02-20T0${hour}:00:00Z`;
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000, at: at(1) }),
      costState("s1", 4.5, model(1_500_000, 0, 4.5)),
    ]);
    append(home, mainFile("s1"), [
      ...answer({ id: "m2", session: "s1", input: 1_000_000, at: at(5) }),
      costState("s1", 9, model(3_000_000, 0, 9)),
    ]);
    expect(row(home, BEYOND)).toMatchObject({ input: 1_000_000, usd: 3 });
    expect(row(home, BEYOND, { since: new Date(at(4)) })).toMatchObject({ input: 500_000, usd: 1.5 });
  });

  test("a fork is known as one in later runs too", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", input: 1_000_000 }));
    append(home, mainFile("s2"), answer({ id: "m1", session: "s2", input: 1_000_000 }));
    costs(home);
    append(home, mainFile("s2"), [costState("s2", 3, model(1_000_000, 0, 3))]);
    expect(costs(home).totals.usd).toBe(3);
  });

  test("a fork's figure also includes the subagents and the compactions of what it was forked from", () => {
    const home = aHome();
    const at = (hour: number) => `2026-02-20T0${hour}:00:00Z`;
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", input: 1_000_000, at: at(1) }));
    append(home, agentFile("s1", "a1"), answer({ id: "m2", session: "s1", input: 1_000_000, at: at(2) }));
    append(home, mainFile("s1"), [
      ...answer({ id: "m3", session: "s1", input: 1_000_000, at: at(3) }),
      costState("s1", 12, model(4_000_000, 0, 12)),
    ]);
    append(home, mainFile("s2"), [
      ...answer({ id: "m1", session: "s2", input: 1_000_000, at: at(1) }),
      ...answer({ id: "m3", session: "s2", input: 1_000_000, at: at(3) }),
      ...answer({ id: "m4", session: "s2", input: 1_000_000, at: at(5) }),
      costState("s2", 15, model(5_000_000, 0, 15)),
    ]);
    expect(row(home, BEYOND)).toMatchObject({ input: 1_000_000, usd: 3 });
    expect(costs(home).totals).toMatchObject({ input: 5_000_000, usd: 15 });
    append(home, mainFile("s3"), [
      ...answer({ id: "m1", session: "s3", input: 1_000_000, at: at(1) }),
      ...answer({ id: "m4", session: "s3", input: 1_000_000, at: at(5) }),
      ...answer({ id: "m5", session: "s3", input: 1_000_000, at: at(7) }),
      costState("s3", 21, model(7_000_000, 0, 21)),
    ]);
    expect(row(home, BEYOND)).toMatchObject({ input: 2_000_000, usd: 6 });
    expect(costs(home).totals).toMatchObject({ input: 7_000_000, usd: 21 });
  });

  test("subagents and in-process teammates are in the session's figure already", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", input: 1_000_000 }));
    append(home, agentFile("s1", "a1"), answer({ id: "m2", session: "s1", input: 1_000_000 }));
    append(home, mainFile("s1"), [costState("s1", 6, model(2_000_000, 0, 6))]);
    expect(row(home, BEYOND)).toBeUndefined();
  });

  test("also where they went on after the session's own last answer", () => {
    const home = aHome();
    append(
      home,
      mainFile("s1"),
      answer({ id: "m1", session: "s1", input: 1_000_000, at: "2026-02-20T10:00:00Z" }),
    );
    append(
      home,
      agentFile("s1", "a1"),
      answer({ id: "m2", session: "s1", input: 1_000_000, at: "2026-02-20T10:30:00Z" }),
    );
    append(home, mainFile("s1"), [costState("s1", 6, model(2_000_000, 0, 6))]);
    expect(costs(home).totals).toMatchObject({ input: 2_000_000, usd: 6 });
  });

  test("a figure is of the time at which it was written, by the session's own clock", () => {
    const home = aHome();
    const begun = Date.parse("2026-02-20T10:00:00Z");
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000, at: "2026-02-20T10:00:01Z" }),
      { ...costState("s1", 6, model(2_000_000, 0, 6)), startTime: begun, totalDuration: 3_600_000 },
    ]);
    expect(row(home, BEYOND, { since: new Date(begun + 3_600_000) })).toMatchObject({
      input: 1_000_000,
      usd: 3,
    });
    expect(row(home, BEYOND, { since: new Date(begun + 3_600_001) })).toBeUndefined();
  });

  test("a fork's figure does not include what the original did after it", () => {
    const home = aHome();
    const at = (hour: number) => `2026-02-20T0${hour}:00:00Z`;
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000, at: at(1) }),
      ...answer({ id: "m3", session: "s1", input: 1_000_000, at: at(4) }),
    ]);
    append(home, mainFile("s2"), [
      ...answer({ id: "m1", session: "s2", input: 1_000_000, at: at(1) }),
      ...answer({ id: "m2", session: "s2", input: 1_000_000, at: at(3) }),
      { ...costState("s2", 9, model(3_000_000, 0, 9)), startTime: Date.parse(at(5)) },
    ]);
    expect(row(home, BEYOND)).toMatchObject({ input: 1_000_000, usd: 3 });
  });

  test("two sessions that copied each other are no circle", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", input: 1_000_000 }));
    costs(home);
    append(home, mainFile("s2"), [
      ...answer({ id: "m1", session: "s2", input: 1_000_000 }),
      ...answer({ id: "m2", session: "s2", input: 1_000_000 }),
      costState("s2", 6, model(2_000_000, 0, 6)),
    ]);
    costs(home);
    append(home, mainFile("s1"), [
      ...answer({ id: "m2", session: "s1", input: 1_000_000 }),
      costState("s1", 6, model(2_000_000, 0, 6)),
    ]);
    expect(costs(home).totals.usd).toBe(6);
  });

  test.each<[string, object, object | undefined]>([
    ["tokens without money", costState("s1", 3, model(1_100_000, 0, 3)), { input: 100_000, usd: 0 }],
    ["money without tokens", costState("s1", 4, model(1_000_000, 0, 4)), { input: 0, usd: 1 }],
    ["a rounding", costState("s1", 3.00005, model(1_000_000, 0, 3)), undefined],
  ])("%s", (_, figure, expected) => {
    const home = aHome();
    append(home, mainFile("s1"), [...answer({ id: "m1", session: "s1", input: 1_000_000 }), figure]);
    if (expected) expect(row(home, BEYOND)).toMatchObject(expected);
    else expect(row(home, BEYOND)).toBeUndefined();
  });

  test("of a model without a price it is the client's own, by its share; with one of one's own by the tokens", () => {
    const home = aHome();
    const used = { inputTokens: 2_000_000, costUSD: 10 };
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000, model: "gpt-9" }),
      costState("s1", 10, { "gpt-9": used }),
    ]);
    for (const _ of ["read", "remembered"])
      expect(row(home, BEYOND)).toMatchObject({ input: 1_000_000, usd: 5 });
    const prices = { "gpt-9": { input: 2, output: 2 } };
    expect(row(home, BEYOND, { prices })).toMatchObject({ input: 1_000_000, usd: 2 });
  });

  test("a price of one's own does not turn into a difference", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000 }),
      costState("s1", 3, model(1_000_000, 0, 3)),
    ]);
    expect(costs(home, { prices: { [MODEL]: { input: 1, output: 1 } } }).totals.usd).toBe(1);
    expect(costs(home, { prices: { [MODEL]: { input: 9, output: 9 } } }).totals.usd).toBe(9);
  });
});

describe("later runs", () => {
  test("cost only the new bytes", () => {
    const home = aHome();
    const read = () => {
      const bytes: number[] = [];
      const limits = { until: Number.POSITIVE_INFINITY, progress: (n: number) => bytes.push(n) };
      const { totals } = costsOf({ paths: home.paths, now: NOW, prices: {} }, limits).by("agent");
      return { bytes: bytes.at(-1) ?? 0, output: totals.output };
    };
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    append(home, mainFile("s2"), answer({ id: "m2", session: "s2", output: 2 }));
    const size = (session: string) => statSync(home.path(mainFile(session))).size;
    expect(read()).toEqual({ bytes: size("s1") + size("s2"), output: 3 });
    expect(read()).toEqual({ bytes: 0, output: 3 });
    const before = size("s1");
    append(home, mainFile("s1"), answer({ id: "m3", session: "s1", output: 4 }));
    expect(read()).toEqual({ bytes: size("s1") - before, output: 7 });
  });

  test("a line that is still being written waits for its end", () => {
    const home = aHome();
    const line = JSON.stringify(answer({ id: "m1", session: "s1", output: 8 })[0]);
    home.write(mainFile("s1"), line.slice(0, 60));
    expect(costs(home).totals.output).toBe(0);
    appendFileSync(home.path(mainFile("s1")), `${line.slice(60)}\n`);
    expect(costs(home).totals.output).toBe(8);
  });

  test("a file that became shorter is read from its beginning, and nothing counts twice", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", output: 1 }),
      ...answer({ id: "m2", session: "s1", output: 2 }),
    ]);
    costs(home);
    truncateSync(home.path(mainFile("s1")), 0);
    append(home, mainFile("s1"), answer({ id: "m3", session: "s1", output: 4 }));
    expect(costs(home).totals).toMatchObject({ output: 7, messages: 3 });
  });

  test("a damaged or torn index costs time, not a wrong sum", () => {
    const home = aHome();
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", output: 1 }),
      ...answer({ id: "m2", session: "s1", output: 2 }),
    ]);
    costs(home);
    const text = home.read(INDEX);
    for (const cut of [0, 1, 20, text.length - 30, text.length - 1]) {
      home.write(INDEX, text.slice(0, cut));
      expect(costs(home).totals).toMatchObject({ output: 3, messages: 2 });
    }
    home.write(INDEX, `${text}${text}not json\n[1]\n{}\n`);
    expect(costs(home).totals).toMatchObject({ output: 3, messages: 2 });
  });

  test("an index that cannot be written, as on a full disk, costs time, not the sum", () => {
    const home = aHome();
    aTeam(home, [{ name: "alice", sessionId: "s1" }]);
    for (const session of ["s1", "s2"])
      append(home, mainFile(session), answer({ id: `m-${session}`, session, output: 1 }));
    home.write(".claude/swarm/cost", "a file in the place of the directory");
    takeProblems();
    expect(keys(home)).toEqual([`alice@${TEAM}`, "s2"]);
    expect(takeProblems()).toEqual([expect.stringContaining("what was counted cannot be kept: ")]);
    rmSync(home.path(".claude/swarm/cost"));
    expect(costs(home).totals).toMatchObject({ output: 2, messages: 2 });
    expect(home.read(INDEX)).toContain("m-s2");
  });

  test("another file of the same name is read from its beginning", () => {
    const home = aHome();
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    costs(home);
    append(home, "new.jsonl", [
      ...answer({ id: "m2", session: "s1", output: 2 }),
      ...answer({ id: "m3", session: "s1", output: 4 }),
    ]);
    renameSync(home.path("new.jsonl"), home.path(mainFile("s1")));
    expect(costs(home).totals).toMatchObject({ output: 7, messages: 3 });
  });

  test("a record without a time is of the time before it, also of an earlier run", () => {
    const home = aHome();
    const untimed = (id: string) =>
      answer({ id, session: "s1", output: 1, fields: { timestamp: undefined } });
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", output: 1, at: "2026-02-18T11:00:00Z" }),
      ...untimed("m2"),
    ]);
    costs(home);
    append(home, mainFile("s1"), untimed("m3"));
    expect(costs(home, { by: "day" }).rows.map(({ key, messages }) => [key, messages])).toEqual([
      ["2026-02-18", 3],
    ]);
  });

  test("an index of many needless lines is written anew, with all it knows", () => {
    const home = aHome();
    aTeam(home, [{ name: "team-lead" }, { name: "alice", sessionId: "s1" }]);
    const task = { type: "tool_use", name: "TaskUpdate", input: { taskId: "7", status: "in_progress" } };
    append(home, mainFile("s1"), [
      ...answer({ id: "m1", session: "s1", input: 1_000_000, content: [task] }),
      ...answer({ id: "m2", session: "s1", output: 5, at: "2026-02-20T11:30:00Z" }),
      {
        type: "cost-state",
        sessionId: "s1",
        totalCostUSD: 9,
        modelUsage: { [MODEL]: { inputTokens: 3_000_000 } },
      },
    ]);
    append(home, mainFile("s2"), answer({ id: "m1", session: "s2", input: 1_000_000 }));
    const all = () => (["agent", "task", "day"] as const).map(counting(home).by);
    const before = all();
    const text = home.read(INDEX);
    const lines = text.split("\n").length - 1;
    const linesWith = (more: number) => {
      home.write(INDEX, `${text}${"[]\n".repeat(more)}`);
      expect(all()).toEqual(before);
      return home.read(INDEX).split("\n").length - 1;
    };
    expect(linesWith(10_000 - lines)).toBe(10_000);
    expect(linesWith(10_001 - lines)).toBe(lines);
    rmSync(home.path(".claude/projects"), { recursive: true });
    rmSync(home.path(".claude/teams"), { recursive: true });
    expect(all()).toEqual(before);
    append(home, mainFile("s2"), [
      {
        type: "cost-state",
        sessionId: "s2",
        startTime: Date.parse("2026-02-20T11:45:00Z"),
        totalCostUSD: 3,
        modelUsage: { [MODEL]: { inputTokens: 1_000_000 } },
      },
    ]);
    expect(costs(home).totals.usd).toBe(before[0]?.totals.usd); // it is still known as a fork
  });

  test("a record longer than one read", () => {
    const home = aHome();
    home.write(mainFile("s1"), `${"x".repeat(8 * 1024 * 1024)}\n`);
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    expect(costs(home).totals).toMatchObject({ output: 1, messages: 1 });
  });

  test("what there is no time for is said and read by the next run", () => {
    const home = aHome();
    for (const n of [1, 2, 3])
      append(home, mainFile(`s${n}`), answer({ id: `m${n}`, session: `s${n}`, output: n }));
    const first = counting(home, { until: 0 });
    expect(first.unread.files).toBe(2);
    expect(first.by("agent").totals.messages).toBe(1);
    const second = counting(home);
    expect(second.unread).toEqual({ files: 0, bytes: 0 });
    expect(second.by("agent").totals.output).toBe(6);
  });

  test("broken records and strange files are passed over", () => {
    const home = aHome();
    home.write(
      mainFile("s1"),
      '{"usage"\n"usage"\nnull "usage"\n[1,"usage"]\n{"type":"assistant","usage":1}\n{"type":"assistant","message":{"id":"z","usage":{"output_tokens":"many","input_tokens":-5,"cache_read_input_tokens":1e999}}}\n',
    );
    append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 1 }));
    home.write(".claude/projects/-project/notes.txt", '{"usage"');
    expect(costs(home).totals).toMatchObject({ ...NONE, output: 1, messages: 2 });
  });
});

describe("what happens meanwhile", () => {
  const inTheMiddle = (home: Home, then: () => void) => {
    let isDone = false;
    const progress = () => {
      if (!isDone) then();
      isDone = true;
    };
    costsOf({ paths: home.paths, now: NOW, prices: {} }, { until: Number.POSITIVE_INFINITY, progress });
  };

  test("a transcript that is removed, or is none any more, does not keep the others from being counted", () => {
    const home = aHome();
    const sessions = ["s1", "s2", "s3", "s4"];
    for (const session of sessions)
      append(home, mainFile(session), answer({ id: `m-${session}`, session, output: 1 }));
    const [, gone = "", other = ""] = listTranscripts(home.paths).map(
      ({ path }) => `.claude/projects/${path}`,
    );
    inTheMiddle(home, () => {
      for (const path of [gone, other]) rmSync(home.path(path));
      home.write(`${other}/in-its-place`, "");
    });
    expect(costs(home).totals.messages).toBe(2);
  });

  test("what another run adds while the index is written anew is read again, also of a file that is read in parts", () => {
    const home = aHome();
    append(home, mainFile("s0"), answer({ id: "m0", session: "s0", output: 1 }));
    costs(home);
    const rewritten = home.read(INDEX); // by a run that began before the next one
    const filler = { type: "user", text: "x".repeat(5 * 1024 * 1024) };
    for (const id of ["m1", "m2", "m3"])
      append(home, mainFile("s1"), [...answer({ id, session: "s1", output: 1 }), filler]);
    inTheMiddle(home, () => void home.write(INDEX, rewritten));
    expect(costs(home).totals.messages).toBe(4);
    expect(costs(home).totals.messages).toBe(4);
  });

  test("what a subagent is may be written after its first words", () => {
    const home = aHome();
    const path = agentFile("s1", "a1");
    append(home, path, answer({ id: "m1", session: "s1", output: 1 }));
    expect(keys(home)).toEqual(["s1/subagent"]);
    home.write(path.replace(/jsonl$/, "meta.json"), { agentType: "Explore" });
    append(home, path, answer({ id: "m2", session: "s1", output: 1 }));
    expect(keys(home)).toEqual(["s1/Explore"]);
  });
});

describe("tasks", () => {
  const journal = (at: string, what: string, task: string, status: string, owner: string) => ({
    id: `j-${task}-${at}`,
    at,
    event: "command",
    session: "",
    agent: owner || "team-lead",
    feature: "tasks",
    what,
    list: TEAM,
    task,
    subject: `subject ${task}`,
    status,
    owner,
  });

  test("go to the agent that had them in progress, by swarm task and by the client's Task tools", () => {
    const home = aHome();
    aTeam(home, [
      { name: "team-lead", sessionId: "lead-session" },
      { name: "alice", sessionId: "s-alice" },
    ]);
    const at = (minute: number) => `2026-02-20T11:${String(minute).padStart(2, "0")}:00Z`;
    home.write(
      ".claude/swarm/journal/2026-02-20.jsonl",
      [
        journal(at(10), "task-claimed", "1", "in_progress", "alice"),
        journal(at(20), "task-completed", "1", "completed", "alice"),
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    const move = (id: string, minute: number, taskId: string, status: string) =>
      answer({
        id,
        session: "s-alice",
        at: at(minute),
        output: 1,
        content: [{ type: "tool_use", id: "t", name: "TaskUpdate", input: { taskId, status } }],
      });
    append(home, mainFile("s-alice"), [
      ...answer({ id: "m1", session: "s-alice", output: 1, at: at(5) }),
      ...answer({ id: "m2", session: "s-alice", output: 10, at: at(15) }),
      ...move("m3", 30, "2", "in_progress"),
      ...answer({ id: "m4", session: "s-alice", output: 100, at: at(35) }),
      ...move("m5", 40, "2", "completed"),
      ...answer({ id: "m6", session: "s-alice", output: 1000, at: at(45) }),
    ]);
    append(
      home,
      agentFile("s-alice", "a1"),
      answer({ id: "m7", session: "s-alice", output: 10_000, at: at(12) }),
    );
    append(
      home,
      mainFile("lead-session"),
      answer({ id: "m8", session: "lead-session", output: 100_000, at: at(12) }),
    );
    const outputs = costs(home, { by: "task", team: TEAM }).rows.map(({ key, subject, output }) => [
      key,
      subject,
      output,
    ]);
    expect(outputs.sort()).toEqual([
      ["#1", "subject 1", 10_010],
      ["#2", undefined, 102],
      ["(no task)", undefined, 101_001],
    ]);
    expect(keys(home, { by: "task" })).toEqual(["(no task)", `${TEAM} #1`, `${TEAM} #2`].sort());
  });
});

describe("who had a task in progress at a moment", () => {
  const NOBODY = { moves: new Map() } as never;
  const at = (minute: number) => Date.parse(`2026-02-20T11:${String(minute).padStart(2, "0")}:00Z`);
  const line = (minute: number, status: string, owner: string, more: object = {}) => ({
    ...{
      id: `j${minute}`,
      at: new Date(at(minute)).toISOString(),
      event: "command",
      session: "s",
      agent: "alice",
    },
    ...{ feature: "tasks", what: "task", list: TEAM, task: "1", subject: "parse", status, owner, ...more },
  });

  // alice's task at 11:10, 11:20, … by the lines before.
  test.each<[string, object[], string, string]>([
    [
      "from its claim to its end",
      [line(10, "in_progress", "alice"), line(20, "completed", "alice")],
      "alice",
      "-11--",
    ],
    [
      "until it is deleted, which leaves its status as it was",
      [line(10, "in_progress", "alice"), line(20, "in_progress", "alice", { what: "task-deleted" })],
      "alice",
      "-11--",
    ],
    [
      "a second claim changes nothing",
      [line(10, "in_progress", "alice"), line(20, "in_progress", "alice")],
      "alice",
      "-1111",
    ],
    [
      "given to another",
      [line(10, "in_progress", "alice"), line(20, "in_progress", "bob")],
      "alice",
      "-11--",
    ],
    [
      "taken from another",
      [line(10, "in_progress", "alice"), line(20, "in_progress", "bob")],
      "bob",
      "--111",
    ],
    ["without an owner it is whose line it is", [line(10, "in_progress", "")], "alice", "-1111"],
    [
      "again after its end",
      [line(10, "in_progress", ""), line(20, "pending", ""), line(40, "in_progress", "")],
      "alice",
      "-11-1",
    ],
    ["another feature's line", [line(10, "in_progress", "alice", { feature: "mail" })], "alice", "-----"],
    ["a line without a task", [line(10, "in_progress", "alice", { task: 1 })], "alice", "-----"],
    ["a line without a status", [line(10, "", "alice")], "alice", "-----"],
    ["an end without a beginning", [line(10, "pending", "alice")], "alice", "-----"],
    ["another list", [line(10, "in_progress", "alice", { list: "other" })], "alice", "-----"],
  ])("%s", (_, lines, owner, expected) => {
    const home = aHome();
    home.write(
      ".claude/swarm/journal/2026-02-20.jsonl",
      lines.map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
    const taskAt = tasksAt(home.paths, NOBODY, () => ({ team: TEAM, label: "", owner: "" }), NOON);
    const found = [0, 10, 20, 30, 40].map((minute) =>
      taskAt({ team: TEAM, label: owner, owner }, "s", at(minute)),
    );
    expect(found.map((one) => one?.task ?? "-").join("")).toBe(expected);
    expect(found.find((one) => one)?.subject ?? "parse").toBe("parse");
  });

  test.each<[string, [number, string, string][], string, string]>([
    [
      "given on, as it is",
      [
        [10, "in_progress", ""],
        [20, "", "bob"],
      ],
      "alice",
      "-11--",
    ],
    [
      "taken over, as it is",
      [
        [10, "in_progress", ""],
        [20, "", "bob"],
      ],
      "bob",
      "--111",
    ],
    ["only given to somebody", [[10, "", "alice"]], "alice", "-----"],
  ])("by the client's Task tools: %s", (_, given, owner, expected) => {
    const home = aHome();
    const moves = given.map(([minute, status, to], n) => [
      `${n}`,
      { session: "s", agentId: "", at: at(minute), task: "1", status, owner: to },
    ]);
    const index = { moves: new Map(moves as never) } as never;
    const taskAt = tasksAt(home.paths, index, () => ({ team: "", label: "", owner: "alice" }), NOON);
    const found = [0, 10, 20, 30, 40].map((minute) =>
      taskAt({ team: "", label: "", owner }, "s", at(minute)),
    );
    expect(found.map((one) => one?.task ?? "-").join("")).toBe(expected);
  });

  test("a call of another tool is none", () => {
    const home = aHome();
    const input = { taskId: "1", status: "in_progress", note: "TaskUpdate" };
    append(
      home,
      mainFile("s1"),
      answer({
        ...{ id: "m1", session: "s1", output: 1 },
        content: [
          { type: "tool_use", name: "TaskGet", input: { ...input, note: 'see "TaskUpdate"' } },
          { type: "text", name: "TaskUpdate", input },
        ],
      }),
    );
    expect(keys(home, { by: "task" })).toEqual(["(no task)"]);
  });

  test.each<[string, object, string]>([
    ["in progress, with its time", {}, "-1"],
    ["pending", { status: "pending" }, "--"],
    ["without an owner", { owner: undefined }, "--"],
    ["without its time", { metadata: {} }, "--"],
  ])("by the task's own file: %s", (_, more, expected) => {
    const home = aHome();
    aTeam(home);
    home.write(`.claude/tasks/${TEAM}/1.json`, {
      ...{ id: "1", subject: "parse", status: "in_progress", owner: "alice", blocks: [], blockedBy: [] },
      metadata: { swarm: { lease: { at: new Date(at(10)).toISOString() } } },
      ...more,
    });
    const taskAt = tasksAt(home.paths, NOBODY, () => ({ team: TEAM, label: "", owner: "" }), NOON);
    const found = [0, 20].map((minute) =>
      taskAt({ team: TEAM, label: "a", owner: "alice" }, "s", at(minute)),
    );
    expect(found.map((one) => one?.task ?? "-").join("")).toBe(expected);
    expect(found.flatMap((one) => one?.subject ?? [])).toEqual(expected === "-1" ? ["parse"] : []);
  });
});

test("a task, a list or a team that cannot be read is named, and hides the costs of no other", async () => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "alice", sessionId: "s1" }]);
  append(home, mainFile("s1"), answer({ id: "m1", session: "s1", output: 7 }));
  home.write(`.claude/tasks/${TEAM}/1.json`, {
    ...{ id: "1", subject: "parse", status: "in_progress", owner: "alice", blocks: [], blockedBy: [] },
    metadata: { swarm: { lease: { at: "2026-02-20T10:50:00Z" } } },
  });
  home.write(`.claude/tasks/${TEAM}/2.json/in-its-place`, "");
  home.write(".claude/teams/broken/config.json/in-its-place", "");
  home.write(".claude/teams/other/config.json", { name: "other", members: [] });
  home.write(".claude/tasks/other/1.json", {});
  onFileCalls((name, [path]) => {
    if (name === "readdirSync" && String(path).endsWith("tasks/other")) throw anError("EACCES");
  });
  const { stdout, exitCode } = await callSwarm(home, ["cost", "--by", "task"]);
  expect(stdout).toMatch(new RegExp(`^${TEAM} #1 parse +0 +7 `, "m"));
  expect(stdout).toMatch(
    new RegExp(`^task #2 of ${TEAM} was left out: .*2\\.json is not a regular file$`, "m"),
  );
  expect(stdout).toMatch(/^team broken was left out: .*config\.json is not a regular file$/m);
  expect(stdout).toMatch(/^the tasks of other were left out: EACCES/m);
  expect(exitCode).toBe(0);
  const { stdout: printed } = await callSwarm(home, ["cost", "--by", "task", "--json"]);
  expect(JSON.parse(printed).leftOut).toHaveLength(3);
});

test("a team's lead is called by its own name, and an unnamed subagent by its parent's", () => {
  const home = aHome();
  aTeam(home, [
    { name: "boss", agentId: `team-lead@${TEAM}` },
    { name: "alice", sessionId: "s-alice" },
  ]);
  append(home, mainFile("lead-session"), answer({ id: "l1", session: "lead-session", output: 1 }));
  append(
    home,
    agentFile("lead-session", "aada-0123456789abcdef"),
    answer({ id: "e1", session: "lead-session", output: 2 }),
  );
  append(home, agentFile("lead-session", "aplain"), answer({ id: "e2", session: "lead-session", output: 4 }));
  append(
    home,
    agentFile("lead-session", "abob-0123456789abcdef"),
    answer({ id: "e3", session: "lead-session", output: 8 }),
  );
  home.write(agentFile("lead-session", "abob-0123456789abcdef").replace(".jsonl", ".meta.json"), {
    agentType: "Explore",
  });
  expect(keys(home)).toEqual(
    [`ada@${TEAM}`, `boss@${TEAM}`, `boss/Explore@${TEAM}`, `boss/subagent@${TEAM}`].sort(),
  );
});

test("a lead further down, a record of no agent, and a member that has said nothing", () => {
  const home = aHome();
  aTeam(home, [
    { name: "alice", sessionId: "s-silent" },
    { name: "boss", agentId: `team-lead@${TEAM}` },
  ]);
  home.write(".claude/swarm/sessions/s-half/session.json", {
    ...{ session: "s-half", team: TEAM, state: "idle", status: "done", startedAt: "", lastSeen: "" },
  });
  for (const session of ["lead-session", "s-half"])
    append(home, mainFile(session), answer({ id: session, session, output: 1 }));
  expect(keys(home)).toEqual([`boss@${TEAM}`, "s-half"].sort());
  expect(home.read(INDEX)).not.toContain("s-silent");
});
