// Starting, ending and bringing back teammates, in this process: shell scripts stand in for tmux, kitty and the client.
import { chmodSync, existsSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { readEnvironment } from "../../lib/hook/environment.ts";
import { lifeOf, startOf } from "../../lib/system/processes.ts";
import { aCheckout } from "../support/a-checkout.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, member, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { shortWaits, virtualTime } from "../support/in-no-time.ts";

const LEAD = as("team-lead");
const SESSIONS = ".claude/swarm/sessions";

/** tmux and kitty note their words and start what they are given; the client writes its session's record and waits. */
function aScreen(): Home {
  const home = aHome();
  const program = (name: string, lines: string[]) =>
    chmodSync(home.write(`bin/${name}`, ["#!/bin/sh", `cd '${home.root}'`, ...lines].join("\n")), 0o755);
  const noteWords = (name: string) => `{ printf '%s\\037' "$@"; echo; } >> ${name}.words`;
  const start =
    'while [ "$1" != -- ]; do shift; done; shift; "$@" </dev/null >/dev/null 2>&1 & echo $! >> pids;';
  program("tmux", [
    '[ "$1" = -S ] && shift 2',
    noteWords("tmux"),
    "case $1 in",
    `split-window|new-session) ${start} echo "%7 $! ${home.path("tmux.sock")}";;`,
    "list-panes) cat panes 2>/dev/null || { echo no server running >&2; exit 1; };;",
    "capture-pane) echo its last words;;",
    "esac",
  ]);
  const nine = `printf '[{"tabs":[{"windows":[{"id":9,"pid":%s}]}]}]' "$(cat kitty.pid || echo 0)"`;
  program("kitty", [
    noteWords("kitty"),
    "shift 3",
    `case $1 in launch) ${start} echo $! > kitty.pid; echo 9;; ls) cat windows.json 2>/dev/null || ${nine};; esac`,
  ]);
  program("client", [
    "[ -e refuse ] && { echo rather not; exit 3; }",
    "while [ $# -gt 0 ]; do case $1 in --session-id|--resume) s=$2; how=$1;; esac; shift; done",
    "echo $$ >> pids; echo $how >> starts",
    '[ -e "refuse$how" ] && exit 3',
    `mkdir -p "${SESSIONS}/$s"`,
    'r="{\\"session\\":\\"$s\\",\\"pid\\":$$,\\"state\\":\\"idle\\",\\"status\\":\\"idle\\",\\"startedAt\\":\\"x\\",\\"lastSeen\\":\\"x\\"}"',
    `[ -e silent ] || { echo "$r" > "$s.new"; mv "$s.new" "${SESSIONS}/$s/session.json"; }`,
    "exec sleep 60",
  ]);
  vi.stubEnv("PATH", `${home.path("bin")}:/usr/bin:/bin`);
  onTestFinished(shortWaits());
  onTestFinished(() => {
    vi.unstubAllEnvs();
    if (home.has("pids")) for (const pid of home.read("pids").trim().split("\n")) end(Number(pid));
  });
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session", agentId: "lead-id" }]);
  return home;
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it has ended already
  }
}

const INSIDE_TMUX = { ...LEAD, TMUX: "/tmp/lead.sock,1,0", TMUX_PANE: "%0" };
const INSIDE_KITTY = { ...LEAD, KITTY_LISTEN_ON: "unix:/tmp/kitty-x" };

const swarm = (home: Home, args: string[], env: Record<string, string> = LEAD) =>
  callSwarm(home, args, { env: { CLAUDE_CODE_TEAMMATE_COMMAND: home.path("bin/client"), ...env } });
const words = (home: Home, program: "tmux" | "kitty") =>
  home
    .read(`${program}.words`)
    .trim()
    .split("\n")
    .map((line) => line.split("\u001f").slice(0, -1));
const opening = (home: Home) => words(home, "tmux").find(([verb]) => /^(split|new)-/.test(verb ?? ""));

