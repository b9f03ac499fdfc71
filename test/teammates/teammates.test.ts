// The decisions of the teammates feature, each as a table; what really runs is in test/scripts and test/client.
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import type { Identity } from "../../lib/hook/context.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import { writeSession } from "../../lib/sessions/store/sessions.ts";
import { tmuxWord } from "../../lib/system/tmux.ts";
import { launchRequest, nameFor } from "../../lib/teammates/approved-plan.ts";
import { chooseBackend } from "../../lib/teammates/backends.ts";
import {
  agentFor,
  commandLine,
  type Launch,
  missingEnvironment,
  pluginDirsOf,
  SESSION_VARIABLES,
  wholeEnvironment,
} from "../../lib/teammates/client.ts";
import { clearMembership, recordMembership } from "../../lib/teammates/create.ts";
import { whyBadName } from "../../lib/teammates/names.ts";
import { stepsFor } from "../../lib/teammates/onboard.ts";
import { inheritedMode, teamPolicy, whyMayNotManage, whyMayNotSpawn } from "../../lib/teammates/policy.ts";
import { defaultPrompt, filePrompt, resumePrompt, systemPrompt } from "../../lib/teammates/prompts.ts";
import { isRunning, nextColor, suspended, whyNoRoom, withMember } from "../../lib/teammates/roster.ts";
import { writeFirstPrompt } from "../../lib/teammates/store/member-files.ts";
import { ALLOW_RULES } from "../../lib/teammates/store/setup.ts";
import { COMMANDS } from "../../scripts/verbs.ts";
import { aHome } from "../support/a-home.ts";
import { aTask } from "../support/a-task.ts";
import { TEAM } from "../support/a-team.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { payload, runHook } from "../support/run-built.ts";

const NOW = new Date("2026-02-20T12:00:00Z");

test.each([
  ["a", undefined],
  ["Ada_2-x", undefined],
  ["a".repeat(100), undefined],
  ["", "a name is needed"],
  ["a".repeat(101), "longer than 100"],
  ["-a", "begin with a letter"],
  ["a.b", "letters, digits"],
  ["a b", "letters, digits"],
  ["a\n", "letters, digits"],
  ["ä", "letters, digits"],
])("the name %j", (name, why) => expect(whyBadName(name)).toEqual(why && expect.stringContaining(why)));

interface Terminal {
  asked?: string;
  insideTmux?: boolean;
  kittySocket?: string;
  hasTmux?: boolean;
  hasKitty?: boolean;
}

function chosen({ asked, insideTmux, kittySocket, hasTmux, hasKitty }: Terminal) {
  const home = aHome();
  for (const program of [hasTmux && "tmux", hasKitty && "kitty"].filter((one) => typeof one === "string")) {
    home.write(`bin/${program}`, "");
    chmodSync(home.path(`bin/${program}`), 0o700);
  }
  const inside = insideTmux ? { TMUX: "/tmp/tmux,1,0", TMUX_PANE: "%0" } : {};
  const env = { PATH: home.path("bin"), KITTY_LISTEN_ON: kittySocket, ...inside };
  return chooseBackend(readEnvironment({ HOME: home.root, ...env }), asked);
}

test.each<[string, Terminal, string]>([
  ["inside tmux", { insideTmux: true, hasTmux: true, kittySocket: "unix:x", hasKitty: true }, "tmux"],
  ["inside kitty", { kittySocket: "unix:x", hasKitty: true, hasTmux: true }, "kitty"],
  ["kitty without remote control", { hasKitty: true, hasTmux: true }, "tmux"],
  ["only tmux installed", { hasTmux: true }, "tmux"],
  ["nothing there", {}, "headless"],
  ["asked for headless", { asked: "headless", insideTmux: true, hasTmux: true }, "headless"],
  ["asked for auto", { asked: "auto", hasTmux: true }, "tmux"],
])("the backend: %s", (_, terminal, backend) => expect(chosen(terminal)).toBe(backend));

