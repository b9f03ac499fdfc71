import { mkdirSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Paths } from "../../lib/core/paths.ts";
import { elapsedMs, takeProblems } from "../../lib/core/process.ts";
import {
  countTasks,
  overviewOf,
  readOpenTasks,
  selectTasks,
  tasksInProgress,
} from "../../lib/tasks/store/select.ts";
import {
  createTask,
  deleteTask,
  hasTaskList,
  lastId,
  moveTaskList,
  notesOf,
  readCompletedSince,
  readSoundTask,
  readTask,
  readTasks,
  statusOf,
  type Task,
  takeVerified,
  tasksDir,
  updateTask,
  writeVerified,
} from "../../lib/tasks/store.ts";
import { aHome } from "../support/a-home.ts";
import { aTask } from "../support/a-task.ts";
import { anError, onFileCalls } from "../support/file-calls.ts";
import { inNoTime, virtualTime } from "../support/in-no-time.ts";
import { withWaits } from "../support/own-time.ts";

const make = (paths: Paths, subject: string) => createTask(paths, "dev", (id) => aTask(id, { subject }));

test("a task is written as the client writes it, beside the client's lock file", () => {
  const home = aHome();
  make(home.paths, "First task");
  expect(home.read(".claude/tasks/dev/1.json")).toBe(
    JSON.stringify(
      { id: "1", subject: "First task", description: "", status: "pending", blocks: [], blockedBy: [] },
      null,
      2,
    ),
  );
  expect(home.read(".claude/tasks/dev/.lock")).toBe("");
  expect(home.has(".claude/tasks/dev/.lock.lock")).toBe(false);
});

test("a task the client wrote is read whole", () => {
  const home = aHome();
  const sample = { ...aTask("1"), activeForm: "Doing it", owner: "me", metadata: { k: "v" }, later: 7 };
  home.write(".claude/tasks/dev/1.json", sample);
  expect(readTask(home.paths, "dev", "1")).toEqual(sample);
});

test("tasks come in numeric order, and only files named by a number are tasks", () => {
  const home = aHome();
  for (const id of ["10", "2", "1"]) home.write(`.claude/tasks/dev/${id}.json`, aTask(id));
  for (const name of ["x.json", "0.json", "3.json.tmp.1", "-1.json"])
    home.write(`.claude/tasks/dev/${name}`, aTask("9"));
  expect(readTasks(home.paths, "dev").map((task) => task.id)).toEqual(["1", "2", "10"]);
});

test("a number is never given twice, not even after the last task was deleted", () => {
  const { paths, read } = aHome();
  make(paths, "one");
  make(paths, "two");
  deleteTask(paths, "dev", "2", () => {});
  expect(read(".claude/tasks/dev/.highwatermark")).toBe("2");
  expect(make(paths, "three").id).toBe("3");
});

test("the client's own high-water mark counts", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/.highwatermark", "41");
  expect(lastId(home.paths, "dev")).toBe(41);
  expect(make(home.paths, "next").id).toBe("42");
});

test("keys we do not know survive an update", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", {
    ...aTask("1"),
    later: { x: 1 },
    empty: null,
    metadata: { k: "v", gone: null },
  });
  updateTask(home.paths, "dev", "1", (task) => ({ ...task, status: "in_progress" }));
  expect(home.json(".claude/tasks/dev/1.json")).toMatchObject({
    status: "in_progress",
    later: { x: 1 },
    empty: null,
    metadata: { k: "v", gone: null },
  });
});

test("a task that was deleted while it was being changed does not come back", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const change = () =>
    updateTask(home.paths, "dev", "1", (task) => {
      rmSync(home.path(".claude/tasks/dev/1.json"));
      return { ...task, status: "in_progress" };
    });
  expect(change).toThrow("was deleted meanwhile");
  expect(home.has(".claude/tasks/dev/1.json")).toBe(false);
});

test("a file that is no task is reported, never overwritten", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", '{"id": "1", "subj');
  expect(() => updateTask(home.paths, "dev", "1", (task) => task)).toThrow("cannot be read as a task");
  expect(home.read(".claude/tasks/dev/1.json")).toBe('{"id": "1", "subj');
  expect(readTasks(home.paths, "dev")).toEqual([]);
});

test("a task held by another process is waited for", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const lock = home.path(".claude/tasks/dev/1.json.lock");
  mkdirSync(lock);
  let looks = 0;
  onFileCalls((_, [path]) => {
    if (path !== lock || ++looks !== 5) return;
    expect(home.json(".claude/tasks/dev/1.json").subject).toBe("task 1");
    rmdirSync(lock); // its holder is done
  });
  updateTask(home.paths, "dev", "1", (task) => ({ ...task, subject: "changed" }));
  expect(looks).toBeGreaterThan(5);
  expect(home.json(".claude/tasks/dev/1.json").subject).toBe("changed");
});