test("a headless teammate: its process is on record with its start, its inbox and its prompt are there", async () => {
  const home = aScreen();
  const elsewhere = home.write("else/x", "").slice(0, -2);
  const args = [
    "spawn",
    "ada",
    "reviewer",
    "sonnet",
    "by position",
    "--prompt",
    "by flag",
    "--cwd",
    elsewhere,
  ];
  const { stdout, exitCode } = await swarm(home, [...args, "--backend", "headless"]);
  expect({ stdout, exitCode }).toEqual({
    stdout: expect.stringMatching(/^ada is up: without a screen, output in .*logs\/ada\.jsonl\n$/),
    exitCode: 0,
  });
  const ada = member(home, "ada");
  expect(ada).toMatchObject({
    ...{ agentType: "reviewer", model: "sonnet", cwd: elsewhere, prompt: "by flag", backend: "headless" },
    ...{ status: "active", pidStartedAt: startOf(ada.pid), color: "blue" },
  });
  expect(home.json(inboxOf("ada"))).toEqual([]);
  expect(home.read(`.claude/teams/${TEAM}/prompts/ada/first-prompt.md`)).toBe("by flag");
});

test.each([
  ["headless", "rather not"],
  ["tmux", "its last words"],
  ["kitty", undefined],
])("%s: a client that ends at once leaves its output, and is offline", async (backend, output) => {
  const home = aScreen();
  home.write("refuse", "");
  const { exitCode, stderr } = await swarm(home, ["spawn", "ada", "--backend", backend], INSIDE_KITTY);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining(
      `ada ended at once${output ? `; the end of its output:\n${output}` : "\n"}`,
    ),
  });
  expect(member(home, "ada").status).toBe("offline");
  if (backend === "tmux") expect(words(home, "tmux")).toContainEqual(["kill-pane", "-t", "%7"]);
});

test.each([
  ["up", "ada is up", "active", true],
  ["silent", "has not reported yet", "starting", false],
])("in tmux, %s: %s", async (is, text, status, mayClose) => {
  const home = aScreen();
  if (is === "silent") home.write("silent", "");
  const { stdout } = await swarm(home, ["spawn", "ada", "--wait", is === "silent" ? "0" : "20"], INSIDE_TMUX);
  expect(stdout).toContain(text);
  expect(member(home, "ada")).toMatchObject({ status, paneId: "%7", socket: home.path("tmux.sock") });
  const closes = ["set-option", "-p", "-u", "-t", "%7", "remain-on-exit"];
  expect(words(home, "tmux").some((line) => line.join() === closes.join())).toBe(mayClose);
});

const OURS = "ada@atm-dev:old";
test.each<[string, string[], Record<string, string>, string[]]>([
  ["outside tmux", [], LEAD, ["new-session", "-d", "-s", "swarm-atm-dev-ada"]],
  [
    "no pane on record",
    [],
    { ...INSIDE_TMUX, TMUX_PANE: "" },
    ["new-session", "-d", "-s", "swarm-atm-dev-ada"],
  ],
  ["the first", ["%0 1 0 "], INSIDE_TMUX, ["split-window", "-d", "-h", "-t", "%0"]],
  ["the next", ["%3 1 0 bob@atm-dev:x"], INSIDE_TMUX, ["split-window", "-d", "-v", "-t", "%3"]],
  ["beside another team's", ["%3 1 0 bob@beta:x"], INSIDE_TMUX, ["split-window", "-d", "-h", "-t", "%0"]],
  ["after a dead one", ["%3 1 1 bob@atm-dev:x"], INSIDE_TMUX, ["split-window", "-d", "-h", "-t", "%0"]],
  ["the lead is marked", ["%0 1 0 x@atm-dev:x"], INSIDE_TMUX, ["split-window", "-d", "-h", "-t", "%0"]],
  ["its own dead pane", [`%3 1 1 ${OURS}`], INSIDE_TMUX, ["split-window", "-d", "-h", "-t", "%0"]],
])("where a pane opens: %s", async (what, panes, env, place) => {
  const home = aScreen();
  home.write("panes", `${panes.join("\n")}\n`);
  await swarm(home, ["spawn", "ada", "--wait", "0", "--backend", "tmux"], env);
  expect(opening(home)?.slice(0, place.length)).toEqual(place);
  const closed = words(home, "tmux").filter(([verb]) => verb === "kill-pane");
  expect(closed).toEqual(what === "its own dead pane" ? [["kill-pane", "-t", "%3"]] : []);
  const evened = words(home, "tmux").some(([verb]) => verb === "select-layout");
  expect(evened).toBe(what === "the next");
});

