// Who is in a repository, whose turn it is with an index, what the ledger holds, which claims hold, and what hooks note: no git runs.
import { linkSync, mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { noEffects } from "../../lib/hook/context.ts";
import { PostToolUse, PreToolUse, SessionStart, Stop } from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as forecasts from "../../lib/worktrees/hooks/forecast.ts";
import * as shared from "../../lib/worktrees/hooks/shared.ts";
import {
  agentOfKey,
  hasOthers,
  isOccupied,
  keyOf,
  liveAgentsEverywhere,
  liveAgentsIn,
  othersIn,
  presenceIn,
  writePresence,
} from "../../lib/worktrees/store/agents.ts";
import { giveBackTurn, sweeperOf, takeTurn } from "../../lib/worktrees/store/index-turn.ts";
import { entriesOf, noteFiles, writesByFile, writesSince } from "../../lib/worktrees/store/ledger.ts";
import { repositoryPath, type Tree } from "../../lib/worktrees/store/repository.ts";
import { appendTreeNote, hasTreeNotes, takeTreeNotes } from "../../lib/worktrees/store/tree-notes.ts";
import { readState } from "../../lib/worktrees/store/tree-state.ts";
import { readTrees } from "../../lib/worktrees/store/trees.ts";
import { aBareTree, aLinkedTree } from "../support/a-bare-tree.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { virtualTime } from "../support/in-no-time.ts";

const SELF = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const GONE = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
const ago = (ms: number) => new Date(NOON.getTime() - ms).toISOString();
const after = (ms: number) => new Date(NOON.getTime() + ms);

const record = (home: Home, name: string, more: object = {}) => {
  const session = `${name}-session`;
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, team: "dev", agent: name, state: "active", status: "working" },
    ...{ startedAt: ago(60_000), lastSeen: ago(1_000), ...SELF, ...more },
  });
  return { session };
};

test.each<[string, object, boolean, boolean]>([
  ["its process runs", {}, true, true],
  ["its process has ended", GONE, false, false],
  ["its end is on record", { endedAt: ago(1) }, false, false],
  ["not proven, seen lately", { pid: undefined, lastSeen: ago(29 * 60_000) }, true, true],
  ["not proven, silent for long", { pid: undefined, lastSeen: ago(31 * 60_000) }, false, true],
])("an agent is there: %s", (_, given, isLive, isKept) => {
  const home = aHome();
  const tree = aBareTree(home);
  writePresence(home.paths, tree, record(home, "bob", given), NOON);
  const names = () => liveAgentsIn(home.paths, tree, NOON).map(({ name }) => name);
  expect(names()).toEqual(isLive ? ["bob"] : []);
  expect(presenceIn(home.paths, tree)).toHaveLength(isKept ? 1 : 0);
  expect(liveAgentsEverywhere(home.paths, NOON).flat()).toHaveLength(isLive ? 1 : 0);
});

test("others are those beside the caller; without a team they have a name too; a lost record is no agent", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const [ada, bob] = [
    record(home, "ada"),
    record(home, "bob", { team: undefined, agent: undefined, cwd: "/x" }),
  ];
  for (const one of [ada, bob, { session: "lost" }]) writePresence(home.paths, tree, one, NOON);
  expect(othersIn(home.paths, tree, presenceIn(home.paths, tree), ada, NOON).all()).toEqual([
    { session: "bob-session", key: "bob-session", name: "solo-bob-sess", tree: tree.top, startedIn: "/x" },
  ]);
  expect(presenceIn(home.paths, tree)).toHaveLength(2);
  const inside = { ...ada, agentId: "abob-0123456789abcdef" };
  expect(agentOfKey(keyOf(inside))).toEqual(inside);
  expect(agentOfKey(keyOf(ada))).toEqual(ada);
  const cpp = { session: "s", agentId: "ac++-0123456789abcdef" };
  expect(agentOfKey(keyOf(cpp))).toEqual(cpp);
  const names = presenceIn(home.paths, tree);
  expect([hasOthers(names, ada), hasOthers(names.slice(0, 0), ada)]).toEqual([true, false]);
  expect([isOccupied(names, ada, tree.top), isOccupied(names, ada, "/elsewhere")]).toEqual([true, false]);
});

