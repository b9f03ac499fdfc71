// `swarm send`, `broadcast`, `inbox` and `outbox` in one process, and the texts that quote others.
import { mkdirSync, rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import { writeRelay } from "../../lib/machines/store/relay.ts";
import * as sendCheck from "../../lib/mail/hooks/send-check.ts";
import { asOutgoing, whyNotSent } from "../../lib/mail/send-check.ts";
import type { Message } from "../../lib/mail/store/message.ts";
import { moveMail } from "../../lib/mail/store/removed-members.ts";
import { readFinished, summaryOf } from "../../lib/mail/wake-up.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { aTask } from "../support/a-task.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
  aTeam(home);
});
const run = (agent: string, args: string[], stdin = "") =>
  callSwarm(home, args, { env: agent ? as(agent) : {}, stdin });
const json = async (agent: string, args: string[]) =>
  JSON.parse((await run(agent, [...args, "--json"])).stdout);
const mail = (name: string) => home.json(inboxOf(name));

test("mail of a lead that the roster does not list waits for the next lead", async () => {
  home.write(CONFIG, { name: TEAM, members: [{ name: "bob" }] });
  home.write(inboxOf("team-lead"), [aMessage("bob", "done")]);
  expect(await json("bob", ["outbox"])).toMatchObject([{ to: "team-lead", state: "queued" }]);
});

test("the usual name is no member where another leads: mail that waits there is dead", async () => {
  aTeam(home, ["boss", "bob"]);
  home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: `boss@${TEAM}` });
  home.write(inboxOf("team-lead"), [aMessage("bob", "to the old lead")]);
  expect(await json("bob", ["outbox"])).toMatchObject([{ to: "team-lead", state: "dead" }]);
});

describe("send", () => {
  test("a member's answer is on record at both ends, a person's is no answer", async () => {
    home.write(inboxOf("bob"), [aMessage("alice", "how?", { id: "q-1", read: true, state: "shown" })]);
    await run("", ["send", "alice", "hi", "--team", TEAM]);
    expect(mail("alice")[0]).not.toHaveProperty("replyTo");
    await run("bob", ["send", "alice", "so"]);
    expect(mail("alice")[1]).toMatchObject({ from: "bob", replyTo: "q-1" });
    expect(mail("bob")[0].answeredBy ?? mail("bob")[0].state).toBeDefined();
    expect(await run("", ["send", "alice", "x", "--team", TEAM, "--reply-to", "q-1"])).toMatchObject({
      exitCode: 2,
    });
  });

  test("a message without an id, as another program marked it, keeps the others from no answer", async () => {
    home.write(inboxOf("bob"), [
      aMessage("alice", "how?", { id: "q-1", read: true, state: "shown" }),
      aMessage("alice", "well?", { id: "", read: true }),
    ]);
    await run("bob", ["send", "alice", "so"]);
    expect(mail("alice")[0]).toMatchObject({ replyTo: "q-1" });
    expect(mail("bob")[0].state).toBe("answered");
  });

  test("`team-lead`, as skills and prompts call the lead, reaches it under any name", async () => {
    aTeam(home, ["boss", "bob"]);
    home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: `boss@${TEAM}` });
    home.write(inboxOf("bob"), [aMessage("boss", "how?", { id: "q-1", read: true, state: "shown" })]);
    expect(await run("bob", ["send", "team-lead", "so"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/ to boss: queued\n$/),
    });
    expect(mail("boss")).toMatchObject([{ from: "bob", text: "so", replyTo: "q-1" }]);
    aTeam(home, ["boss", "bob", { name: "team-lead", agentId: "another" }]);
    home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: `boss@${TEAM}` });
    await run("bob", ["send", "team-lead", "you"]);
    expect(mail("team-lead")).toMatchObject([{ text: "you" }]);
  });

  test("routine only where it is said", async () => {
    await run("bob", ["send", "alice", "a"]);
    await run("bob", ["send", "alice", "b", "--routine"]);
    expect(mail("alice").map(({ routine }: { routine?: boolean }) => routine)).toEqual([undefined, true]);
  });

  test.each<[string, string[], string, number]>([
    ["nothing", ["send", "alice"], "the message is empty", 2],
    ["spaces", ["send", "alice", " "], "the message is empty", 2],
    ["a text and a file", ["send", "alice", "x", "--file", "-"], "either a text or --file", 2],
    ["no reader", ["send"], "to whom?", 2],
    ["a person", ["send", "person", "x"], "has no inbox", 1],
    ["a file that is not there", ["send", "alice", "--file", "gone"], "there is no file", 2],
  ])("%s is refused", async (_, args, why, exitCode) =>
    expect(await run("bob", args)).toMatchObject({ exitCode, stderr: expect.stringContaining(why) }),
  );

  test("from stdin, without the last line ends", async () => {
    await run("bob", ["send", "alice", "--file", "-"], "one\ntwo\n\n");
    expect(mail("alice")[0].text).toBe("one\ntwo");
  });

  test("an agent sends a file of its project, a person any", async () => {
    home.write("secret", "s");
    home.write("project/open", "o");
    expect(await run("bob", ["send", "alice", "--file", "../secret"])).toMatchObject({ exitCode: 1 });
    expect(await run("bob", ["send", "alice", "--file", "open"])).toMatchObject({ exitCode: 0 });
    expect(await run("", ["send", "alice", "--file", "../secret", "--team", TEAM])).toMatchObject({
      exitCode: 0,
    });
  });
});