test.each([
  ["a pane that is known", {}, "tmux"],
  ["no pane", { TMUX_PANE: "" }, "kitty"],
  ["a pane without its server", { TMUX: "" }, "kitty"],
])(
  "in kitty and in tmux, %s: the teammate opens in a window of its own backend",
  async (_, more, backend) => {
    const home = aScreen();
    const env = { ...INSIDE_KITTY, ...INSIDE_TMUX, ...more };
    await swarm(home, ["spawn", "ada", "--wait", "0"], env);
    expect(member(home, "ada").backend).toBe(backend);
  },
);

test.each([
  ["spawn", "ada", "--dry-run"],
  ["spawn", "ada"],
  ["kill", "--all"],
  ["suspend"],
  ["resume", TEAM],
])("a team whose config says that it is archived is not used: %s %s", async (...args) => {
  const home = aScreen();
  home.write(CONFIG, { ...home.json(CONFIG), status: "archived" });
  const before = home.read(CONFIG);
  expect(await swarm(home, args)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`the team ${TEAM} is archived`),
  });
  expect(home.read(CONFIG)).toBe(before);
});

test.each([
  ["", true],
  ['[display]\npane_color = "off"\n', false],
  ['[display]\npane_style = "background"\n', false],
])("settings %j: the window has borders: %s", async (settings, bordered) => {
  const home = aScreen();
  home.write(".claude/swarm/settings.toml", settings);
  await swarm(home, ["spawn", "ada", "--wait", "0"], INSIDE_TMUX);
  expect(words(home, "tmux").some(([verb]) => verb === "if-shell")).toBe(bordered);
});

test("the first prompts name the lead as the team does", async () => {
  const home = aScreen();
  aTeam(home, [{ name: "boss", sessionId: "lead-session", agentId: "lead-id" }]);
  home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: "lead-id" });
  const env = { ...INSIDE_TMUX, CLAUDE_CODE_AGENT_NAME: "boss" };
  await swarm(home, ["spawn", "ada", "--wait", "0"], env);
  expect(opening(home)?.at(-1)).toContain("tell boss that you are ready");
  expect(opening(home)?.join()).toContain("its lead is boss.");
  await swarm(home, ["kill", "ada"], env);
  await swarm(home, ["resume", "--wait", "0"], env);
  expect(home.read("tmux.words")).toContain("Tell boss that you are back.");
});

test("a prompt for tmux is on the command line, a long one in a file", async () => {
  const home = aScreen();
  await swarm(home, ["spawn", "ada", "--wait", "0", "--prompt", "short"], INSIDE_TMUX);
  expect(opening(home)?.at(-1)).toBe("short");
  await swarm(home, ["spawn", "bob", "--wait", "0", "--prompt", "é".repeat(2_001)], INSIDE_TMUX);
  expect(home.read(`.claude/teams/${TEAM}/prompts/bob/first-prompt.md`)).toHaveLength(2_001);
  expect(member(home, "bob").prompt).toHaveLength(201);
  expect(words(home, "tmux").at(-4)?.join()).not.toContain("éé");
});

/** ada's window, by what is on record and what the screen says. */
const ada = (home: Home, more: object) =>
  aTeam(home, [
    { name: "team-lead", sessionId: "lead-session" },
    { name: "ada", agentId: "a-1", sessionId: "ada-session", ...more },
  ]);