test.each([
  ["blocked", "pending"],
  ["in_review", "in_progress"],
])("the status %s of Claude Swarm hooks is read as %s with a note", (status, ours) => {
  const home = aHome();
  const comments = [{ author: "amy", text: "hm", timestamp: "2026-02-20T12:00:00Z" }, "broken"];
  home.write(".claude/tasks/dev/1.json", { ...aTask("1", { status }), comments, owner: "" });
  const task = readTask(home.paths, "dev", "1");
  expect(task).toMatchObject({ status: ours, id: "1" });
  expect(task?.owner).toBeUndefined();
  expect(task && notesOf(task)).toEqual({ state: status, comments: [comments[0]] });
});

test("a status of theirs without comments, comments without such a status, and one with a line break", () => {
  const home = aHome();
  const comment = { author: "amy", text: "hm", timestamp: "2026-02-20T12:00:00Z" };
  home.write(".claude/tasks/dev/1.json", aTask("1", { status: "blocked" }));
  home.write(".claude/tasks/dev/2.json", aTask("2", { comments: [comment] }));
  home.write(".claude/tasks/dev/3.json", aTask("3", { status: "completed\n" }));
  expect(readTasks(home.paths, "dev").map((task) => [task.status, notesOf(task)])).toEqual([
    ["pending", { state: "blocked" }],
    ["pending", { comments: [comment] }],
    ["completed", {}],
  ]);
});

test("a comment that they add to a task with ours comes after them", () => {
  const home = aHome();
  const comment = (text: string) => ({ author: "amy", text, timestamp: "2026-02-20T12:00:00Z" });
  const metadata = { swarm: { comments: [comment("ours")] } };
  home.write(".claude/tasks/dev/1.json", { ...aTask("1"), metadata, comments: [comment("theirs")] });
  updateTask(home.paths, "dev", "1", (task) => ({ ...task, status: "in_progress" }));
  const task = home.json(".claude/tasks/dev/1.json");
  expect(task.metadata.swarm.comments).toEqual([comment("ours"), comment("theirs")]);
  expect(task).not.toHaveProperty("comments");
});

test.each(["constructor", "toString"])("a status called %s is a word like any other", (status) => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1", { status }));
  expect(readTasks(home.paths, "dev").map(({ status: read }) => read)).toEqual([status]);
});

test("notes that somebody spoilt do not hide the task", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", { ...aTask("1"), metadata: { swarm: "not ours", k: 1 } });
  expect(readTask(home.paths, "dev", "1")).toMatchObject({ id: "1", metadata: { k: 1 } });
});

test.each([
  ["dev", "dev"],
  ["my.team x", "my-team-x"],
  ["../../etc", "------etc"],
  ["名前", "--"],
])("list %j has the directory %j, as in the client", (list, name) => {
  const { paths } = aHome();
  expect(tasksDir(paths, list)).toBe(`${paths.base}/tasks/${name}`);
});

test.each(["", "0", "../1", "1.json", "1/2", "-1", "1e3"])("%j is no task number", (id) => {
  const { paths } = aHome();
  expect(() => readTask(paths, "dev", id)).toThrow();
});

// One reader for "open tasks" and one count: each of these cases was once answered differently by another reader.
test.each<[string, string, unknown, { open: string[]; all: number }]>([
  ["pending", "1", {}, { open: ["1"], all: 1 }],
  ["in progress", "1", { status: "in_progress" }, { open: ["1"], all: 1 }],
  ["completed", "1", { status: "completed" }, { open: [], all: 1 }],
  ["marked as deleted", "1", { status: "deleted" }, { open: [], all: 0 }],
  ["without an id", "1", { id: undefined }, { open: ["1"], all: 1 }],
  ["with another number inside", "1", { id: "7" }, { open: ["1"], all: 1 }],
  ["with a status only Swarm knows", "1", { status: "in_review" }, { open: ["1"], all: 1 }],
  ["whose owner has a line break behind it", "1", { owner: "bob\n" }, { open: ["1"], all: 1 }],
  ["without a subject", "1", { subject: undefined }, { open: [], all: 0 }],
  ["with links that are no list", "1", { blocks: "2" }, { open: [], all: 0 }],
  ["with a zero in front of its number", "01", {}, { open: [], all: 0 }],
  ["numbered zero", "0", {}, { open: [], all: 0 }],
])("a task %s", (_, name, fields, { open, all }) => {
  const home = aHome();
  home.write(`.claude/tasks/dev/${name}.json`, { ...aTask(name, { owner: "bob" }), ...(fields as object) });
  const ids = (tasks: Task[]) => tasks.map((task) => task.id);
  inNoTime(() => {
    expect(ids(readOpenTasks(home.paths, "dev"))).toEqual(open);
    expect(ids(readOpenTasks(home.paths, "dev", { owner: "bob" }))).toEqual(open);
    expect(readOpenTasks(home.paths, "dev", { owner: "amy" })).toEqual([]);
    expect(countTasks(overviewOf(home.paths, "dev")).all).toBe(all);
  });
});