describe("send to whom", () => {
  const remote = { name: "zoe-laptop", machine: "laptop", agent: "zoe" };

  test("a member on another machine, by the address it has there", async () => {
    aTeam(home, [
      "team-lead",
      "bob",
      { ...remote, name: "eve-desktop", machine: "desktop", agent: "eve" },
      remote,
    ]);
    expect(await json("bob", ["send", "zoe@laptop", "hi"])).toMatchObject({ to: "zoe-laptop", team: TEAM });
    expect(await json("", ["send", "zoe@laptop", "hi", "--team", TEAM])).toMatchObject({ to: "zoe-laptop" });
    expect(await json("bob", ["send", `team-lead@${TEAM}`, "hi"])).toMatchObject({ to: "team-lead" });
    expect((await run("bob", ["send", "ann@laptop", "hi"])).stderr).toContain("there is no team laptop");
  });

  /** As `swarm join` does it in another process, just before the sender gets the lock of alice's inbox. */
  const renamesAlice = () => {
    let isRenamed = false;
    onFileCalls((name, [path]) => {
      if (isRenamed || name !== "mkdirSync" || !String(path).endsWith("alice.json.lock")) return;
      isRenamed = true;
      aTeam(home, ["team-lead", "alicia", "bob"]);
      moveMail(home.paths, TEAM, "alice", "alicia");
    });
  };

  test("a member that has another name by now gets no mail that nobody would read: its sender hears of it", async () => {
    home.write(inboxOf("alice"), [aMessage("bob", "before")]);
    renamesAlice();
    expect(await run("bob", ["send", "alice", "late"])).toMatchObject({
      exitCode: 1,
      stderr: `swarm: there is no alice in team ${TEAM}; nearest: alicia\nmembers of ${TEAM}: team-lead, alicia, bob\n`,
    });
    expect(mail("alicia")).toMatchObject([{ text: "before" }]);
    expect(mail("alice")).toEqual([]);
  });

  test("nor does it get a broadcast under the old name, and the others do", async () => {
    home.write(inboxOf("alice"), []);
    renamesAlice();
    const { exitCode, stdout } = await run("bob", ["broadcast", "late"]);
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringContaining("not to alice: there is no alice in team"),
    ]);
    expect([mail("team-lead").length, mail("alice")]).toEqual([1, []]);
  });

  describe("mail that followed the lead, as another machine says", () => {
    const relayed = () => {
      writeRelay(home.paths, aRelay("nats://127.0.0.1:1", "box"));
      aTeam(home, ["team-lead", "bob", { name: "dan", machine: "desktop", agent: "dan" }, remote]);
    };
    const shown = { read: true, state: "shown" };

    test.each([
      ["of a member elsewhere", "zoe@laptop@desktop", "zoe-laptop"],
      ["of a member here", "bob@box@laptop", "bob"],
      ["of a member here, as others write it", "bob@box", "bob"],
    ])("%s is answered by the address that it shows: %s", async (_, address, to) => {
      relayed();
      home.write(inboxOf("team-lead"), [aMessage(address, "how?", { id: "q-1", ...shown })]);
      expect(await json("team-lead", ["send", address, "so"])).toMatchObject({ to, team: TEAM });
      expect(mail(to)).toMatchObject([{ from: "team-lead", text: "so", replyTo: "q-1" }]);
      expect(mail("team-lead")[0].state).toBe("answered");
    });

    test.each([
      ["a namesake on another machine", "dan@box"],
      ["nobody", "eve@box@laptop"],
    ])("%s is not meant: %s", async (_, address) => {
      relayed();
      expect((await run("bob", ["send", address, "so"])).stderr).toMatch(/there is no (team|eve)/);
      expect(home.has(inboxOf("dan"))).toBe(false);
    });

    test("a team of that name goes before a machine", async () => {
      relayed();
      for (const team of ["box", "desktop"])
        home.write(`.claude/teams/${team}/config.json`, {
          name: team,
          members: [{ name: "bob" }, { name: "zoe@laptop" }],
        });
      expect(await json("bob", ["send", "bob@box", "so"])).toMatchObject({ to: "bob", team: "box" });
      expect(await json("bob", ["send", "zoe@laptop@desktop", "so"])).toMatchObject({
        to: "zoe@laptop",
        team: "desktop",
      });
    });
  });

  test("the message that is answered is the last of that member, or the one that is named", async () => {
    const shown = { read: true, state: "shown" };
    home.write(inboxOf("bob"), [
      aMessage("alice", "a", { id: "q-a", ...shown }),
      aMessage("team-lead", "b", { id: "q-b", ...shown }),
    ]);
    await run("bob", ["send", "alice", "so"]);
    expect(mail("alice")[0].replyTo).toBe("q-a");
    await run("bob", ["send", "alice", "so", "--reply-to", "q-b"]);
    expect(mail("alice")[1].replyTo).toBe("q-b");
    expect(await run("bob", ["send", "alice", "so", "--reply-to", "q-c"])).toMatchObject({ exitCode: 2 });
  });

  test("who is not in the team answers nothing, and has no inbox that could", async () => {
    home.write(inboxOf("eve"), [aMessage("alice", "how?", { id: "q-1", read: true, state: "shown" })]);
    expect(await run("eve", ["send", "alice", "x", "--reply-to", "q-1"])).toMatchObject({ exitCode: 2 });
    await run("eve", ["send", "alice", "x"]);
    expect(mail("alice")[0]).not.toHaveProperty("replyTo");
  });
});