async function aProcess(home: Home): Promise<number> {
  await swarm(home, ["spawn", "other", "--backend", "headless"]);
  return member(home, "other").pid;
}

const MARK = "ada@atm-dev:a-1";
const inTmux = (dead: 0 | 1, mark = MARK) => ["panes", `%5 PID ${dead} ${mark}\n`] as const;
const inKitty = (id: number, mark = MARK) => {
  const windows = `[{"id":${id},"pid":PID,"env":{"SWARM_WINDOW":"${mark}"}}]`;
  return ["windows.json", `[{"tabs":[{"windows":${windows}}]}]`] as const;
};
const TMUX = { backend: "tmux", socket: "/s" };
const KITTY = { backend: "kitty", socket: "unix:/k", paneId: "5" };

// Without its start, a process is not proven to be the member's: only a mark on a window is proof.
test.each<[string, object, readonly [string, string] | undefined, string, boolean]>([
  ["our mark in tmux", TMUX, inTmux(0), "ended", true],
  ["another mark in tmux", TMUX, inTmux(0, "bob@atm-dev:a-1"), "left alone", false],
  ["a dead pane in tmux", TMUX, inTmux(1), "ended", false],
  ["tmux does not answer", TMUX, undefined, "left alone", false],
  ["our mark in kitty", KITTY, inKitty(5), "ended", true],
  ["a copy of our mark in kitty", KITTY, inKitty(6), "left alone", false],
  ["another mark in kitty", KITTY, inKitty(5, "x"), "left alone", false],
  ["in kitty, and tmux has the mark", { ...KITTY, paneId: "%5" }, inTmux(0), "left alone", false],
  ["in kitty, without a socket", { ...KITTY, socket: undefined }, inKitty(5), "left alone", false],
  ["headless, and tmux has the mark", { backend: "headless" }, inTmux(0), "left alone", false],
  ["joined by itself", { backend: "joined" }, inTmux(0), "left alone", false],
])("kill by the window: %s", async (what, given, screen, how, isEnded) => {
  const home = aScreen();
  const pid = await aProcess(home);
  const startedAt = startOf(pid);
  ada(home, { pid, ...given });
  if (screen) home.write(screen[0], screen[1].replace("PID", String(pid)));
  const { running } = JSON.parse((await swarm(home, ["list-teams", "--json"])).stdout).teams[0];
  expect(running).toBe(isEnded || what === "joined by itself" ? 2 : 1);
  const { stdout, exitCode } = await swarm(home, ["kill", "ada", "--json"]);
  expect(JSON.parse(stdout).ended).toMatchObject([{ name: "ada", how }]);
  expect(exitCode).toBe(how === "left alone" ? 1 : 0);
  expect(lifeOf({ pid, startedAt })).toBe(isEnded ? "gone" : "alive");
  expect(member(home, "ada").status).toBe(how === "ended" ? "offline" : "active");
});

test.each([
  ["kill", ["ada"], "active"],
  ["kill", ["--all"], "active"],
  ["stop", ["--all"], "active"],
  ["suspend", [TEAM], "offline"],
])(
  "%s %j: a process that no signal ends still runs, and is not called ended",
  async (verb, words, status) => {
    const home = aScreen();
    const pid = await aProcess(home);
    onTestFinished(virtualTime());
    ada(home, { pid, pidStartedAt: startOf(pid), backend: "headless" });
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("not permitted"), { code: "EPERM" });
    });
    const { stdout, exitCode } = await swarm(home, [verb, ...words]).finally(() => kill.mockRestore());
    expect(stdout).toMatch(
      new RegExp(`still running \\(process ${pid} could not be ended; end it by hand\\)`),
    );
    expect(exitCode).toBe(1);
    expect(member(home, "ada").status).toBe(status);
  },
);

