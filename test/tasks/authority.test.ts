// A list that several machines share: each change is decided elsewhere first, and the files here are a copy.
import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createTask,
  deleteTask,
  mirrorTask,
  parseTask,
  readCompletedSince,
  readTask,
  type Task,
  type TaskAuthority,
  updateTask,
  withTaskAuthority,
} from "../../lib/tasks/store.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { settledIndex } from "../support/a-long-list.ts";
import { aTask } from "../support/a-task.ts";

type Asked = [id: string, before: Task | null, after: Task | null];

/** Answers with each of `present` in turn, then agrees. */
function anAuthority(...present: (Task | null)[]): TaskAuthority & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    reserve: () => 71,
    commit: (...change) => {
      asked.push(change);
      return asked.length > present.length ? undefined : { present: present[asked.length - 1] ?? null };
    },
    meanwhile: (_, work) => work(),
  };
}

const file = (id: string) => `.claude/tasks/dev/${id}.json`;
const withOne = (fields: Partial<Task> = {}): Home => {
  const home = aHome();
  home.write(file("1"), aTask("1", fields));
  return home;
};
const start = (task: Task): Task => ({ ...task, status: "in_progress" });

test("a new task gets its number there", () => {
  const { paths, json } = aHome();
  const there = anAuthority();
  const task = withTaskAuthority("dev", there, () => createTask(paths, "dev", (id) => aTask(id)));
  expect([task.id, json(file("71")).id]).toEqual(["71", "71"]);
  expect(there.asked).toEqual([["71", null, task]]);
});

test("a number that is taken there is refused, and nothing is written", () => {
  const home = aHome();
  const create = () => createTask(home.paths, "dev", (id) => aTask(id));
  expect(() => withTaskAuthority("dev", anAuthority(null), create)).toThrow("#71 is taken");
  expect(home.has(file("71"))).toBe(false);
});

test.each<[string, (home: Home) => unknown, string[]]>([
  ["create", ({ paths }) => createTask(paths, "dev", (id) => aTask(id)), [".lock.lock"]],
  ["update", ({ paths }) => updateTask(paths, "dev", "1", start), ["1.json.lock"]],
  ["delete", ({ paths }) => deleteTask(paths, "dev", "1", () => {}), [".lock.lock"]],
])("while it is asked about a task to %s, the lock that is held meanwhile is renewed", (_, work, held) => {
  const home = withOne();
  const directory = home.path(".claude/tasks/dev");
  const locks = () =>
    readdirSync(directory).filter((name) => name.endsWith(".lock.lock") || name.endsWith(".json.lock"));
  const renewals: (() => void)[] = [];
  const there = anAuthority();
  const slow: TaskAuthority = {
    ...there,
    meanwhile: (renew, asking) => {
      renewals.push(renew);
      return asking();
    },
    commit: () => {
      expect(locks()).toEqual(held);
      for (const name of held) utimesSync(join(directory, name), 0, 0);
      for (const renew of renewals) renew();
      for (const name of held)
        expect(Date.now() - statSync(join(directory, name)).mtimeMs).toBeLessThan(9_000);
      return undefined;
    },
  };
  withTaskAuthority("dev", slow, () => work(home));
  expect(renewals).toHaveLength(1);
});