describe("the project of a sent file", () => {
  test.each<[string, { project?: string; cwd?: string }, string | undefined, number]>([
    ["is that of the session's record", { project: "other" }, "project", 0],
    ["is not where the session is now", { project: "project", cwd: "other" }, "other", 1],
    ["else the client's", { cwd: "other" }, "project", 1],
    ["else the record's directory", { cwd: "other" }, undefined, 0],
    ["else the current directory", {}, undefined, 1],
  ])("%s", async (_, { project, cwd }, ofClient, exitCode) => {
    home.write("other/a", "x");
    const whole = (path: string | undefined) => path && home.path(path);
    home.write(".claude/swarm/sessions/bob-session/session.json", {
      ...{ session: "bob-session", kind: "named", state: "active", status: "working" },
      ...{ startedAt: NOON, lastSeen: NOON, project: whole(project), cwd: whole(cwd) },
    });
    const env = as("bob", { CLAUDE_PROJECT_DIR: whole(ofClient) ?? "" });
    expect(await callSwarm(home, ["send", "alice", "--file", "../other/a"], { env })).toMatchObject({
      exitCode,
    });
  });
});

describe("listing", () => {
  test("what is listed is marked: that message, not another with the same text", async () => {
    home.write(inboxOf("bob"), [
      aMessage("alice", "same", { id: "m-a" }),
      aMessage("alice", "same", { id: "m-b" }),
    ]);
    await run("bob", ["inbox", "m-a"]);
    expect(mail("bob").map(({ read }: { read: boolean }) => read)).toEqual([true, false]);
  });

  test("of nobody there is no inbox, of a removed member there is", async () => {
    expect(await run("", ["inbox", "--team", TEAM, "--agent", "eve", "--peek"])).toMatchObject({
      exitCode: 1,
    });
    home.write(inboxOf("eve"), [aMessage("alice", "x")]);
    expect(await run("", ["inbox", "--team", TEAM, "--agent", "eve", "--peek"])).toMatchObject({
      exitCode: 0,
    });
  });

  test("whose: no one, a remote member's, another's outbox", async () => {
    aTeam(home, ["team-lead", "alice", { name: "bob", machine: "laptop", agent: "bob" }]);
    expect((await run("", ["inbox", "--team", TEAM])).stderr).toContain("whose inbox?");
    expect((await run("", ["inbox", "--agent", "alice"])).stderr).toContain("whose inbox?");
    expect((await run("bob", ["inbox"])).stderr).toContain("not yours to mark as read");
    expect((await run("alice", ["inbox"])).stdout).toBe("no mail\n");
    expect((await run("", ["outbox"])).stderr).toContain("whose outbox?");
    expect(await run("", ["outbox", "--team", TEAM, "--agent", "eve"])).toMatchObject({ exitCode: 1 });
  });

  test("a team of the client: its own mail is listed, and left unread for the client", async () => {
    const native = "session-0a1b2c3d";
    const path = `.claude/teams/${native}/inboxes/team-lead.json`;
    home.write(`.claude/teams/${native}/config.json`, {
      ...{ name: native, leadAgentId: `team-lead@${native}`, leadSessionId: "s-1" },
      members: [{ name: "team-lead", agentId: `team-lead@${native}` }],
    });
    home.write(path, [aMessage("bob", "x", { id: "m-x" })]);
    const before = home.read(path);
    const { stdout } = await callSwarm(home, ["inbox"], { env: { CLAUDE_CODE_SESSION_ID: "s-1" } });
    expect(stdout).toContain("m-x  from bob");
    expect(home.read(path)).toBe(before);
  });

  test("of much mail the oldest is listed and marked, at least one message; --all and --json list all of it", async () => {
    const sizes = [30_000, 9_000, 9_000, 9_000];
    home.write(
      inboxOf("bob"),
      sizes.map((size, n) => aMessage("alice", "x".repeat(size), { id: `m-${n}` })),
    );
    const unread = () => mail("bob").flatMap(({ id, read }: Message) => (read ? [] : id));
    const rest = (count: string) => new RegExp(`\\n\\n${count} more unread: swarm inbox shows the next\\n$`);
    expect((await run("bob", ["inbox", "--peek"])).stdout).toMatch(/3 messages more unread: .* --all/);
    expect(await json("bob", ["inbox", "--peek"])).toHaveLength(4);
    expect((await run("bob", ["inbox", "--peek", "--all"])).stdout).not.toContain("more unread");
    expect(unread()).toHaveLength(4);
    expect((await run("bob", ["inbox"])).stdout).toMatch(rest("3 messages"));
    expect(unread()).toEqual(["m-1", "m-2", "m-3"]);
    expect((await run("bob", ["inbox"])).stdout).toMatch(rest("1 message"));
    expect(unread()).toEqual(["m-3"]);
    expect((await run("bob", ["inbox"])).stdout).not.toContain("more unread");
    expect(unread()).toEqual([]);
  });

  test("mail of an inbox that is locked is listed, and its marks are spooled", async () => {
    home.write(inboxOf("bob"), [
      aMessage("alice", "x", { id: "m-x" }),
      aMessage("alice", "y", { id: "m-y", read: true }),
    ]);
    const lock = home.path(`${inboxOf("bob")}.lock`);
    mkdirSync(lock);
    onTestFinished(virtualTime());
    expect((await run("bob", ["inbox"])).stdout).toContain("m-x  from alice");
    rmdirSync(lock);
    await run("alice", ["send", "bob", "z"]);
    expect(mail("bob").map(({ read }: { read: boolean }) => read)).toEqual([true, true, false]);
  });

  test("no mail, read mail, all mail", async () => {
    expect((await run("bob", ["inbox"])).stdout).toBe("no mail\n");
    home.write(inboxOf("bob"), [aMessage("alice", "x", { read: true })]);
    expect((await run("bob", ["inbox"])).stdout).toBe("no unread mail (1 read; --all shows them)\n");
    expect((await run("bob", ["inbox", "--all"])).stdout).toContain("from alice");
    expect(await run("alice", ["inbox", "--agent", "bob"])).toMatchObject({ exitCode: 2 });
  });

  test("the outbox: thirty, or all, of the team that is named", async () => {
    home.write(
      inboxOf("bob"),
      Array.from({ length: 32 }, (_, n) =>
        aMessage("alice", `n${n}\nmore`, { id: `m-${n}`, timestamp: `2026-02-20T10:00:${10 + n}Z` }),
      ),
    );
    expect(await json("alice", ["outbox"])).toHaveLength(30);
    expect(await json("alice", ["outbox", "--all"])).toHaveLength(32);
    const { stdout } = await run("alice", ["outbox"]);
    expect(stdout.split("\n")[0]).toBe("(2 older; --all shows them)");
    expect(stdout.split("\n")[1]).toMatch(/^m-2 {2}2026-02-20T10:00:12Z {2}to bob {2}queued {2}n2$/);
    expect((await run("alice", ["outbox", "--all"])).stdout).not.toContain("older");
    expect(await json("", ["outbox", "--team", TEAM, "--agent", "alice"])).toHaveLength(30);
    expect(await run("", ["outbox"])).toMatchObject({ exitCode: 2 });
    expect((await run("bob", ["outbox"])).stdout).toBe("nothing sent yet\n");
  });

  test("mail that waits for a removed member is dead", async () => {
    home.write(inboxOf("gone"), [aMessage("alice", "x")]);
    home.write(inboxOf("bob"), [aMessage("alice", "x")]);
    const rows: { to: string; state: string }[] = await json("alice", ["outbox"]);
    expect(rows.map(({ to, state }) => `${to} ${state}`).sort()).toEqual(["bob queued", "gone dead"]);
  });
});