test("kill: who is not running is offline, who joined and is gone is removed, the lead stays", async () => {
  const home = aScreen();
  const gone = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
  aTeam(home, [
    "team-lead",
    { name: "ada", backend: "headless", ...gone },
    { name: "bob", backend: "joined", ...gone },
    { name: "cat", machine: "elsewhere", agent: "cat" },
  ]);
  home.write(inboxOf("bob"), [aMessage("ada", "one")]);
  const { stdout, exitCode } = await swarm(home, ["kill", "--all", "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).ended).toEqual([
    { name: "ada", how: "was not running" },
    {
      name: "bob",
      how: "was not running",
      why: "removed from the team; 1 unread message is now a dead letter",
    },
    { name: "cat", how: "left alone", why: "it runs on elsewhere" },
  ]);
  expect(home.json(CONFIG).members.map(({ name, status }: any) => `${name} ${status}`)).toEqual([
    "team-lead active",
    "ada offline",
    "cat active",
  ]);
  const refused = async (...args: string[]) => (await swarm(home, ["kill", ...args])).stderr;
  expect(await refused("team-lead")).toContain("the lead cannot be killed");
  expect(await refused("dan")).toContain("there is no dan");
  expect(await refused()).toContain("which teammate?");
  for (const verb of ["resume", "suspend", "cleanup"])
    expect((await swarm(home, [verb, "nope"])).stderr).toContain("there is no team nope");
  aTeam(home, ["team-lead"]);
  expect(await refused("--all")).toContain("atm-dev has no teammates");
});

test("suspend: the team is marked and who runs is ended; by the end of another lead nothing is done", async () => {
  const home = aScreen();
  await swarm(home, ["spawn", "ada", "--backend", "headless"]);
  const { pid, pidStartedAt: startedAt } = member(home, "ada");
  const other = await swarm(home, ["suspend", TEAM, "--ended", "older-session"]);
  expect(other.stdout).toContain("Nothing done: atm-dev has another lead by now.");
  expect(lifeOf({ pid, startedAt })).toBe("alive");
  const { stdout } = await swarm(home, ["suspend", TEAM]);
  expect(stdout).toBe("team atm-dev is suspended; `swarm resume atm-dev` brings it back\n  ada: ended\n");
  expect(lifeOf({ pid, startedAt })).toBe("gone");
  expect(home.json(CONFIG)).toMatchObject({
    status: "suspended",
    members: [{ status: "active" }, { status: "offline" }],
  });
  expect((await swarm(home, ["suspend", TEAM])).stdout).toContain("was already suspended");
  await swarm(home, ["resume", TEAM]);
  await swarm(home, ["suspend", TEAM, "--ended", "lead-session"]);
  expect(home.json(CONFIG).members.map(({ status }: any) => status)).toEqual(["offline", "offline"]);
});

test.each<[string, string | undefined, string[], string[]]>([
  ["a conversation goes on", "{}\n", [], ["--resume"]],
  ["an empty one does not", "", [], ["--session-id"]],
  ["none", undefined, [], ["--session-id"]],
  ["--fresh", "{}\n", ["--fresh"], ["--session-id"]],
  ["one that the client does not find begins anew", "{}\n", ["lost"], ["--resume", "--session-id"]],
])("resume: %s", async (_, transcript, [flag], starts) => {
  const home = aScreen();
  if (flag === "lost") home.write("refuse--resume", "");
  ada(home, { backend: "headless", status: "offline", model: "opus", color: "pink" });
  const path = transcript === undefined ? undefined : home.write("t.jsonl", transcript);
  const own = { team: TEAM, agent: "ada" };
  const ownRecord = `${SESSIONS}/ada-session/session.json`;
  home.write(ownRecord, record("ada-session", { transcript: path, ...own }));
  const { stdout } = await swarm(home, ["resume", TEAM, ...(flag === "--fresh" ? [flag] : [])]);
  expect(stdout).toMatch(/^team atm-dev is active \(this session leads it already\)\nada is up: /);
  expect(home.read("starts").trim().split("\n")).toEqual(starts);
  expect(member(home, "ada")).toMatchObject({ status: "active", model: "opus", color: "pink" });
  const goesOn = starts.at(-1) === "--resume";
  expect(member(home, "ada").sessionId === "ada-session").toBe(goesOn);
  expect(home.json(ownRecord).formerly).toEqual(goesOn ? undefined : own);
});

