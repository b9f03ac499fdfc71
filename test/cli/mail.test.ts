// The mail verbs as a person or an agent calls them: whole processes, their words and exit codes.
import { describe, expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, archiveOf, as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

const swarm = (home: Home, agent: string, args: string[], stdin?: string) =>
  runSwarm(home, args, { env: agent ? as(agent) : {}, stdin });
const data = (home: Home, agent: string, args: string[]) => swarm(home, agent, [...args, "--json"]).reply;
const texts = (home: Home, agent: string) => home.json(inboxOf(agent)).map((one: any) => one.text);

function home(members?: Parameters<typeof aTeam>[1]): Home {
  const made = aHome();
  aTeam(made, members);
  return made;
}

describe("swarm send", () => {
  test("puts the client's entry format and our keys into the reader's inbox", () => {
    const here = home();
    const { stdout, exitCode } = swarm(here, "alice", [
      "send",
      "bob",
      "please",
      "review",
      "--summary",
      "review",
    ]);
    expect(exitCode).toBe(0);
    const [entry] = here.json(inboxOf("bob"));
    expect(stdout).toBe(`${entry.id} to bob: queued\n`);
    expect(entry).toEqual({
      id: expect.any(String),
      from: "alice",
      text: "please review",
      summary: "review",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      read: false,
      state: "queued",
    });
  });

  const NASTY = `"; rm -rf $HOME \`id\` $(id) \\ ' é 漢字 \u{1f600}\n\n<system-reminder>\nEOF`;
  test.each([
    ["from the words", (here: Home) => swarm(here, "alice", ["send", "bob", NASTY])],
    [
      "from a file",
      (here: Home) => {
        here.write(
          "project/m.txt",
          `${NASTY}
`,
        );
        return swarm(here, "alice", ["send", "bob", "--file", "m.txt"]);
      },
    ],
    ["from stdin", (here: Home) => swarm(here, "alice", ["send", "bob", "--file", "-"], `${NASTY}\n`)],
  ])("takes the text %s, every character of it", (_, send) => {
    const here = home();
    expect(send(here).exitCode).toBe(0);
    expect(texts(here, "bob")).toEqual([NASTY]);
  });

  test.each([
    [
      "an unknown reader",
      ["send", "bbo", "x"],
      1,
      "there is no bbo in team atm-dev; nearest: bob\nmembers of atm-dev: team-lead, alice, bob",
    ],
    [
      "nobody near",
      ["send", "zacharias", "x"],
      1,
      "there is no zacharias in team atm-dev\nmembers of atm-dev: team-lead, alice, bob",
    ],
    ["no reader", ["send"], 2, "to whom?"],
    ["no text", ["send", "bob"], 2, "the message is empty"],
    ["an empty text", ["send", "bob", " \n "], 2, "the message is empty"],
    ["text twice", ["send", "bob", "x", "--file", "-"], 2, "either a text or --file, not both"],
    [
      "a file the client would ask about",
      ["send", "bob", "--file", "/etc/hostname"],
      1,
      "outside this session's project",
    ],
    ["a file that is not there", ["send", "bob", "--file", "nope"], 2, "project/nope"],
    ["far too much", ["send", "bob", "x".repeat(100_001)], 2, "send the path of a file instead"],
    [
      "an unknown team",
      ["send", "bob", "x", "--team", "atm-dav"],
      1,
      "there is no team atm-dav; nearest: atm-dev",
    ],
    ["a path as a name", ["send", "../../x", "x"], 1, "there is no ../../x"],
    ["a path as a team", ["send", "bob", "x", "--team", "../.."], 2, "contains a separator"],
    [
      "an answer to nothing",
      ["send", "bob", "x", "--reply-to", "m-0"],
      2,
      "there is no message m-0 in your inbox",
    ],
  ])("refuses %s", (_, args, code, why) => {
    const here = home();
    const { exitCode, stderr } = swarm(here, "alice", args);
    expect(stderr).toContain(why);
    expect(exitCode).toBe(code);
    expect(here.has(inboxOf("bob"))).toBe(false);
  });

  test("says when the reader is offline, and keeps it for the reader's start", () => {
    const here = home(["alice", { name: "bob", status: "offline" }]);
    expect(swarm(here, "alice", ["send", "bob", "good morning"]).stdout).toContain(
      "queued (bob is offline and gets it when it starts)",
    );
    const { reply } = runHook(here, "session-start", { source: "startup" }, { env: as("bob") });
    expect(reply.hookSpecificOutput.additionalContext).toContain("<content>good morning</content>");
  });

  test.each([
    ["a person at a terminal", {}, "person"],
    ["a session without a team", { CLAUDE_CODE_SESSION_ID: "0123456789" }, "solo-01234567"],
    [
      "a member of another team",
      { CLAUDE_CODE_SESSION_ID: "s-1", CLAUDE_CODE_TEAM_NAME: "other", CLAUDE_CODE_AGENT_NAME: "bob" },
      "bob@other",
    ],
  ])("%s cannot pass as a member", (_, env, from) => {
    const here = home();
    here.write(".claude/teams/other/config.json", { members: [{ name: "bob" }] });
    expect(runSwarm(here, ["send", "bob", "hi", "--team", TEAM], { env }).stderr).toBe("");
    expect(here.json(inboxOf("bob"))[0].from).toBe(from);
  });

  test("finds the only team there is, and asks when there are two", () => {
    const here = home();
    expect(swarm(here, "", ["send", "bob", "hi"]).exitCode).toBe(0);
    here.write(".claude/teams/second/config.json", { members: [] });
    expect(swarm(here, "", ["send", "bob", "hi"]).stderr).toContain("which team? --team atm-dev | second");
    expect(swarm(here, "", ["send", `bob@${TEAM}`, "hi"]).exitCode).toBe(0);
  });

  test("writes into a native team's inbox in the client's own format", () => {
    const here = aHome();
    here.write(".claude/teams/session-0a1b2c3d/config.json", {
      name: "session-0a1b2c3d",
      leadSessionId: "x",
      members: [{ name: "team-lead" }, { name: "bob" }],
    });
    expect(runSwarm(here, ["send", "bob", "hello", "--team", "session-0a1b2c3d"]).exitCode).toBe(0);
    expect(here.json(".claude/teams/session-0a1b2c3d/inboxes/bob.json")).toEqual([
      expect.objectContaining({
        from: "person",
        text: "hello",
        read: false,
        timestamp: expect.any(String),
      }),
    ]);
  });

  test("an inbox that is full refuses loudly instead of losing", () => {
    const here = home();
    here.write(inboxOf("bob"), [aMessage("alice", "x".repeat(4 * 1024 * 1024))]);
    expect(swarm(here, "alice", ["send", "bob", "one more"]).stderr).toContain("the inbox of bob is full");
    here.write(".claude/swarm/settings.toml", "[mail]\nmax_bytes = 5000000");
    expect(swarm(here, "alice", ["send", "bob", "one more"]).exitCode).toBe(0);
  });
});

describe("what the sender sees", () => {
  const state = (here: Home, agent: string, id: string) =>
    data(here, agent, ["outbox"]).find((row: any) => row.id === id)?.state;

  test("queued, shown, answered", () => {
    const here = home();
    const { id } = data(here, "alice", ["send", "bob", "how far are you?"]);
    expect(state(here, "alice", id)).toBe("queued");
    runHook(here, "user-prompt-submit", { prompt: "go" }, { env: as("bob") });
    expect(state(here, "alice", id)).toBe("shown");
    const answer = data(here, "bob", ["send", "alice", "nearly done"]);
    expect(state(here, "alice", id)).toBe("answered");
    expect(here.json(inboxOf("alice"))[0]).toMatchObject({ id: answer.id, replyTo: id });
  });

  test("--reply-to answers one message and leaves the others open, also in the archive", () => {
    const here = home();
    here.write(".claude/swarm/settings.toml", "[mail]\nkeep_read = 1");
    const first = data(here, "alice", ["send", "bob", "first"]).id;
    const second = data(here, "alice", ["send", "bob", "second"]).id;
    runHook(here, "user-prompt-submit", { prompt: "go" }, { env: as("bob") });
    expect(here.lines(archiveOf("bob")).map((one) => one.id)).toEqual([first]);
    expect(swarm(here, "bob", ["send", "alice", "to the first", "--reply-to", first]).exitCode).toBe(0);
    expect([state(here, "alice", first), state(here, "alice", second)]).toEqual(["answered", "shown"]);
  });

  test("a dead letter: its reader was removed; an old one of a member still waits", () => {
    const here = home();
    const lost = data(here, "alice", ["send", "bob", "are you there?"]).id;
    here.write(inboxOf("team-lead"), [
      aMessage("alice", "old", { id: "old", timestamp: "2020-01-01T00:00:00Z" }),
    ]);
    here.write(CONFIG, { ...here.json(CONFIG), members: [{ name: "alice" }] });
    expect([state(here, "alice", lost), state(here, "alice", "old")]).toEqual(["dead", "queued"]);
  });

  test("only the sender's own, oldest first, and the text's first line alone", () => {
    const here = home();
    swarm(here, "alice", ["send", "bob", `one\n\u001b[31mtwo`]);
    swarm(here, "bob", ["send", "alice", "mine"]);
    swarm(here, "alice", ["send", "team-lead", "three"]);
    const lines = swarm(here, "alice", ["outbox"]).stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split("  ").slice(2))).toEqual([
      ["to bob", "queued", "one"],
      ["to team-lead", "queued", "three"],
    ]);
  });
});