test("of another list nothing is asked, nor after the work, however that ended", () => {
  const home = withOne();
  const there = anAuthority();
  withTaskAuthority("other", there, () => updateTask(home.paths, "dev", "1", start));
  expect(() =>
    withTaskAuthority("dev", there, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  deleteTask(home.paths, "dev", "1", () => {});
  createTask(home.paths, "dev", (id) => aTask(id));
  expect([there.asked, home.has(file("1")), home.has(file("2"))]).toEqual([[], false, true]);
});

test("a change is made to the task as it is there by now, which is then here too", () => {
  const home = withOne();
  const present = aTask("1", { subject: "renamed elsewhere" });
  const there = anAuthority(present);
  const changed = withTaskAuthority("dev", there, () => updateTask(home.paths, "dev", "1", start));
  expect(changed).toEqual(start(present));
  expect(there.asked).toEqual([
    ["1", aTask("1"), start(aTask("1"))],
    ["1", present, start(present)],
  ]);
  expect(home.json(file("1"))).toEqual(start(present));
});

test("a change that is not wanted any more leaves the task as it is there", () => {
  const home = withOne();
  const present = aTask("1", { owner: "bob" });
  const claim = (task: Task) => (task.owner ? undefined : { ...task, owner: "amy" });
  withTaskAuthority("dev", anAuthority(present), () => updateTask(home.paths, "dev", "1", claim));
  expect(home.json(file("1"))).toEqual(present);
});

test("a change that is none is not asked about", () => {
  const home = withOne();
  const there = anAuthority();
  withTaskAuthority("dev", there, () => updateTask(home.paths, "dev", "1", () => undefined));
  expect(there.asked).toEqual([]);
});

test.each<[string, (home: Home) => unknown, string]>([
  ["changed", ({ paths }) => updateTask(paths, "dev", "1", start), "was deleted meanwhile"],
  ["deleted", ({ paths }) => deleteTask(paths, "dev", "1", () => {}), "changed meanwhile"],
])("a task that is another there is not %s here", (_, work, said) => {
  const home = withOne();
  expect(() => withTaskAuthority("dev", anAuthority(null), () => work(home))).toThrow(said);
  expect(home.json(file("1"))).toEqual(aTask("1"));
});

const mirror = ({ paths }: Home, task: Task | null, waitMs = 20) =>
  mirrorTask(paths, "dev", "1", task && parseTask("1", JSON.stringify(task)), waitMs); // as the relay reads it

test.each<[string, Task | null, Task | null]>([
  ["a new one", null, aTask("1")],
  ["a changed one", aTask("1"), aTask("1", { owner: "bob" })],
  ["the same", aTask("1"), aTask("1")],
  ["a deleted one", aTask("1"), null],
  ["a deleted one that was never here", null, null],
])("a copy of what is there: %s", (_, here, there) => {
  const home = aHome();
  if (here) home.write(file("1"), here);
  mirror(home, there);
  expect(readTask(home.paths, "dev", "1")).toEqual(there ?? undefined);
  expect(home.has(`${file("1")}.lock`)).toBe(false);
});

test("a copy of what was said about a completed task later does not complete it again", () => {
  const home = aHome();
  const done = home.write(file("1"), aTask("1", { status: "completed" }));
  utimesSync(done, 1_000, 1_000);
  mirror(home, aTask("1", { status: "completed", description: "more" }));
  expect(readTask(home.paths, "dev", "1")).toMatchObject({ description: "more" });
  expect(readCompletedSince(home.paths, "dev", new Date(1_500_000))).toEqual([]);
});

test("nor does a change here of one that was changed there first", () => {
  const home = aHome();
  const done = home.write(file("1"), aTask("1", { status: "completed" }));
  utimesSync(done, 1_000, 1_000);
  const there = anAuthority(aTask("1", { status: "completed", description: "more" }));
  withTaskAuthority("dev", there, () =>
    updateTask(home.paths, "dev", "1", (task) => ({ ...task, subject: "other" })),
  );
  expect(readTask(home.paths, "dev", "1")).toMatchObject({ subject: "other", description: "more" });
  expect(readCompletedSince(home.paths, "dev", new Date(1_500_000))).toEqual([]);
});

test("what is copied already needs no lock, anything else waits for its turn", () => {
  const home = withOne();
  mkdirSync(home.path(`${file("1")}.lock`));
  mirror(home, aTask("1"));
  for (const other of [null, aTask("1", { owner: "bob" })])
    expect(() => mirror(home, other)).toThrow(/is held/);
  expect(home.json(file("1"))).toEqual(aTask("1"));
});

test.each<[string, string | undefined, string, boolean]>([
  ["opened again", "completed", "pending", true],
  ["completed", "pending", "completed", false],
  ["changed while it was open", "pending", "in_progress", false],
  ["new", undefined, "pending", false],
])("a copy of a task that was %s: the index of the list goes, %s", (_, before, after, isGone) => {
  const home = aHome();
  for (let id = 2; id <= 202; id++) home.write(file(String(id)), aTask(String(id)));
  if (before) home.write(file("1"), aTask("1", { status: before }));
  settledIndex(home, "dev");
  mirror(home, aTask("1", { status: after }));
  expect(home.has(".claude/swarm/task-index/dev.json")).toBe(!isGone);
});