test("resume: one that cannot be started keeps none of the others from it", async () => {
  const home = aScreen();
  const headless = { backend: "headless", status: "offline" };
  const ada = { name: "ada", cwd: home.path("removed"), ...headless };
  const bob = { name: "bob", cwd: home.project, ...headless };
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session" }, ada, bob]);
  const { stdout, exitCode } = await swarm(home, ["resume", TEAM]);
  expect(stdout).toMatch(/\nbob is up: .*\nada could not be started: /);
  expect([exitCode, member(home, "bob").status, member(home, "ada").status]).toEqual([
    1,
    "active",
    "offline",
  ]);
  const again = await swarm(home, ["resume", TEAM]);
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ada could not be started: ") });
});

test("resume: who still runs is active again and not started twice; another team's session is refused", async () => {
  const home = aScreen();
  await swarm(home, ["spawn", "ada", "--backend", "headless"]);
  home.write(CONFIG, home.read(CONFIG).replaceAll('"active"', '"offline"'));
  const { stdout } = await swarm(home, ["resume", TEAM]);
  expect(stdout).toContain("All teammates are already running.");
  expect(member(home, "ada").status).toBe("active");
  expect(home.json(CONFIG)).toMatchObject({ status: "active", resumedAt: expect.any(String) });
  home.write(".claude/teams/beta/config.json", {
    name: "beta",
    status: "active",
    members: [{ name: "team-lead" }],
  });
  const refused = await swarm(home, ["resume", "beta"]);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("team-lead in team atm-dev"),
  });
  const outside = await swarm(home, ["resume", "beta"], { CLAUDE_CODE_SESSION_ID: "new" });
  expect(outside.stdout).toContain("team beta is active (it had no lead)");
});

test("a member that was removed while it started is not added again", async () => {
  const home = aScreen();
  home.write("bin/tmux", home.read("bin/tmux").replace("list-panes)", `list-panes) cp team.json ${CONFIG};`));
  home.write("team.json", home.read(CONFIG));
  await swarm(home, ["spawn", "ada"], INSIDE_TMUX);
  expect(member(home, "ada")).toBeUndefined();
});

test("a member that was removed while it was ended is not added again", async () => {
  const home = aScreen();
  home.write("bin/tmux", home.read("bin/tmux").replace("list-panes)", `list-panes) cp team.json ${CONFIG};`));
  home.write("team.json", home.read(CONFIG));
  const pid = await aProcess(home);
  ada(home, { ...TMUX, pid, pidStartedAt: startOf(pid) });
  expect((await swarm(home, ["kill", "ada"])).stdout).toBe("  ada: ended\n");
  expect(member(home, "ada")).toBeUndefined();
});

test("a client that was started keeps its worktree, whatever goes wrong afterwards", async () => {
  const home = aScreen();
  aCheckout(home.project);
  const refusing = 'case "$*" in *-u*remain-on-exit) exit 1;; esac\ncase $1 in';
  home.write("bin/tmux", home.read("bin/tmux").replace("case $1 in", refusing));
  expect((await swarm(home, ["spawn", "ada", "--worktree"], INSIDE_TMUX)).exitCode).toBe(1);
  const { pid, pidStartedAt: startedAt, cwd } = member(home, "ada");
  expect([lifeOf({ pid, startedAt }), existsSync(cwd)]).toEqual(["alive", true]);
});

const record = (session: string, more: object = {}) => ({
  ...{ session, state: "idle", status: "idle", startedAt: "x", lastSeen: "x" },
  ...more,
});

