// The index of a long list against changes behind its back. A wrong answer must not last: the next turn, after the pass that each
// reading is followed by, sees every task as it is.
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { elapsedMs } from "../../lib/core/process.ts";
import * as events from "../../lib/hook/events.ts";
import * as hooks from "../../lib/tasks/hooks.ts";
import { awaitQuiet, freshOverview, indexTasks } from "../../lib/tasks/store/index-pass.ts";
import {
  countTasks,
  exactOverview,
  isPassWanted,
  overviewOf,
  ownOpen,
  readOpenTasks,
  selectTasks,
} from "../../lib/tasks/store/select.ts";
import {
  indexPath,
  LONG_LIST,
  readIndex,
  type TaskIndex,
  type Trace,
  trustIn,
} from "../../lib/tasks/store/task-index.ts";
import { createTask, deleteTask, type Task, tasksDir, updateTask } from "../../lib/tasks/store.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { settledIndex } from "../support/a-long-list.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

const LENGTH = LONG_LIST + 50;
const BOBS = ["10", "20", "30"];

/** Completed, but for three tasks of bob and one of amy; indexed, and old enough to be relied on. */
function aLongList(): Home {
  const home = aHome();
  mkdirSync(tasksDir(home.paths, "dev"), { recursive: true });
  for (let n = 1; n <= LENGTH; n++) {
    const owner = BOBS.includes(String(n)) ? "bob" : "amy";
    put(home, aTask(String(n), { owner, status: owner === "bob" || n === 40 ? "pending" : "completed" }));
  }
  settle(home);
  return home;
}

const file = (home: Home, id: string) => home.path(`.claude/tasks/dev/${id}.json`);
/** In place and without a lock, like an editor. */
const put = (home: Home, task: Task) => writeFileSync(file(home, task.id), JSON.stringify(task));

const settle = (home: Home) => settledIndex(home, "dev");

const open = ({ paths }: Home, owner = "bob") => readOpenTasks(paths, "dev", { owner }).map(({ id }) => id);
const isExact = ({ paths }: Home) => exactOverview(paths, "dev") !== undefined;

test("an unchanged list is read by its index: only the tasks that are asked for are opened", () => {
  const home = aLongList();
  const overview = overviewOf(home.paths, "dev");
  expect([isExact(home), overview.isLong, overview.tasks.size]).toEqual([true, true, 0]);
  const { tasks, count } = selectTasks(home.paths, overview, ownOpen("bob"), { first: 2 });
  expect([tasks.map(({ id }) => id), count, overview.tasks.size]).toEqual([["10", "20"], 3, 2]);
  expect(countTasks(overview)).toEqual({ done: LENGTH - 4, all: LENGTH, verified: 0 });
});

test("a short list has none, and is exact", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  home.write(".claude/swarm/task-index/dev.json", "{}"); // from when it was long
  expect([overviewOf(home.paths, "dev").isLong, isExact(home)]).toEqual([false, true]);
  expect(indexTasks(home.paths, "dev")).toBeUndefined();
  expect(isPassWanted(home.paths, overviewOf(home.paths, "dev"))).toBe(false);
  expect(home.has(".claude/swarm/task-index/dev.json")).toBe(false);
});

const bobs = (id: string, fields: Partial<Task> = {}) => aTask(id, { owner: "bob", ...fields });
const sameSize = (home: Home, id: string) => {
  const text = readFileSync(file(home, id), "utf8");
  const changed = text.replace('"bob"', '"ann"');
  expect(changed.length).toBe(text.length);
  return changed;
};
/** As the client does: a lock beside the file, then in place. */
function asClient(home: Home, task: Task): void {
  mkdirSync(`${file(home, task.id)}.lock`);
  put(home, task);
  rmdirSync(`${file(home, task.id)}.lock`);
}
/** Neither its size nor its mtime says anything. */
function putUnseen(home: Home, task: Task): void {
  const { atime, mtime, size } = statSync(file(home, task.id));
  writeFileSync(file(home, task.id), JSON.stringify(task).padEnd(size));
  utimesSync(file(home, task.id), atime, mtime);
  expect(statSync(file(home, task.id))).toMatchObject({ size, mtime });
}
function copyOf(home: Home): void {
  const directory = tasksDir(home.paths, "dev");
  cpSync(directory, `${directory}-copy`, { recursive: true, preserveTimestamps: true });
  writeFileSync(`${directory}-copy/7.json`, JSON.stringify(bobs("7")));
  rmSync(directory, { recursive: true });
  renameSync(`${directory}-copy`, directory);
}

