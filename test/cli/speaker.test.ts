// Who speaks in a verb: the session's record, else the member its environment names, else a person. Every verb, whole processes.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { runSwarm } from "../support/run-built.ts";

const ALICE = "alice-session";
const BOB = "bob-session";

function aRecord(home: Home, session: string, agent?: string): void {
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    session,
    state: "active",
    status: "working",
    startedAt: "2026-02-20T11:00:00Z",
    lastSeen: "2026-02-20T12:00:00Z",
    ...(agent ? { team: TEAM, agent, isLead: agent === "team-lead", kind: "named" } : {}),
  });
}

/** Everybody runs, as far as anybody can tell; bob has unread mail and a task. */
function aWorld(): Home {
  const home = aHome();
  aTeam(home, [
    { name: "team-lead", sessionId: "lead-session" },
    { name: "alice", sessionId: ALICE },
    { name: "bob", sessionId: BOB },
  ]);
  aRecord(home, "lead-session", "team-lead");
  aRecord(home, ALICE, "alice");
  aRecord(home, BOB, "bob");
  aRecord(home, "solo-session");
  home.write(inboxOf("bob"), [aMessage("team-lead", "for bob alone")]);
  const task = {
    id: "1",
    subject: "Parser",
    description: "",
    status: "in_progress",
    blocks: [],
    blockedBy: [],
  };
  home.write(`.claude/tasks/${TEAM}/1.json`, { ...task, owner: "bob" });
  return home;
}

/** Every file with its content, but for traces of the run itself. */
function everything(home: Home): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (directory: string) => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (statSync(path).isDirectory()) walk(path);
      else found[path] = readFileSync(path, "utf8");
    }
  };
  walk(home.root);
  return found;
}

/** Those that speak or act in somebody's name. */
const SPEAKING: string[][] = [
  ["send", "team-lead", "hi"],
  ["broadcast", "hi"],
  ["inbox"],
  ["inbox", "--peek"],
  ["outbox"],
  ["task", "create", "More"],
  ["task", "claim", "1"],
  ["task", "update", "1", "--comment", "x"],
  ["task", "done", "1"],
  ["task", "release", "1"],
  ["task", "delete", "1"],
  ["spawn", "eve"],
  ["suspend"],
  ["kill", "bob"],
  ["cleanup", "--yes"],
  ["report"],
  ["status"],
];
/** Those that are about a session, which a person may name. */
const ABOUT: string[][] = [
  ["effort", "start", "fix"],
  ["join", TEAM, "--name", "eve"],
  ["create", "second"],
  ["resume", TEAM],
  ["lead", "take", TEAM],
  ["scratchpad", "open"],
];
const OTHERS: string[][] = [["status", "set", "asleep"], ["session", "seen"], ["explain"]];

const named = (verbs: string[][]) => verbs.map((args): [string, string[]] => [args.join(" "), args]);
const inAlice = as("alice");
const journal = (home: Home) =>
  home
    .read(`.claude/swarm/journal/${new Date().toISOString().slice(0, 10)}.jsonl`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("inside a session a contradiction is refused, and nothing is written", () => {
  const ATTACKS: [string, Record<string, string>, string[]][] = [
    ["another session's id", inAlice, ["--session-id", BOB]],
    ["another member's name", { ...inAlice, CLAUDE_CODE_AGENT_NAME: "bob" }, []],
    ["another member's name by ATM_IDENTITY", { ...inAlice, ATM_IDENTITY: "bob" }, []],
    ["the name of a member that runs elsewhere", as("bob", { CLAUDE_CODE_SESSION_ID: "solo-session" }), []],
  ];
  test.each(named([...SPEAKING, ...ABOUT]))("swarm %s", (_, args) => {
    const home = aWorld();
    const before = everything(home);
    for (const [attack, env, more] of ATTACKS) {
      const { exitCode, stdout, stderr } = runSwarm(home, [...args, ...more], { env });
      expect({ attack, exitCode, stdout }).toEqual({ attack, exitCode: 1, stdout: "" });
      expect(stderr).toMatch(/^swarm: (this is session|CLAUDE_CODE_AGENT_NAME names|ATM_IDENTITY names)/);
      expect(everything(home)).toEqual(before);
    }
  });

  test.each(named(OTHERS))("swarm %s, with another session's id", (_, args) => {
    const home = aWorld();
    const before = everything(home);
    const { exitCode, stderr } = runSwarm(home, [...args, "--session-id", BOB], { env: inAlice });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/this is session/),
    });
    expect(everything(home)).toEqual(before);
  });

  test("swarm task --as another member", () => {
    const home = aWorld();
    const before = everything(home);
    for (const name of ["bob", "team-lead"]) {
      const { exitCode, stderr } = runSwarm(home, ["task", "done", "1", "--as", name], { env: inAlice });
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/does not run in this session/),
      });
    }
    expect(everything(home)).toEqual(before);
  });

  test("swarm event for a session that has a record of its own", () => {
    const home = aWorld();
    home.write("project/.atm.toml", "");
    const event = ["event", "session_end", "--agent", "bob", "--team", TEAM, "--session-id"];
    expect(runSwarm(home, [...event, BOB], { env: inAlice }).stderr).toContain("reports its own events");
    expect(runSwarm(home, [...event, "codex-1"], { env: inAlice }).exitCode).toBe(0);
  });
});