test.each<[string, Terminal, RegExp]>([
  ["tmux without tmux", { asked: "tmux" }, /tmux is not on the PATH/],
  ["kitty without kitty", { asked: "kitty" }, /kitty is not on the PATH/],
  [
    "kitty without a socket",
    { asked: "kitty", hasKitty: true },
    /KITTY_LISTEN_ON is not set.*allow_remote_control/,
  ],
  ["something else", { asked: "screen" }, /the backends are tmux, kitty and headless/],
])("no backend fits: %s", (_, terminal, refusal) => expect(() => chosen(terminal)).toThrow(refusal));

test("a new client inherits everything but what names a session or a terminal", () => {
  const bound = Object.fromEntries(SESSION_VARIABLES.map((name) => [name, "x"]));
  const kept = { PATH: "/bin", CLAUDE_SESSION_MODE: "mission" };
  const env = { ...bound, ...kept, TMUX: "x", TERM: "x", "BASH_FUNC_x%%": "x" };
  expect(wholeEnvironment(env, { OWN: "1" })).toEqual({ ...kept, OWN: "1" });
});

test("only what the server lacks or has otherwise is handed on", () => {
  const lead = { A: "1", B: "2", C: "3" };
  expect(missingEnvironment(lead, { OWN: "x" }, { A: "1", B: "old" }, 1_000)).toEqual({
    set: { OWN: "x", B: "2", C: "3" },
    leftOut: [],
  });
});

test("when room is short, what the client needs comes first and the rest is named", () => {
  const env = { ZETA: "z".repeat(50), ANTHROPIC_API_KEY: "k".repeat(50), BIG: "b".repeat(90) };
  const { set, leftOut } = missingEnvironment(env, {}, {}, 80);
  expect(Object.keys(set)).toEqual(["ANTHROPIC_API_KEY"]);
  expect(leftOut).toEqual(["ZETA", "BIG"]);
});

const START: Launch = {
  ...{
    name: "ada",
    team: "alpha",
    lead: "boss",
    leadId: undefined,
    backend: "tmux",
    sessionId: "s",
    cwd: "/",
  },
  command: ["claude"],
  isResumed: false,
  clientAgent: undefined,
  permissionMode: "default",
  leadMode: "default",
  pluginDirs: [],
  prompt: "go",
  promptFile: "/p/first-prompt.md",
};
const REST = [
  ...["--name", "ada@alpha"],
  ...["--permission-mode", "default"],
  ...["--allowedTools", ALLOW_RULES.join(",")],
  ...["--append-system-prompt", systemPrompt(START)],
];
test.each([
  ["as little as possible", {}, ["claude", "--session-id", "s", ...REST, "--", "go"]],
  ["again", { isResumed: true }, ["claude", "--resume", "s", ...REST, "--", "go"]],
  [
    "an interpreter's script, without a screen",
    { command: ["node", "/cli.js"], backend: "headless" as const },
    [
      ...["node", "/cli.js", "--session-id", "s", ...REST],
      ...["-p", "--output-format", "stream-json", "--verbose"],
    ],
  ],
])("the command line: %s", (_, more, words) => expect(commandLine({ ...START, ...more })).toEqual(words));

test("every rule names a verb there is, and none that starts, ends, removes or configures something", () => {
  const verbs = ALLOW_RULES.map((rule) => rule.match(/^Bash\(swarm ([a-z-]+)( [a-z]+)?:\*\)$/)?.[1] ?? rule);
  const known = COMMANDS.map(({ name }) => name as string);
  expect(verbs.filter((verb) => verb !== "help" && !known.includes(verb))).toEqual([]);
  const harmful =
    /spawn|kill|cleanup|suspend|resume|join|swarm create|lead|gc|config|guard|statusline|delete|preload/;
  expect(ALLOW_RULES.filter((rule) => harmful.test(rule))).toEqual([]);
});