/** What bob's open tasks are now. `at once`: the first reading knows; else the one after the pass. */
test.each<[string, (home: Home) => void, "at once" | "after the pass", string[]]>([
  [
    "swarm creates one",
    (home) => createTask(home.paths, "dev", bobs),
    "at once",
    [...BOBS, String(LENGTH + 1)],
  ],
  ["swarm finishes one", (home) => finish(home, "20"), "at once", ["10", "30"]],
  ["swarm deletes one", (home) => deleteTask(home.paths, "dev", "20", () => {}), "at once", ["10", "30"]],
  ["swarm opens one again", (home) => reopen(home, "7"), "at once", ["7", ...BOBS]],
  [
    "the client finishes one",
    (home) => asClient(home, bobs("20", { status: "completed" })),
    "at once",
    ["10", "30"],
  ],
  ["the client opens one again", (home) => asClient(home, bobs("7")), "after the pass", ["7", ...BOBS]],
  [
    "rewritten in place, open",
    (home) => put(home, bobs("20", { status: "completed" })),
    "at once",
    ["10", "30"],
  ],
  [
    "rewritten in place, the same size",
    (home) => writeFileSync(file(home, "20"), sameSize(home, "20")),
    "at once",
    ["10", "30"],
  ],
  ["rewritten in place, completed", (home) => put(home, bobs("7")), "after the pass", ["7", ...BOBS]],
  [
    "rewritten in place, size and mtime as they were",
    (home) => putUnseen(home, bobs("7")),
    "after the pass",
    ["7", ...BOBS],
  ],
  ["the client assigns one", (home) => asClient(home, bobs("40")), "at once", [...BOBS, "40"]],
  ["assigned in place", (home) => put(home, bobs("40")), "after the pass", [...BOBS, "40"]],
  ["renamed over it", (home) => renamedOver(home, bobs("20", { owner: "amy" })), "at once", ["10", "30"]],
  ["renamed over a completed one", (home) => renamedOver(home, bobs("7")), "after the pass", ["7", ...BOBS]],
  ["a new file", (home) => put(home, bobs("900")), "at once", [...BOBS, "900"]],
  ["a file deleted", (home) => rmSync(file(home, "20")), "at once", ["10", "30"]],
  [
    "a file in the middle of a write",
    (home) => writeFileSync(file(home, "20"), "{"),
    "at once",
    ["10", "30"],
  ],
  ["the directory copied, another in its place", copyOf, "at once", ["7", ...BOBS]],
  ["the index damaged", (home) => damage(home, "{"), "at once", BOBS],
  ["the index emptied", (home) => damage(home, ""), "at once", BOBS],
  ["the index gone", (home) => rmSync(indexOf(home)), "at once", BOBS],
  ["the index of another version", (home) => damage(home, '{"version":9}\n[]\n'), "at once", BOBS],
])("%s", (_, change, when, expected) => {
  const home = aLongList();
  change(home);
  const first = open(home);
  if (when === "at once") expect(first).toEqual(expected);
  else expect(BOBS.filter((id) => !first.includes(id))).toEqual([]); // what it knew is not lost meanwhile
  expect(isPassWanted(home.paths, overviewOf(home.paths, "dev"))).toBe(true); // beside this turn
  settle(home);
  expect(open(home)).toEqual(expected);
  expect(isExact(home)).toBe(true);
});