test.each<[string, object, string, string[], string[]]>([
  [
    "the lead's own client, by its process",
    { pid: process.pid, pidStartedAt: startOf(process.pid) },
    "",
    [],
    [],
  ],
  ["not by a process that is another by now", { pid: process.pid, pidStartedAt: "1" }, "", [], ["ROOT"]],
  ["a plugin that is not installed is passed on", {}, "", [], ["ROOT"]],
  ["an installed one is not", {}, '{"plugins":{"swarm@x":[]}}', [], []],
  ["a flag's directory is", {}, '{"plugins":{"swarm@x":[]}}', ["--plugin-dir", "mine"], ["PROJECT/mine"]],
])("the client: %s", async (_, process_, installed, flags, dirs) => {
  const home = aScreen();
  home.write(`${SESSIONS}/lead-session/session.json`, record("lead-session", process_));
  if (installed) home.write(".claude/plugins/installed_plugins.json", installed);
  const env = { ...LEAD, CLAUDE_CODE_TEAMMATE_COMMAND: "" };
  home.write("bin/claude", "#!/bin/sh\n");
  chmodSync(home.path("bin/claude"), 0o755);
  const { stdout } = await swarm(home, ["spawn", "ada", "--dry-run", "--json", ...flags], env);
  const { command } = JSON.parse(stdout);
  const isOwn = _.startsWith("the lead's own");
  expect(command[0]).toBe(isOwn ? process.execPath : home.path("bin/claude"));
  const given = command.flatMap((word: string, at: number) =>
    word === "--plugin-dir" ? command[at + 1] : [],
  );
  const expected = dirs.map((dir) =>
    dir.replace("ROOT", readEnvironment({}).ownRoot).replace("PROJECT", home.project),
  );
  expect(given).toEqual(expected);
});

test("no client at all is a clear error", async () => {
  const home = aScreen();
  const error = async (command: string) =>
    (await swarm(home, ["spawn", "ada", "--dry-run"], { ...LEAD, CLAUDE_CODE_TEAMMATE_COMMAND: command }))
      .stderr;
  expect(await error("")).toContain("there is no `claude` on the PATH");
  expect(await error("/nope")).toContain("names /nope, which is not an executable program");
});

