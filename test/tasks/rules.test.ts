import { expect, test } from "vitest";
import {
  type Board,
  type Change,
  whyNotClaimed,
  whyNotDeleted,
  whyNotReleased,
  whyRefused,
} from "../../lib/tasks/rules.ts";
import type { Task } from "../../lib/tasks/store.ts";
import { aTask } from "../support/a-task.ts";
import { ownMs } from "../support/own-time.ts";

type Given = Partial<Omit<Board, "tasks">> & { me?: string; tasks?: Task[] };

const board = ({ me = "amy", tasks = [], ...given }: Given = {}): Board => ({
  tasks: new Map(tasks.map((task) => [task.id, task])),
  team: "dev",
  roster: ["team-lead", "amy", "bob"],
  actor: { name: me, isLead: me === "team-lead" },
  whyLost: () => undefined,
  ...given,
});

const expectWhy = (got: string | undefined, why: string | undefined) =>
  why === undefined ? expect(got).toBeUndefined() : expect(got).toContain(why);

const STATUSES = ["pending", "in_progress", "completed"];
const LEGAL = new Set(["pending>in_progress", "in_progress>completed"]);

test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
  "status %s to %s",
  (from, to) => {
    const isFine = from === to || LEGAL.has(`${from}>${to}`);
    expectWhy(
      whyRefused(aTask("5", { status: from }), { status: to }, board()),
      isFine ? undefined : "Task #5 ",
    );
  },
);

test.each([
  ["pending", "completed", "the order is pending, in_progress, completed. Set it to in_progress first."],
  ["in_progress", "pending", "To give it up: swarm task release 5"],
  ["completed", "in_progress", "For what is left create a new task."],
  ["constructor", "completed", "Set it to pending first."],
])("refusing %s to %s names the right way", (from, to, way) =>
  expectWhy(whyRefused(aTask("5", { status: from }), { status: to }, board()), way),
);

const bobs = aTask("5", { owner: "bob" });
const bobsWork = aTask("5", { owner: "bob", status: "in_progress" });
const lost = { whyLost: () => "is gone" };
const alive = { whyLost: () => undefined };

test.each<[string, Task, Change, Given, string | undefined]>([
  ["a member may own", aTask("5"), { owner: "bob" }, {}, undefined],
  ["nobody may own", aTask("5", { owner: "amy" }), { owner: "" }, {}, undefined],
  [
    "a stranger may not",
    aTask("5"),
    { owner: "bop" },
    {},
    '"bop" is no member of team dev; nearest: bob. Members: team-lead, amy, bob.',
  ],
  [
    "anyone may while nobody knows the roster",
    aTask("5"),
    { owner: "zoe" },
    { roster: undefined },
    undefined,
  ],
  ["another's work is not taken", bobs, { status: "in_progress" }, {}, "Task #5 is bob's (pending)"],
  ["nor finished", bobsWork, { status: "completed" }, {}, "Task #5 is bob's (in_progress)"],
  ["nor given away", bobs, { owner: "amy" }, {}, "Task #5 is bob's"],
  ["except by the lead", bobs, { owner: "amy" }, { me: "team-lead" }, undefined],
  ["or once the claim is lost", bobs, { owner: "amy" }, lost, undefined],
  ["naming the owner again changes nothing", bobs, { owner: "bob" }, {}, undefined],
])("%s", (_, task, change, given, why) => {
  expectWhy(whyRefused(task, change, board(given)), why);
});

test.each([
  ["in_progress", "pending", "waits for #1 (task 1, pending)"],
  ["in_progress", "in_progress", "waits for #1 (task 1, in_progress)"],
  ["in_progress", "completed", undefined],
])("a task goes to %s while its blocker is %s", (to, blocker, why) => {
  const waits = aTask("2", { blockedBy: ["1"] });
  const tasks = [aTask("1", { status: blocker }), waits];
  expectWhy(whyRefused(waits, { status: to }, board({ tasks })), why);
});