describe("inside a session", () => {
  const sender = (home: Home) => home.json(inboxOf("team-lead"))[0].from;
  const send = (home: Home, env: Record<string, string>, ...more: string[]) =>
    runSwarm(home, ["send", "team-lead", "hi", "--team", TEAM, ...more], { env });
  const session = (id: string) => ({ CLAUDE_CODE_SESSION_ID: id });

  test.each<[string, Record<string, string>, string[], string]>([
    ["the record says who it is", session(ALICE), [], "alice"],
    ["its own id changes nothing", session(ALICE), ["--session-id", ALICE], "alice"],
    ["a name of no member is passed over", { ...session(ALICE), ATM_IDENTITY: "ghost" }, [], "alice"],
    ["without a record a member's name counts", as("carol"), [], "carol"],
    ["without a record the name of no member does not", as("ghost"), [], "solo-ghost-se"],
    ["without a team it is alone", session("solo-session"), [], "solo-solo-ses"],
    ["a client without a session's id is no person", { CLAUDECODE: "1" }, [], "solo"],
  ])("%s", (_, env, more, from) => {
    const home = aWorld();
    const config = home.json(CONFIG);
    home.write(CONFIG, { ...config, members: [...config.members, { name: "carol", status: "active" }] });
    expect(send(home, env, ...more).stderr).toBe("");
    expect(sender(home)).toBe(from);
  });

  test("what a project's file says makes no member", () => {
    const home = aWorld();
    home.write("project/.atm.toml", `[core]\ndefault_team = "${TEAM}"\nidentity = "bob"`);
    aRecord(home, "solo-session", "bob");
    const path = ".claude/swarm/sessions/solo-session/session.json";
    home.write(path, { ...home.json(path), evidence: [".atm.toml"] });
    expect(send(home, session("solo-session")).stderr).toBe("");
    expect(sender(home)).toBe("solo-solo-ses");
    expect(runSwarm(home, ["inbox"], { env: session("solo-session") }).exitCode).toBe(2);
    expect(home.json(inboxOf("bob"))[0].read).toBe(false);
  });

  test("after /clear the id before still names it", () => {
    const home = aWorld();
    aRecord(home, "next-session", "alice");
    const path = ".claude/swarm/sessions/next-session/session.json";
    home.write(path, { ...home.json(path), previous: ALICE });
    expect(send(home, session("next-session"), "--session-id", ALICE).stderr).toBe("");
    expect(sender(home)).toBe("alice");
  });

  test("a client started from a member's shell inherits its name, and does not speak as the member", () => {
    const home = aWorld();
    aRecord(home, "child-session");
    const path = `.claude/swarm/sessions/${ALICE}/session.json`;
    home.write(path, { ...home.json(path), pid: 1 });
    const env = as("alice", { CLAUDE_CODE_SESSION_ID: "child-session", CLAUDE_SESSION_ID: ALICE });
    expect(send(home, { ...env, CLAUDE_PID: String(process.pid) }).stderr).toBe("");
    expect(sender(home)).toBe("solo-child-se");
  });

  test("in another team's list an agent has neither a member's name nor its rights", () => {
    const home = aWorld();
    home.write(".claude/teams/other/config.json", { members: [{ name: "team-lead" }, { name: "bob" }] });
    const task = { subject: "x", description: "", status: "in_progress", blocks: [], blockedBy: [] };
    home.write(".claude/tasks/other/1.json", { ...task, id: "1", owner: "bob" });
    const inOther = (who: string, ...args: string[]) =>
      runSwarm(home, ["task", ...args, "--team", "other"], { env: as(who) });
    expect(inOther("bob", "done", "1").stderr).toContain("Task #1 is bob's");
    expect(inOther("team-lead", "done", "1").stderr).toContain("Task #1 is bob's");
    expect(inOther("bob", "create", "for you").exitCode).toBe(0);
    expect(home.json(".claude/tasks/other/2.json").metadata.swarm.createdBy).toBe(`bob@${TEAM}`);
  });
});

