// How a verb's words and flags are read and its answer is printed, with verbs made for it.
import { expect, onTestFinished, test, vi } from "vitest";
import {
  badCall,
  byAction,
  type Caller,
  type Command,
  command,
  evaluate,
  refused,
  unconfirmed,
} from "../../lib/cli/command.ts";
import { evaluateCli, runCli } from "../../lib/cli/run.ts";
import { requireDay, sinceOf } from "../../lib/cli/since.ts";
import { identityIn, speakerOf } from "../../lib/cli/speaker.ts";
import { noMember, noTeam, requireMemberName, requireTeamName } from "../../lib/cli/unknown-names.ts";
import { noteProblem } from "../../lib/core/process.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import type { SessionRecord } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";
import { insteadOfFs } from "../support/instead-of-fs.ts";

const caller = (env: Record<string, string> = {}): Caller => ({
  environment: readEnvironment({ HOME: "/nowhere", ...env }),
  cwd: "/nowhere",
  stdin: () => "",
});
const run = (verb: Command<any>, args: string[]) => evaluate(verb, args, () => caller());
const page = { name: "toy", summary: "a toy", usage: "swarm toy\nMore." };
const toy = command({
  ...page,
  flags: { one: "text", many: "texts", on: "switch", maybe: "optional" },
  words: "any",
  run: ({ words, flags }) => ({ text: JSON.stringify([words, flags]) }),
});
const read = (...args: string[]) => JSON.parse((run(toy, args) as { stdout: string }).stdout);

test.each<[string[], string[], object]>([
  [[], [], {}],
  [["a", "b"], ["a", "b"], {}],
  [["--one", "x", "a"], ["a"], { one: "x" }],
  [["--many", "x", "--many", "y"], [], { many: ["x", "y"] }],
  [["--on", "a"], ["a"], { on: true }],
  [["--maybe", "a"], [], { maybe: "a" }],
  [["--maybe"], [], { maybe: "" }],
  [["--maybe", "two words"], ["two words"], { maybe: "" }],
  [["--maybe", "--on"], [], { maybe: "", on: true }],
  [["--maybe=x", "a"], ["a"], { maybe: "x" }],
  [["--maybe", "--", "a"], ["a"], { maybe: "" }],
  [["--", "--maybe", "a"], ["--maybe", "a"], {}],
  [["a", "--maybe", "b", "c"], ["a", "c"], { maybe: "b" }],
])("%j", (args, words, flags) => expect(read(...args)).toEqual([words, flags]));

test.each<[string, Command<Record<never, never>>["words"], string[], string | undefined]>([
  ["no words", undefined, ["a"], '"a" is one word too many'],
  ["none given", undefined, [], undefined],
  ["one word", 1, ["a"], undefined],
  ["two for one", 1, ["a", "b"], '"b" is one word too many'],
  ["a text", "any", ["a", "b", "c"], undefined],
  ["an action", { show: 0 }, ["show"], undefined],
  ["no action", { show: 0 }, [], undefined],
  ["an action with a word too many", { show: 0 }, ["show", "a"], '"a" is one word too many'],
  ["an action with its word", { show: 1 }, ["show", "a"], undefined],
  ["another action", { show: 0 }, ["shwo"], 'one of show, not "shwo"; did you mean show?'],
  ["an action every object has", { show: 0 }, ["constructor"], 'one of show, not "constructor"'],
])("words: %s", (_, words, args, error) => {
  const verb = command({ ...page, ...(words === undefined ? {} : { words }), run: () => ({ text: "done" }) });
  const expected = error
    ? { exitCode: 2, stdout: "", stderr: expect.stringContaining(error) }
    : { exitCode: 0, stdout: "done\n", stderr: "" };
  expect(run(verb, args)).toMatchObject(expected);
});

test("the first action is the usual one; a name every object has is none", () => {
  const act = byAction({ first: () => ({ text: "1" }), second: () => ({ text: "2" }) });
  expect([act({ words: [] }).text, act({ words: ["second"] }).text]).toEqual(["1", "2"]);
  expect(() => act({ words: ["toString"] })).toThrow('there is no action "toString"');
});

const answering = (answer: object | undefined) => command({ ...page, run: () => answer as never });
test.each<[string, object | undefined, string, string]>([
  ["nothing", undefined, "", ""],
  ["a text", { text: "a\u001b[1m" }, "a[1m\n", '{\n  "text": "a\\u001b[1m"\n}\n'],
  ["an empty text", { text: "" }, "", '{\n  "text": ""\n}\n'],
  ["data", { text: "a", data: [1] }, "a\n", "[\n  1\n]\n"],
  ["colours", { text: "a", styled: "\u001b[1ma" }, "\u001b[1ma\n", '{\n  "text": "a"\n}\n'],
])("prints %s", (_, answer, words, json) => {
  expect(run(answering(answer), [])).toEqual({ stdout: words, stderr: "", exitCode: 0 });
  expect(run(answering(answer), ["--json"])).toMatchObject({ stdout: json });
});