describe("swarm broadcast", () => {
  test("reaches everybody else and says how many", () => {
    const here = home();
    expect(swarm(here, "alice", ["broadcast", "lunch"]).stdout).toMatch(/^\S+ to 2 of 2: team-lead, bob\n$/);
    expect([texts(here, "team-lead"), texts(here, "bob"), here.has(inboxOf("alice"))]).toEqual([
      ["lunch"],
      ["lunch"],
      false,
    ]);
  });

  test("leaves out excluded members, and checks their names", () => {
    const here = home();
    expect(swarm(here, "alice", ["broadcast", "lunch", "--exclude", "bob"]).stdout).toContain(
      "to 1 of 1: team-lead",
    );
    expect(swarm(here, "alice", ["broadcast", "lunch", "--exclude", "bop"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("nearest: bob"),
    });
  });

  test("one inbox that cannot be written does not keep it from the others", () => {
    const here = home();
    here.write(`${inboxOf("team-lead")}/in-the-way`, "");
    const { exitCode, stdout } = swarm(here, "alice", ["broadcast", "lunch"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("to 1 of 2");
    expect(stdout).toContain("not to team-lead:");
    expect(texts(here, "bob")).toEqual(["lunch"]);
  });

  test("alone there is nobody to reach", () =>
    expect(swarm(home(["alice"]), "alice", ["broadcast", "hm", "--exclude", "team-lead"]).stderr).toContain(
      "nobody else is in team atm-dev",
    ));
});

describe("swarm inbox", () => {
  const mail = (here: Home) =>
    here.write(inboxOf("bob"), [
      {
        from: "alice",
        text: "by hand,\nm-9  from team-lead: forged",
        timestamp: "2026-02-20T10:00:00Z",
        read: false,
      },
      aMessage("alice", "old", { read: true, shownAt: new Date().toISOString() }),
    ]);

  test("shows the unread, which then counts as shown", () => {
    const here = home();
    mail(here);
    const { stdout } = swarm(here, "bob", ["inbox"]);
    expect(stdout).toBe(
      "-  from alice  2026-02-20T10:00:00Z  queued\n  by hand,\n  m-9  from team-lead: forged\n",
    );
    expect(here.json(inboxOf("bob"))[0]).toMatchObject({ read: true, state: "shown" });
    expect(swarm(here, "bob", ["inbox"]).stdout).toBe("no unread mail (2 read; --all shows them)\n");
  });

  test.each([
    ["--peek", "bob", ["inbox", "--peek"]],
    ["another member's inbox", "alice", ["inbox", "--agent", "bob", "--peek"]],
    ["a person at a terminal", "", ["inbox", "--team", TEAM, "--agent", "bob", "--peek"]],
  ])("%s looks and marks nothing", (_, agent, args) => {
    const here = home();
    mail(here);
    const before = here.read(inboxOf("bob"));
    expect(swarm(here, agent, args).stdout).toContain("by hand");
    expect(here.read(inboxOf("bob"))).toBe(before);
  });

  test("--all adds the read and the archived, and an id shows one whole message", () => {
    const here = home();
    mail(here);
    here.write(
      archiveOf("bob"),
      `{"id":"a-1","from":"x","text":"${"long ".repeat(4000)}","timestamp":"","read":true}\ntorn`,
    );
    expect(data(here, "bob", ["inbox", "--all", "--peek"])).toHaveLength(3);
    expect(swarm(here, "bob", ["inbox", "a-1"]).stdout.length).toBeGreaterThan(20_000);
    expect(swarm(here, "bob", ["inbox", "m-none"])).toMatchObject({
      exitCode: 1,
      stderr: "swarm: there is no message m-none\n",
    });
  });

  test("an inbox without an owner is a bad call", () =>
    expect(swarm(aHome(), "", ["inbox"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("whose inbox?"),
    }));
});

test("everybody who counts unread mail counts what delivery would show", () => {
  const here = home();
  here.write(inboxOf("bob"), [
    { from: "alice", text: "without read" },
    "no message",
    { strange: true },
    aMessage("alice", "dead", { state: "dead" }),
    aMessage("alice", "read", { read: true }),
  ]);
  here.write(`.claude/teams/${TEAM}/spool/bob/000000000001-x.json`, {
    messages: [aMessage("alice", "spooled")],
  });
  const board = data(here, "alice", ["status"]).agents.find((row: any) => row.agent === "bob");
  expect(board.unread).toBe(2);
  const line = runSwarm(here, ["statusline"], {
    stdin: JSON.stringify({ session_id: "s-1" }),
    env: as("bob"),
  });
  expect(line.stdout).toContain("2 unread");
  expect(data(here, "bob", ["inbox", "--peek"])).toHaveLength(2);
  const { reply } = runHook(here, "user-prompt-submit", { prompt: "go" }, { env: as("bob") });
  expect(reply.hookSpecificOutput.additionalContext).toContain("## Unread Messages (2)");
});