const indexOf = ({ paths }: Home) => indexPath(paths, tasksDir(paths, "dev"));
const damage = (home: Home, text: string) => writeFileSync(indexOf(home), text);
const finish = ({ paths }: Home, id: string) =>
  updateTask(paths, "dev", id, (task) => ({ ...task, status: "completed" }));
const reopen = ({ paths }: Home, id: string) =>
  updateTask(paths, "dev", id, (task) => ({ ...task, status: "pending", owner: "bob" }));
function renamedOver(home: Home, task: Task): void {
  writeFileSync(`${file(home, task.id)}.new`, JSON.stringify(task));
  renameSync(`${file(home, task.id)}.new`, file(home, task.id));
}

test("a task that was half written at the pass is tried again by every reader", () => {
  const home = aLongList();
  writeFileSync(file(home, "20"), "{");
  settle(home);
  expect(open(home)).toEqual(["10", "30"]);
  put(home, bobs("20"));
  expect(open(home)).toEqual(BOBS);
});

test("what is younger than a clock's tick is not relied on: neither the directory nor a file", () => {
  const home = aLongList();
  asClient(home, bobs("7"));
  indexTasks(home.paths, "dev"); // at once
  expect(isExact(home)).toBe(false);
  putUnseen(home, bobs("8"));
  indexTasks(home.paths, "dev");
  expect(open(home)).toEqual(["7", "8", ...BOBS]);
});

test("a pass that finds a lock does not vouch for the directory: its holder may be about to write", () => {
  const home = aLongList();
  mkdirSync(`${file(home, "7")}.lock`);
  settle(home);
  expect(isExact(home)).toBe(false);
});

test("each reading is followed by a pass, started by one of several readers", () => {
  const home = aLongList();
  const asks = () => isPassWanted(home.paths, overviewOf(home.paths, "dev"));
  expect([asks(), asks()]).toEqual([true, false]);
  indexTasks(home.paths, "dev"); // has begun: what changes from now on is for the next
  expect([asks(), asks()]).toEqual([true, false]);
  utimesSync(`${indexOf(home)}.asked`, 0, 0); // its helper died
  expect([asks(), asks()]).toEqual([true, false]);
});

test("a slow pass does not replace what a later one wrote", () => {
  const home = aLongList();
  const later = {
    ...(readIndex(home.paths, tasksDir(home.paths, "dev")) as TaskIndex),
    takenAtMs: Date.now() - 1,
  };
  damage(home, `${JSON.stringify({ ...later, takenAtMs: Date.now() })}\n[]\n`);
  const { now } = Date;
  const began = now() - 60_000;
  let asked = 0;
  Date.now = () => (asked++ === 0 ? began : now());
  try {
    indexTasks(home.paths, "dev");
  } finally {
    Date.now = now;
  }
  expect(readIndex(home.paths, tasksDir(home.paths, "dev"))?.takenAtMs).toBeGreaterThan(began);
});

test("a verb makes its own pass where the directory has changed", () => {
  const home = aLongList();
  asClient(home, bobs("7"));
  const fresh = freshOverview(home.paths, "dev");
  expect([fresh.isLong, fresh.tasks.size]).toEqual([true, 0]); // by the new index: by names, open tasks would be read
  expect(selectTasks(home.paths, fresh, ownOpen("bob")).tasks.map(({ id }) => id)).toEqual(["7", ...BOBS]);
  settle(home);
  const { ino } = statSync(indexOf(home));
  expect(isExact(home)).toBe(true);
  freshOverview(home.paths, "dev");
  expect(statSync(indexOf(home)).ino).toBe(ino); // nothing has changed: no pass
});

test("a pass reads only the files that changed since the last, and every one that was too young to be relied on", () => {
  const home = aLongList();
  let opened: string[] = [];
  onFileCalls((name, [path]) => {
    if (name === "openSync" && /dev.\d+\.json$/.test(String(path)))
      opened.push(basename(String(path), ".json"));
  });
  const reads = (pass: () => unknown) => {
    opened = [];
    pass();
    return opened;
  };
  expect(reads(() => settle(home))).toEqual([]);
  put(home, bobs("7"));
  expect(reads(() => indexTasks(home.paths, "dev"))).toEqual(["7"]);
  expect(reads(() => settle(home))).toHaveLength(LENGTH); // by the real clock all of them are young
  expect(reads(() => settle(home))).toEqual([]);
  expect(open(home)).toEqual(["7", ...BOBS]);
});

