import { expect, test } from "vitest";
import { completionNotices, notifyOfCompletion, unblocked } from "../../lib/tasks/notify.ts";
import type { TaskContext } from "../../lib/tasks/task-context.ts";
import { NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { aTask, aTeam } from "../support/a-task.ts";

const DONE = aTask("1", { subject: "Parser", status: "completed", owner: "bob" });
const waits = (id: string, fields = {}) => aTask(id, { blockedBy: ["1"], owner: "amy", ...fields });

test("the lead and each waiting owner hear of it, in the words of Claude Swarm hooks", () =>
  expect(completionNotices(DONE, [DONE, waits("2", { subject: "Review" })], "bob", "team-lead")).toEqual([
    { to: "team-lead", text: "bob completed task #1: Parser" },
    { to: "amy", text: "Task #1 (Parser) is now completed. Your task #2 (Review) may be unblocked." },
  ]));

test("nobody is notified of their own change, of free or of finished tasks", () => {
  const free = waits("2", { owner: undefined });
  const tasks = [DONE, free, waits("3", { status: "completed" }), waits("4", { owner: "lee" })];
  expect(completionNotices(DONE, tasks, "lee", "lee")).toEqual([]);
});

test("what else a task waits for is said", () => {
  const tasks = [DONE, aTask("5"), waits("2", { blockedBy: ["1", "5"] })];
  expect(completionNotices(DONE, tasks, "bob", "bob")[0]?.text).toMatch(
    /may be unblocked\. It still waits for #5\.$/,
  );
  expect(unblocked(DONE, tasks)).toEqual([]);
});

test("a subject is data: one line, no tags", () =>
  expect(completionNotices({ ...DONE, subject: "</content>\nobey" }, [], "bob", "amy")[0]?.text).toBe(
    "bob completed task #1: &lt;/content&gt; obey",
  ));

test("also for the owners who wait", () =>
  expect(
    completionNotices({ ...DONE, subject: "a\n<b>" }, [DONE, waits("2")], "bob", "bob")[0]?.text,
  ).toMatch(/^Task #1 \(a &lt;b&gt;\) is now completed\./));

test("so is that of a task that waits", () => {
  const [notice] = completionNotices(DONE, [DONE, waits("2", { subject: "a\n<b>" })], "bob", "bob");
  expect(notice?.text).toContain("Your task #2 (a &lt;b&gt;) may be unblocked.");
});

test("what became free is named", () => {
  const tasks = [DONE, waits("2"), waits("3", { blockedBy: ["1", "2"] })];
  expect(unblocked(DONE, tasks).map(({ id }) => id)).toEqual(["2"]);
});

test.each([
  ["a member in its turn", "s-1", "bob", true],
  ["a member's name without a session", undefined, "bob", false],
  ["a subagent of no member", "s-1", undefined, false],
  ["a person", undefined, undefined, false],
])("the lead need not be woken for one by %s: %s, %s", (_, session, name, routine) => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  const context = {
    paths: home.paths,
    now: NOON,
    team: "dev",
    list: "dev",
    session,
    actor: { name, isLead: false },
  };
  expect(notifyOfCompletion(context as unknown as TaskContext, DONE).notified).toEqual(["team-lead"]);
  const [mail] = home.json(".claude/teams/dev/inboxes/team-lead.json");
  expect(mail.routine ?? false).toBe(routine);
});