describe("broadcast", () => {
  test("to everybody else but the excluded", async () => {
    const { to } = await json("alice", ["broadcast", "hi", "--exclude", "bob"]);
    expect(to).toEqual(["team-lead"]);
    expect((await json("", ["broadcast", "hi", "--team", TEAM])).to).toEqual(["team-lead", "alice", "bob"]);
  });

  test("the directory of the inboxes is synced once, after the last of them, and at once where a spool was merged", async () => {
    const directory = dirname(home.path(inboxOf("bob")));
    const calls: string[] = [];
    onFileCalls((name, [from, to]) => {
      if (name === "renameSync" && dirname(String(to)) === directory) calls.push(basename(String(to)));
      if (name === "openSync" && from === directory) calls.push("sync");
    });
    await run("", ["broadcast", "hi", "--team", TEAM]);
    expect(calls.splice(0)).toEqual(["team-lead.json", "alice.json", "bob.json", "sync"]);
    home.write(`.claude/teams/${TEAM}/spool/alice/000000000001-x.json`, {
      messages: [aMessage("bob", "spooled")],
    });
    await run("", ["broadcast", "hi", "--team", TEAM]);
    expect(calls).toEqual(["team-lead.json", "alice.json", "sync", "bob.json", "sync"]);
  });
});

