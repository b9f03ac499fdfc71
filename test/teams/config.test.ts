// One reader of a team's config.json, one rule for who leads.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import {
  type EndMark,
  findNativeMember,
  hasReader,
  isLead,
  isLedBy,
  isMember,
  isRemote,
  leadOf,
  listTeams,
  type Member,
  memberNames,
  memberOf,
  readNativeTeams,
  readTeam,
  statusOf,
  type Team,
  updateTeam,
  writeEnd,
} from "../../lib/teams/store/config.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anError, failing, onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

const CONFIG = ".claude/teams/dev/config.json";
const boss = { name: "boss", agentId: "boss@dev" };
const usual = { name: "team-lead", agentId: "other@dev" };
const byType = { name: "ann", agentId: "ann@dev", agentType: "team-lead" };
const bob = { name: "bob", agentId: "bob@dev" };

// Before there was one rule, mail went by the id alone, tasks by id or type, the board and cleanup by id or name.
test.each<[string, string | undefined, Member[], string]>([
  ["the id", "boss@dev", [bob, boss], "boss"],
  ["the id, though another has the usual name", "boss@dev", [usual, boss], "boss"],
  ["the id, though another has the type", "boss@dev", [byType, boss], "boss"],
  ["the usual name, without an id", undefined, [bob, usual], "team-lead"],
  ["the usual name, where the id names no member", "gone@dev", [bob, usual], "team-lead"],
  ["the usual name before the type", undefined, [byType, usual], "team-lead"],
  ["the type, where nothing else says it", undefined, [bob, byType], "ann"],
  ["nobody listed: its mail is kept under the usual name", "gone@dev", [bob], "team-lead"],
  ["members without ids do not match a missing id", undefined, [{ name: "bob" }], "team-lead"],
])("who leads: %s", (_, leadAgentId, members, lead) => {
  const team: Team = { leadAgentId, members };
  expect(leadOf(team)).toBe(lead);
  expect(members.filter((member) => isLead(team, member)).map(({ name }) => name)).toEqual(
    members.some(({ name }) => name === lead) ? [lead] : [],
  );
});

// Before there was one rule, `swarm send` counted an unlisted lead only once a session leads, `swarm pause` always; delivery let no
// mail of the lead expire, while the outbox said so of the usual name in every team.
test.each<[string, Team, string[], string[]]>([
  ["those that are listed", { leadAgentId: "boss@dev", members: [bob, boss] }, ["bob", "boss"], []],
  ["a lead that is not listed", { leadSessionId: "s", members: [bob] }, ["bob", "team-lead"], []],
  ["such a lead without a session only keeps its mail", { members: [bob] }, ["bob"], ["team-lead"]],
  ["the usual name only of one who leads", { leadAgentId: "boss@dev", members: [boss] }, ["boss"], []],
])("members: %s", (_, team, names, others) => {
  const known = ["bob", "boss", "team-lead", "eve"];
  expect(memberNames(team)).toEqual(names);
  expect(known.filter((name) => isMember(team, name))).toEqual(names);
  expect(known.filter((name) => hasReader(team, name))).toEqual([...names, ...others]);
});
test("nobody is a member of no team", () => {
  expect(isMember(undefined, "team-lead")).toBe(false);
  expect(hasReader(undefined, "team-lead")).toBe(false);
});

test("a lead that is not listed has a mailbox, once a session leads", () => {
  const team = { members: [{ name: "bob" }], leadAgentId: "boss@t" } as unknown as Team;
  expect(memberNames(team)).toEqual(["bob"]);
  expect(memberNames({ ...team, leadSessionId: "s" })).toHaveLength(2);
  const listed = { ...team, leadSessionId: "s", members: [{ name: "team-lead" }] } as unknown as Team;
  expect(new Set(memberNames(listed)).size).toBe(memberNames(listed).length);
});