test("an answer's own exit code, and help before anything else", () => {
  expect(run(answering({ text: "a", exitCode: 1 }), [])).toMatchObject({ exitCode: 1 });
  expect(run(toy, ["--one", "x", "-h"])).toEqual({ stdout: "swarm toy\nMore.\n", stderr: "", exitCode: 0 });
});

const failing = (error: unknown, isLater = false) =>
  command({
    ...page,
    run: () => {
      if (isLater) return Promise.reject(error);
      throw error;
    },
  });
test.each<[string, unknown, number, string, string]>([
  ["a bad call", badCall("no"), 2, "swarm: no\nusage: swarm toy\n", "usage: swarm toy"],
  ["refused", refused("no", "do that"), 1, "swarm: no\ndo that\n", "do that"],
  ["an error", new Error("no"), 1, "swarm: no\n", "swarm help toy"],
  ["no error at all", "no", 1, "swarm: no\n", "swarm help toy"],
])("%s, at once and later, in words and as JSON", async (_, error, exitCode, stderr, hint) => {
  for (const isLater of [false, true]) {
    expect(await run(failing(error, isLater), [])).toEqual({ stdout: "", stderr, exitCode });
    const { stdout, ...rest } = await run(failing(error, isLater), ["--json"]);
    expect({ ...JSON.parse(stdout), ...rest }).toEqual({ error: "no", hint, stderr: "", exitCode });
  }
});

test.each([
  ["--oen", "Unknown option '--oen'; did you mean --on or --one?"],
  ["--xyzzy", "Unknown option '--xyzzy'\n"],
])("the option %s", (option, said) =>
  expect(run(toy, [option])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) }),
);

test("a person confirms, or --yes does; with --json nobody is asked", () => {
  expect(unconfirmed({ yes: true }, ["a"], "?", "Nothing done.")).toBeUndefined();
  expect(unconfirmed({ json: true }, ["a"], "?", "Nothing done.")).toBe("a\nNothing done.");
});

test.each([
  [[], "swarm <verb>"],
  [["--help"], "swarm <verb>"],
  [["-h"], "swarm <verb>"],
  [["help"], "  toy   a toy\n  help  this page"],
  [["help", "toy"], "swarm toy\nMore.\n"],
  [["help", "help"], "swarm help [VERB]\n"],
])("swarm %j", (args, text) =>
  expect(evaluateCli([toy], args, () => caller())).toMatchObject({
    stdout: expect.stringContaining(text),
    exitCode: 0,
  }),
);

test.each(["--version", "-v", "version"])("swarm %s", (asked) => {
  const version = command({ ...page, name: "version", run: () => ({ text: "1.2.3" }) });
  expect(evaluateCli([version], [asked], () => caller())).toMatchObject({ stdout: "1.2.3\n" });
});

test("help as data: every verb, or one", () => {
  const data = (...args: string[]) =>
    JSON.parse(
      (evaluateCli([toy], ["help", ...args, "--json"], () => caller()) as { stdout: string }).stdout,
    );
  expect(data()).toEqual({ toy: "a toy", help: "this page, or the page of one verb" });
  expect(data("toy")).toEqual(page);
});

test.each([
  [["tyo"], 'there is no verb "tyo"; did you mean toy?'],
  [["hlep"], 'there is no verb "hlep"; did you mean help?'],
  [["x\ny\u001b"], 'there is no verb "x y"; swarm help lists them all'],
  [["xyzzy"], 'there is no verb "xyzzy"; swarm help lists them all'],
  [["help", "xyzzy"], 'there is no verb "xyzzy"; swarm help lists them all'],
])("swarm %j is no verb", async (args, error) => {
  const said = await evaluateCli([toy], args, () => caller());
  expect(said).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(error) });
  const json = await evaluateCli([toy], [...args, "--json"], () => caller());
  expect(JSON.parse(json.stdout)).toMatchObject({ error });
});

test.each([
  [undefined, "2026-02-19T12:00:00.000Z"],
  ["30m", "2026-02-20T11:30:00.000Z"],
  ["2h", "2026-02-20T10:00:00.000Z"],
  ["1 d", "2026-02-19T12:00:00.000Z"],
  ["1w", "2026-02-13T12:00:00.000Z"],
  ["2026-02-20T11:00:00Z", "2026-02-20T11:00:00.000Z"],
])("since %s", (given, at) => expect(sinceOf(given, NOON).toISOString()).toBe(at));

test("a day and a time are those of the person's clock", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(sinceOf("2026-02-18", NOON).toISOString()).toBe("2026-02-17T15:00:00.000Z");
  expect(sinceOf("2026-02-18T00:00", NOON).toISOString()).toBe("2026-02-17T15:00:00.000Z");
});

