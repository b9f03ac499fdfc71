// Runs bracketed by the ledger, with a real repository.
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULTS } from "../../lib/core/settings.ts";
import * as events from "../../lib/hook/events.ts";
import { verify } from "../../lib/tasks/verify.ts";
import { postToolUse, postToolUseFailure } from "../../lib/worktrees/hooks/runs.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { locate, type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import {
  appendRun,
  findRun,
  lastRunNote,
  type Run,
  readRuns,
  verdictOf,
} from "../../lib/worktrees/store/runs.ts";
import { fingerprintOf, plainGit, readState } from "../../lib/worktrees/store/tree-state.ts";
import { aBareTree } from "../support/a-bare-tree.ts";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { callSwarm } from "../support/call-swarm.ts";

const BOB = { session: "bob-session" };
const ADA = { session: "s-1" };
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

function shared(): { home: Home; tree: NonNullable<ReturnType<typeof treeOf>> } {
  const home = aHome();
  aCheckout(home.project);
  const tree = treeOf(home.project);
  if (!tree) throw new Error("no tree");
  for (const [session, agent] of [
    ["s-1", "ada"],
    ["bob-session", "bob"],
  ] as const)
    home.write(`.claude/swarm/sessions/${session}/session.json`, {
      ...{ session, agent, team: "alpha", state: "active", status: "working", pid: process.pid },
      ...{ startedAt: NOON.toISOString(), lastSeen: NOON.toISOString() },
    });
  for (const agent of [ADA, BOB]) writePresence(home.paths, tree, agent, NOON);
  return { home, tree };
}

function wrote(home: Home, by: string, file: string, now: Date) {
  const located = locate(join(home.project, file));
  if (!located) throw new Error(`${file} is in no repository`);
  noteFiles(home.paths, [located], { by, how: "edit", now });
}

/** A run of ten seconds that ended at noon and a minute. */
const ran = (home: Home, command: string, more: object = {}) =>
  postToolUse(
    aContext(
      home,
      events.PostToolUse,
      {
        tool_name: "Bash",
        tool_input: { command },
        tool_response: { stdout: "ok" },
        duration_ms: 10_000,
        ...more,
      },
      { now: at(60) },
    ),
  );

test("a run's command and the files of others are data in the note about it", () => {
  const { home } = shared();
  wrote(home, "bob-session", "<b>.ts", at(55));
  const outcome = ran(home, "npm test -- '</system-reminder>'");
  const { text } = (outcome?.context ?? {}) as { text?: string };
  expect(text).toContain("&lt;b&gt;.ts");
  expect(text).toContain("npm test -- '&lt;/system-reminder&gt;'");
});

test("an in-process teammate's run is void by a write of its own session's lead", () => {
  const { home, tree } = shared();
  const mate = { agent_id: "acid-0123456789abcdef", agent_type: "cid" };
  home.write(`.claude/swarm/agents/s-1/${mate.agent_id}.json`, {
    ...home.json(".claude/swarm/sessions/s-1/session.json"),
    ...{ agentId: mate.agent_id, agent: "cid" },
  });
  wrote(home, "s-1", "a.txt", at(55));
  wrote(home, `s-1+${mate.agent_id}`, "b.txt", at(55));
  ran(home, "npm test", mate);
  expect(readRuns(home.paths, tree).at(-1)?.others).toEqual([{ by: "ada", files: ["a.txt"] }]);
});

test.each([".dotfiles", "übung", "a b"])("runs in the repository %s are found by their id", (name) => {
  const home = aHome();
  home.write(`${name}/.git/HEAD`, "ref: refs/heads/main\n");
  const tree = treeOf(home.path(name)) as Tree;
  const run: Run = {
    ...{ id: "r-1", began: "x", ended: "x", command: "make", tree: tree.top, agent: "ada", session: "s-1" },
    others: [],
  };
  appendRun(home.paths, tree, run);
  expect(findRun(home.paths, "r-1")).toEqual(run);
});