describe("outside any session the speaker is a person", () => {
  // Names without a session are anybody's to set.
  const env = {
    CLAUDE_CODE_TEAM_NAME: TEAM,
    CLAUDE_CODE_AGENT_NAME: "bob",
    ATM_TEAM: TEAM,
    ATM_IDENTITY: "bob",
    CLAUDE_CODE_AGENT_TYPE: "team-lead",
  };
  const person = (home: Home, ...args: string[]) => runSwarm(home, args, { env });

  test.each(named([...SPEAKING, ["status", "set", "asleep"]]))(
    "swarm %s does not take a session's name",
    (_, args) => {
      const home = aWorld();
      const before = everything(home);
      const { exitCode, stderr } = person(home, ...args, "--session-id", BOB);
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/outside a session you speak as person/),
      });
      expect(everything(home)).toEqual(before);
    },
  );

  test("in mail", () => {
    const home = aWorld();
    expect(person(home, "send", "alice", "hi").exitCode).toBe(0);
    expect(home.json(inboxOf("alice"))[0].from).toBe("person");
    const { stdout } = person(home, "broadcast", "all");
    expect(stdout).toContain("to 3 of 3: team-lead, alice, bob");
    expect(home.json(inboxOf("bob"))[1].from).toBe("person");
    expect(person(home, "outbox").stdout.match(/ {2}to /g)).toHaveLength(4);
    expect(person(home, "send", "bob", "x", "--reply-to", "m-1").stderr).toContain("for members of the team");
    expect(runSwarm(home, ["send", "person", "yes"], { env: as("bob") }).stderr).toContain("has no inbox");
  });

  test("mail of others is looked at, never taken", () => {
    const home = aWorld();
    const before = everything(home);
    expect(person(home, "inbox")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/whose inbox/),
    });
    expect(person(home, "inbox", "--agent", "bob")).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/--peek/),
    });
    expect(person(home, "inbox", "--agent", "bob", "--peek").stdout).toContain("for bob alone");
    expect(everything(home)).toEqual(before);
  });

  test("in tasks and the journal", () => {
    const home = aWorld();
    expect(person(home, "task", "create", "New", "--owner", "alice").exitCode).toBe(0);
    expect(home.json(`.claude/tasks/${TEAM}/2.json`).metadata.swarm.createdBy).toBe("person");
    expect(home.json(inboxOf("alice"))[0]).toMatchObject({
      from: "person",
      text: expect.stringMatching(/^person assigned task #2/),
    });
    expect(person(home, "task", "update", "1", "--status", "in_progress", "--comment", "go").exitCode).toBe(
      0,
    );
    expect(home.json(`.claude/tasks/${TEAM}/1.json`)).toMatchObject({
      owner: "bob",
      metadata: { swarm: { comments: [{ author: "person" }] } },
    });
    expect(person(home, "task", "done", "1").exitCode).toBe(0);
    expect(home.json(inboxOf("team-lead"))[0]).toMatchObject({
      from: "person",
      text: expect.stringMatching(/^person completed task #1/),
    });
    expect(new Set(journal(home).map(({ agent }) => agent))).toEqual(new Set(["person"]));
    expect(person(home, "journal").stdout).toMatch(/ {2}\/person {2}tasks: task-created/);
    expect(person(home, "task", "claim", "2").stderr).toContain("swarm task update ID --owner NAME");
    expect(person(home, "task", "done", "2", "--as", "bob").stderr).toContain(
      "--as names an agent inside the",
    );
  });

  test("in efforts, also for a session it names", () => {
    const home = aWorld();
    expect(person(home, "effort", "start", "fix", "--session-id", BOB).exitCode).toBe(0);
    for (const more of [[], ["--session-id", BOB]]) {
      const { stdout } = person(home, "effort", "log", "looked at it", "--json", ...more);
      expect(JSON.parse(stdout).by).toBe("person");
    }
    expect(JSON.parse(person(home, "effort", "dehydrate", "x", "--json").stdout).by).toBe("person");
    const { stdout } = runSwarm(home, ["effort", "log", "mine", "--json"], { env: as("bob") });
    expect(JSON.parse(stdout).by).toBe("bob");
  });

  test("it manages teams, and gives the lead to a session it names", () => {
    const home = aWorld();
    expect(person(home, "lead", "take", TEAM, "--session-id", "new", "--force").exitCode).toBe(0);
    expect(home.json(CONFIG).leadSessionId).toBe("new");
    expect(journal(home).at(-1)).toMatchObject({ what: "lead-taken", agent: "person" });
    expect(person(home, "join", TEAM, "--name", "eve", "--session-id", BOB).exitCode).toBe(0);
    expect(person(home, "join", TEAM, "--name", "eve").stderr).toContain("only a session can join");
    for (const args of [["status"], ["kill", "--all"], ["suspend"], ["resume"], ["cleanup", "--force"]])
      expect({ args, ...person(home, ...args) }).toMatchObject({ args, exitCode: 0 });
    expect(person(home, "create", "second").stdout).toContain("It has no lead yet");
    expect(person(home, "scratchpad", "open").stdout).toContain(".claude/scratchpad/coordinator/");
  });

  test.each(["person", "Person", "solo", "solo-01234567"])("no member can be called %s", (name) => {
    const home = aWorld();
    const before = everything(home);
    for (const args of [
      ["join", TEAM, "--name", name, "--session-id", "new"],
      ["spawn", name, "--team", TEAM],
    ])
      expect(runSwarm(home, args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/senders outside a team/),
      });
    expect(everything(home)).toEqual(before);
  });
});
