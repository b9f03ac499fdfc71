import { expect, test } from "vitest";
import { elapsedMs } from "../../lib/core/process.ts";
import { PreToolUse, SessionEnd, Stop } from "../../lib/hook/events.ts";
import { always, runInTime, runSteps, type Steps } from "../../lib/hook/run.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";

const steps = (given: Steps<typeof Stop>) => given;

test("features speak in order", () => {
  const ctx = aContext(aHome(), Stop);
  const outcomes = runSteps(
    Stop,
    steps({ one: () => ({ context: "1" }), two: () => undefined, three: () => ({ context: "3" }) }),
    ctx,
  );
  expect(outcomes.map((one) => one.feature)).toEqual(["one", "three"]);
});

test("what is denied is not recorded as done: later features do not run", () => {
  const ran: string[] = [];
  const later = () => void ran.push("later");
  runSteps(Stop, steps({ gate: () => ({ deny: "no" }), later }), aContext(aHome(), Stop));
  expect(ran).toEqual([]);
});

test.each([
  ["comes along with a denial", { deny: "no" }, ["gate", "inbox"]],
  ["waits where the client would read the reason alone", { deny: "no", loud: true }, ["gate"]],
])("mail %s", (_, verdict, speaking) => {
  const outcomes = runSteps(
    Stop,
    steps({
      gate: () => verdict,
      later: () => ({ context: "a record" }),
      inbox: always(() => ({ context: "mail" })),
      last: () => ({ context: "words" }),
    }),
    aContext(aHome(), Stop),
  );
  expect(outcomes.map((one) => one.feature)).toEqual(speaking);
});

test("one feature falls, the others stand, and the log names the fallen", () => {
  const home = aHome();
  const broken = () => {
    throw new Error("boom");
  };
  const outcomes = runSteps(
    Stop,
    steps({ broken, sound: () => ({ context: "still here" }) }),
    aContext(home, Stop),
  );
  expect(outcomes).toEqual([{ feature: "sound", context: "still here" }]);
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([
    { event: "Stop", session: "s-1", feature: "broken", error: "boom" },
  ]);
});

test("a handler that never ends takes nothing back: the denial before it is said", () => {
  const home = aHome();
  const gate = { ...Stop, stoppedAfterMs: 300 };
  const inbox = () => {
    for (;;);
  };
  const outcomes = runInTime(
    gate,
    steps({ guard: () => ({ deny: "no" }), inbox: always(inbox) }),
    aContext(home, Stop),
  );
  expect(outcomes).toEqual([{ feature: "guard", deny: "no" }]);
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([
    { event: "Stop", error: "stopped after 300 ms" },
  ]);
});

test("far past the deadline what is left is skipped and reported", () => {
  const home = aHome();
  const deadline = elapsedMs() - Stop.deadlineMs - 1;
  const ctx = { ...aContext(home, Stop), deadline, settings: aContext(home, Stop).settings };
  expect(runSteps(Stop, steps({ slow: () => ({ context: "late" }) }), ctx)).toEqual([]);
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([
    { feature: "slow", error: expect.stringContaining("far past its") },
  ]);
});

test("past the deadline alone a step still runs: a busy machine is no reason to leave it out", () => {
  const home = aHome();
  const ctx = { ...aContext(home, Stop), deadline: elapsedMs() - 1, settings: aContext(home, Stop).settings };
  expect(runSteps(Stop, steps({ late: () => ({ context: "late" }) }), ctx)).toHaveLength(1);
});

test("a step that always runs is never skipped", () => {
  const home = aHome();
  const deadline = elapsedMs() - 10 * Stop.deadlineMs;
  const ctx = { ...aContext(home, Stop), deadline, settings: aContext(home, Stop).settings };
  expect(runSteps(Stop, steps({ inbox: always(() => ({ context: "late" })) }), ctx)).toHaveLength(1);
});

test.each([
  ["the environment", { env: { SWARM_DISABLE: "other, mine" } }, ""],
  ["the settings", {}, "[features]\nmine = false"],
])("a feature is switched off by %s", (_, given, toml) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", toml);
  const outcomes = runSteps(
    Stop,
    steps({ mine: () => ({ context: "1" }), yours: () => ({ context: "2" }) }),
    aContext(home, Stop, {}, given),
  );
  expect(outcomes.map((one) => one.feature)).toEqual(["yours"]);
});

test("a project's file switches no feature off", () => {
  const home = aHome();
  home.write("project/.atm.toml", "[features]\nmine = false");
  const outcomes = runSteps(Stop, steps({ mine: () => ({ context: "1" }) }), aContext(home, Stop));
  expect(outcomes.map((one) => one.feature)).toEqual(["mine"]);
});

