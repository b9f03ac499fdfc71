import { expect, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";
import { runSwarm } from "../support/run-built.ts";

const as = (home: Home, agent: string) => {
  const env = member(agent);
  return (...args: string[]) => runSwarm(home, ["task", ...args], { env });
};

test("a day of one list: create, wait, claim, finish, free the next", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob", "amy"]);
  const lead = as(home, "team-lead");
  const bob = as(home, "bob");
  const amy = as(home, "amy");
  expect(lead("create", "Write the parser", "--owner", "bob").stdout).toBe(
    "created #1  pending  Write the parser  @bob\n",
  );
  expect(lead("create", "Review it", "--blocked-by", "1", "--owner", "@amy").stdout).toContain(
    "waits for #1",
  );
  expect(amy("claim")).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("No task is free") });
  expect(amy("claim", "1")).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is bob's") });
  expect(bob("claim").stdout).toBe("claimed #1  in_progress  Write the parser  @bob\n");
  const review = bob("update", "1", "--status", "in-review", "--comment", "have a look");
  expect(review.stdout).toContain("in_review");
  expect(home.json(".claude/tasks/dev/1.json").status).toBe("in_progress");
  expect(bob("done", "1").stdout).toBe(
    "#1  completed  Write the parser  @bob  (unverified)\nunblocked: #2  Review it  (amy)\nnotified: team-lead, amy\n",
  );
  expect(amy("claim").stdout).toContain("claimed #2");
  expect(amy("release", "#2", "--comment", "no time").stdout).toContain("released #2  pending  Review it\n");
  expect(lead("show", "2").stdout).toMatch(/amy: no time/);
  expect(lead("delete", "2").stdout).toBe("deleted #2  Review it\n");
  expect(lead("show", "2")).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("it was deleted") });
  expect(JSON.parse(lead("list", "--json").stdout)).toMatchObject([
    { id: "1", status: "completed", shownStatus: "completed" },
  ]);
  expect(home.json(".claude/tasks/dev/1.json").metadata.swarm.comments).toMatchObject([
    { author: "bob", text: "have a look" },
  ]);
});

test.each([
  [["fly"], 2, 'not "fly"'],
  [["create"], 2, "a task needs a subject"],
  [["create", "x", "--status", "completed"], 2, "a new task is pending"],
  [["create", "x", "--blocked-by", "9"], 1, "There is no task #9."],
  [["create", "x", "--blocked-by", "1;rm"], 2, "is no task number"],
  [["show"], 2, "which task?"],
  [["show", "../1"], 2, "which task?"],
  [["show", "7"], 1, "there is no task #7 in list dev"],
  [["update", "1"], 2, "nothing to change"],
  [["update", "1", "--status", "soon"], 2, "--status is pending"],
  [["update", "1", "--status", "completed"], 1, "the order is pending, in_progress, completed"],
  [["update", "1", "--owner", "zoe"], 1, '"zoe" is no member of team dev'],
  [["update", "1", "--blocked-by", "1"], 1, "cannot wait for itself"],
  [["list", "--wrong"], 2, "--wrong"],
])("a bad call says what is wrong: %j", (args, exitCode, message) => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"], [aTask("1")]);
  const stderr = expect.stringContaining(message);
  expect(as(home, "bob")(...args)).toMatchObject({ exitCode, stdout: "", stderr });
});

test.each([["task", "list"], ["task", "list", "--json"], ["status"]])(
  "%j %s %s: files that are no tasks are named once, beside what is printed",
  (...args) => {
    const home = aHome();
    aTeam(home, ["team-lead", "bob"]);
    home.write(".claude/tasks/dev/1.json", aTask("1"));
    home.write(".claude/tasks/dev/2.json/in-its-place", "");
    home.write(".claude/tasks/dev/3.json", '{ "subject": "torn');
    const { exitCode, stdout, stderr, reply } = runSwarm(home, [...args, "--team", "dev"]);
    expect(stderr).toBe(
      [
        `swarm: task #2 of dev was left out: ${home.path(".claude/tasks/dev/2.json")} is not a regular file\n`,
        "swarm: task #3 of dev was left out: its file cannot be read as a task\n",
      ].join(""),
    );
    expect(stdout).not.toContain("left out");
    if (args.includes("--json")) expect(reply).toMatchObject([{ id: "1" }]);
    expect(exitCode).toBe(0);
  },
);

test("words are data: quotes, tags, newlines and a screenful arrive and stay as they are", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  const subject = "--not a flag `$(touch x)` \"q\" '…' 🙂";
  const long = "line\n".repeat(20_000);
  const env = member("bob");
  runSwarm(home, ["task", "create", `--subject=${subject}`, "--description", "-"], { env, stdin: long });
  expect(home.json(".claude/tasks/dev/1.json")).toMatchObject({ subject, description: long });
});

test("nothing an agent wrote can steer the terminal", () => {
  const home = aHome();
  const evil = "\u001b[2J\u009b1mred\u0007";
  const comments = [{ author: evil, text: `${evil}\nnext line`, timestamp: "2026-02-20T12:00:00Z" }];
  const one = aTask("1", {
    subject: evil,
    description: `a\n${evil}`,
    owner: `x${evil}`,
    metadata: { swarm: { comments } },
  });
  aTeam(home, ["team-lead", "bob"], [one, aTask("2", { blockedBy: ["1"] })]);
  for (const args of [["list"], ["show", "1"], ["claim", "1"], ["claim", "2"]]) {
    const { stdout, stderr } = as(home, "bob")(...args);
    expect(stdout + stderr).toContain("red");
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  }
});

test("without a team the list is the session's, as in the client", () => {
  const home = aHome();
  const env = { CLAUDE_CODE_SESSION_ID: "1f0c-22" };
  runSwarm(home, ["task", "create", "alone"], { env });
  expect(runSwarm(home, ["task", "claim"], { env }).stdout).toContain("@team-lead");
  expect(home.has(".claude/tasks/1f0c-22/1.json")).toBe(true);
  expect(runSwarm(home, ["task", "list"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--team NAME"),
  });
});

const bobsSession = (home: Home, fields: object) =>
  home.write(".claude/swarm/sessions/s-bob/session.json", {
    session: "s-bob",
    team: "dev",
    agent: "bob",
    state: "active",
    status: "working",
    startedAt: new Date().toISOString(),
    lastSeen: new Date().toISOString(),
    ...fields,
  });

test("a claim is lost when its owner's process is gone, and the comments say who had it", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob", "amy"], [aTask("1")]);
  runSwarm(home, ["task", "claim"], { env: { ...member("bob"), CLAUDE_CODE_SESSION_ID: "s-bob" } });
  bobsSession(home, { pid: process.pid, pidStartedAt: startOf(process.pid) });
  expect(as(home, "amy")("claim").exitCode).toBe(1);
  bobsSession(home, { pid: process.pid, pidStartedAt: "another process" });
  expect(as(home, "amy")("claim").stdout).toContain("claimed #1");
  expect(as(home, "amy")("show", "1").stdout).toContain("amy: taken over from bob, who is gone");
});

test("a claim is lost by silence too", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob", "amy"], [aTask("1", { owner: "bob", status: "in_progress" })]);
  const seen = (secondsAgo: number) =>
    bobsSession(home, { lastSeen: new Date(Date.now() - secondsAgo * 1_000).toISOString() });
  seen(200);
  expect(as(home, "amy")("claim", "1").exitCode).toBe(1);
  seen(400);
  expect(as(home, "amy")("claim", "1").stdout).toContain("@amy");
});