test.each<[string, Pick<Team, "leadSessionId" | "leadProcess">, string[], number | undefined, boolean]>([
  ["its session", { leadSessionId: "now" }, ["now"], undefined, true],
  ["a session before a `/clear`", { leadSessionId: "before" }, ["now", "before"], undefined, true],
  ["another session", { leadSessionId: "other" }, ["now"], 7, false],
  ["its process", { leadSessionId: "before", leadProcess: { pid: 7 } }, ["now"], 7, true],
  ["no session is no match for none", {}, [""], undefined, false],
  ["no process is no match for none", {}, ["now"], undefined, false],
])("led by %s", (_, team, sessions, clientPid, expected) =>
  expect(isLedBy({ ...team, members: [] }, { sessions, clientPid })).toBe(expected),
);

test("the lead of no team is the usual one", () => expect(leadOf(undefined)).toBe("team-lead"));

test("an odd value counts as missing, for readers and for changes, and costs nothing else", () => {
  const home = aHome();
  home.write(CONFIG, {
    name: 7,
    leadAgentId: null,
    createdAt: 1771588800000,
    leadProcess: { pid: "12" },
    mine: { kept: null },
    members: [null, "x", { agentId: "no name" }, { ...bob, pid: "12", lastSeen: 7, joinedAt: 5, mine: [1] }],
  });
  const read = readTeam(home.paths, "dev");
  expect(read?.members).toEqual([{ ...bob, joinedAt: 5, mine: [1] }]);
  updateTeam(home.paths, "dev", (stored) => ({ ...stored, status: "active" }));
  expect(home.json(CONFIG)).toEqual({
    createdAt: 1771588800000,
    mine: { kept: null },
    status: "active",
    members: [{ ...bob, joinedAt: 5, mine: [1] }],
  });
});

test.each([["a list"], [{ members: "none" }], [{ members: { bob } }]])(
  "%j is damage: set aside, not overwritten",
  (content) => {
    const home = aHome();
    home.write(CONFIG, content);
    expect(readTeam(home.paths, "dev")).toBeUndefined();
    expect(home.has(CONFIG)).toBe(false);
  },
);

test("a config without members is a team without members", () => {
  const home = aHome();
  home.write(CONFIG, { name: "dev" });
  expect(readTeam(home.paths, "dev")?.members).toEqual([]);
});

test("a native team is named by its directory, whatever its file says, and never written", () => {
  const home = aHome();
  const name = "session-0a1b2c3d";
  home.write(`.claude/teams/${name}/config.json`, {
    leadSessionId: "s-1",
    members: [{ name: "ada", tmuxPaneId: null }],
  });
  expect(findNativeMember(home.paths, { session: "s-1", clientPid: 0, pane: undefined })).toMatchObject({
    team: name,
    agent: "team-lead",
    isLead: true,
  });
  expect(() => updateTeam(home.paths, name, (team) => team)).toThrow("belongs to the client");
});

const AT = "2026-02-20T12:00:00.000Z";
const SPOOL = ".claude/teams/dev/config-spool";

// The end of a member: in the config, or beside it while another process holds the lock.
test.each<[string, Partial<Member>, Partial<EndMark>, boolean]>([
  ["the same process and session", { pid: 7, sessionId: "s" }, { pid: 7, session: "s" }, true],
  ["neither on record", {}, {}, true],
  ["another process by now", { pid: 8 }, { pid: 7 }, false],
  ["another session by now", { sessionId: "t" }, { session: "s" }, false],
  ["seen within the same second", { lastSeen: "2026-02-20T12:00:00.900Z" }, {}, true],
  ["seen a second later", { lastSeen: "2026-02-20T12:00:01.000Z" }, {}, false],
  ["seen at no readable time", { lastSeen: "lately" }, {}, true],
  ["another member", {}, { ended: "amy" }, false],
])("a member that ended, %s: offline %s, at once and after the lock", (_, given, mark, isOffline) => {
  onTestFinished(virtualTime());
  const end = (home: Home) => writeEnd(home.paths, "dev", { ended: "bob", at: AT, ...mark }, {});
  const now = (home: Home) => {
    const found = memberOf(readTeam(home.paths, "dev"), "bob");
    return [found?.status, found?.lastSeen];
  };
  const expected = isOffline ? ["offline", AT] : [undefined, given.lastSeen];
  for (const isLocked of [false, true]) {
    const home = aHome();
    home.write(CONFIG, { members: [{ ...bob, ...given }] });
    if (isLocked) mkdirSync(home.path(`${CONFIG}.lock`));
    end(home);
    expect(now(home)).toEqual(expected);
    if (!isLocked) continue;
    expect(home.json(CONFIG).members[0].status).toBeUndefined();
    rmdirSync(home.path(`${CONFIG}.lock`));
    updateTeam(home.paths, "dev", () => undefined);
    expect(home.json(CONFIG).members[0].status).toBe(expected[0]);
    expect(readdirSync(home.path(SPOOL))).toEqual([]);
  }
});