test("a step for some tools runs for those alone", () => {
  const one = { one: { tools: ["Bash"], handle: () => ({ context: "1" }) } };
  const ran = (input: object) =>
    runSteps(PreToolUse, one, aContext(aHome(), PreToolUse, { ...input })).length;
  expect([ran({ tool_name: "Bash" }), ran({ tool_name: "Read" }), ran({})]).toEqual([1, 0, 0]);
});

test.each([
  ["runs for a teammate by its environment", "alice", undefined, 1],
  ["runs for a teammate by its record alone", undefined, { team: "alpha", agent: "alice" }, 1],
  ["runs for a lead that has joined a second team", "team-lead", { team: "beta", agent: "alice" }, 1],
  ["does not run for a lead", "team-lead", undefined, 0],
  ["nor for one by its record alone", undefined, { team: "alpha", agent: "team-lead", isLead: true }, 0],
  ["nor for a session without a team", undefined, undefined, 0],
])("a step for teammates %s", (_, named, known, times) => {
  const home = aHome();
  const at = "2026-02-20T11:00:00Z";
  const record = { session: "s-1", state: "idle", status: "done", startedAt: at, lastSeen: at, ...known };
  if (known) home.write(".claude/swarm/sessions/s-1/session.json", JSON.stringify(record));
  const env = named ? { CLAUDE_CODE_TEAM_NAME: "alpha", CLAUDE_CODE_AGENT_NAME: named } : undefined;
  const ctx = aContext(home, Stop, {}, { env });
  expect(
    runSteps(Stop, steps({ one: { teammates: true, handle: () => ({ context: "1" }) } }), ctx),
  ).toHaveLength(times);
});

const stopIn = (home: Home) => ({ ...aContext(home, Stop) });

test.each<[string, string, (ctx: ReturnType<typeof stopIn>) => ReturnType<typeof stopIn>]>([
  ["it is far too late", "far past its", (ctx) => ({ ...ctx, deadline: elapsedMs() - 10 * Stop.deadlineMs })],
  [
    "the settings cannot be read",
    "no settings",
    (ctx) =>
      Object.defineProperty(ctx, "settings", {
        get() {
          throw new Error("no settings");
        },
      }),
  ],
])("a feature whose failure a person must hear of says so where %s", (_, error, changed) => {
  const home = aHome();
  const guard = { handle: () => ({ context: "checked" }), onFailure: () => ({ notice: "it failed" }) };
  const outcomes = runSteps(Stop, steps({ guard }), changed(stopIn(home)));
  expect(outcomes).toEqual([{ feature: "guard", notice: "it failed" }]);
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([{ error: expect.stringContaining(error) }]);
});

test("a feature whose failure a person must hear of says so, and the error is logged", () => {
  const home = aHome();
  const broken = {
    handle: () => {
      throw new Error("boom");
    },
    onFailure: () => ({ notice: "it failed" }),
  };
  const outcomes = runSteps(Stop, steps({ broken }), aContext(home, Stop));
  expect(outcomes).toEqual([{ feature: "broken", notice: "it failed" }]);
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([
    {
      event: "Stop",
      session: "s-1",
      feature: "broken",
      error: "boom",
      where: expect.stringContaining("at "),
    },
  ]);
});

test("what is thrown need not be an error, and a long one is cut", () => {
  const home = aHome();
  const thrown = (what: unknown) => () => {
    throw what;
  };
  runSteps(Stop, steps({ a: thrown("words"), b: thrown(new Error("x".repeat(900))) }), aContext(home, Stop));
  const [words, long] = home.lines(".claude/swarm/errors.jsonl");
  expect(words).toMatchObject({ feature: "a", error: "words" });
  expect(words).not.toHaveProperty("where");
  expect(long.error).toHaveLength(500);
});

test("handlers are given the outcomes of those before", () => {
  const ctx = aContext(aHome(), Stop);
  const seen: number[] = [];
  const count = (one: typeof ctx) => {
    seen.push(one.outcomes.length);
    return { context: "x" };
  };
  runSteps(Stop, steps({ a: count, b: () => undefined, c: count }), ctx);
  expect(seen).toEqual([0, 1]);
});

test("only the end of a session finishes after SIGTERM", () =>
  expect([SessionEnd.finishes, Stop.finishes]).toEqual([true, undefined]));

test("with a hard limit the latest begin is half of it", () => {
  const home = aHome();
  const event = { ...Stop, deadlineMs: 1_000, stoppedAfterMs: 10_000 };
  const ran = (sinceStart: number) => {
    const deadline = elapsedMs() - sinceStart + event.deadlineMs;
    const ctx = { ...aContext(home, Stop), deadline, settings: aContext(home, Stop).settings };
    return runSteps(event, steps({ one: () => ({ context: "1" }) }), ctx).length;
  };
  expect([ran(4_000), ran(5_001)]).toEqual([1, 0]);
});
