// `swarm session show` and `swarm wake` find a session by its id, its beginning, its wrapper's id or its agent.
import { beforeEach, expect, test } from "vitest";
import { type SessionRecord, writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { callSwarm } from "../support/call-swarm.ts";

let home: Home;
const ago = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000).toISOString();
const aRecord = (session: string, more: Partial<SessionRecord> = {}) =>
  writeSession(home.paths, {
    ...{ session, state: "idle", status: "idle", startedAt: ago(60), lastSeen: ago(10) },
    ...more,
  } as SessionRecord);

beforeEach(() => {
  home = aHome();
  aRecord("abc-1", { wrapper: "outer", agent: "bob", team: "t" });
  aRecord("abc-2", { lastSeen: ago(1), startedAt: ago(1) });
  aRecord("xyz-1", { lastSeen: ago(5), endedAt: ago(5) });
});
const run = (args: string[], session?: string) =>
  callSwarm(home, args, { env: session ? { CLAUDE_CODE_SESSION_ID: session } : {} });

test.each<[string, string[], string | undefined, string]>([
  ["an id", ["abc-1"], undefined, "abc-1"],
  ["its beginning", ["x"], undefined, "xyz-1"],
  ["the id of its wrapper", ["outer"], undefined, "abc-1"],
  ["another than the caller's", ["xyz-1"], "abc-1", "xyz-1"],
  ["the caller's own", [], "abc-1", "abc-1"],
  ["the newest", ["last"], "abc-1", "abc-2"],
  ["the newest, outside a session", [], undefined, "abc-2"],
])("by %s", async (_, words, session, found) => {
  const { stdout } = await run(["session", "show", ...words, "--json"], session);
  expect(JSON.parse(stdout).session).toBe(found);
});

test.each<[string, string[], number, string]>([
  ["two with that beginning", ["session", "show", "abc"], 2, "abc could be abc-"],
  ["none", ["session", "show", "nope"], 1, "there is no session nope"],
  ["a path", ["session", "show", "../x"], 1, "there is no session"],
  ["nobody to wake", ["wake"], 2, "wake whom?"],
  ["one that ended", ["wake", "xyz-1"], 1, "there is no running session xyz-1"],
  ["two to wake", ["wake", "abc"], 2, "abc could be abc-"],
  ["an agent outside tmux", ["wake", "bob"], 1, "bob cannot be woken: it runs in no tmux pane"],
  ["a session outside tmux", ["wake", "abc-2"], 1, "it runs in no tmux pane"],
])("%s", async (_, args, exitCode, why) =>
  expect(await run(args)).toMatchObject({ exitCode, stderr: expect.stringContaining(why) }),
);

test.each<[string, Partial<SessionRecord>, string]>([
  ["is gone", { pid: process.pid, pidStartedAt: "1" }, "its process is gone"],
  [
    "is busy",
    { pid: process.pid, pidStartedAt: startOf(process.pid), state: "tool_active" },
    "it is busy (tool_active)",
  ],
])("one that %s is not woken", async (_, more, why) => {
  aRecord("abc-1", { agent: "bob", tmux: "/nowhere,1,0", pane: "%1", ...more } as Partial<SessionRecord>);
  expect(await run(["wake", "bob"])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(why) });
});

const lines = async (args: string[]) => (await run(args)).stdout.trimEnd().split("\n");

test("the list shows who runs, the newest first, and counts the ended", async () => {
  expect(await lines(["session", "list"])).toEqual([
    `abc-2  idle  done  -  ${ago(1)}`,
    `abc-1  idle  done  bob@t  ${ago(10)}`,
    "(1 ended; --all shows them)",
  ]);
  const all = await lines(["session", "list", "--all"]);
  expect(all.map((line) => line.split(" ")[0])).toEqual(["abc-2", "xyz-1", "abc-1"]);
  aRecord("abc-1", { agent: "bob" });
  expect((await lines(["session", "list"]))[1]).toContain("  bob@-  ");
  home = aHome();
  expect(await lines(["session", "list"])).toEqual(["no session yet"]);
});

test("a session whose process is proven gone has ended, although no end is on record", async () => {
  aRecord("abc-1", { state: "tool_active", pid: process.pid, pidStartedAt: "1" });
  expect(await lines(["session", "list"])).toEqual([
    `abc-2  idle  done  -  ${ago(1)}`,
    "(2 ended; --all shows them)",
  ]);
  expect(await lines(["session", "list", "--all"])).toContain(`abc-1  ended  done  -  ${ago(10)}`);
});

test("what waited for attention was looked at", async () => {
  aRecord("abc-1", { status: "attention" });
  expect((await run(["session", "seen", "abc-1"])).stdout).toMatch(/^abc-1 is (?!attention)\w+\n$/);
  expect(home.json(".claude/swarm/sessions/abc-1/session.json").status).not.toBe("attention");
});

const EVENT = ["event", "teammate-idle", "--agent", "carol", "--team", "t", "--session-id"];

test("another adapter's event is in the log", async () => {
  home.write("project/.atm.toml", "");
  const event = async (args: string[], stdin = "") =>
    JSON.parse((await callSwarm(home, [...args, "--json"], { stdin })).stdout);
  const usual = { type: "teammate-idle", agent: "carol", team: "t", session_id: "c-1" };
  expect(await event([...EVENT, "c-1"])).toMatchObject({ ...usual, source: { kind: "unknown" } });
  expect(await event([...EVENT, "c-1", "--source", "atm_mcp"])).toMatchObject({
    source: { kind: "atm_mcp" },
  });
  expect(await event([...EVENT, "c-1", "--payload", '{"a":1}'])).toMatchObject({ payload: { a: 1 } });
  expect(await event([...EVENT, "c-1", "--payload", "-"], '{"b":2}')).toMatchObject({ payload: { b: 2 } });
});

test.each<[string, string[], string | undefined, number, string]>([
  ["an unknown source", [...EVENT, "c-1", "--source", "x"], undefined, 2, "--source is one of"],
  ["a payload that is no JSON", [...EVENT, "c-1", "--payload", "{"], undefined, 2, "--payload is not JSON"],
  ["no event", ["event", "UP!"], undefined, 2, "which event?"],
  ["no names", ["event", "x"], undefined, 2, "--agent, --team and --session-id are needed"],
  [
    "a name that is a path",
    ["event", "x", "--agent", "../a", "--team", "t", "--session-id", "c"],
    undefined,
    2,
    "a name ",
  ],
  ["another session's", [...EVENT, "abc-2"], "abc-1", 1, "session abc-2 reports its own events"],
])("an event with %s is refused", async (_, args, session, exitCode, why) => {
  home.write("project/.atm.toml", "");
  expect(await run(args, session)).toMatchObject({ exitCode, stderr: expect.stringContaining(why) });
  expect(home.has(".claude/daemon/hooks/events.jsonl")).toBe(false);
});

test.each([
  ["of its own session", "abc-1", "abc-1"],
  ["of a session without a record", "c-1", "abc-1"],
  ["by a person", "abc-1", undefined],
])("an event %s is not refused", async (_, about, session) => {
  home.write("project/.atm.toml", "");
  expect(await run([...EVENT, about], session)).toMatchObject({ exitCode: 0 });
});

test("without a .atm.toml there is no log", async () =>
  expect(await run([...EVENT, "c-1"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("there is no .atm.toml"),
  }));

test("without any session there is none to show", async () => {
  home = aHome();
  expect(await run(["session", "show"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no session last"),
  });
});