test("an end whose writer loses the lock is not lost, and any other error is the caller's", () => {
  const home = aHome();
  const path = home.write(CONFIG, { members: [bob] });
  const lose = () => {
    renameSync(`${path}.lock`, `${path}.lock.old`);
    mkdirSync(`${path}.lock`);
  };
  let isLost = false;
  onFileCalls((name, [file]) => {
    if (isLost || name !== "openSync" || !String(file).startsWith(`${path}.tmp.`)) return;
    isLost = true;
    lose();
  });
  writeEnd(home.paths, "dev", { ended: "bob", at: AT }, {});
  expect(memberOf(readTeam(home.paths, "dev"), "bob")?.status).toBe("offline");
  expect(home.json(CONFIG).members[0].status).toBeUndefined();
  rmdirSync(`${path}.lock`);
  const spooled = readdirSync(home.path(SPOOL));
  onFileCalls((name, [, to]) => {
    if (name === "renameSync" && to === path) throw anError("EACCES");
  });
  expect(() => writeEnd(home.paths, "dev", { ended: "bob", at: AT }, {})).toThrow("EACCES");
  expect(readdirSync(home.path(SPOOL))).toEqual(spooled);
});

test("a change is written, its absence is not; the end of a team that is gone changes nothing", () => {
  const home = aHome();
  home.write(`${SPOOL}/000000000001-x.json`, { ended: "bob", at: AT });
  expect(readTeam(home.paths, "dev")).toBeUndefined();
  expect(updateTeam(home.paths, "dev", () => ({ members: [bob] }))).toBeUndefined();
  expect(home.has(CONFIG)).toBe(false);
  const path = home.write(CONFIG, { members: [bob] });
  const { ino } = statSync(path);
  updateTeam(home.paths, "dev", () => undefined);
  expect(statSync(path).ino).toBe(ino);
  expect(updateTeam(home.paths, "dev", () => ({ members: [boss] }))?.members).toEqual([boss]);
  expect(home.json(CONFIG).members).toEqual([boss]);
});

test("a new member needs a name that can be a file name; one that is there already does not", () => {
  const home = aHome();
  home.write(CONFIG, { members: [{ name: "../odd" }] });
  const add = (name: string) =>
    updateTeam(home.paths, "dev", (team) => ({ ...team, members: [...team.members, { name }] }));
  expect(() => add("../x")).toThrow();
  add("bob");
  expect(home.json(CONFIG).members).toEqual([{ name: "../odd" }, { name: "bob" }]);
});

test("the teams are the directories with a usable name", () => {
  const home = aHome();
  expect(listTeams(home.paths)).toEqual([]);
  for (const name of ["dev", "session-0a1b2c3d", "-bad"])
    home.write(`.claude/teams/${name}/config.json`, { members: [] });
  home.write(".claude/teams/file", "");
  expect(listTeams(home.paths).sort()).toEqual(["dev", "session-0a1b2c3d"]);
  expect(readNativeTeams(home.paths).map(({ name }) => name)).toEqual(["session-0a1b2c3d"]);
  home.write(".claude/teams/session-0a1b2c3d/config.json", "{");
  expect(readNativeTeams(home.paths)).toEqual([]);
  failing("readdirSync", "EACCES");
  expect(() => listTeams(home.paths)).toThrow("EACCES");
});

