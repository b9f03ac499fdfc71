// Who acts on a list, what a change records, and who hears of it: `swarm task` in one process.
import { readdirSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "../../lib/core/settings.ts";
import type { Identity } from "../../lib/hook/context.ts";
import { signReader } from "../../lib/tasks/leases.ts";
import { actorOf, listOf } from "../../lib/tasks/task-context.ts";
import { verify } from "../../lib/tasks/verify.ts";
import { readTeam } from "../../lib/teams/store/config.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";
import { callSwarm } from "../support/call-swarm.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
  aTeam(home, ["lee", "bob", "amy"]);
});
const run = (agent: string | undefined, ...args: string[]) =>
  callSwarm(home, ["task", ...args], { env: agent ? member(agent) : {} });
const ok = async (agent: string | undefined, ...args: string[]) => {
  const done = await run(agent, ...args);
  expect(done).toMatchObject({ exitCode: 0, stderr: "" });
  return done.stdout;
};
const taskOf = (id: string) => home.json(`.claude/tasks/dev/${id}.json`);
const mailOf = (name: string): { from: string; text: string; routine?: boolean }[] => {
  const path = `.claude/teams/dev/inboxes/${name}.json`;
  return home.has(path) ? home.json(path) : [];
};

test.each<[Partial<Identity>, object]>([
  [
    { kind: "subagent", agent: "Explore", parent: "bob", isParentLead: false, team: "t" },
    { name: "bob", isLead: false },
  ],
  [
    { kind: "subagent", agent: "Explore", parent: "lee", isParentLead: true, team: "t" },
    { name: "lee", isLead: true },
  ],
  [
    { kind: "subagent", agent: "Explore" },
    { name: undefined, isLead: true },
  ],
  [
    { kind: "named", agent: "bob", team: "t", isLead: false },
    { name: "bob", isLead: false },
  ],
  [
    { kind: "named", agent: "lee", team: "t", isLead: true },
    { name: "lee", isLead: true },
  ],
  [
    { kind: "solo", agent: "bob", isLead: false },
    { name: "bob", isLead: true },
  ],
  [
    { kind: "solo", team: "t", isLead: false },
    { name: undefined, isLead: false },
  ],
  [
    { kind: "subagent", agent: "Explore", team: "t" },
    { name: undefined, isLead: false },
  ],
])("%j acts as %j", (identity, actor) => expect(actorOf(identity as Identity)).toEqual(actor));

test.each([
  ["named", "t", "s", "named"],
  [undefined, "t", "s", "t"],
  [undefined, undefined, "s", "s"],
])("the list of %s, %s, %s is %s", (taskList, team, session, list) =>
  expect(listOf({ taskList }, team, session)).toBe(list),
);
test("without any of them there is no list", () =>
  expect(() => listOf({ taskList: undefined }, undefined, undefined)).toThrow("which list?"));

describe("signs of an owner", () => {
  const SEEN = { lastSeen: "seen", machineSeen: "machine" };
  test.each<[string, object, object]>([
    ["at work", { state: "working" }, { life: "alive", lastSeen: "machine", isBusy: false }],
    [
      "at work on a machine that said nothing",
      { state: "working", machineSeen: undefined },
      { lastSeen: "seen" },
    ],
    ["idle", { state: "idle" }, { life: "alive", lastSeen: "seen" }],
    ["gone", { state: "gone" }, { life: "gone", lastSeen: "seen" }],
  ])("on another machine, %s", (_, fields, sign) => {
    const remote = { name: "bob", machine: "m", agent: "bob", ...SEEN, ...fields };
    home.write(".claude/teams/dev/config.json", { members: [remote] });
    const signs = signReader(home.paths, "dev", readTeam(home.paths, "dev"));
    expect(signs(aTask("1", { owner: "bob" }))).toMatchObject([sign]);
  });

  test("without a team that of the session with the claim, if there is one", () => {
    const at = NOON.toISOString();
    home.write(".claude/swarm/sessions/s-1/session.json", {
      ...{ session: "s-1", state: "idle", status: "idle", startedAt: at, lastSeen: at },
    });
    const signs = signReader(home.paths, undefined, undefined);
    const claimed = (session: string) =>
      aTask("1", { metadata: { swarm: { lease: { session, at } } } } as never);
    expect(signs(claimed("s-1"))).toMatchObject([{ lastSeen: at }]);
    expect(signs(claimed("s-2"))).toEqual([]);
    expect(signs(aTask("1"))).toEqual([]);
  });
});