test("an in-process teammate ends with its session", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const inside = { session: "ada-session", agentId: "abob-0123456789abcdef" };
  const names = () => liveAgentsIn(home.paths, tree, NOON).map(({ key }) => key);
  const write = (more: object) => {
    writeSession(home.paths, {
      ...{
        ...inside,
        agent: "bob",
        state: "active",
        status: "working",
        startedAt: "x",
        lastSeen: ago(1),
        ...more,
      },
    });
    writePresence(home.paths, tree, inside, NOON);
  };
  record(home, "ada");
  write({});
  expect(names()).toEqual(["ada-session+abob-0123456789abcdef"]);
  write({ endedAt: ago(1) });
  expect(names()).toEqual([]);
  write({});
  record(home, "ada", { endedAt: ago(1) });
  expect(names()).toEqual([]);
});

const CALL = "toolu_1";
// bob took the turn at noon; who asks a moment later waits while his command runs.
test.each<[string, object, number, boolean]>([
  [
    "his call runs",
    { lastSeen: after(1).toISOString(), tool: { name: "Bash", id: CALL, since: "" } },
    20_000,
    true,
  ],
  ["it waited for its turn", { lastSeen: ago(1), tool: { name: "Bash", id: CALL, since: "" } }, 20_000, true],
  ["his call has ended", { endedCall: { name: "Bash", id: CALL, since: ago(1) } }, 1, false],
  [
    "a later call has ended",
    { endedCall: { name: "Bash", id: "x", since: after(1).toISOString() } },
    2,
    false,
  ],
  ["a later call runs", { tool: { name: "Read", id: "x", since: after(1).toISOString() } }, 2, false],
  ["the call before it has ended late", { endedCall: { name: "Bash", id: "x", since: ago(1) } }, 1, true],
  ["not on record yet", {}, 19_999, true],
  ["not on record for 20 s", {}, 20_000, false],
  [
    "it has run for two minutes",
    { lastSeen: after(1).toISOString(), tool: { name: "Bash", id: CALL, since: "" } },
    120_001,
    false,
  ],
  ["he has ended", { endedAt: ago(0) }, 1, false],
  ["the clock was set back", {}, -180_000, false],
])("the turn with an index is taken: %s", (_, given, laterMs, isHeld) => {
  const home = aHome();
  const tree = aBareTree(home);
  record(home, "bob", given);
  const turn = (by: string, isWide = false) => ({ by, call: by === "bob-session" ? CALL : "other", isWide });
  const asked = after(laterMs);
  expect(takeTurn(home.paths, tree, turn("bob-session", true), NOON)).toBeUndefined();
  expect(sweeperOf(home.paths, tree, "ada-session", asked)).toBe(isHeld ? "bob-session" : undefined);
  expect(sweeperOf(home.paths, tree, "bob-session", asked)).toBeUndefined();
  expect(takeTurn(home.paths, { ...tree, top: "/another" }, turn("ada-session"), asked)).toBeUndefined();
  expect(takeTurn(home.paths, tree, turn("bob-session", true), NOON)).toBeUndefined();
  expect(takeTurn(home.paths, tree, turn("ada-session"), asked)).toBe(isHeld ? "bob-session" : undefined);
});