test("small questions about a team", () => {
  const team: Team = { members: [bob, boss] };
  expect([memberOf(team, "boss"), memberOf(team, "eve"), memberOf(undefined, "bob")]).toEqual([
    boss,
    undefined,
    undefined,
  ]);
  expect([statusOf(undefined), statusOf({}), statusOf({ status: "suspended" })]).toEqual([
    undefined,
    "active",
    "suspended",
  ]);
  const remote = (fields: object) => isRemote({ name: "x", ...fields });
  expect([remote({ machine: "m", agent: "a" }), remote({ machine: "m" }), remote({ agent: "a" })]).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  ["isActive", true, true],
  ["isActive", "yes", false],
  ["joinedAt", "then", true],
  ["joinedAt", 7, true],
  ["joinedAt", {}, false],
  ["pid", Number.NaN, false],
  ["mine", null, true],
])("of a member, %s = %j is kept: %s", (key, value, isKept) => {
  const home = aHome();
  home.write(CONFIG, { members: [{ name: "bob", [key]: value }, { name: "" }, { name: 7 }] });
  expect(readTeam(home.paths, "dev")?.members).toEqual([
    isKept ? { name: "bob", [key]: value } : { name: "bob" },
  ]);
});

/** A process with these words behind its name. */
function aClient(...words: string[]): number {
  const child = spawn("sh", ["-c", "read line", "sh", ...words], { stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.stdin.end());
  return child.pid as number;
}
const NATIVE = "session-0a1b2c3d";
const ENDED = 4_194_000;

test.each<[string, () => Partial<Parameters<typeof findNativeMember>[1]>, string | undefined]>([
  [
    "its options",
    () => ({ clientPid: aClient("--agent-name", "eva", "--team-name", NATIVE) }),
    "eva pane by process, no lead",
  ],
  [
    "its options, of a team that is not the client's",
    () => ({ clientPid: aClient("--agent-name", "eva", "--team-name", "dev") }),
    undefined,
  ],
  ["half of its options", () => ({ clientPid: aClient("--team-name", NATIVE) }), undefined],
  ["the lead's session", () => ({ session: "s-lead" }), "team-lead lead by lead, the lead"],
  ["the lead's process", () => ({ clientPid: 4_193_000 }), "team-lead lead by lead, the lead"],
  ["its pane", () => ({ pane: "%3" }), "ada pane by pane, no lead"],
  [
    "its pane, though its process has another story",
    () => ({ pane: "%3", clientPid: process.pid }),
    undefined,
  ],
  ["the pane of one that has no tmux", () => ({ pane: "%4" }), undefined],
  ["a pane of nobody", () => ({ pane: "%9" }), undefined],
  ["nothing", () => ({}), undefined],
])("a member of the client's own team is known by %s", (_, who, expected) => {
  const home = aHome();
  home.write(`.claude/teams/${NATIVE}/config.json`, {
    leadSessionId: "s-lead",
    leadProcess: { pid: 4_193_000 },
    members: [
      { name: "tom", backendType: "tmux", tmuxPaneId: "%2" },
      { name: "ada", backendType: "tmux", tmuxPaneId: "%3" },
      { name: "ina", backendType: "in-process", tmuxPaneId: "%4" },
    ],
  });
  const found = findNativeMember(home.paths, { session: "s-1", clientPid: ENDED, pane: undefined, ...who() });
  const said = found && `${found.agent} ${found.kind} by ${found.by}, ${found.isLead ? "the" : "no"} lead`;
  expect([said, found?.team]).toEqual([expected, expected && NATIVE]);
});

test("a team of the client that cannot be read says nothing about who anyone is", () => {
  const home = aHome();
  mkdirSync(home.path(".claude/teams/session-00000000/config.json"), { recursive: true });
  home.write(".claude/teams/session-11111111/config.json", { leadSessionId: "s-1", members: [] });
  const who = { session: "s-1", clientPid: 0, pane: undefined };
  expect(findNativeMember(home.paths, who)).toMatchObject({ team: "session-11111111" });
  expect(takeProblems()).toEqual([expect.stringContaining("session-00000000/config.json")]);
});
