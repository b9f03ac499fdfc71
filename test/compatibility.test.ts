// Nothing on disk breaks: a home that 0.1.0 left behind goes on under this version, beside sessions that still run the old one, and
// after going back to it.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { kindOf } from "../lib/ops/file-kinds.ts";
import {
  aHomeOf010,
  environment,
  FIXTURE,
  hook,
  json,
  OLD,
  prompt,
  sessionOf,
  stop,
  swarm,
} from "./support/a-home-of-0.1.0.ts";
import { ROOT } from "./support/run-built.ts";

test.runIf(process.env["CI"])("the code of 0.1.0 is at hand: no test below is left out", () =>
  expect(OLD).toBeDefined(),
);

const UNREAD_OF_BOB = ["unread one", "unread two: &lt;b&gt;markup&lt;/b&gt; &amp; more"];
const CLAIMED_OF_ALICE = ["team-lead assigned task #1 to you: Write the parser", "claimed, never marked"];

describe("a home of 0.1.0 under this version", () => {
  test("unread and claimed mail is delivered, each message once; archived mail can be read", () => {
    const home = aHomeOf010();
    expect(prompt(home, "bob")).toEqual(expect.arrayContaining(UNREAD_OF_BOB));
    expect(stop(home, "alice")).toEqual(CLAIMED_OF_ALICE);
    expect(prompt(home, "lead")).toEqual(["unread by the lead"]);
    for (const who of ["lead", "alice", "bob"] as const) expect(prompt(home, who)).toEqual([]);
    const all = swarm(home, "alice", ["inbox", "--all"]);
    for (const text of ["archived one", "archived two", "read last"]) expect(all).toContain(text);
    expect(swarm(home, "lead", ["outbox"])).toContain("archived one");
  });

  test("what an interrupted tool call may not have shown comes again", () => {
    const home = aHomeOf010();
    // 0.1.0 showed the assignment before a tool call that never ended.
    expect(prompt(home, "bob")).toContain("team-lead assigned task #2 to you: Review it");
  });

  test("the effort goes on where it was", () => {
    const home = aHomeOf010();
    const text = hook(home, "bob", "SessionStart", { source: "compact" });
    expect(text).toContain("Grammar read; only fuzzing is left.");
    expect(text).toContain("fuzz the lexer");
    swarm(home, "bob", ["effort", "log", "fuzzed | nothing found | done"]);
    expect(json(home, "bob", ["effort", "show"]).effort).toMatchObject({ phase: "1: read", skill: "review" });
    swarm(home, "bob", ["effort", "finish", "all done"]);
    expect(home.read("project/reviews/parser/1_REVIEW_LOG.md")).toMatch(/read the grammar[\s\S]*fuzzed/);
    // The second effort in the same directory is the task's second.
    swarm(home, "bob", ["effort", "start", "review", "--dir", "reviews/parser"]);
    expect(json(home, "bob", ["effort", "show"]).effort).toMatchObject({ ordinal: 2 });
  });

  test("tasks, settings, the journal and the board", () => {
    const home = aHomeOf010();
    swarm(home, "alice", ["task", "done", "1"]);
    swarm(home, "bob", ["task", "claim", "2"]);
    const { settings } = json(home, "lead", ["config"]);
    const value = (name: string) => settings.find((one: { name: string }) => one.name === name);
    expect(value("mail.keep_read")).toMatchObject({ value: 1, source: "person" });
    expect(value("gate.max_teammates")).toMatchObject({ value: 7, source: "person" });
    expect(swarm(home, "lead", ["journal", "--denied", "--day", dayOfFixture()])).toContain("sudo rm");
    const board = JSON.stringify(json(home, "lead", ["status"]));
    for (const name of ["team-lead", "alice", "bob"]) expect(board).toContain(`"${name}"`);
  });

  test("the installed status line finds this version after a session has started", () => {
    const home = aHomeOf010();
    hook(home, "lead", "SessionStart", { source: "resume" });
    const { command } = home.json(".claude/settings.json").statusLine;
    const line = execFileSync("sh", ["-c", command], {
      env: environment(home, "lead"),
      input: JSON.stringify({ session_id: sessionOf("lead"), cwd: home.project }),
      encoding: "utf8",
    });
    expect(line).toContain("harbour");
  });

  test("a suspended team comes back, with its member and that member's mail", () => {
    const home = aHomeOf010();
    mkdirSync(home.path("notes"));
    const more = {
      CLAUDE_CODE_TEAMMATE_COMMAND: join(ROOT, "test/support/stand-in-client.cjs"),
      STAND_IN_NOTES: home.path("notes"),
    };
    swarm(home, "captain", ["resume", "pier"], { more });
    const config = home.json(".claude/teams/pier/config.json");
    expect(config).toMatchObject({ status: "active" });
    expect(config.members[1]).toMatchObject({ name: "diver", status: "active" });
    expect(home.json("notes/diver.json").argv.join(" ")).toContain(config.members[1].sessionId);
    swarm(home, "captain", ["suspend", "pier"], { more });
    expect(home.read(".claude/teams/pier/inboxes/diver.json")).toContain("for when you are back");
  });

  test("every file has a kind, and the doctor finds none damaged", () => {
    const home = aHomeOf010();
    hook(home, "lead", "SessionStart", { source: "resume" });
    const base = home.path(".claude");
    const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) =>
      statSync(join(base, name)).isFile(),
    );
    expect(files.filter((name) => !/^(tasks\/|settings\.json)/.test(name) && !kindOf(name))).toEqual([]);
    expect(swarm(home, "lead", ["doctor"], { mayFail: true })).not.toMatch(/damaged|cannot be read/);
  });
});