test("a task that is deleted during the pass is none", () => {
  const home = aLongList();
  const path = file(home, "20");
  onFileCalls((name, [looked]) => {
    if (name === "statSync" && looked === path) rmSync(path, { force: true });
  });
  const index = indexTasks(home.paths, "dev");
  expect(index?.groups.flatMap(({ ids }) => ids)).toHaveLength(LENGTH - 1);
  expect(index?.groups.map(({ status }) => status).sort()).toEqual(["completed", "pending", "pending"]);
});

test.each<[string, (index: TaskIndex) => unknown, boolean]>([
  ["as it was written", (index) => index, true],
  ["of another version", (index) => ({ ...index, version: 9 }), false],
  ["with ids that are no list", (index) => ({ ...index, groups: [{ status: "pending", ids: 7 }] }), false],
  [
    "with an id that is no number",
    (index) => ({ ...index, groups: [{ status: "pending", ids: ["7"] }] }),
    false,
  ],
  ["with a status that is none", (index) => ({ ...index, groups: [{ status: 7, ids: [7] }] }), false],
])("an index %s is used: %s", (_, change, isUsed) => {
  const home = aHome();
  home.write(".claude/swarm/task-index/dev.json", `${JSON.stringify(change(index()))}\n[]\n`);
  expect(readIndex(home.paths, tasksDir(home.paths, "dev")) !== undefined).toBe(isUsed);
});

test.each<[string, (home: Home) => void, number]>([
  ["no list", () => {}, 0],
  [
    "a list that has just changed",
    (home) => mkdirSync(tasksDir(home.paths, "dev"), { recursive: true }),
    2_000,
  ],
  ["a pass that has just been made", (home) => noteTaken(home, Date.now()), 5_000],
  [
    "a pass of the future, by a clock that was set back",
    (home) => noteTaken(home, Date.now() + 3_600_000),
    10_000,
  ],
])("a pass waits: %s", (_, before, expectedMs) => {
  const home = aHome();
  before(home);
  const { now } = Date;
  const base = now();
  onTestFinished(virtualTime());
  const began = elapsedMs();
  Date.now = () => base + elapsedMs() - began;
  onTestFinished(() => {
    Date.now = now;
  });
  awaitQuiet(home.paths, "dev");
  expect(elapsedMs() - began).toBeGreaterThan(expectedMs - 100);
  expect(elapsedMs() - began).toBeLessThan(expectedMs + 900);
});
const noteTaken = (home: Home, takenAtMs: number) =>
  home.write(".claude/swarm/task-index/dev.json", `${JSON.stringify(index({ takenAtMs }))}\n[]\n`);

test("a member's start and stop ask for a pass once, whatever else they say", () => {
  const home = aLongList();
  aTeam(home, ["team-lead", "bob", "amy"]);
  const BOB = { env: member("bob") };
  const start = () => hooks.sessionStart(aContext(home, events.SessionStart, { source: "startup" }, BOB));
  expect(start()).toMatchObject({ after: expect.any(Function), context: { name: "assigned tasks" } });
  expect(start()).not.toHaveProperty("after");
  indexTasks(home.paths, "dev");
  expect(hooks.stop(aContext(home, events.Stop, {}, BOB))).toEqual({ after: expect.any(Function) });
});

test("the first long list of all: nothing of an index is there yet", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  for (let n = 1; n <= LENGTH; n++) home.write(`.claude/tasks/dev/${n}.json`, bobs(String(n)));
  const context = aContext(home, events.SessionStart, { source: "startup" }, { env: member("bob") });
  expect(hooks.sessionStart(context)).toMatchObject({
    after: expect.any(Function),
    context: { name: "assigned tasks" },
  });
});