test("files that cannot be read are retried together, not one after the other", () => {
  const home = aHome();
  for (let id = 1; id <= 40; id++) home.write(`.claude/tasks/dev/${id}.json`, "{");
  home.write(".claude/tasks/dev/41.json", aTask("41"));
  const before = performance.now();
  expect(readOpenTasks(home.paths, "dev").map((task) => task.id)).toEqual(["41"]);
  expect(performance.now() - before).toBeLessThan(1_000);
});

test("of a list some tasks are asked for, with a count of all; a long one without an index is not read where time is short", () => {
  const home = aHome();
  for (const id of ["1", "2", "3", "10"]) home.write(`.claude/tasks/dev/${id}.json`, aTask(id));
  const some = (limit: { first?: number; last?: number }) => {
    const { tasks, count } = selectTasks(home.paths, overviewOf(home.paths, "dev"), () => true, limit);
    return [...tasks.map((task) => task.id), count];
  };
  expect([some({ first: 2 }), some({ last: 2 }), some({ last: 0 })]).toEqual([
    ["1", "2", 4],
    ["3", "10", 4],
    [4],
  ]);
  expect(overviewOf(home.paths, "dev", 3)).toBeUndefined();
});

test("no task waits any longer for a deleted one, in either direction; other links stay", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1", { blocks: ["2", "3"], blockedBy: ["4"] }));
  home.write(".claude/tasks/dev/2.json", aTask("2", { blockedBy: ["1", "3"] }));
  home.write(".claude/tasks/dev/3.json", aTask("3", { blocks: ["2"], blockedBy: ["1"] }));
  home.write(".claude/tasks/dev/4.json", aTask("4", { blocks: ["1", "5"] }));
  const five = home.write(".claude/tasks/dev/5.json", aTask("5"));
  const { ino } = statSync(five);
  expect(deleteTask(home.paths, "dev", "1", () => {})?.subject).toBe("task 1");
  expect(readTasks(home.paths, "dev").map(({ id, blocks, blockedBy }) => [id, blocks, blockedBy])).toEqual([
    ["2", [], ["3"]],
    ["3", ["2"], []],
    ["4", ["5"], []],
    ["5", [], []],
  ]);
  expect(statSync(five).ino).toBe(ino);
  expect(deleteTask(home.paths, "dev", "1", () => {})).toBeUndefined();
});

test("one task that cannot be written does not keep the others waiting for a deleted one", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  for (const id of ["2", "3"]) home.write(`.claude/tasks/dev/${id}.json`, aTask(id, { blockedBy: ["1"] }));
  onFileCalls((name, [path]) => {
    if (name === "mkdirSync" && String(path).endsWith("2.json.lock")) throw anError("EIO");
  });
  takeProblems();
  expect(deleteTask(home.paths, "dev", "1", () => {})?.id).toBe("1");
  expect(readTasks(home.paths, "dev").map(({ blockedBy }) => blockedBy)).toEqual([["1"], []]);
  expect(takeProblems()).toEqual([expect.stringContaining("task #2 of dev still names the deleted #1")]);
});

test.each([
  ["", 0],
  ["no number", 0],
  ["7.5", 0],
  ["12\n", 12],
])("a high-water mark of %j counts as %i", (text, expected) => {
  const home = aHome();
  home.write(".claude/tasks/dev/.highwatermark", text);
  expect(lastId(home.paths, "dev")).toBe(expected);
  home.write(".claude/tasks/dev/3.json", aTask("3"));
  expect(lastId(home.paths, "dev")).toBe(Math.max(3, expected));
});

test("deleting an older task does not lower the mark", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/.highwatermark", "41");
  home.write(".claude/tasks/dev/3.json", aTask("3"));
  deleteTask(home.paths, "dev", "3", () => {});
  expect(home.read(".claude/tasks/dev/.highwatermark")).toBe("41");
});