test.each([
  ["the lead's", "acceptEdits", undefined, "acceptEdits"],
  ["a name only newer clients know", "manual", undefined, "default"],
  ["no record", undefined, undefined, "default"],
  ["a member in a wider mode than its lead", "default", "bypassPermissions", "default"],
  ["a member in a narrower mode", "auto", "plan", "plan"],
])("the inherited mode: %s", (_, lead, member, mode) => {
  const home = aHome();
  const record = (session: string, permissionMode: string) =>
    writeSession(home.paths, {
      session,
      permissionMode,
      state: "active",
      status: "done",
      startedAt: "",
      lastSeen: "",
    });
  if (lead) record("l", lead);
  if (member) record("m", member);
  const call = { paths: home.paths, session: member ? "m" : "l" };
  expect(inheritedMode(call, { leadSessionId: "l", members: [] })).toBe(mode);
  // A person's call has no session, and a team may have no lead.
  if (!member)
    expect(inheritedMode({ ...call, session: undefined }, { leadSessionId: "l", members: [] })).toBe(mode);
  if (!member) expect(inheritedMode(call, { members: [] })).toBe(mode);
  expect(inheritedMode({ ...call, session: undefined }, { members: [] })).toBe("default");
});

test("options and their values are words of their own, and the prompt stands behind --", () => {
  const more = {
    model: "opus",
    clientAgent: "x:y",
    permissionMode: "plan",
    pluginDirs: ["/a b", "/c"],
  };
  const words = commandLine({ ...START, ...more, prompt: "-p --evil" });
  const options = ["--model", "opus", "--agent", "x:y", "--permission-mode", "plan"];
  expect(words).toEqual(expect.arrayContaining([...options, "--plugin-dir", "/a b", "/c"]));
  expect(words.slice(-2)).toEqual(["--", "-p --evil"]);
  const prompt = "x".repeat(4_001);
  const long = commandLine({ ...START, prompt });
  expect(long).toEqual(expect.arrayContaining(["--add-dir", "/p"]));
  expect(long.slice(-2)).toEqual(["--", filePrompt("/p/first-prompt.md", prompt)]);
});

test("the lead's plugin directories are found in both spellings", () => {
  const args = ["--model", "x", "--plugin-dir", "a", "--plugin-dir=/b", "--plugin-dir"];
  expect(pluginDirsOf(args, (path) => `abs:${path}`)).toEqual(["abs:a", "abs:/b"]);
});

test.each([
  ["a", "a"],
  ["a;", "a\\;"],
  [";", "\\;"],
  ["a\\;", "a\\\\;"],
  ["a;b", "a;b"],
])("tmux reads %j as one word when given %j", (word, given) => expect(tmuxWord(word)).toBe(given));

test.each([
  ["a field", { launchSwarm: true }, "", { teammates: 3, isDefault: true }],
  ["both fields", { launchSwarm: true, teammateCount: 5 }, "", { teammates: 5, isDefault: false }],
  ["a line", {}, "x\nlaunchSwarm: true\ny", { teammates: 3, isDefault: true }],
  ["lines", {}, "launchSwarm: true\nteammateCount: 4", { teammates: 4, isDefault: false }],
  [
    "JSON in the plan",
    {},
    '{\n  "launchSwarm": true,\n  "teammateCount": 2\n}',
    { teammates: 2, isDefault: false },
  ],
  ["a list item", {}, "- `launchSwarm: true`", { teammates: 3, isDefault: true }],
  ["a name", {}, "launchSwarm: true\nteamName: red", { teammates: 3, isDefault: true, teamName: "red" }],
  ["far too many", { launchSwarm: true, teammateCount: 9_999 }, "", { teammates: 32, isDefault: false }],
  ["no number", { launchSwarm: true, teammateCount: "lots" }, "", { teammates: 3, isDefault: true }],
  ["false", { launchSwarm: false }, "launchSwarm: false", undefined],
  ["a mention", {}, "We could set launchSwarm: true later.", undefined],
  ["a mention that begins a line", {}, "launchSwarm: true would be too much here.", undefined],
  ["a text", { launchSwarm: "true" }, "", undefined],
  ["nothing", {}, "# Plan\n\nDo it.", undefined],
])("a launch request: %s", (_, fields, plan, request) =>
  expect(launchRequest(fields, plan)).toEqual(request),
);