test("a turn is given back by its holder alone, and a narrow one sweeps nothing", () => {
  onTestFinished(virtualTime());
  const home = aHome();
  const tree = aBareTree(home);
  record(home, "bob");
  const bob = { by: "bob-session", call: CALL, isWide: false };
  takeTurn(home.paths, tree, bob, NOON);
  expect(sweeperOf(home.paths, tree, "ada-session", NOON)).toBeUndefined();
  giveBackTurn(home.paths, tree, "ada-session");
  expect(takeTurn(home.paths, tree, { ...bob, by: "ada-session" }, NOON)).toBe("bob-session");
  giveBackTurn(home.paths, tree, "bob-session");
  expect(takeTurn(home.paths, tree, { ...bob, by: "ada-session" }, NOON)).toBeUndefined();
  home.write(
    `${repositoryPath(home.paths, tree, "index-turns.json.lock").slice(home.root.length + 1)}/x`,
    "",
  );
  expect(() => giveBackTurn(home.paths, tree, "ada-session")).not.toThrow();
  expect(takeTurn(home.paths, tree, bob, NOON)).toBe("?");
});

test("only a busy lock is passed over when a turn is given back", () => {
  const home = aHome();
  const tree = aBareTree(home);
  mkdirSync(repositoryPath(home.paths, tree, "index-turns.json"), { recursive: true });
  expect(() => giveBackTurn(home.paths, tree, "bob-session")).toThrow("is not a regular file");
});

const noted = (home: Home, tree: Tree, file: string, by: string, at: number, how: "edit" | "read" = "edit") =>
  noteFiles(home.paths, [{ tree, file }], { by, how, call: "c", now: new Date(at) });

test("the ledger: the entries of a file oldest first, its writes newest first, damaged lines passed over", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const side = aLinkedTree(home, "side");
  noted(home, tree, "a.ts", "ada", 0);
  noted(home, tree, "a.ts", "ada", 1);
  noted(home, tree, "a.ts", "bob", 2);
  noted(home, side, "a.ts", "cid", 3);
  noted(home, tree, "a.ts", "dan", 4, "read");
  noted(home, tree, "b.ts", "ada", 5);
  const short = (entries: readonly { by: string; at: number }[] = []) =>
    entries.map(({ by, at }) => `${by}${at}`).join(" ");
  expect(short(entriesOf(home.paths, tree, "a.ts"))).toBe("ada0 ada1 bob2 cid3 dan4");
  const writes = writesByFile(home.paths, tree);
  expect([short(writes.get("a.ts")), short(writes.get("b.ts"))]).toEqual(["cid3 bob2 ada1 ada0", "ada5"]);
  expect(short(writesSince(home.paths, tree, new Date(2)))).toBe("bob2 cid3 ada5");
  expect(short(writesSince(home.paths, tree, new Date(2), side.top))).toBe("cid3");
  expect(entriesOf(home.paths, side, "a.ts").map(({ branch }) => branch)).toEqual([
    "main",
    "main",
    "main",
    "side",
    "main",
  ]);
  const ledger = repositoryPath(home.paths, tree, "ledger").slice(home.root.length + 1);
  for (const name of ["x.txt", "00.jsonl"])
    home.write(
      `${ledger}/${name}`,
      `{"at":"9","file":"a.ts","by":"x","tree":"t"}\n{"at":9,"file":"a.ts"}\n{"at":9\n`,
    );
  expect(short(writesSince(home.paths, tree, new Date(0)))).toBe("ada0 ada1 bob2 cid3 ada5");
});

test("a full part of the ledger is set aside, and both are read", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const by = "x".repeat(2_000);
  for (let n = 0; n < 60; n++) noted(home, tree, "a.ts", `${n}${by}`, n);
  expect(entriesOf(home.paths, tree, "a.ts")).toHaveLength(60);
  expect(writesSince(home.paths, tree, new Date(0))).toHaveLength(60);
});

const swarm = (home: Home, args: string[], session?: string) =>
  callSwarm(home, args, {
    env: session ? { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: "1" } : {},
  });

