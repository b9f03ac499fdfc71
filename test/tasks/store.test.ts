import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { Paths } from "../../lib/core/paths.ts";
import { countTasks, overviewOf, readOpenTasks, selectTasks } from "../../lib/tasks/store/select.ts";
import {
  createTask,
  deleteTask,
  lastId,
  notesOf,
  readTask,
  readTasks,
  type Task,
  tasksDir,
  updateTask,
} from "../../lib/tasks/store.ts";
import { aHome } from "../support/a-home.ts";
import { aTask } from "../support/a-task.ts";

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

test("nobody waits any longer for a deleted task", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1", { blocks: ["2"] }));
  home.write(".claude/tasks/dev/2.json", aTask("2", { blockedBy: ["1"] }));
  deleteTask(home.paths, "dev", "1", () => {});
  expect(readTask(home.paths, "dev", "2")?.blockedBy).toEqual([]);
});

test("keys we do not know survive an update", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", { ...aTask("1"), later: { x: 1 }, metadata: { k: "v" } });
  updateTask(home.paths, "dev", "1", (task) => ({ ...task, status: "in_progress" }));
  expect(home.json(".claude/tasks/dev/1.json")).toMatchObject({
    status: "in_progress",
    later: { x: 1 },
    metadata: { k: "v" },
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

test("a task held by another process is waited for", async () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const lock = home.path(".claude/tasks/dev/1.json.lock");
  mkdirSync(lock);
  const before = performance.now();
  const holder = spawn("sh", ["-c", 'sleep 0.3; rmdir "$1"', "sh", lock]);
  updateTask(home.paths, "dev", "1", (task) => ({ ...task, subject: "changed" }));
  expect(performance.now() - before).toBeGreaterThan(250);
  await once(holder, "close");
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
  expect(ids(readOpenTasks(home.paths, "dev"))).toEqual(open);
  expect(ids(readOpenTasks(home.paths, "dev", { owner: "bob" }))).toEqual(open);
  expect(readOpenTasks(home.paths, "dev", { owner: "amy" })).toEqual([]);
  expect(countTasks(overviewOf(home.paths, "dev")).all).toBe(all);
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

test("a deletion that is refused leaves the task", () => {
  const home = aHome();
  home.write(".claude/tasks/dev/1.json", aTask("1"));
  const refuse = () => {
    throw new Error("refused");
  };
  expect(() => deleteTask(home.paths, "dev", "1", refuse)).toThrow("refused");
  expect(home.has(".claude/tasks/dev/1.json")).toBe(true);
});