test("of many own tasks fifty are shown, and the number of the others", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  for (let n = 1; n <= 53; n++) home.write(`.claude/tasks/dev/${n}.json`, bobs(String(n)));
  const context = aContext(home, events.SessionStart, { source: "startup" }, { env: member("bob") });
  expect(hooks.sessionStart(context)).toMatchObject({
    context: { text: expect.stringMatching(/- Task #50: task 50\n- and 3 more\n/) },
  });
});

test("swarm task list shows 200 of a long list, the open ones first; --all and --json show all", async () => {
  const home = aLongList();
  aTeam(home, ["team-lead", "bob", "amy"]);
  const lines = async (...args: string[]) =>
    (await callSwarm(home, ["task", "list", "--team", "dev", ...args])).stdout.trimEnd().split("\n");
  const shown = await lines();
  expect(shown).toHaveLength(201);
  expect(shown.filter((line) => line.includes("pending")).map((line) => line.split(" ")[0])).toEqual([
    "#10",
    "#20",
    "#30",
    "#40",
  ]);
  expect(shown.at(-2)).toMatch(new RegExp(`^#${LENGTH} `));
  expect(shown.at(-1)).toBe("… and 50 more: swarm task list --all");
  expect(await lines("--all")).toHaveLength(LENGTH);
  expect(JSON.parse((await lines("--json")).join(""))).toHaveLength(LENGTH);
  expect(await lines("--owner", "bob")).toHaveLength(3);
  expect(await lines("--status", "completed", "--owner", "bob")).toEqual(["no matching task"]);
});

test("right after a change swarm task list goes by the index, and reads what it shows; a search looks at every file", async () => {
  const home = aLongList();
  aTeam(home, ["team-lead", "bob", "amy"]);
  const list = async (...args: string[]) => {
    const { stdout } = await callSwarm(home, ["task", "list", "--team", "dev", ...args]);
    return [..."78"].map((id) => stdout.includes(`#${id}  pending`));
  };
  asClient(home, aTask("8", { status: "in_progress" }));
  const looked = new Set<unknown>();
  onFileCalls((name, [path]) => {
    if (name === "statSync") looked.add(path);
  });
  put(home, bobs("7"));
  expect(await list()).toEqual([false, false]);
  expect(looked.has(file(home, "9"))).toBe(false);
  expect(await list("--status", "pending")).toEqual([true, false]);
  expect(looked.has(file(home, "9"))).toBe(true);
  expect(await list()).toEqual([true, false]);
});

test("swarm task index says what it did", async () => {
  const home = aLongList();
  const index = async (team: string) => (await callSwarm(home, ["task", "index", `--team=${team}`])).stdout;
  expect(await index("dev")).toBe(`${LENGTH} tasks of list dev\n`);
  expect(await index("other")).toBe("list other is short: it needs no index\n");
});

const TRACE: Trace = [5, 4096, 1_000, 1_000];
const index = (fields: Partial<TaskIndex> = {}): TaskIndex => ({
  version: 2,
  takenAtMs: 10_000,
  ino: 5,
  directory: TRACE,
  groups: [],
  ...fields,
});
test.each<[string, TaskIndex, Trace | undefined, number, string]>([
  ["as it was", index(), TRACE, 11_000, "whole"],
  ["as it was, however long ago", index(), TRACE, 9e12, "whole"],
  ["changed", index(), [5, 4096, 2_000, 2_000], 11_000, "names"],
  ["its mtime set back", index(), [5, 4096, 1_000, 2_000], 11_000, "names"],
  ["too young at the pass", index({ directory: undefined }), TRACE, 11_000, "names"],
  ["changed since long ago", index(), [5, 4096, 2_000, 2_000], 9e12, "none"],
  ["another directory", index(), [6, 4096, 1_000, 1_000], 11_000, "none"],
  ["gone", index(), undefined, 11_000, "none"],
])("a directory %s", (_, known, directory, now, trust) => expect(trustIn(known, directory, now)).toBe(trust));