test("an update of no task, or by nothing, changes nothing", () => {
  const home = aHome();
  expect(updateTask(home.paths, "dev", "1", (task) => task)).toBeUndefined();
  expect(home.has(".claude/tasks/dev")).toBe(false);
  const path = home.write(".claude/tasks/dev/1.json", aTask("1"));
  const { ino } = statSync(path);
  expect(updateTask(home.paths, "dev", "1", () => undefined)).toEqual(aTask("1"));
  expect(statSync(path).ino).toBe(ino);
});

test("a task that is deleted before its lock is free is gone, not damaged", () => {
  const home = aHome();
  const path = home.write(".claude/tasks/dev/1.json", aTask("1"));
  onFileCalls((name, [made]) => {
    if (name === "mkdirSync" && made === `${path}.lock`) rmSync(path);
  });
  expect(updateTask(home.paths, "dev", "1", (task) => task)).toBeUndefined();
});

test("a task in the middle of the client's write is read again, twice, in a tenth of a second", () => {
  onTestFinished(virtualTime());
  const home = aHome();
  const path = home.write(".claude/tasks/dev/1.json", "{");
  let reads = 0;
  onFileCalls((name, [opened]) => {
    if (name === "openSync" && opened === path && ++reads === 3)
      home.write(".claude/tasks/dev/1.json", aTask("1"));
  });
  const began = elapsedMs();
  expect(readTask(home.paths, "dev", "1")).toEqual(aTask("1"));
  expect(elapsedMs() - began).toBeGreaterThanOrEqual(100);
  home.write(".claude/tasks/dev/1.json", "{");
  reads = 3;
  expect([readTask(home.paths, "dev", "1"), reads]).toEqual([undefined, 6]);
});

test("what can be read, and what is not there, is not waited for", () => {
  onTestFinished(virtualTime());
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const { done, waitedMs } = withWaits(() => ["1", "2"].map((id) => readTask(home.paths, "dev", id)?.id));
  expect({ done, waitedMs }).toEqual({ done: ["1", undefined], waitedMs: 0 });
});

test("each owner's first task in progress, and how many more it has", () => {
  const home = aHome();
  const tasks: [string, string | undefined, string][] = [
    ["1", "bob", "completed"],
    ["2", "bob", "in_progress"],
    ["3", "amy", "in_progress"],
    ["4", "bob", "in_review"],
    ["5", undefined, "in_progress"],
    ["6", "carol", "pending"],
  ];
  for (const [id, owner, status] of tasks)
    home.write(`.claude/tasks/dev/${id}.json`, aTask(id, { status, ...(owner && { owner }) }));
  const found = tasksInProgress(home.paths, overviewOf(home.paths, "dev"));
  expect([...found].map(([owner, { first, more }]) => [owner, first.id, more])).toEqual([
    ["bob", "2", 1],
    ["amy", "3", 0],
  ]);
  expect([...tasksInProgress(home.paths, overviewOf(home.paths, "dev"), new Set(["amy"])).keys()]).toEqual([
    "amy",
  ]);
});

test("a task in progress by the index, but not by its file any more, is not shown", () => {
  const home = aHome();
  const put = (id: string, owner: string, status = "in_progress") =>
    home.write(`.claude/tasks/dev/${id}.json`, aTask(id, { owner, status }));
  for (const [id, owner] of ["bob", "amy", "eva"].entries()) put(String(id + 1), owner);
  const indexed = { ...overviewOf(home.paths, "dev"), tasks: new Map() };
  put("1", "bob", "completed");
  put("2", "eva");
  expect([...tasksInProgress(home.paths, indexed).keys()]).toEqual(["eva"]);
});

test("completed tasks are counted with those whose check succeeded", () => {
  const home = aHome();
  const verified = { by: "npm test", at: "2026-02-20T12:00:00Z" };
  home.write(
    ".claude/tasks/dev/1.json",
    aTask("1", { status: "completed", metadata: { swarm: { verified } } }),
  );
  home.write(".claude/tasks/dev/2.json", aTask("2", { status: "completed" }));
  home.write(".claude/tasks/dev/3.json", aTask("3", { metadata: { swarm: { verified } } }));
  expect(countTasks(overviewOf(home.paths, "dev"))).toEqual({ done: 2, all: 3, verified: 1 });
});