test.each([
  ["30m", 30 * 60_000],
  ["2h", 2 * 3_600_000],
  ["7d", 7 * 86_400_000],
  ["0m", undefined],
  ["8d", undefined],
  ["5", undefined],
  ["1w", undefined],
])("claim --for %s lasts %s ms", async (given, ms) => {
  const home = aHome();
  aBareTree(home);
  const ran = await swarm(home, ["claim", "src", "--for", given, "--json"], record(home, "ada").session);
  if (ms === undefined) return expect(ran).toMatchObject({ exitCode: 2 });
  const left = Date.parse(JSON.parse(ran.stdout).until) - Date.now();
  expect(Math.abs(left - ms)).toBeLessThan(60_000);
});

test("claims: one's own again, a part released, another's refused with who and why, a person's for an hour", async () => {
  const home = aHome();
  aBareTree(home);
  const [ada, bob] = [record(home, "ada").session, record(home, "bob").session];
  await swarm(home, ["claim", "src", "docs/*.md", "--why", "the parser"], ada);
  expect((await swarm(home, ["claim", "src"], ada)).exitCode).toBe(0);
  const refused = await swarm(home, ["claim", "src/a.ts", "other"], bob);
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toMatch(
    /^Nothing was claimed: it overlaps with another claim\.\nsrc {2}ada {2}since \d+s\n$/,
  );
  expect((await swarm(home, ["claims"], bob)).stdout).toMatch(
    /^docs\/\*\.md {2}ada {2}since \d+s {2}the parser\nsrc {2}ada {2}since \d+s\n$/,
  );
  expect((await swarm(home, ["release", "src"], ada)).stdout).toBe("released src\n");
  expect((await swarm(home, ["claim", "src/a.ts"], bob)).exitCode).toBe(0);
  expect((await swarm(home, ["release"], ada)).stdout).toBe("released docs/*.md\n");
  expect(await swarm(home, ["release"], ada)).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("no such claim"),
  });
  expect((await swarm(home, ["claim", "x"])).stdout).toMatch(/^claimed x, until \d{4}-.*Z\n$/);
  expect((await swarm(home, ["claims"])).stdout).toMatch(
    /^x {2}person {2}since \d+s {2}until \d{4}-\d\d-\d\dT\d\d:\d\dZ$/m,
  );
  const whole = await callSwarm(home, ["claim", "."], { cwd: home.path("project"), env: {} });
  expect(whole.exitCode).toBe(1); // overlaps with bob's
  expect((await swarm(home, ["release"], bob)).exitCode).toBe(0);
  expect((await swarm(home, ["claim", "."])).stdout).toContain("claimed **");
  const journal = home.lines(`.claude/swarm/journal/${new Date().toISOString().slice(0, 10)}.jsonl`);
  expect(journal.slice(0, 2)).toMatchObject([
    { what: "claim", files: ["src", "docs/*.md"], feature: "worktrees", session: ada },
    { what: "claim", files: ["src"] },
  ]);
  expect(journal.filter(({ what }) => what === "release").map(({ files }) => files)).toEqual([
    ["src"],
    ["docs/*.md"],
    ["src/a.ts"],
  ]);
  expect((await callSwarm(home, ["claims"], { cwd: home.root })).stderr).toContain("is in no git repository");
  expect((await swarm(home, ["claim", "x", "--as", "zoe"])).stderr).toContain(
    "--as names an agent inside the calling session",
  );
});

test("after /clear an agent still replaces and releases its claims", async () => {
  const home = aHome();
  aBareTree(home);
  const before = record(home, "ada").session;
  await swarm(home, ["claim", "src", "docs"], before);
  record(home, "ada", { next: "new-session" });
  record(home, "new", { agent: "ada" });
  expect((await swarm(home, ["claim", "src"], "new-session")).exitCode).toBe(0);
  expect((await swarm(home, ["claims"])).stdout).toMatch(/^docs {2}ada .*\nsrc {2}ada .*\n$/);
  expect((await swarm(home, ["release"], "new-session")).stdout).toBe("released docs src\n");
  expect((await swarm(home, ["claims"])).stdout).toContain("No claims");
});