test("who does not lead spawns nobody, and the mode without questions needs its own flag", async () => {
  const home = aScreen();
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session" }, "bob"]);
  const refused = (args: string[], env = LEAD) => swarm(home, ["spawn", "ada", "--dry-run", ...args], env);
  expect(await refused([], as("bob"))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("does not lead"),
  });
  expect(await refused(["--permission-mode", "bypassPermissions"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("needs the flag --dangerously-skip-permissions"),
  });
  expect(await refused(["--dangerously-skip-permissions"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('"--permission-mode","bypassPermissions"'),
  });
});

test("--cwd is a directory that exists, seen from where the caller is", async () => {
  const home = aScreen();
  home.write("project/sub/x", "");
  const inDirectory = (cwd: string, ...more: string[]) =>
    swarm(home, ["spawn", "ada", "--cwd", cwd, "--json", ...more], INSIDE_TMUX);
  expect(JSON.parse((await inDirectory("sub", "--dry-run")).stdout).cwd).toBe(`${home.project}/sub`);
  const { error } = JSON.parse((await inDirectory("nope")).stdout);
  expect(error).toBe(`there is no directory ${home.project}/nope`);
  expect(member(home, "ada")).toBeUndefined();
});

test("an empty prompt file is no prompt", async () => {
  const home = aScreen();
  const args = ["spawn", "ada", "--dry-run", "--json", "--backend", "tmux"];
  const { stdout } = await swarm(home, [...args, "--prompt-file", home.write("empty.md", "\n")]);
  expect(JSON.parse(stdout).command.at(-1)).toContain("You are ada in the team atm-dev. Look at your mail");
});

test("a start that fails leaves the entry of before, also what it had not named", async () => {
  const home = aScreen();
  ada(home, { backend: "headless", status: "offline" });
  const before = member(home, "ada");
  const bold = ["--dangerously-skip-permissions", "--model", "opus"];
  const env = { ...LEAD, CLAUDE_CODE_TEAMMATE_COMMAND: "/nope" };
  home.write(`${SESSIONS}/ada-session/session.json`, record("ada-session", { team: TEAM, agent: "ada" }));
  expect((await swarm(home, ["spawn", "ada", ...bold], env)).exitCode).toBe(1);
  expect(member(home, "ada")).toEqual(before);
  expect(home.json(`${SESSIONS}/ada-session/session.json`)).toMatchObject({ team: TEAM, agent: "ada" });
});

test("without tmux on the PATH, a process that is proven to be the member's is ended all the same", async () => {
  const home = aScreen();
  const pid = await aProcess(home);
  const startedAt = startOf(pid);
  ada(home, { ...TMUX, pid, pidStartedAt: startedAt });
  vi.stubEnv("PATH", home.path("nothing"));
  expect((await swarm(home, ["kill", "ada"])).stdout).toBe("  ada: ended\n");
  expect(lifeOf({ pid, startedAt })).toBe("gone");
});

test("the end of a session that led by its name alone ends the teammates too", async () => {
  const home = aScreen();
  await swarm(home, ["spawn", "ada", "--backend", "headless"]);
  home.write(CONFIG, { ...home.json(CONFIG), leadSessionId: undefined });
  expect((await swarm(home, ["suspend", TEAM, "--ended", "lead-session"])).stdout).toContain("ada: ended");
});

test("resume: a client that ends at once is a failure", async () => {
  const home = aScreen();
  home.write("refuse", "");
  ada(home, { backend: "headless", status: "offline" });
  const { stderr, exitCode } = await swarm(home, ["resume", TEAM]);
  expect({ stderr, exitCode }).toEqual({
    stderr: expect.stringContaining("ada could not be started: it ended at once: rather not"),
    exitCode: 1,
  });
});

test("nobody is started or joins under the name of a lead that is called otherwise", async () => {
  const home = aScreen();
  const boss = { name: "boss", agentId: "lead-id", status: "offline" };
  home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: "lead-id", members: [boss] });
  const before = home.read(CONFIG);
  const session = { CLAUDE_CODE_SESSION_ID: "new" };
  for (const args of [
    ["spawn", "boss", "--team", TEAM],
    ["join", TEAM, "boss"],
  ])
    expect(await swarm(home, args, session)).toMatchObject({ stderr: expect.stringContaining("lead") });
  expect(
    (await swarm(home, ["join", TEAM, "eve"], { CLAUDE_CODE_SESSION_ID: "lead-session" })).stderr,
  ).toContain(`this session leads ${TEAM} as boss`);
  expect(home.read(CONFIG)).toBe(before);
});

test.each([
  ["never", [], "In PROJECT (headless)"],
  ["never", ["--worktree"], "In a worktree of PROJECT (headless)"],
  ["always", [], "In a worktree of PROJECT (headless)"],
])(
  "--dry-run with teammates.worktree = %s and %j says where it would start",
  async (wanted, flags, where) => {
    const home = aScreen();
    aCheckout(home.project);
    home.write(".claude/swarm/settings.toml", `[teammates]\nworktree = "${wanted}"\n`);
    const { stdout } = await swarm(home, ["spawn", "ada", "--dry-run", "--backend", "headless", ...flags]);
    expect(stdout).toContain(`Nothing was started. ${where.replace("PROJECT", home.project)}`);
  },
);

test("a client behind a wrapper that waits for it is up when it has reported", async () => {
  const home = aScreen();
  const wrapper = home.write("bin/wrapper", `#!/bin/sh\n'${home.path("bin/client")}' "$@"\nexit\n`);
  chmodSync(wrapper, 0o755);
  const env = { ...LEAD, CLAUDE_CODE_TEAMMATE_COMMAND: wrapper };
  const { stdout } = await swarm(home, ["spawn", "ada", "--backend", "headless"], env);
  expect(stdout).toMatch(/^ada is up: /);
});