test.each([
  ["# Plan for the Parser!\n", "the-parser"],
  ["## Übersicht & more", "bersicht-more"],
  ["no heading", "swarm"],
  [`# ${"long ".repeat(30)}`, "long-long-long-long-long-long-long-long"],
])("the team for the plan %j is %s", (plan, name) => expect(nameFor(plan)).toBe(name));

const launched = (input: unknown, home = aHome()): string | undefined =>
  runHook(home, "post-tool-use", input).reply?.hookSpecificOutput.additionalContext;

test("an approved plan makes the team and gives the commands", () => {
  const home = aHome();
  const plan = "# Two parts\n\nlaunchSwarm: true\nteammateCount: 2\n";
  const approved = payload("PostToolUse-ExitPlanMode");
  const input = { ...approved, session_id: "s-1", cwd: home.project, tool_response: { plan } };
  const words = launched(input, home);
  expect(words).toMatch(/^# Swarm Launch Detected\n\nThe approved plan asks for a team of 2 teammates\./);
  expect(words).toContain("swarm spawn teammate-2 --team two-parts --prompt");
  const config = home.json(".claude/teams/two-parts/config.json");
  expect(config).toMatchObject({ leadSessionId: "s-1", status: "active" });
  home.write(".claude/tasks/two-parts/7.json", { id: "7", subject: "of before", status: "pending" });
  const again = launched(input, home);
  expect(again).toContain("This session leads the team two-parts.");
  expect(again).toContain(
    "swarm task update 8 --owner teammate-1\n   swarm task update 9 --owner teammate-2",
  );
  expect(launched(approved)).toBeUndefined();
  expect(launched({ ...input, agent_id: "a0123456789abcdef" })).toBeUndefined();
});

test("the seed's own way to try it works", () => {
  expect(launched('{"launchSwarm": true, "teammateCount": 5}')).toContain("a team of 5 teammates.");
  expect(launched('{"launchSwarm": true}')).toContain("a team of 3 teammates (it names no teammateCount");
});

const identity = (agent: string | undefined, isLead = false): Identity => ({
  ...{ kind: "named", team: "alpha", agent, isLead, evidence: [] },
});
const calling = (who: Identity, table: object) => ({
  identity: who,
  paths: aHome().paths,
  loaded: { values: { team: { alpha: table } } },
});

test.each([
  ["the lead", identity("team-lead", true), {}, undefined],
  ["a member", identity("bob"), {}, "bob does not lead alpha"],
  ["a co-leader", identity("bob"), { co_leaders: ["bob"] }, undefined],
  ["a co-leader written with spaces", identity("bob"), { co_leaders: [" bob "] }, undefined],
  ["someone of another team", { ...identity("bob"), team: "beta" }, {}, undefined],
  ["a person at a terminal", identity(undefined), {}, undefined],
])("who may manage: %s", (_, who, table, why) =>
  expect(whyMayNotManage(calling(who, table), "alpha")).toEqual(why && expect.stringContaining(why)),
);

test("a refusal names the lead by its real name", () => {
  const home = aHome();
  const members = [{ name: "the boss", agentId: "b" }, { name: "bob" }];
  home.write(".claude/teams/alpha/config.json", { name: "alpha", leadAgentId: "b", members });
  expect(whyMayNotManage({ ...calling(identity("bob"), {}), paths: home.paths }, "alpha")).toBe(
    "bob does not lead alpha: ask the boss (`swarm send 'the boss' \"…\"`)",
  );
});

test("a refusal says that there is no lead to ask", () => {
  const home = aHome();
  home.write(".claude/teams/alpha/config.json", { name: "alpha", members: [{ name: "bob" }] });
  expect(whyMayNotManage({ ...calling(identity("bob"), {}), paths: home.paths }, "alpha")).toBe(
    "bob does not lead alpha: it has no lead",
  );
});

test("a team can let every member spawn", () =>
  expect(whyMayNotSpawn(calling(identity("bob"), { spawn_policy: "any-member" }), "alpha")).toBeUndefined());

test.each([
  ["nothing", undefined, "leaders-only", []],
  ["any member", { spawn_policy: "any-member" }, "any-member", []],
  ["a typo", { spawn_policy: "anymember" }, "leaders-only", []],
  ["co-leaders, some of them nonsense", { co_leaders: ["a", " ", 7, " b "] }, "leaders-only", ["a", "b"]],
  ["not a table", "any-member", "leaders-only", []],
])("a team's settings: %s", (_, settings, spawnPolicy, coLeaders) =>
  expect(teamPolicy({ alpha: settings }, "alpha")).toEqual({ policy: spawnPolicy, coLeaders }),
);

const team = (...members: { name: string; [key: string]: unknown }[]) => ({
  name: "alpha",
  status: "active",
  members,
});
test.each([
  ["offline", { status: "offline", pid: process.pid }, false],
  ["of unknown process", { status: "active" }, true],
  ["of a dead process", { status: "active", pid: 2 ** 22 + 1 }, false],
  ["starting now", { status: "starting", lastSeen: "2026-02-20T11:59:30Z" }, true],
  ["stuck in starting", { status: "starting", lastSeen: "2026-02-20T11:50:00Z" }, false],
])("a member %s", (_, member, running) => expect(isRunning({ name: "ada", ...member }, NOW)).toBe(running));

test("room in a team", () => {
  const ada = { name: "ada", status: "active" };
  expect(whyNoRoom(team(ada), "ada", 9, NOW)).toContain("ada is already running in the team");
  expect(whyNoRoom(team(ada), "bob", 1, NOW)).toContain("gate.max_teammates is 1");
  expect(whyNoRoom(team(ada, { name: "team-lead", status: "active" }), "bob", 2, NOW)).toBeUndefined();
  expect(whyNoRoom(team(ada), "Ada", 9, NOW)).toContain("ada is in the team already");
  expect(whyNoRoom(team({ ...ada, status: "offline" }, { name: "Ada" }), "ada", 9, NOW)).toBeUndefined();
  expect(whyNoRoom({ ...team(), status: "suspended" }, "bob", 9, NOW)).toContain("swarm resume alpha");
});

test("colours are not worn twice while there are others, and unknown keys of a member stay", () => {
  expect(nextColor(team({ name: "a", color: "blue" }, { name: "b", color: "yellow" }))).toBe("green");
  const all = ["blue", "green", "yellow", "purple", "orange", "pink", "cyan", "red"];
  expect(nextColor(team(...all.map((color) => ({ name: color, color }))))).toBe("blue");
  const changed = withMember(team({ name: "a", theirs: 1 }), { name: "a", status: "idle" });
  expect(changed.members).toEqual([{ name: "a", theirs: 1, status: "idle" }]);
});

test("suspended: everyone offline but who goes on", () => {
  const before = team({ name: "team-lead", status: "active" }, { name: "ada", status: "idle" });
  const { status, suspendedAt, members } = suspended(before, "now", "team-lead");
  expect({ status, suspendedAt }).toEqual({ status: "suspended", suspendedAt: "now" });
  expect(members.map((one) => one.status)).toEqual(["active", "offline"]);
});

test("who comes back reads its tasks and its unread count", () => {
  const who = { team: "alpha", name: "ada", lead: "boss" };
  const tasks = [aTask("2", { subject: "a\n<b>", metadata: { swarm: { state: "<c>" } } })];
  expect(resumePrompt(who, { tasks, unread: 3 })).toBe(
    "The team alpha goes on, and you are ada again.\nYour tasks:\n- Task #2 [&lt;c&gt;]: a &lt;b&gt;\n" +
      "Unread messages: 3 (`swarm inbox` shows them).\nLook at what you had begun, and go on with it.",
  );
  expect(resumePrompt(who, { tasks: [], unread: 0 })).toContain(
    "You have no open task.\nNo unread messages.\nTell boss that you are back.",
  );
});

test("a teammate's prompts name its lead as it is called, in a command that can be run as it stands", () => {
  expect(systemPrompt(START)).toMatch(/; its lead is boss\. .*`swarm send boss "…"` writes to the lead/);
  expect(systemPrompt({ ...START, lead: "the <boss>" })).toContain(
    "its lead is the &lt;boss&gt;. You work in a session of your own. Nobody reads your screen: report by mail. `swarm send 'the &lt;boss&gt;' ",
  );
  expect(defaultPrompt(START)).toContain("tell boss that you are ready");
});

test("onboarding ticks off what is done", () => {
  const done = (facts: Parameters<typeof stepsFor>[0]) => stepsFor(facts).map((step) => step.done);
  const quiet = {
    hasTmux: true,
    hasTalked: false,
    hasTasks: false,
    hasScreen: true,
    rules: "there" as const,
  };
  const nothing = { ...quiet, insideSession: false, team: undefined, teammates: 0 };
  expect(done(nothing).slice(0, 4)).toEqual([false, true, false, false]);
  const much = { ...quiet, insideSession: true, team: "x", teammates: 1 };
  expect(done(much).slice(0, 5)).toEqual([true, true, true, true, false]);
  expect(done({ ...much, hasTalked: true, hasTasks: true })).toEqual([...Array(6).fill(true), false]);
  const outside = stepsFor({ ...much, hasScreen: false });
  expect(outside[0]).toMatchObject({
    done: false,
    about:
      "This session runs outside tmux and kitty: each teammate gets a tmux session of its own, and the output of /swarm-spawn says how to attach to it.",
  });
});

test.each([
  ["none", undefined, undefined],
  ["one that every client knows", "Explore", "Explore"],
  ["a plugin's", "tools:reviewer", "tools:reviewer"],
  ["one that is defined", "writer", "writer"],
  ["another", "reader", undefined],
])("the agent type that a client is given: %s", (_, type, given) => {
  const home = aHome();
  home.write(".claude/agents/writer.md", "---\nname: writer\ndescription: writes\n---\nWrite.\n");
  expect(agentFor({ paths: home.paths } as never, type, home.project)).toBe(given);
});

test("what a process is known as follows the membership of its session, and no other's", () => {
  const home = aHome();
  const process = (pid: number, session: string) =>
    home.write(`.claude/swarm/processes/${pid}.json`, { pid, session });
  const known = (pid: number) => home.json(`.claude/swarm/processes/${pid}.json`);
  for (const [session, pid] of [
    ["one", 41],
    ["two", 42],
  ] as const) {
    writeSession(home.paths, {
      ...{ session, pid, state: "idle", status: "done" },
      ...{ startedAt: NOW.toISOString(), lastSeen: NOW.toISOString() },
    } as never);
    process(pid, session === "two" ? "its next" : session);
    recordMembership(home.paths, session, { team: TEAM, agent: session, isLead: false }, NOW);
  }
  expect(known(41)).toMatchObject({ team: TEAM, agent: "one" });
  expect(known(42)).toEqual({ pid: 42, session: "its next" });
  clearMembership(home.paths, "one", TEAM);
  expect(known(41)).toEqual({ pid: 41, session: "one" });
});

test("a first prompt is on disk before a client is started with it", () => {
  const home = aHome();
  const calls: string[] = [];
  onFileCalls((name) => void calls.push(name));
  writeFirstPrompt(home.paths, TEAM, "ada", "go");
  expect(calls).toContain("fsyncSync");
});