const dayOfFixture = () =>
  readdirSync(join(FIXTURE, "dot-claude/swarm/journal"))[0]?.replace(".jsonl", "") ?? "";

describe("beside a session of 0.1.0", () => {
  test("entries as it writes them, without our newer keys, are delivered", () => {
    const home = aHomeOf010();
    const path = ".claude/teams/harbour/inboxes/bob.json";
    const late = { from: "alice", text: "late", timestamp: new Date().toISOString(), read: false };
    home.write(path, [...home.json(path), { state: "queued", id: "mwkjqq63-zzz0", ...late }]);
    home.write(path, [...home.json(path), { ...late, text: "without id and state" }]);
    expect(prompt(home, "bob")).toEqual(
      expect.arrayContaining([...UNREAD_OF_BOB, "late", "without id and state"]),
    );
    expect(prompt(home, "bob")).toEqual([]);
  });
});

describe.runIf(OLD)("a session's record", () => {
  const OWN = `.claude/swarm/sessions/${sessionOf("bob")}/session.json`;
  const EARLIER = `.claude/swarm/sessions/${sessionOf("bob")}.json`;
  const version = OLD as string;
  const bob = (home: ReturnType<typeof aHomeOf010>, given: { version?: string } = {}) =>
    json(home, "lead", ["session", "list", "--all"], given).filter(
      (one: { session: string }) => one.session === sessionOf("bob"),
    );
  const read = (tool: string) => ({ tool_name: "Read", tool_input: {}, tool_use_id: tool });

  test("of a session that still runs 0.1.0 is read and changed where that version keeps it", () => {
    const home = aHomeOf010();
    hook(home, "bob", "PreToolUse", read("t-1"), version);
    expect(bob(home)).toEqual([expect.objectContaining({ state: "tool_active" })]);
    swarm(home, "bob", ["status", "set", "fuzzing"]);
    hook(home, "bob", "PostToolUse", read("t-1"), version);
    expect(home.json(EARLIER)).toMatchObject({ state: "active", statusText: "fuzzing" });
    expect(home.has(OWN)).toBe(false);
  });

  test("goes into a directory of its own at the next start, back with the old version and here again", () => {
    const home = aHomeOf010();
    const { startedAt } = home.json(EARLIER);
    hook(home, "bob", "SessionStart", { source: "resume" });
    hook(home, "bob", "PreToolUse", read("t-1"));
    expect(home.json(OWN)).toMatchObject({ startedAt, tool: { id: "t-1" } });
    expect(home.json(EARLIER)).toMatchObject({ startedAt });

    hook(home, "bob", "SessionStart", { source: "resume" }, version);
    hook(home, "bob", "PreToolUse", read("t-2"), version);
    expect(bob(home, { version })).toHaveLength(1);
    expect(bob(home)).toEqual([expect.objectContaining({ state: "tool_active" })]);
    const shown = json(home, "lead", ["session", "show", sessionOf("bob")]);
    expect(shown).toMatchObject({ startedAt, tool: { id: "t-2" } });

    hook(home, "bob", "SessionStart", { source: "resume" });
    expect(home.json(OWN)).toMatchObject({ startedAt, tool: { id: "t-2" } });
    expect(home.has(".claude/swarm/errors.jsonl")).toBe(false);
  });
});

describe("going back to 0.1.0", () => {
  test("entries keep the keys that it reads", () => {
    const home = aHomeOf010();
    swarm(home, "lead", ["send", "bob", "from the new version"]);
    const entry = home.json(".claude/teams/harbour/inboxes/bob.json").at(-1);
    expect(entry).toMatchObject({
      state: "queued",
      id: expect.any(String),
      from: "team-lead",
      text: "from the new version",
      timestamp: expect.any(String),
      read: false,
    });
  });

  test.runIf(OLD)("mail, tasks, the effort and the suspended team are where this version left them", () => {
    const home = aHomeOf010();
    const version = OLD as string;
    hook(home, "bob", "SessionStart", { source: "resume" });
    swarm(home, "lead", ["send", "bob", "from the new version"]);
    swarm(home, "alice", ["task", "done", "1"]);
    swarm(home, "bob", ["effort", "log", "fuzzed | nothing found | done"]);
    expect(stop(home, "alice")).toEqual(CLAIMED_OF_ALICE);

    const shown = [...prompt(home, "bob", version), ...stop(home, "bob", version)];
    expect(shown).toContain("from the new version");
    expect(stop(home, "alice", version)).toEqual([]);
    expect(swarm(home, "alice", ["inbox", "--all"], { version })).toContain("claimed, never marked");
    expect(json(home, "bob", ["task", "list"], { version })).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: "1", status: "completed" })]),
    );
    expect(hook(home, "bob", "SessionStart", { source: "compact" }, version)).toContain("fuzzed");
    expect(JSON.stringify(json(home, "captain", ["list-teams"], { version }))).toContain("suspended");
    expect(home.has(".claude/swarm/errors.jsonl")).toBe(false);
  });
});