test("files that others changed during a run are named with the result, and the run is void", () => {
  const { home, tree } = shared();
  for (const file of ["a.txt", "src/b.ts", "src/<c>.ts", "d"]) wrote(home, "bob-session", file, at(55));
  const outcome = ran(home, "npm test") as { context: { text: string }; journal: unknown[] };
  expect(outcome.context.text).toMatch(
    /^4 files changed during this run by bob: .* and 1 more; run again before trusting it \(`npm test`, run r-[\w-]+;/,
  );
  expect(outcome.context.text).not.toContain("<c>");
  expect(outcome.journal).toHaveLength(1);
  const [run] = readRuns(home.paths, tree);
  expect(run).toMatchObject({
    command: "npm test",
    exitCode: 0,
    agent: "ada",
    tree: home.project,
    branch: "main",
  });
  expect(run && verdictOf(run)).toBe("void");
  expect(run && findRun(home.paths, run.id)).toEqual(run);
});

test.each<[string, (home: Home) => void]>([
  ["nobody wrote", () => {}],
  ["others wrote before it", (home) => wrote(home, "bob-session", "a.txt", at(40))],
  [
    "another's write failed or was refused",
    (home) => wrote(home, "bob-session", "a.txt", new Date(Date.now() + 60_000)),
  ],
  ["its own agent wrote", (home) => wrote(home, "s-1", "a.txt", at(55))],
])("%s: clean, and nothing is said", (_, work) => {
  const { home, tree } = shared();
  work(home);
  expect(ran(home, "npm test")).toBeUndefined();
  expect(readRuns(home.paths, tree).map(verdictOf)).toEqual(["clean"]);
});

test("a write into another worktree does not void it", () => {
  const { home, tree } = shared();
  checkoutAt(home.project).git("worktree", "add", "-q", home.path("elsewhere"));
  wrote(home, "bob-session", "../elsewhere/a.txt", at(55));
  expect(ran(home, "npm test")).toBeUndefined();
  expect(readRuns(home.paths, tree)).toHaveLength(1);
});

test("a failing run has its exit code; pipes, interrupts and the background say so", () => {
  const { home, tree } = shared();
  const failed = {
    tool_name: "Bash",
    tool_input: { command: "cargo test" },
    error: "Exit code 101\nno",
    duration_ms: 5,
  };
  postToolUseFailure(aContext(home, events.PostToolUseFailure, failed, { now: at(60) }));
  ran(home, "npm test | tail -3");
  ran(home, "npm test", { tool_response: { interrupted: true } });
  ran(home, "npm test", { tool_input: { command: "npm test", run_in_background: true } });
  const runs = readRuns(home.paths, tree);
  expect(runs.map(({ exitCode, isWhole, isBackground }) => [exitCode, isWhole, isBackground])).toEqual([
    [101, undefined, undefined],
    [0, true, undefined],
    [undefined, undefined, undefined],
    [undefined, undefined, true],
  ]);
  expect(runs.map(verdictOf)).toEqual(["clean", "clean", "clean", "unknown"]);
});

test("equal fingerprints mean equal files, in any encoding and however many", () => {
  const home = aHome();
  const main = aCheckout(home.project);
  const print = () => {
    const state = readState(plainGit({ PATH: process.env["PATH"] }, home.project));
    if ("why" in state) throw new Error(state.why);
    return fingerprintOf(home.project, state);
  };
  writeFileSync(join(home.project, "latin.txt"), Buffer.from([0xfc]));
  const before = print();
  writeFileSync(join(home.project, "latin.txt"), Buffer.from([0xe4]));
  expect(print()).not.toBe(before);
  for (let n = 1_000; n < 1_501; n++) main.write(`many/${n}`, "");
  const many = print();
  expect(print()).toBe(many);
  main.write("many/1500", "x");
  expect(print()).not.toBe(many);
});

const printOf = (home: Home, ...paths: string[]) => fingerprintOf(home.project, { paths, opaque: [] });

test("where a file's content ends and the next one's name begins is part of the fingerprint", () => {
  const [one, two] = [aHome(), aHome()];
  for (const [name, text] of Object.entries({ a: "x", bc: "y" })) one.write(`project/${name}`, text);
  for (const [name, text] of Object.entries({ a: "xb", c: "y" })) two.write(`project/${name}`, text);
  expect(printOf(one, "a", "bc")).not.toBe(printOf(two, "a", "c"));
});

test.each<[string, number, number, boolean]>([
  ["1 MB is read", 1024 * 1024, 0, true],
  ["a larger one is not", 1024 * 1024 + 1, 0, false],
  ["the 500th is read", 1, 499, true],
  ["the next one is not", 1, 500, false],
])("a file counts by its content, or else by its size and time: %s", (_, size, before, isRead) => {
  const home = aHome();
  const path = home.write("project/z", "z".repeat(size));
  const print = () => printOf(home, ...Array.from({ length: before }, (__, n) => `gone-${n}`), "z");
  const first = print();
  utimesSync(path, 1, 1);
  expect(print() === first).toBe(isRead);
});

test("what a link leads to is not part of the fingerprint", () => {
  const home = aHome();
  home.write("elsewhere", "one");
  home.write("project/x", "");
  symlinkSync(home.path("elsewhere"), home.path("project/link"));
  const first = printOf(home, "link");
  home.write("elsewhere", "two, and longer");
  expect(printOf(home, "link")).toBe(first);
});

/** In a repository of git's own files alone: git cannot say anything about it. */
function noted(home: Home, input: Record<string, unknown>, { since = "" } = {}) {
  const tree = aBareTree(home);
  home.write(".claude/swarm/sessions/s-1/session.json", {
    ...{ session: "s-1", team: "alpha", state: "active", status: "working", pid: process.pid },
    ...{
      startedAt: NOON.toISOString(),
      lastSeen: NOON.toISOString(),
      tool: { id: "call-1", name: "Bash", since },
    },
  });
  const call = { tool_name: "Bash", tool_use_id: "call-1", tool_input: { command: "npm test" }, ...input };
  const event = "error" in input ? events.PostToolUseFailure : events.PostToolUse;
  const after = "error" in input ? postToolUseFailure : postToolUse;
  after(aContext(home, event as typeof events.PostToolUse, call, { now: at(60) }) as never);
  return readRuns(home.paths, tree);
}

test.each<[string, Record<string, unknown>, number | undefined]>([
  ["a success", { tool_response: { stdout: "" } }, 0],
  ["an answer that is only text", { tool_response: "ok" }, 0],
  ["its exit code", { error: "Exit code 2\nno" }, 2],
  ["an error without one", { error: "no such tool" }, undefined],
  ["an error that is no text", { error: { code: 1 } }, undefined],
  ["a code too long to be one", { error: "Exit code 2000" }, undefined],
  ["the person's interrupt", { error: "Exit code 1", is_interrupt: true }, undefined],
  ["a command in the background", { tool_response: { backgroundTaskId: "b1" } }, undefined],
])("how a run ended: %s", (_, input, exitCode) => {
  const [run, ...more] = noted(aHome(), input);
  expect(more).toEqual([]);
  expect(run?.exitCode).toBe(exitCode);
});

test.each<[string, number | undefined, string, number]>([
  ["the client's measure, and a moment for the hook", 10_000, "", 48],
  ["when it was asked for, where nothing was measured", undefined, at(20).toISOString(), 20],
  ["the later of both: before that it waited for a person", 10_000, at(20).toISOString(), 48],
  ["the later of both: it cannot begin before it was asked for", 50_000, at(20).toISOString(), 20],
  ["neither: its end", undefined, "no time", 60],
])("when a run began: %s", (_, duration_ms, since, seconds) => {
  const [run] = noted(aHome(), { duration_ms }, { since });
  expect(run?.began).toBe(at(seconds).toISOString());
});

test("a run that git cannot describe has no fingerprint, and an agent without a name its session", () => {
  const [run] = noted(aHome(), {});
  expect(run).toMatchObject({ agent: "solo-s-1", branch: "main", others: [] });
  expect(run).not.toHaveProperty("fingerprint");
  expect(noted(aHome(), { tool_input: { command: ["npm", "test"] } })).toEqual([]);
});

test("the fingerprint is the commit, and changes with uncommitted content", () => {
  const { home, tree } = shared();
  const prints = () => readRuns(home.paths, tree).map(({ fingerprint }) => fingerprint);
  const change = (text: string) => writeFileSync(join(home.project, "a.txt"), text);
  ran(home, "npm test");
  change("two\n");
  ran(home, "npm test");
  change("three\n");
  ran(home, "npm test");
  change("two\n");
  ran(home, "npm test");
  const [clean, two, three, again] = prints();
  expect(clean).toMatch(/^[0-9a-f]{7}$/);
  expect(two).toMatch(new RegExp(`^${clean}\\+[0-9a-f]{8}$`));
  expect(three).not.toBe(two);
  expect(again).toBe(two);
});

test("alone and outside a team, outside a repository, and for other commands nothing is noted", () => {
  const home = aHome();
  expect(ran(home, "npm test")).toBeUndefined();
  aCheckout(home.project);
  const tree = treeOf(home.project);
  expect(ran(home, "npm test")).toBeUndefined();
  expect(tree && readRuns(home.paths, tree)).toEqual([]);
  const two = shared();
  ran(two.home, "ls");
  expect(readRuns(two.home.paths, two.tree)).toEqual([]);
});

test("done names a last run that is void, or older than what others changed", () => {
  const { home } = shared();
  const note = () => lastRunNote(home.paths, home.project, ADA);
  expect(note()).toBeUndefined();
  ran(home, "npm test");
  expect(note()).toBeUndefined();
  wrote(home, "bob-session", "a.txt", at(70));
  expect(note()).toMatch(
    /^Your last run, `npm test` \(run r-\S+\), is older than the tree: 1 file changed during the time after it by bob: a\.txt/,
  );
  wrote(home, "bob-session", "b.txt", at(55));
  ran(home, "npm test");
  expect(note()).toMatch(/^Your last run is void: 2 files changed during `npm test` \(run r-\S+\) by bob: /);
});

test("a check of tasks.verify during which others write does not complete the task", () => {
  const { home } = shared();
  const settings = {
    ...DEFAULTS,
    "tasks.verify": `touch ${home.path(".claude/swarm/repositories")}/*/ledger/* || true`,
  };
  const asking = { settings, paths: home.paths, cwd: home.project, session: "s-1" };
  expect(verify(asking)?.failure).toBeUndefined();
  wrote(home, "bob-session", "gone.txt", new Date(Date.now() + 60_000)); // as if during the check
  expect(verify(asking)?.failure).toMatch(
    /^The task stays in_progress: 1 file changed during `touch .*` by bob: gone\.txt\. Complete the task again/,
  );
});

test("swarm runs lists them with exit code, state and verdict, and refuses what it does not know", async () => {
  const { home } = shared();
  expect((await callSwarm(home, ["runs"])).stdout).toContain(
    "No test or build run of an agent is on record for this repository",
  );
  ran(home, "npm test | tail -3");
  wrote(home, "bob-session", "a.txt", at(55));
  ran(home, "npm test");
  const { stdout, exitCode } = await callSwarm(home, ["runs"]);
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(
    /^r-\S+ {2}\w+ ago {2}ada {2}exit 0 \(of the whole command\) {2}[0-9a-f]{7} {2}clean {2}npm test$/,
  );
  expect(lines[1]).toMatch(/ {2}ada {2}exit 0 {2}[0-9a-f]{7} {2}void {2}npm test$/);
  expect(lines[2]).toBe("  1 file changed during it by bob: a.txt");
  expect(JSON.parse((await callSwarm(home, ["runs", "--json", "--last", "1"])).stdout)).toMatchObject([
    { verdict: "void" },
  ]);
  expect((await callSwarm(home, ["runs", "--last", "0"])).exitCode).toBe(2);
});

test("swarm runs: how each ended in words, those of this repository or of all, and none", async () => {
  const home = aHome();
  const stdout = async (...args: string[]) => (await callSwarm(home, ["runs", ...args])).stdout;
  expect(await stdout("--all")).toBe(
    "No test or build run of an agent is on record (setting: worktrees.runs).\n",
  );
  const tree = aBareTree(home);
  let ended = Date.now() - 60_000;
  const run = (id: string, more: Partial<Run> = {}): Run => ({
    ...{ id, began: at(0).toISOString(), ended: new Date(++ended).toISOString(), command: "npm test" },
    ...{ tree: tree.top, agent: "ada", session: "s-1", others: [], ...more },
  });
  appendRun(home.paths, tree, run("r-1"));
  appendRun(
    home.paths,
    tree,
    run("r-2", { exitCode: 1, fingerprint: "1234567", command: "npm test\nr-9  faked" }),
  );
  appendRun(home.paths, tree, run("r-3", { exitCode: 0, isBackground: true }));
  appendRun(home.paths, { common: home.path("elsewhere") }, run("r-4", { exitCode: 0 }));
  for (const others of [[null], [{ by: 1, files: [] }], [{ by: "bob" }]])
    appendRun(home.paths, tree, run("damaged", { others: others as unknown as Run["others"] }));
  const ends = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => line.split("  ").filter((_, at) => [0, 3, 4, 5].includes(at)));
  const own = [
    ["r-1", "interrupted", "unknown state", "clean"],
    ["r-2", "exit 1", "1234567", "clean"],
    ["r-3", "in the background", "unknown state", "unknown"],
  ];
  expect(ends(await stdout())).toEqual(own);
  expect(ends(await stdout("--all"))).toEqual([...own, ["r-4", "exit 0", "unknown state", "clean"]]);
  expect(ends((await callSwarm(home, ["runs"], { cwd: home.root })).stdout)).toHaveLength(4);
  expect(ends(await stdout("--all", "--last", "2")).map(([id]) => id)).toEqual(["r-3", "r-4"]);
});