test("a blocker also holds back the end, and one that was deleted blocks nothing", () => {
  const task = aTask("2", { blockedBy: ["1", "77"], status: "in_progress" });
  const of = (tasks: Task[]) => whyRefused(task, { status: "completed" }, board({ tasks }));
  expect(of([aTask("1"), task])).toContain("waits for #1");
  expect(of([task])).toBeUndefined();
});

test("a subject is data: one line", () => {
  const waits = aTask("2", { blockedBy: ["1"] });
  const tasks = [aTask("1", { subject: "a\nb\u001b" }), waits];
  expect(whyRefused(waits, { status: "in_progress" }, board({ tasks }))).toContain("#1 (a b, pending)");
});

test.each([
  ["free work", aTask("5", { status: "in_progress" })],
  ["another's, not begun", bobs],
])("anyone deletes %s", (_, task) =>
  expect(whyNotDeleted(task, board({ me: "amy", ...alive }))).toBeUndefined(),
);

// 1 waits for 2, 2 waits for 3
const CHAIN = [aTask("1", { blockedBy: ["2"] }), aTask("2", { blockedBy: ["3"] }), aTask("3"), aTask("4")];

test.each<[string, string, Change, string | undefined]>([
  ["a new link", "3", { blockedBy: ["4"] }, undefined],
  ["a link that is there already", "1", { blockedBy: ["2"] }, undefined],
  ["itself", "3", { blockedBy: ["3"] }, "Task #3 cannot wait for itself."],
  ["a task that is not there", "3", { blockedBy: ["9"] }, "There is no task #9."],
  [
    "a circle of two",
    "2",
    { blockedBy: ["1"] },
    "#2 cannot wait for #1, which waits for it: #1 waits for #2.",
  ],
  ["a circle of three", "3", { blockedBy: ["1"] }, "#1 waits for #2 waits for #3."],
  ["a circle from the other side", "1", { blocks: ["3"] }, "#3 cannot wait for #1"],
  [
    "a circle closed by the last of three",
    "4",
    { blockedBy: ["3", "1"], blocks: ["2"] },
    "#2 cannot wait for #4",
  ],
  ["a circle closed by two links at once", "4", { blockedBy: ["1"], blocks: ["3"] }, "#3 cannot wait for #4"],
])("links: %s", (_, id, change, why) => {
  const task = CHAIN.find((one) => one.id === id) as Task;
  expectWhy(whyRefused(task, change, board({ tasks: CHAIN })), why);
});

test("ten thousand tasks in a row are searched in no time", () => {
  const tasks = Array.from({ length: 10_000 }, (_, n) => aTask(`${n + 1}`, { blockedBy: [`${n + 2}`] }));
  const last = aTask("10001");
  const search = () =>
    expect(whyRefused(last, { blockedBy: ["1"] }, board({ tasks: [...tasks, last] }))).toContain(
      "#10001 cannot wait for #1",
    );
  expect(ownMs(search)).toBeLessThan(1_000);
});

test.each([
  ["free", aTask("5"), alive, undefined],
  ["mine", aTask("5", { owner: "amy" }), alive, undefined],
  ["another's", bobs, alive, "Task #5 is bob's (pending)"],
  ["another's, lost", bobsWork, lost, undefined],
  ["completed", aTask("5", { status: "completed" }), lost, "is completed"],
])("claiming a task that is %s", (_, task, given, why) => {
  expectWhy(whyNotClaimed(task, "amy", board(given)), why);
});

test.each([
  ["its owner", "bob", alive, true],
  ["the lead", "team-lead", alive, true],
  ["another", "amy", alive, false],
  ["another, once it is lost", "amy", lost, true],
])("%s releases and deletes work in progress", (_, me, given, may) => {
  expect(whyNotReleased(bobsWork, board({ me, ...given })) === undefined).toBe(may);
  expect(whyNotDeleted(bobsWork, board({ me, ...given })) === undefined).toBe(may);
});