test.each([
  ["yesterday", "--since is a time like"],
  ["7", "--since is a time like"],
  ["", "--since is a time like"],
  ["-3h", "--since is a time like"],
  ["3 months", "--since is a time like"],
  ["2026-99-99", "--since is a time like"],
  ["0m", "lies in the future"],
  ["2026-02-22", "lies in the future"],
])("since %s is refused", (given, why) => expect(() => sinceOf(given, NOON)).toThrow(why));

test("a day is a date", () => {
  expect(requireDay("2026-02-20")).toBe("2026-02-20");
  for (const given of ["today", "2026-2-20", "2026-02-20T09:00", "../2026-02-20", ""])
    expect(() => requireDay(given)).toThrow("--day is a date like 2026-02-20");
});

test("teams and members that are not there", () => {
  const home = aHome();
  aTeam(home);
  expect(requireTeamName(home.paths, TEAM).name).toBe(TEAM);
  expect(() => requireTeamName(home.paths, "../x")).toThrow("the team's name");
  expect(() => requireTeamName(home.paths, "atm-dve")).toThrow(`there is no team atm-dve; nearest: ${TEAM}`);
  expect(noTeam(home.paths, "a\nb").message).toBe("there is no team a b");
  expect(noMember("b\nbo", "t", []).message).toBe("there is no b bo in team t");
  expect(noMember("bbo", "t", ["bob", "e\nve"])).toMatchObject({
    message: "there is no bbo in team t; nearest: bob",
    hint: "members of t: bob, e ve",
  });
  expect(noMember("bbo", "t", [])).toMatchObject({ hint: "members of t: none" });
  expect(() => requireMemberName("bob", "t", ["bob"])).not.toThrow();
  expect(() => requireMemberName("eve", "t", ["bob"])).toThrow("there is no eve in team t");
});

test("a record without a kind: its lead leads, its member is named, half a record is nobody", () => {
  const record = { session: "s", team: "t", agent: "bob" } as SessionRecord;
  expect(identityIn(record)).toMatchObject({ kind: "named", isLead: false });
  expect(identityIn({ ...record, isLead: true })).toMatchObject({ kind: "lead", isLead: true });
  expect(identityIn({ ...record, kind: "pane" })).toMatchObject({ kind: "pane" });
  expect([identityIn(undefined), identityIn({ ...record, team: undefined })]).toEqual([undefined, undefined]);
});

test("in a session without a record the environment's member speaks, the lead as lead", () => {
  const home = aHome();
  aTeam(home);
  const speaker = (agent: string, session: string) =>
    speakerOf(readEnvironment({ HOME: home.root, ...as(agent) }), session, undefined);
  expect(speaker("bob", "s-1")).toMatchObject({ kind: "named", isLead: false, agent: "bob" });
  expect(speaker("team-lead", "lead-session")).toMatchObject({
    kind: "lead",
    isLead: true,
    agent: "team-lead",
  });
});

test.each<[string, object, boolean]>([
  ["lives", { pid: process.pid, pidStartedAt: startOf(process.pid) }, false],
  ["is another process by now", { pid: process.pid, pidStartedAt: "1" }, true],
  ["is offline", { pid: process.pid, pidStartedAt: startOf(process.pid), status: "offline" }, true],
])("a name whose session %s: taken over %s", (_, member, isFree) => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "bob", sessionId: "s-other", ...member }]);
  const environment = readEnvironment({ HOME: home.root, ...as("bob") });
  const speak = () => speakerOf(environment, "s-1", undefined);
  if (isFree) expect(speak()).toMatchObject({ agent: "bob" });
  else expect(speak).toThrow("not the one bob runs in; nothing was done");
});

test("what follows the output is handed to what writes it", () => {
  const after = () => {};
  const verb = command({ ...page, run: () => ({ text: "x", after }) });
  expect(run(verb, [])).toEqual({ stdout: "x\n", stderr: "", exitCode: 0, after });
  expect(run(toy, [])).not.toHaveProperty("after");
});

test("what a verb worked around follows its answer on stderr: a line each, and once", () => {
  const { exitCode } = process;
  onTestFinished(() => {
    process.exitCode = exitCode;
  });
  const verb = command({
    ...page,
    run: () => {
      for (const problem of ["one\nof two lines", "another\x1b[31m", "one\nof two lines"])
        noteProblem(problem);
      return { text: "done" };
    },
  });
  const written: [number, string][] = [];
  const writeSync = (fd: number, bytes: Buffer) => {
    written.push([fd, String(bytes)]);
    return bytes.length;
  };
  insteadOfFs({ writeSync }, () => runCli([verb], ["toy"]));
  expect(written).toEqual([
    [1, "done\n"],
    [2, "swarm: one of two lines\n"],
    [2, expect.stringMatching(/^swarm: another[^\x1b]*\n$/)],
  ]);
});