test("a claim by a path through a link to the checkout", async () => {
  const home = aHome();
  const tree = aBareTree(home);
  symlinkSync(tree.top, home.path("link"));
  const { session } = record(home, "ada");
  expect((await swarm(home, ["claim", home.path("link/src/**")], session)).stdout).toContain(
    "claimed src/**,",
  );
});

test("notes for an in-process teammate with a long name", () => {
  const home = aHome();
  const key = keyOf({ session: "0".repeat(36), agentId: `a${"b".repeat(60)}-0123456789abcdef` });
  appendTreeNote(home.paths, key, "x");
  expect([hasTreeNotes(home.paths, key), takeTreeNotes(home.paths, key)]).toEqual([true, ["x"]]);
});

test("an in-process teammate claims under its own name", async () => {
  const home = aHome();
  aBareTree(home);
  const { session } = record(home, "ada");
  writeSession(home.paths, {
    ...{ session, agentId: "abob-0123456789abcdef", agent: "bob", team: "dev" },
    ...{ state: "active", status: "working", startedAt: "x", lastSeen: ago(1) },
  });
  await swarm(home, ["claim", "src", "--as", "bob"], session);
  expect((await swarm(home, ["claims"])).stdout).toContain("src  bob");
  expect((await swarm(home, ["claim", "src/a.ts"], session)).exitCode).toBe(1);
  expect((await swarm(home, ["release", "--as", "bob"], session)).stdout).toBe("released src\n");
  expect((await swarm(home, ["claim", "src", "--as", "zoe"], session)).stderr).toContain(
    "no agent zoe runs in this session",
  );
});

/** ada's call; bob is there too where `isShared`. */
function called(
  tool_name: string,
  tool_input: object,
  { isShared = true, outcome = undefined as Outcome | undefined, more = {} } = {},
) {
  const home = aHome();
  const tree = aBareTree(home);
  home.write("project/a.ts", "x");
  if (isShared) writePresence(home.paths, tree, record(home, "bob"), NOON);
  const given = {
    session_id: record(home, "ada").session,
    tool_name,
    tool_input,
    tool_use_id: CALL,
    ...more,
  };
  const placed = JSON.parse(JSON.stringify(given).replaceAll("PROJECT", home.project));
  const ctx = aContext(home, PreToolUse, placed);
  if (outcome) ctx.outcomes.push({ ...outcome, feature: "before" });
  return {
    home,
    tree,
    ctx,
    placed,
    entries: () => entriesOf(home.paths, tree, "a.ts").map(({ how, by }) => `${how} ${by}`),
  };
}

const A = { file_path: "PROJECT/a.ts" };
test.each<[string, string, object, object, string[]]>([
  ["Write", "Write", A, {}, ["edit ada-session"]],
  ["Edit", "Edit", A, {}, ["edit ada-session"]],
  ["MultiEdit", "MultiEdit", A, {}, ["edit ada-session"]],
  ["NotebookEdit", "NotebookEdit", { notebook_path: "PROJECT/a.ts" }, {}, ["edit ada-session"]],
  ["alone", "Write", A, { isShared: false }, ["edit ada-session"]],
  ["denied by another rule", "Write", A, { outcome: { deny: "no" } }, []],
  ["asked about by another rule", "Write", A, { outcome: { ask: "?" } }, ["edit ada-session"]],
  ["Read", "Read", A, {}, []],
  ["no path", "Write", {}, {}, []],
  ["an empty path", "Write", { file_path: "" }, {}, []],
  ["a path with a zero", "Write", { file_path: "PROJECT/a.ts\0" }, {}, []],
  ["no text", "Write", { file_path: 7 }, {}, []],
  ["git's own file", "Write", { file_path: "PROJECT/.git/config" }, {}, []],
  ["a call without a session", "Write", A, { more: { session_id: "" } }, []],
])("before a call: %s", (_, tool, input, given, expected) => {
  const { ctx, entries } = called(tool, input, given);
  shared.preToolUse(ctx);
  expect(entries()).toEqual(expected);
});