test("what was completed since a time, with the time", () => {
  const home = aHome();
  const files = { "1": "completed", "2": "completed", "3": "pending" };
  for (const [id, status] of Object.entries(files)) {
    const path = home.write(`.claude/tasks/dev/${id}.json`, aTask(id, { status }));
    utimesSync(path, Number(id) * 1_000, Number(id) * 1_000);
  }
  const since = (seconds: number) =>
    readCompletedSince(home.paths, "dev", new Date(seconds * 1_000)).map(({ task, at }) => [
      task.id,
      at.getTime(),
    ]);
  expect(since(1_500)).toEqual([["2", 2_000_000]]);
  expect(since(0)).toEqual([
    ["1", 1_000_000],
    ["2", 2_000_000],
  ]);
  expect(since(2_000)).toEqual([]);
  onFileCalls((name, [path]) => {
    if (name === "statSync" && path === home.path(".claude/tasks/dev/1.json"))
      rmSync(String(path), { force: true });
  });
  expect(since(0)).toEqual([["2", 2_000_000]]); // the other was deleted meanwhile
});

test("what is said about a completed task later does not complete it again", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const done = home.write(".claude/tasks/dev/2.json", aTask("2", { status: "completed", blockedBy: ["1"] }));
  utimesSync(done, 1_000, 1_000);
  deleteTask(home.paths, "dev", "1", () => {});
  updateTask(home.paths, "dev", "2", (task) => ({ ...task, description: "more" }));
  expect(readTask(home.paths, "dev", "2")).toMatchObject({ blockedBy: [], description: "more" });
  expect(readCompletedSince(home.paths, "dev", new Date(1_500_000))).toEqual([]);
  updateTask(home.paths, "dev", "2", (task) => ({ ...task, status: "pending" }));
  updateTask(home.paths, "dev", "2", (task) => ({ ...task, status: "completed" }));
  expect(readCompletedSince(home.paths, "dev", new Date(1_500_000))).toHaveLength(1);
});

test("the check of a task that is being completed is taken once, by the session that made it", () => {
  const home = aHome();
  const verified = { by: "npm test", tree: "1a2b3c4", at: "2026-02-20T12:00:00Z" };
  writeVerified(home.paths, "s-1", "1", verified);
  const take = (session: string) => takeVerified(home.paths, session, "1");
  expect([take("s-2"), take("s-1"), take("s-1")]).toEqual([undefined, verified, undefined]);
});

test("a list is moved whole; one that is not there is no error, one that may not be moved is", () => {
  const home = aHome();
  make(home.paths, "one");
  expect([hasTaskList(home.paths, "dev"), hasTaskList(home.paths, "other")]).toEqual([true, false]);
  moveTaskList(home.paths, "dev", home.path("moved"));
  expect([hasTaskList(home.paths, "dev"), home.has("moved/1.json")]).toEqual([false, true]);
  moveTaskList(home.paths, "dev", home.path("moved"));
  make(home.paths, "another");
  expect(() => moveTaskList(home.paths, "dev", home.path("moved"))).toThrow("ENOTEMPTY");
});

const state = (fields: Partial<Task>) => statusOf(aTask("1", fields));
test("the finer status holds until the task is completed", () => {
  const metadata = { swarm: { state: "in_review" } };
  expect(state({ status: "in_progress" })).toBe("in_progress");
  expect(state({ status: "in_progress", metadata })).toBe("in_review");
  expect(state({ status: "completed", metadata })).toBe("completed");
});

test("a list without a name has no directory", () => {
  const { paths } = aHome();
  expect(() => tasksDir(paths, "")).toThrow();
});

test("a deletion that is refused leaves the task", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const refuse = () => {
    throw new Error("refused");
  };
  expect(() => deleteTask(home.paths, "dev", "1", refuse)).toThrow("refused");
  expect(home.has(".claude/tasks/dev/1.json")).toBe(true);
});

test("a task file that cannot be opened is left out like a damaged one, without a second look, and is a problem to log", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  home.write(".claude/tasks/dev/2.json/in-its-place", "");
  const opened: string[] = [];
  onFileCalls((name, [path]) => {
    if (name === "openSync") opened.push(basename(String(path)));
  });
  expect(readTasks(home.paths, "dev").map(({ id }) => id)).toEqual(["1"]);
  expect(opened).toEqual(["1.json", "2.json"]);
  expect(readOpenTasks(home.paths, "dev").map(({ id }) => id)).toEqual(["1"]);
  expect(takeProblems()).toEqual([
    expect.stringMatching(/^task #2 of dev was left out: .*2\.json is not a regular file$/),
  ]);
  expect(() => readSoundTask(home.paths, "dev", "2")).toThrow("2.json is not a regular file");
});