describe("create", () => {
  test("is on record with its author; its owner hears of it, an author of its own does not", async () => {
    await ok("lee", "create", "Par<ser>", "--owner", "bob");
    expect(taskOf("1")).toMatchObject({ owner: "bob", metadata: { swarm: { createdBy: "lee" } } });
    expect(mailOf("bob")).toMatchObject([
      { from: "lee", text: "lee assigned task #1 to you: Par&lt;ser&gt;" },
    ]);
    await ok("bob", "create", "Own", "--owner", "bob");
    await ok("lee", "create", "Free");
    expect(mailOf("bob")).toHaveLength(1);
  });

  test("a person is a person", async () => {
    await ok(undefined, "create", "Parser", "--owner", "bob", "--team", "dev");
    expect(taskOf("1").metadata.swarm.createdBy).toBe("person");
    expect(mailOf("bob")).toMatchObject([{ from: "person", text: "person assigned task #1 to you: Parser" }]);
  });

  test("a blocker must be there, and an owner in the team", async () => {
    expect(await run("lee", "create", "x", "--blocked-by", "9")).toMatchObject({ exitCode: 1 });
    expect(await run("lee", "create", "x", "--owner", "eve")).toMatchObject({ exitCode: 1 });
    expect(home.has(".claude/tasks/dev/1.json")).toBe(false);
    await ok("lee", "create", "first");
    await ok("lee", "create", "second", "--blocked-by", "1");
    expect([taskOf("1").blocks, taskOf("2").blockedBy]).toEqual([["2"], ["1"]]);
  });
});

describe("update", () => {
  test("a task that begins belongs to who began it; one that only changes does not", async () => {
    await ok("lee", "create", "one");
    await ok("lee", "create", "two");
    await ok("bob", "update", "1", "--status", "in_progress");
    expect(taskOf("1")).toMatchObject({
      owner: "bob",
      metadata: { swarm: { lease: { session: "bob-session" } } },
    });
    await ok("lee", "update", "2", "--subject", "changed");
    expect(taskOf("2").owner).toBeUndefined();
    expect(taskOf("2").subject).toBe("changed");
  });

  test("given to somebody else it is that member's, without a claim yet, and that member hears of it", async () => {
    await ok("lee", "create", "one", "--owner", "bob");
    await ok("lee", "update", "1", "--owner", "amy");
    expect(taskOf("1").owner).toBe("amy");
    expect(taskOf("1").metadata.swarm.lease).toBeUndefined();
    expect(mailOf("amy")).toMatchObject([{ text: "lee assigned task #1 to you: one" }]);
    await ok("lee", "update", "1", "--subject", "same owner");
    expect(mailOf("amy")).toHaveLength(1);
  });

  test("completed: the lead hears of it as routine, waiting owners as news, once", async () => {
    await ok("lee", "create", "one", "--owner", "bob");
    await ok("lee", "create", "two", "--owner", "amy", "--blocked-by", "1");
    await ok("bob", "update", "1", "--status", "in_progress");
    await ok("bob", "done", "1");
    expect(mailOf("lee")).toMatchObject([{ from: "bob", text: "bob completed task #1: one", routine: true }]);
    expect(mailOf("amy").at(-1)?.text).toContain("Your task #2 (two) may be unblocked.");
    const before = mailOf("lee").length;
    await run("bob", "update", "1", "--comment", "more");
    expect(mailOf("lee")).toHaveLength(before);
    const lines = home.read(`.claude/swarm/journal/${readdirSync(home.path(".claude/swarm/journal"))[0]}`);
    expect(lines.match(/"what":"task-completed"/g)).toHaveLength(1);
  });

  test.each([
    ["a path", "../x", 2],
    ["a member that runs elsewhere", "amy", 1],
  ])("--as %s is refused", async (_, name, exitCode) => {
    await ok("lee", "create", "one");
    expect(await run("bob", "update", "1", "--comment", "x", "--as", name)).toMatchObject({ exitCode });
  });
});

describe("the check", () => {
  const check = (command: string | undefined, more: string = "") => {
    const line = command === undefined ? "" : `verify = ${JSON.stringify(command)}\n`;
    home.write(".claude/swarm/settings.toml", `[tasks]\n${line}${more}`);
    const { values } = readSettings(home.paths, home.project, home.project);
    return verify({ settings: values, paths: home.paths, cwd: home.project, session: undefined });
  };

  test.each<[string, string | undefined]>([
    ["true", undefined],
    ["printf '\\074b>'; exit 3", "failed with exit code 3"],
    ["kill -9 $$", "was ended by SIGKILL"],
  ])("%s: %s", (command, failure) => {
    const result = check(command);
    expect(result?.command).toBe(command);
    if (failure) expect(result?.failure).toContain(failure);
    else expect(result?.failure).toBeUndefined();
    expect(result?.failure ?? "").not.toContain("<b>");
  });

  test("none is set", () => expect(check(undefined)).toBeUndefined());

  test.runIf(process.platform === "linux")("leaves no file open or behind", () => {
    check("true");
    const open = readdirSync("/proc/self/fd").length;
    for (let n = 0; n < 5; n++) check("true");
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(open + 5);
  });
});