test("a shell command's files are noted, a reading git's are not", () => {
  const { ctx, entries, home } = called("Bash", { command: "x" });
  const git = (verb: string) => ({ ...noEffects(), git: [{ verb, args: [], cwd: home.project }] });
  ctx.effects = git("status") as typeof ctx.effects;
  expect(shared.preToolUse(ctx)).toBeUndefined();
  ctx.effects = { ...noEffects(), files: new Set([`${home.project}/a.ts`]) };
  shared.preToolUse(ctx);
  ctx.effects = { ...noEffects(), directories: new Set([`${home.project}/a.ts`]) };
  shared.preToolUse(ctx);
  ctx.effects = { ...noEffects(), files: new Set([`${home.project}/*.ts`]) };
  shared.preToolUse(ctx);
  ctx.effects = undefined;
  expect(shared.preToolUse(ctx)).toBeUndefined();
  expect(entries()).toEqual(["shell ada-session", "shell ada-session", "shell ada-session"]);
});

test.each<[string, string, object, object, string[]]>([
  ["Read beside others", "Read", A, {}, ["read ada-session"]],
  ["Read alone", "Read", A, { isShared: false }, []],
  ["an edit that was asked about", "Edit", A, {}, ["edit ada-session"]],
  ["another tool", "Glob", { pattern: "*" }, {}, []],
  ["no path", "Read", { file_path: "" }, {}, []],
  ["a path with a zero", "Read", { file_path: "PROJECT/a.ts\0" }, {}, []],
  ["no session", "Read", A, { more: { session_id: "" } }, []],
  ["outside", "Read", { file_path: "/etc/hostname" }, {}, []],
])("after a call: %s", (_, tool, input, given, expected) => {
  const { home, placed, entries } = called(tool, input, given);
  const after = () => shared.postToolUse(aContext(home, PostToolUse, { ...placed, duration_ms: 5 }));
  after();
  expect(entries()).toEqual(expected);
  after();
  expect(entries()).toHaveLength(expected.length * (tool === "Read" ? 2 : 1)); // an edit once for its call
});

test("an agent is in the tree of its directory; by cd into another's tree it does not move there", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const side = aLinkedTree(home, "side");
  const ada = record(home, "ada");
  const where = () => liveAgentsIn(home.paths, tree, NOON).find(({ name }) => name === "ada")?.tree;
  const write = (cwd: string, more = {}) =>
    shared.preToolUse(
      aContext(home, PreToolUse, {
        ...{
          session_id: ada.session,
          cwd,
          tool_name: "Write",
          tool_input: { file_path: `${cwd}/x.ts` },
          ...more,
        },
      }),
    ) as Outcome | undefined;
  shared.sessionStart(aContext(home, SessionStart, { session_id: ada.session, source: "startup" }));
  expect(where()).toBe(tree.top);
  write(side.top, { agent_id: "a1", agent_type: "Explore" });
  expect(where()).toBe(tree.top); // a subagent does not move its session
  writePresence(home.paths, side, record(home, "bob"), NOON);
  expect(write(side.top)?.rule).toBe("worktrees:foreign-tree");
  expect(where()).toBe(tree.top);
  writePresence(home.paths, tree, record(home, "bob"), NOON);
  write(side.top);
  expect(where()).toBe(side.top);
  expect(
    shared.sessionStart(aContext(home, SessionStart, { session_id: "", source: "startup" })),
  ).toBeUndefined();
});

test("the forecast is started with two trees, and not twice in two minutes", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const starts = (cwd = home.project, now = NOON) =>
    (forecasts.stop(aContext(home, Stop, { cwd }, { now })) as Outcome | undefined)?.after !== undefined;
  writePresence(home.paths, tree, record(home, "ada"), NOON);
  writePresence(home.paths, tree, record(home, "bob"), NOON);
  expect(starts()).toBe(false);
  writePresence(home.paths, aLinkedTree(home, "side"), record(home, "bob"), NOON);
  expect([starts(), starts(home.root)]).toEqual([true, false]);
  const file = repositoryPath(home.paths, tree, "forecast.json");
  home.write(file.slice(home.root.length + 1), {});
  utimesSync(file, NOON, NOON);
  expect([starts(home.project, after(119_999)), starts(home.project, after(120_000))]).toEqual([false, true]);
});