describe("what others wrote stays in its line", () => {
  const NATIVE = "session-0a1b2c3d";

  test("an unknown reader, its team and the members", () => {
    const native = { team: "t\n<x>", names: ["a\n<b>", "bob"] };
    const known = { native, named: undefined, subagents: [], leadIsNamed: false };
    const { text = "" } = whyNotSent(asOutgoing({ to: "bbo", message: "hi" }), known) ?? {};
    expect(text).not.toMatch(/[<\n]/);
  });

  test("open work of who is to be shut down", () => {
    home.write(`.claude/teams/${NATIVE}/config.json`, {
      ...{ name: NATIVE, leadSessionId: "s-1", members: [{ name: "team-lead" }, { name: "bob" }] },
    });
    const task = aTask("1", { owner: "bob", subject: "a\n<b>", status: "in_progress" });
    const state = { swarm: { state: "x\n<y>", comments: [] } };
    home.write(`.claude/tasks/${NATIVE}/1.json`, { ...task, metadata: state });
    const input = {
      tool_name: "SendMessage",
      tool_input: { to: "bob", message: { type: "shutdown_request" } },
    };
    const deny = sendCheck.preToolUse(aContext(home, events.PreToolUse, input))?.deny ?? "";
    expect(deny.split("\n")).toHaveLength(3);
    expect(deny).not.toContain("<");
  });

  test("what was completed", () => {
    const text = summaryOf([{ id: "i\n<x>", type: "t\n<y>", summary: "s\n<z>", at: NOON }], NOON);
    expect(text).not.toContain("<");
    expect(text.split("\n")).toHaveLength(3);
  });

  test.each(["kind", "reason", "summary"])("an odd %s costs no list and no summary", async (field) => {
    const odd = aMessage("alice", "hello", { kind: "report", [field]: { toString: 1 } });
    home.write(inboxOf("bob"), [odd]);
    expect((await run("alice", ["outbox"])).stdout).toContain("hello");
    const mailbox = { team: TEAM, agent: "bob" };
    const finished = readFinished(home.paths, "s-1", mailbox, new Date(0));
    expect(summaryOf(finished, NOON)).toContain(field === "kind" ? "Nothing" : "hello");
    expect((await run("bob", ["inbox"])).stdout).toContain("hello");
  });

  test("of a team without a name of one's own only the tasks are summed up", () => {
    home.write(inboxOf("bob"), [aMessage("alice", "r", { kind: "report" })]);
    const since = new Date(0);
    const of = (team: string | undefined, agent: string | undefined) =>
      readFinished(home.paths, "s-1", { team, agent }, since).length;
    expect([of(TEAM, "bob"), of(TEAM, undefined), of(undefined, "bob")]).toEqual([1, 0, 0]);
    home.write(inboxOf("bob"), [aMessage("alice", "long text", { kind: "report", summary: "in short" })]);
    const [report] = readFinished(home.paths, "s-1", { team: TEAM, agent: "bob" }, since);
    expect(report).toMatchObject({ id: "alice", summary: "in short" });
  });
});