test("where HEAD and head are one file, so are names that differ in case", () => {
  const home = aHome();
  const tree = aBareTree(home);
  noted(home, tree, "Name.ts", "ada", 1);
  noted(home, tree, "name.ts", "bob", 2);
  noted(home, tree, "other.ts", "cid", 3);
  const found = () => entriesOf(home.paths, tree, "NAME.ts").map(({ by }) => by);
  expect(found()).toEqual([]);
  linkSync(`${tree.common}/HEAD`, `${tree.common}/head`);
  expect(found()).toEqual(["ada", "bob"]);
});

const TREE = {
  path: "/x",
  branch: "b",
  from: "/r",
  commonDir: "/r/.git",
  isOurBranch: true,
  base: "0123",
  at: NOON.toISOString(),
};

test.each([
  ["too slow", "fatal: x", "too slow"],
  [undefined, "fatal: x\nmore", "fatal: x"],
  [undefined, "", "git status failed"],
])("a state that git does not give: why %j, stderr %j", (why, stderr, said) =>
  expect(readState(() => ({ ok: false, stdout: "", stderr, why }) as never)).toEqual({ why: said }),
);

test("worktrees by their records: one of each member, two of a name need a team, none of a name nobody has", async () => {
  const home = aHome();
  for (const team of ["dev", "ops"])
    home.write(`.claude/swarm/trees/${team}/ada.json`, { team, agent: "ada", ...TREE, path: `/x/${team}` });
  home.write(".claude/swarm/trees/dev/ada.lock", "");
  home.write(".claude/teams/dev/config.json", { name: "dev", members: [] });
  home.write(".claude/swarm/trees/dev/bob.json", { team: "dev", agent: "bob", ...TREE });
  expect(
    readTrees(home.paths)
      .map(({ team, agent }) => `${agent}@${team}`)
      .sort(),
  ).toEqual(["ada@dev", "ada@ops", "bob@dev"]);
  expect(readTrees(home.paths, "ops")).toHaveLength(1);
  expect((await swarm(home, ["worktree", "path", "bob"])).stdout).toBe("/x\n");
  expect((await swarm(home, ["worktree", "path", "ada@ops"])).stdout).toBe("/x/ops\n");
  expect((await swarm(home, ["worktree", "path", "ada", "--team", "dev"])).stdout).toBe("/x/dev\n");
  expect(await swarm(home, ["worktree", "path", "ada"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("give --team"),
  });
  expect(await swarm(home, ["worktree", "path", "zoe"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("there is no worktree of zoe"),
  });
  expect(await swarm(home, ["worktree", "path"])).toMatchObject({ exitCode: 2 });
});

test("a forecast needs two trees, and a repository", async () => {
  const home = aHome();
  aBareTree(home);
  const forecast = (...args: string[]) => swarm(home, ["worktree", "forecast", ...args]);
  expect((await forecast()).stdout).toBe(
    "No forecast: live agents work in fewer than two trees of this repository.\n",
  );
  expect((await forecast("--if-due")).stdout).toBe("The last forecast is younger than two minutes.\n");
  expect((await callSwarm(home, ["worktree", "forecast"], { cwd: home.root })).stderr).toContain(
    "is not in a git repository",
  );
  expect((await swarm(home, ["runs"])).stdout).toContain(
    "on record for this repository (setting: worktrees.runs)",
  );
  for (const last of ["0", "x", "1.5"])
    expect((await swarm(home, ["runs", "--last", last])).exitCode).toBe(2);
});
