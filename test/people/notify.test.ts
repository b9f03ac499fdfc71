// Calls to the person, to a real HTTP server on loopback. Hooks and helper run in this process, by a clock of the test's own.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import * as lockfile from "proper-lockfile";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readErrors } from "../../lib/core/journal.ts";
import { DEFAULTS } from "../../lib/core/settings.ts";
import { readEnvironment } from "../../lib/hook/environment.ts";
import * as events from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { spentOf } from "../../lib/people/budget.ts";
import * as calls from "../../lib/people/hooks/calls.ts";
import { desktopOf, messageOf, nextDue, quietUntil, runNotifier } from "../../lib/people/notify/runner.ts";
import { sendToAll, tmuxText, waysOn } from "../../lib/people/notify/targets.ts";
import { BUDGET_SCOPES } from "../../lib/people/settings.ts";
import { BEYOND, type Counting } from "../../lib/people/store/costs.ts";
import { readMoments } from "../../lib/people/store/moments.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import * as programs from "../../lib/system/programs.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { payload } from "../support/run-built.ts";
import { aClosedPort, aServer, type Got, notifySettings as settings } from "./a-server.ts";
import { answer, append, mainFile } from "./transcripts.ts";

vi.mock("../../lib/system/programs.ts", async (original) => ({
  ...(await original<typeof programs>()),
  startHelper: vi.fn(),
}));

beforeEach(() => void vi.mocked(programs.startHelper).mockClear());

vi.mock("proper-lockfile", { spy: true });
vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

type Input = Record<string, unknown>;
/** How often hooks of this test have started the helper. */
const starts = () => vi.mocked(programs.startHelper).mock.calls.length;

/** A home in which time passes only while the helper sleeps. */
class Day {
  readonly home = aHome();
  now = Date.now();
  readonly got: Got[] = [];
  readonly slept: number[] = [];
  url = "";

  static async with(...lines: string[]): Promise<Day> {
    const day = new Day();
    const { url, got } = await aServer();
    Object.assign(day, { url, got });
    settings(day.home, [`targets = ["webhook:${url}"]`, ...lines]);
    return day;
  }

  /** The handlers of one event, in the order of its hook. */
  private fire(event: events.AnyEvent, handlers: unknown[], input: Input, env: Record<string, string> = {}) {
    const given = { env: { CLAUDE_PID: String(process.pid), ...env }, now: new Date(this.now) };
    const ctx = aContext(this.home, event, { session_id: "s-1", transcript_path: "", ...input }, given);
    for (const handle of handlers) (handle as (ctx: unknown) => Outcome | undefined)(ctx)?.after?.();
  }

  asks = (more: Input = {}, env = {}) =>
    this.fire(
      events.PermissionRequest,
      [sessions.permissionRequest, calls.permissionRequest],
      { ...asking, ...more },
      env,
    );
  notifies = (more: Input) =>
    this.fire(events.Notification, [sessions.notification, calls.notification], more);
  fails = (more: Input, env = {}) =>
    this.fire(events.StopFailure, [sessions.stopFailure, calls.stopFailure], more, env);
  stops = (more: Input = {}, env = {}) => this.fire(events.Stop, [sessions.stop, calls.stop], more, env);
  starts = (more: Input, env = {}) =>
    this.fire(events.SessionStart, [sessions.sessionStart], { source: "startup", ...more }, env);
  goesOn = (more: Input = {}, env = {}) =>
    this.fire(events.UserPromptSubmit, [sessions.userPromptSubmit], { prompt: "go", ...more }, env);
  begins = () => this.fire(events.PreToolUse, [sessions.preToolUse], TOOL);
  ends = () => this.fire(events.PostToolUse, [sessions.postToolUse], { ...TOOL, tool_response: {} });

  /** The helper, until nothing waits any more. `meanwhile` happens in its first sleep. */
  async helper(meanwhile?: () => unknown): Promise<void> {
    let isFirst = true;
    const path = { HOME: this.home.root, TMPDIR: this.home.path("tmp"), PATH: "" };
    await runNotifier({
      read: () => ({ ...readEnvironment(path), now: new Date(this.now) }),
      sleep: async (ms) => {
        this.now += ms;
        this.slept.push(ms);
        if (this.slept.length > 1_000) throw new Error("the helper does not end");
        const isNow = isFirst;
        isFirst = false;
        if (isNow) await meanwhile?.();
      },
    });
  }

  texts = () => this.got.map(({ body }) => JSON.parse(body).text as string);
  pending = () => pendingIn(this.home);
  moments = () => readMoments(this.home.paths);
}

const pendingIn = (home: Home) => {
  const path = home.path(".claude/swarm/notify/pending");
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".json")) : [];
};

const SECRET = "rm -rf /tmp/secret-thing";
const asking = { ...payload("PermissionRequest-Bash"), session_id: "s-1", tool_input: { command: SECRET } };
const TOOL = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" };

describe("a permission prompt", () => {
  test("that nobody answers is said once, to every target, without the command", async () => {
    const day = await Day.with();
    const { home, url, got } = day;
    const program = ["/bin/sh", "-c", 'cat > "$0"', home.path("said; touch x.txt")];
    settings(home, [
      `targets = ["webhook:${url}/hook/abc", "ntfy:${url}/topic", ${JSON.stringify(program)}]`,
      "after_s = 0",
    ]);
    day.asks();
    await day.helper();
    await day.helper();
    expect(day.pending()).toEqual([]);
    expect(got.map(({ path }) => path).sort()).toEqual(["/hook/abc", "/topic"]);
    const hook = got.find(({ path }) => path === "/hook/abc");
    expect(hook?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(hook?.body ?? "")).toEqual({
      text: "swarm\nsession s-1 waits for your permission (Bash)",
    });
    const topic = got.find(({ path }) => path === "/topic");
    expect(topic).toMatchObject({
      body: "session s-1 waits for your permission (Bash)",
      headers: { title: "swarm" },
    });
    expect(home.read("said; touch x.txt")).toBe("swarm\nsession s-1 waits for your permission (Bash)\n");
    expect(JSON.stringify(got)).not.toContain("secret-thing");
  });

  test("where one of the session waits that is overdue, its helper has died: another is started", async () => {
    const day = await Day.with("after_s = 5");
    day.asks();
    day.asks();
    expect(starts()).toBe(1);
    day.now += 60_000;
    day.asks();
    expect(starts()).toBe(2);
    await day.helper();
    expect(day.got).toHaveLength(1);
  });

  test("a hook starts the helper, and the client's repetition is no second call", async () => {
    const day = await Day.with("after_s = 0");
    day.asks();
    expect(programs.startHelper).toHaveBeenCalledWith(
      expect.any(String),
      ["notify", "run"],
      expect.any(String),
    );
    await day.helper();
    day.now += 6_000;
    day.notifies({
      notification_type: "permission_prompt",
      message: "Claude needs your permission to use Bash",
    });
    await day.helper();
    expect(day.texts()).toEqual(["swarm\nsession s-1 waits for your permission (Bash)"]);
  });

  test("a notification long after the call is another one", async () => {
    const day = await Day.with("after_s = 0");
    day.asks();
    await day.helper();
    day.now += 30_000;
    day.notifies({ notification_type: "permission_prompt", message: "m" });
    await day.helper();
    expect(day.texts()).toHaveLength(2);
  });

  test("of two subagents at one moment are two", async () => {
    const day = await Day.with("after_s = 0");
    for (const agent_id of ["a1", "a2"]) day.asks({ agent_id, agent_type: "Explore" });
    expect(
      day
        .moments()
        .map(({ agentId }) => agentId)
        .sort(),
    ).toEqual(["a1", "a2"]);
    day.notifies({ notification_type: "permission_prompt", message: "m" });
    expect(day.pending()).toHaveLength(2);
  });

  test.each([
    ["worker_permission_prompt", ["swarm\na teammate of session s-1 waits for your permission"]],
    ["agent_needs_input", ["swarm\nsession s-1 waits for you"]],
    ["idle_prompt", []],
    ["auth_success", []],
  ])("a notification alone: %s", async (notification_type, expected) => {
    const day = await Day.with("after_s = 0");
    day.notifies({ notification_type, message: "m" });
    await day.helper();
    expect(day.texts()).toEqual(expected);
  });

  test.each(["AskUserQuestion", "ExitPlanMode"])("%s is a question", async (tool_name) => {
    const day = await Day.with("after_s = 0");
    day.asks({ tool_name, tool_input: { questions: "?" } });
    await day.helper();
    expect(day.texts()).toEqual(["swarm\nsession s-1 has a question for you"]);
  });

  test.each([
    [{ command: SECRET }, `(Bash): ${SECRET}`],
    [{ questions: "which?" }, "(Bash): which?"],
    [{ plan: "first" }, "(Bash): first"],
    [{ file_path: "/x" }, "(Bash): /x"],
    [{}, "(Bash)"],
  ])("its text goes along where the person allows it: %j", async (tool_input, end) => {
    const day = await Day.with("after_s = 0", "texts = true");
    day.asks({ tool_input });
    await day.helper();
    expect(day.texts()).toEqual([`swarm\nsession s-1 waits for your permission ${end}`]);
  });

  test("of a team's member is called by its name", async () => {
    const day = await Day.with("after_s = 0");
    aTeam(day.home, ["team-lead", { name: "alice", sessionId: "s-1" }]);
    day.asks({}, as("alice"));
    await day.helper();
    expect(day.texts()).toEqual([`swarm\nalice@${TEAM} waits for your permission (Bash)`]);
  });

  test("that is answered in time is taken back", async () => {
    const day = await Day.with("after_s = 20");
    day.begins();
    day.asks();
    expect(day.pending()).toHaveLength(1);
    await day.helper(day.ends);
    expect([day.got, day.pending()]).toEqual([[], []]);
  });

  test("that lasts is said after its time, not before", async () => {
    const day = await Day.with("after_s = 20");
    const asked = day.now;
    day.begins();
    day.asks();
    await day.helper(() => expect(day.got).toEqual([]));
    expect(day.texts()).toHaveLength(1);
    expect(day.now - asked).toBeGreaterThanOrEqual(20_000);
  });

  test.each([
    ["idle", 0],
    ["busy", 0],
    ["waiting", 1],
  ])("after no or Esc no event comes: a client that says it is %s decides", async (status, calls) => {
    const day = await Day.with("after_s = 5");
    day.asks();
    day.home.write(`.claude/sessions/${process.pid}.json`, { pid: process.pid, sessionId: "s-1", status });
    await day.helper();
    expect(day.got).toHaveLength(calls);
  });

  test("several at once are one call", async () => {
    const day = await Day.with("after_s = 3");
    for (const session_id of ["s-1", "s-2", "s-3", "s-1"]) day.asks({ session_id });
    await day.helper();
    expect(day.texts()).toEqual([expect.stringMatching(/^swarm: 3 things need you\n.*\n.*\n.*$/)]);
  });

  test("an event nobody asked for is none, and starts no helper", async () => {
    const day = await Day.with("after_s = 0", 'events = ["failed"]');
    day.asks();
    day.fails({ error: "rate_limit" });
    expect([day.pending(), starts()]).toEqual([[], 0]);
    day.fails({ error: "server_error" });
    expect(day.moments()).toMatchObject([{ event: "failed" }]);
    expect(starts()).toBe(1);
  });

  test("that waits already, or was said, starts no helper", async () => {
    const day = await Day.with("after_s = 0");
    const asked = day.now;
    day.asks();
    day.asks();
    expect(starts()).toBe(1);
    await day.helper();
    day.now = asked;
    day.asks();
    expect([day.pending(), starts()]).toEqual([[], 1]);
  });

  test("knows where its client's terminal is", async () => {
    const day = await Day.with();
    day.asks({}, { TMUX: "/a/socket,1,0" });
    day.asks({ session_id: "s-2" });
    const found = day
      .moments()
      .map(({ session, pid, tmux, ...more }) => [session, pid, tmux, "agentId" in more]);
    expect(found.sort()).toEqual([
      ["s-1", process.pid, "/a/socket,1,0", false],
      ["s-2", process.pid, undefined, false],
    ]);
  });

  test("in the quiet hours nothing is said; what still holds then is said afterwards", async () => {
    const day = await Day.with("after_s = 0", 'quiet = "22:00-23:33"');
    day.now = new Date("2026-02-20T23:30").getTime();
    day.begins();
    day.asks();
    day.asks({ session_id: "s-2" });
    await day.helper(day.ends);
    expect(day.texts()).toEqual(["swarm\nsession s-2 waits for your permission (Bash)"]);
    expect(day.now).toBeGreaterThanOrEqual(new Date("2026-02-20T23:33").getTime());
  });
});

test("a project's settings call nobody", async () => {
  const day = await Day.with();
  settings(day.home, []);
  day.home.write("project/.atm.toml", `[notify]\ntargets = ["webhook:${day.url}"]\nafter_s = 0\n`);
  day.asks();
  expect(day.home.has(".claude/swarm/notify")).toBe(false);
});

const MESSAGE = { title: "t", body: "b" };
const NOWHERE = { path: "", platform: "linux", hasScreen: false, tmux: [], pids: [] };

/** What ends a request in time, as the clock would. */
function aTimeLimit(): { passes: () => undefined } {
  const over = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(over.signal);
  onTestFinished(() => void vi.mocked(AbortSignal.timeout).mockRestore());
  return { passes: () => over.abort(new DOMException("", "TimeoutError")) as undefined };
}

test("a target that hangs or fails delays no other, is named for the doctor, and its address stays secret", async () => {
  const home = aHome();
  const { url, got } = await aServer((path) =>
    path === "/moved" ? 302 : path === "/fails" ? 500 : path === "/user" ? 200 : 204,
  );
  const closed = await aClosedPort();
  const outcomes = await sendToAll(
    [
      `webhook:${url}/fails`,
      `ntfy:${url}/fine`,
      `webhook:${url}/moved`,
      `ntfy:${closed}/t0p1c`,
      ["/no/such/program"],
      ["sh", "-c", "exit 3"],
      ["sh", "-c", "kill -9 $$"],
      "desktop",
    ],
    MESSAGE,
    NOWHERE,
  );
  const host = url.slice("http://".length);
  expect(outcomes).toEqual([
    { target: `webhook:${host}`, error: "answered 500" },
    { target: `ntfy:${host}` },
    { target: `webhook:${host}`, error: expect.any(String) },
    { target: `ntfy:${closed.slice(7)}`, error: "ECONNREFUSED" },
    { target: "/no/such/program", error: expect.stringContaining("ENOENT") },
    { target: "sh", error: "exit code 3" },
    { target: "sh", error: "ended by SIGKILL" },
    { target: "desktop", error: "no notify-send, osascript, tmux or terminal to show it" },
  ]);
  expect(got.map(({ path }) => path)).not.toContain("/other");
  expect(JSON.stringify(outcomes)).not.toContain("t0p1c");
  settings(home, [`targets = ["ntfy:${closed}/t0p1c"]`]);
  expect(await callSwarm(home, ["notify", "test"])).toEqual({
    exitCode: 1,
    stdout: `ntfy:${closed.slice(7)}: failed: ECONNREFUSED\n`,
    stderr: "",
  });
  expect(home.read(".claude/swarm/notify/targets.json")).not.toContain("t0p1c");
  expect((await callSwarm(home, ["notify"])).stdout).toMatch(
    /^ntfy:127\.0\.0\.1:\d+: failed \d+s ago: ECONNREFUSED\n/,
  );
});

test("a target that hangs has its time and no more, and the others do not wait for it", async () => {
  const limit = aTimeLimit();
  const { url } = await aServer((path) => (path === "/hangs" ? undefined : (limit.passes() ?? 200)));
  const outcomes = await sendToAll([`webhook:${url}/hangs`, `ntfy:${url}/fine`], MESSAGE, NOWHERE);
  expect(outcomes[0]).toMatchObject({ error: "no answer in time" });
});

test("a program that hangs is ended, with what it has started", async () => {
  const kill = vi.spyOn(process, "kill");
  onTestFinished(() => kill.mockRestore());
  expect(await sendToAll([["sleep", "60"]], MESSAGE, NOWHERE, 1)).toEqual([
    { target: "sleep", error: "no answer in time" },
  ]);
  expect(kill.mock.calls).toEqual([[expect.any(Number), "SIGKILL"]]);
  const group = kill.mock.calls[0]?.[0] ?? 0;
  expect(group).toBeLessThan(0);
  await vi.waitFor(() => expect(() => process.kill(-group, 0)).toThrow("ESRCH"), {
    timeout: 10_000,
    interval: 1,
  });
});

test("a program that has ended, or cannot be started, is not ended later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await sendToAll([["true"], ["/no/such/program"]], MESSAGE, NOWHERE);
  expect(vi.getTimerCount()).toBe(0);
});

test("a login in an address becomes a header", async () => {
  const { url, got } = await aServer();
  const withLogin = url.replace("//", "//me:s%C3%A4fe@");
  await sendToAll([`webhook:${withLogin}/one`, `webhook:${url}/other`], MESSAGE, NOWHERE);
  const logins = Object.fromEntries(got.map(({ path, headers }) => [path, headers.authorization]));
  expect(logins).toEqual({
    "/one": `Basic ${Buffer.from("me:säfe").toString("base64")}`,
    "/other": undefined,
  });
});

test("a login with a percent sign that stands for itself is sent as it is", async () => {
  const { url, got } = await aServer();
  const withLogin = url.replace("//", "//me:50%off@");
  expect(await sendToAll([`webhook:${withLogin}/one`], MESSAGE, NOWHERE)).toEqual([
    { target: expect.stringMatching(/^webhook:/) },
  ]);
  expect(got[0]?.headers["authorization"]).toBe(`Basic ${Buffer.from("me:50%off").toString("base64")}`);
});

test("also one without a name, as a token of ntfy is given", async () => {
  const { url, got } = await aServer();
  await sendToAll([`ntfy:${url.replace("//", "//:tk_1@")}/t`], MESSAGE, NOWHERE);
  expect(got[0]?.headers.authorization).toBe(`Basic ${Buffer.from(":tk_1").toString("base64")}`);
});

test("the helper goes on after a target that hangs, and the doctor hears of it", async () => {
  const day = new Day();
  const limit = aTimeLimit();
  const { url, got } = await aServer(limit.passes);
  settings(day.home, [`targets = ["webhook:${url}"]`, "after_s = 0"]);
  day.asks();
  await day.helper();
  expect(got).toHaveLength(1);
  expect(day.home.json(".claude/swarm/notify/targets.json")).toMatchObject({
    [`webhook:${url.slice(7)}`]: { error: "no answer in time" },
  });
});

test("swarm notify test reaches every target; without one it says how", async () => {
  const home = aHome();
  expect(await callSwarm(home, ["notify", "test"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("notify.targets"),
  });
  expect((await callSwarm(home, ["notify"])).stdout).toContain(
    "notify.targets in your settings.toml is empty",
  );
  const { url, got } = await aServer((path) => (path === "/w" ? 200 : 500));
  settings(home, [`targets = ["webhook:${url}/w", "ntfy:${url}/t"]`]);
  const { stdout, exitCode } = await callSwarm(home, ["notify", "test", "--json"]);
  expect(exitCode).toBe(1);
  const host = url.slice("http://".length);
  expect(JSON.parse(stdout).targets).toEqual([
    { target: `webhook:${host}`, ok: true },
    { target: `ntfy:${host}`, ok: false, error: "answered 500" },
  ]);
  expect(got).toHaveLength(2);
  settings(home, [`targets = ["webhook:${url}/w"]`]);
  expect((await callSwarm(home, ["notify", "test"])).exitCode).toBe(0);
});

describe("swarm notify", () => {
  test("lists what waits, without the helper's own note", async () => {
    const day = await Day.with("after_s = 20");
    day.asks();
    day.stops({ session_id: "s-2" });
    const { stdout } = await callSwarm(day.home, ["notify"]);
    expect(stdout.match(/^waits: .*$/gm)).toEqual([
      `waits: session s-1 waits for your permission (Bash) (due ${new Date(day.now + 20_000).toISOString()})`,
    ]);
    expect(JSON.parse((await callSwarm(day.home, ["notify", "--json"])).stdout).waiting).toHaveLength(1);
  });

  test("run is the helper", async () => {
    const day = await Day.with("after_s = 0");
    day.now = Date.now() - 1_000;
    day.asks();
    vi.stubEnv("HOME", day.home.root);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await callSwarm(day.home, ["notify", "run"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(day.texts()).toHaveLength(1);
  });

  test("run that breaks is in the error log", async () => {
    const home = aHome();
    home.write(".claude/swarm/notify", "a file in the place of the directory");
    vi.stubEnv("HOME", home.root);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await callSwarm(home, ["notify", "run"])).exitCode).toBe(1);
    expect(home.read(".claude/swarm/errors.jsonl")).toContain('"event":"notify"');
  });
});

describe("the helper", () => {
  const waiting = (more: object = {}) => ({
    key: "k",
    event: "waiting",
    text: "it waits",
    at: 0,
    due: 0,
    ...more,
  });
  const put = ({ home }: Day, more: object = {}) =>
    home.write(".claude/swarm/notify/pending/k.json", waiting(more));

  test("that cannot lock says so", async () => {
    const day = await Day.with();
    put(day);
    const path = day.home.write(".claude/swarm/notify/runner.lock", "a file in the place of the directory");
    utimesSync(path, 0, 0);
    await expect(day.helper()).rejects.toThrow("ENOTDIR");
  });

  test("leaves it to one that is at work", async () => {
    const day = await Day.with();
    put(day);
    day.home.write(".claude/swarm/notify/runner.lock/x", "");
    await day.helper();
    expect([day.got, day.pending()]).toEqual([[], ["k.json"]]);
  });

  test.each([{ session: "../x" }, { session: "s-1", agentId: "../x" }])(
    "names that are no file's are looked up nowhere: %j",
    async (names) => {
      const day = await Day.with();
      put(day, names);
      await day.helper();
      expect(day.texts()).toEqual(["swarm\nit waits"]);
    },
  );

  test("a copy of a moment under another name, as tools that sync files make, is not said for ever", async () => {
    const day = await Day.with();
    put(day);
    day.home.write(".claude/swarm/notify/pending/k.sync-conflict-20260220.json", waiting());
    await day.helper();
    expect(day.texts()).toEqual(["swarm\nit waits"]);
  });

  test.each([
    ["session's record", ".claude/swarm/sessions/s-1/session.json"],
    ["moment", ".claude/swarm/notify/pending/0123.json"],
  ])("one %s that cannot be read does not end it", async (_, path) => {
    const day = await Day.with("after_s = 2");
    day.starts({ session_id: "s-2" });
    day.asks();
    rmSync(day.home.path(path), { force: true });
    day.home.write(`${path}/in-its-place`, "");
    day.asks({ session_id: "s-2", tool_name: "WebFetch" });
    await day.helper();
    expect(day.texts()).toEqual([
      expect.stringContaining("session s-2 waits for your permission (WebFetch)"),
    ]);
    expect(day.texts()[0]).toContain("session s-1 waits for your permission (Bash)");
  });

  test("a lock that was made before the clock was set back does not keep every helper out until then", async () => {
    const day = await Day.with();
    put(day);
    const lock = day.home.path(".claude/swarm/notify/runner.lock");
    mkdirSync(lock);
    utimesSync(lock, new Date(), new Date(Date.now() + 86_400_000));
    await day.helper();
    expect(statSync(lock).mtimeMs).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  test("leaves it to one that took over while the machine slept", async () => {
    const day = await Day.with("after_s = 5");
    day.asks();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const path = day.home.path(".claude/swarm/notify/runner.lock");
    const { lock } = await vi.importActual<typeof lockfile>("proper-lockfile");
    const isNoticed = new Promise<void>((resolve) =>
      vi.mocked(lockfile.lock).mockImplementationOnce((file, options) => {
        const onCompromised = (error: Error) => resolve(options?.onCompromised?.(error));
        return lock(file, { ...options, onCompromised });
      }),
    );
    await day.helper(async () => {
      utimesSync(path, new Date(), new Date(Date.now() + 1_000));
      await vi.advanceTimersByTimeAsync(5_000);
      await isNoticed;
    });
    expect([day.got, day.pending().length]).toEqual([[], 1]);
    expect(existsSync(path)).toBe(true);
  });

  test("says first what is due first", async () => {
    const day = await Day.with("after_s = 3");
    day.asks();
    await day.helper(() => day.asks({ session_id: "s-2" }));
    expect(day.texts()).toEqual(
      ["s-1", "s-2"].map((one) => `swarm\nsession ${one} waits for your permission (Bash)`),
    );
  });

  test("asks seldom while there is time", async () => {
    const day = await Day.with("after_s = 67");
    day.asks();
    await day.helper();
    expect([...new Set(day.slept)]).toEqual([5_000, 1_000, 300]);
    expect(day.slept.filter((ms) => ms === 5_000)).toHaveLength(2);
  });

  test.each([
    ["of another session", { sessionId: "s-other", status: "idle" }, 1],
    ["without a state", { sessionId: "s-1" }, 1],
    ["of this one", { sessionId: "s-1", status: "idle" }, 0],
  ])("the client's file %s", async (_, state, calls) => {
    const day = await Day.with("after_s = 5");
    day.asks();
    day.home.write(`.claude/sessions/${process.pid}.json`, { pid: process.pid, ...state });
    await day.helper();
    expect(day.got).toHaveLength(calls);
  });

  test("the client's file counts only a moment after the request", async () => {
    const day = await Day.with("after_s = 0");
    day.asks();
    day.home.write(`.claude/sessions/${process.pid}.json`, { sessionId: "s-1", status: "idle" });
    await day.helper();
    expect(day.got).toHaveLength(1);
  });

  test.each<[string, object, number]>([
    ["has ended", { endedAt: "2026-02-20T12:00:00Z" }, 0],
    ["has a client that is gone", { pid: 2 ** 22 - 3, pidStartedAt: "1" }, 0],
    ["still waits", {}, 1],
  ])("a session that %s", async (_, more, calls) => {
    const day = await Day.with("after_s = 5");
    day.starts({});
    day.asks();
    const path = ".claude/swarm/sessions/s-1/session.json";
    await day.helper(() => day.home.write(path, { ...day.home.json(path), ...more }));
    expect(day.got).toHaveLength(calls);
  });

  test("a subagent's question ends with its session's client", async () => {
    const day = await Day.with("after_s = 5");
    day.starts({});
    day.asks({ agent_id: "a1", agent_type: "Explore" });
    const path = ".claude/swarm/sessions/s-1/session.json";
    day.home.write(path, { ...day.home.json(path), pid: 2 ** 22 - 3, pidStartedAt: "1" });
    await day.helper();
    expect(day.got).toEqual([]);
  });

  test.each([
    ["goes on", (day: Day) => day.goesOn()],
    ["has gone on", (day: Day) => [day.goesOn(), day.stops()]],
    ["ends", (day: Day) => endedNow(day)],
  ])("a failure is not said where the session %s", async (_, then) => {
    const day = await Day.with("after_s = 5");
    day.fails({ error: "server_error" });
    await day.helper(() => then(day));
    expect(day.got).toEqual([]);
  });

  const endedNow = ({ home }: Day) => {
    const path = ".claude/swarm/sessions/s-1/session.json";
    home.write(path, { ...home.json(path), endedAt: "2026-02-20T12:00:00Z" });
  };
});

describe("a look around", () => {
  const overBudget = (day: Day) => {
    const at = new Date(day.now).toISOString();
    append(day.home, mainFile("s-1"), answer({ id: "m1", session: "s-1", at, input: 1_000_000 }));
    day.stops({ session_id: "s-2" });
  };

  test.each<[string, string, number]>([
    ["without a target", "", 0],
    ["of an event nobody asked for", 'targets = ["URL"]\nevents = ["failed"]', 0],
    ["of one that was", 'targets = ["URL"]\nevents = ["budget"]', 1],
  ])("what it finds %s", async (_, lines, calls) => {
    const day = await Day.with();
    settings(day.home, [lines.replace("URL", `webhook:${day.url}`), "after_s = 0", "[budget]", "day = 1"]);
    overBudget(day);
    await day.helper();
    expect([day.pending(), day.got.length]).toEqual([[], calls]);
    expect(day.home.has(".claude/swarm/notify/sent.json")).toBe(calls > 0);
  });

  test("a team that cannot be read hides neither another's end nor what waits", async () => {
    const day = await Day.with("after_s = 0");
    day.home.write(".claude/teams/broken/config.json/in-its-place", "");
    day.starts({ session_id: "s-gone" });
    const path = ".claude/swarm/sessions/s-gone/session.json";
    day.home.write(path, { ...day.home.json(path), pid: 999_999_99, pidStartedAt: "1" });
    day.asks();
    day.stops({ session_id: "s-other" });
    await day.helper();
    expect(day.texts()).toEqual([expect.stringContaining("s-gone is gone")]);
    expect(day.texts()[0]).toContain("session s-1 waits for your permission");
    expect(readErrors(day.home.paths)).toContainEqual(
      expect.objectContaining({ event: "notify", error: expect.stringContaining("broken") }),
    );
  });

  test.each<[string, boolean]>([
    ["clear", false],
    ["resume", false],
    ["logout", true],
    ["other", true],
  ])("at a session's end by %s: %s", async (reason, isWanted) => {
    const { home } = await Day.with();
    const outcome = calls.sessionEnd(aContext(home, events.SessionEnd, { reason }));
    expect(outcome !== undefined).toBe(isWanted);
  });

  test.each<[string, string, boolean]>([
    ["a target", 'targets = ["desktop"]', true],
    ["nothing", "", false],
    ["a budget alone", "[budget]\nday = 5", true],
  ])("with %s", (_, line, isWanted) => {
    const home = aHome();
    settings(home, [line]);
    const outcomes = [
      calls.stop(aContext(home, events.Stop)),
      calls.teammateIdle(aContext(home, events.TeammateIdle)),
      calls.taskCompleted(aContext(home, events.TaskCompleted)),
    ] as (Outcome | undefined)[];
    for (const one of outcomes) one?.after?.();
    expect(programs.startHelper).toHaveBeenCalledTimes(isWanted ? 3 : 0);
    expect(pendingIn(home)).toEqual(isWanted ? ["look.json"] : []);
  });
});

describe("moments", () => {
  /** A record of the transcript that says when the limit resets. */
  const limitIn = (day: Day, seconds: number) =>
    day.home.write(
      "t.jsonl",
      `${JSON.stringify({ type: "assistant", isApiErrorMessage: true, apiError: "usage_limit_reached", quotaLimits: { resetsAt: Math.floor(day.now / 1000) + seconds, rateLimitType: "five_hour" }, message: { content: [] } })}\n`,
    );
  const ALICE = { session_id: "s-alice" };

  function withTeam(day: Day, status?: string): Day {
    aTeam(day.home, [
      { name: "team-lead", sessionId: "lead-session" },
      { name: "alice", sessionId: "s-alice" },
    ]);
    const task = { id: "1", subject: "s", description: "", owner: "alice", blocks: [], blockedBy: [] };
    if (status) day.home.write(`.claude/tasks/${TEAM}/1.json`, { ...task, status });
    day.starts(ALICE, as("alice"));
    day.goesOn(ALICE, as("alice"));
    return day;
  }

  test("a turn that failed, and one that hit a limit with its reset", async () => {
    const day = await Day.with("after_s = 0");
    day.fails({ error: "server_error" });
    await day.helper();
    day.fails({ error: "", session_id: "s-3" });
    await day.helper();
    day.fails({ error: "rate_limit", transcript_path: limitIn(day, 3600), session_id: "s-2" });
    await day.helper();
    expect(day.texts()).toEqual([
      "swarm\nsession s-1 failed: its turn broke off (server_error)",
      "swarm\nsession s-3 failed: its turn broke off (unknown)",
      expect.stringMatching(/^swarm\nsession s-2 is rate-limited, resets /),
    ]);
  });

  describe("a member that a limit stopped", () => {
    const mail = ({ home }: Day) =>
      home.has(inboxOf("alice")) ? home.json(inboxOf("alice")).map(({ text }: { text: string }) => text) : [];
    const hit = (day: Day, seconds: number) =>
      day.fails({ ...ALICE, error: "rate_limit", transcript_path: limitIn(day, seconds) }, as("alice"));

    test("is woken after the reset, and not before", async () => {
      const day = withTeam(await Day.with());
      settings(day.home, []); // whether or not a person is called
      hit(day, 600);
      const reset = day.now + 600_000;
      await day.helper(() => expect(mail(day)).toEqual([]));
      expect(mail(day)).toEqual([expect.stringMatching(/^The rate limit .* has been reset/)]);
      expect(day.now).toBeGreaterThan(reset);
    });

    test("is left alone where it goes on by itself", async () => {
      const day = withTeam(await Day.with());
      hit(day, 600);
      await day.helper(() => day.goesOn(ALICE, as("alice")));
      expect(mail(day)).toEqual([]);
    });

    test("is left alone where it goes on at the last moment", async () => {
      const day = withTeam(await Day.with());
      settings(day.home, []);
      hit(day, 600);
      day.now += 800_000;
      await day.helper(() => day.goesOn(ALICE, as("alice")));
      expect([day.slept[0], mail(day)]).toEqual([300, []]);
    });

    test("is not kept waiting by another whose mail cannot be written, or whose team is gone", async () => {
      const day = withTeam(await Day.with());
      settings(day.home, []);
      const wake = { event: "wake", text: "", at: 0, due: 0 };
      const others = [
        { ...wake, key: "a", team: TEAM, agent: "bob" },
        { ...wake, key: "b", team: "gone", agent: "carol" },
      ];
      for (const one of others) day.home.write(`.claude/swarm/notify/pending/${one.key}.json`, one);
      day.home.write(`${inboxOf("bob")}/in-its-place`, "");
      hit(day, 600);
      day.now += 800_000;
      await day.helper();
      expect(mail(day)).toHaveLength(1);
      expect([day.pending(), day.home.has(".claude/teams/gone")]).toEqual([[], false]);
    });

    test("of a week's limit nobody waits for the end", async () => {
      const day = withTeam(await Day.with());
      settings(day.home, []);
      hit(day, 7 * 86_400);
      expect([day.pending(), starts()]).toEqual([[], 0]);
    });

    test("and is in no team is left to its person", async () => {
      const day = await Day.with();
      settings(day.home, []);
      day.fails({ error: "rate_limit", transcript_path: limitIn(day, 600) });
      expect([day.pending(), starts()]).toEqual([[], 0]);
    });

    test("each of two inside one session has its own wake-up", async () => {
      const day = await Day.with();
      settings(day.home, []);
      const native = "session-0a1b2c3d";
      const members = ["team-lead", "carol", "dora"].map((name) => ({ name, tmuxPaneId: "in-process" }));
      day.home.write(`.claude/teams/${native}/config.json`, { name: native, leadSessionId: "s-1", members });
      for (const name of ["carol", "dora"]) {
        const inside = { agent_id: `a${name}-0123456789abcdef`, agent_type: name };
        day.fails({ ...inside, error: "rate_limit", agent_transcript_path: limitIn(day, 600) });
      }
      expect(
        day
          .moments()
          .map(({ event, agent, agentId }) => [event, agent, agentId])
          .sort(),
      ).toEqual([
        ["wake", "carol", "acarol-0123456789abcdef"],
        ["wake", "dora", "adora-0123456789abcdef"],
      ]);
      expect(starts()).toBe(2);
    });
  });

  test("all tasks done, once", async () => {
    const day = withTeam(await Day.with("after_s = 0"), "completed");
    for (const _ of [1, 2]) {
      day.stops(ALICE, as("alice"));
      await day.helper();
    }
    expect(day.texts()).toEqual([`swarm\nteam ${TEAM}: the task is done`]);
  });

  test("idle with open tasks, unless somebody goes on meanwhile", async () => {
    const day = withTeam(await Day.with("after_s = 2"), "pending");
    day.stops(ALICE, as("alice"));
    await day.helper(() => day.goesOn(ALICE, as("alice")));
    expect(day.texts()).toEqual([]);
    day.stops(ALICE, as("alice"));
    await day.helper();
    expect(day.texts()).toEqual([`swarm\nteam ${TEAM} is idle with 1 open task`]);
  });

  test("one that is gone without a word", async () => {
    const day = await Day.with("after_s = 0");
    day.starts({ session_id: "s-gone" });
    const path = ".claude/swarm/sessions/s-gone/session.json";
    day.home.write(path, { ...day.home.json(path), pid: 999_999_99, pidStartedAt: "1" });
    day.stops({ session_id: "s-other" });
    await day.helper();
    expect(day.texts()).toEqual([expect.stringMatching(/^swarm\nsession s-gone is gone: /)]);
  });

  test("one that fell silent in the middle of a turn, once", async () => {
    const day = await Day.with("after_s = 0");
    day.starts({ session_id: "s-still" });
    day.goesOn({ session_id: "s-still" });
    for (const minutes of [30, 5]) {
      day.now += minutes * 60_000;
      day.stops({ session_id: "s-other" });
      await day.helper();
    }
    expect(day.texts()).toEqual([expect.stringMatching(/^swarm\nsession s-still is silent: /)]);
  });

  test("a budget: at 80 % the lead gets a message, at 100 % the person is called, once each", async () => {
    const day = await Day.with("after_s = 0");
    const { home } = day;
    home.write(
      ".claude/swarm/settings.toml",
      `[budget]\nagent = 10\n${home.read(".claude/swarm/settings.toml")}`,
    );
    withTeam(day);
    const spend = async (id: string, dollars: number) => {
      const at = new Date(day.now).toISOString();
      append(
        home,
        mainFile("s-alice"),
        answer({ id, ...{ session: "s-alice", at }, input: (dollars * 1_000_000) / 3 }),
      );
      day.stops({ session_id: "s-x" });
      await day.helper();
    };
    const mail = () =>
      home.has(inboxOf("team-lead"))
        ? home.json(inboxOf("team-lead")).map(({ text }: { text: string }) => text)
        : [];
    await spend("m1", 7.5);
    expect([mail(), day.texts()]).toEqual([[], []]);
    await spend("m2", 0.6);
    expect(mail()).toEqual([
      `agent alice@${TEAM} has cost $8.10, 81 % of its budget of $10.00 (budget.agent)`,
    ]);
    await spend("m3", 0.3);
    expect([mail().length, day.got.length]).toEqual([1, 0]);
    await spend("m4", 3);
    await spend("m5", 3);
    expect(mail()).toHaveLength(2);
    expect(day.texts()).toEqual([
      `swarm\nagent alice@${TEAM} has cost $11.40, 114 % of its budget of $10.00 (budget.agent)`,
    ]);
  });

  test.each(BUDGET_SCOPES)("a budget of each %s counts at 80 % of its own limit", (scope) => {
    const now = new Date("2026-02-20T12:00:00");
    const keys = { task: "dev #1", agent: "alice@dev", team: "dev", day: "2026-02-20" };
    const grouped: string[] = [];
    const counting = {
      by: (group: string) => {
        grouped.push(group);
        const rows = [
          { key: keys[scope], usd: 8 },
          { key: "2026-02-19", usd: 7.9 },
          { key: "(no task)", usd: 99 },
          { key: "(no team)", usd: 99 },
          { key: BEYOND, usd: 99 },
          { key: "unpriced", usd: null },
        ];
        return { rows };
      },
    } as unknown as Counting;
    const spent = (limit: number) => spentOf({ ...DEFAULTS, [`budget.${scope}`]: limit }, counting, now);
    expect(spent(10)).toEqual([{ scope, name: keys[scope], usd: 8, limit: 10 }]);
    expect(spent(10.1)).toEqual([]);
    expect(new Set(grouped)).toEqual(new Set([scope === "agent" ? "owner" : scope]));
  });
});

describe("words", () => {
  test("what others wrote cannot move a cursor, name a channel or run a command", () => {
    const moment = {
      key: "k",
      event: "waiting",
      text: "al\u001b[31mice\n<!channel> #(touch x)",
      at: 0,
      due: 0,
    };
    const { body } = messageOf([moment], true);
    expect(body).toBe("al[31mice <!channel> #(touch x)");
    expect(tmuxText(body)).toBe("al[31mice <!channel> ##(touch x)");
  });
  test("in the quiet hours nothing is due before their end", () => {
    const at = new Date("2026-02-20T23:30").getTime();
    const moment = { key: "k", event: "waiting", text: "", at, due: at + 1 };
    const own = { ...DEFAULTS, "notify.quiet": "22:00-07:00" };
    expect(nextDue([moment], own, at)).toBe(new Date("2026-02-21T07:00").getTime());
    expect(nextDue([moment], DEFAULTS, at)).toBe(at + 1);
  });
  test("long ones are cut, and what was asked goes along only where it may", () => {
    const moment = {
      key: "k",
      event: "waiting",
      text: "t".repeat(201),
      at: 0,
      due: 0,
      detail: "d".repeat(401),
    };
    expect(messageOf([moment], false).body).toBe(`${"t".repeat(199)}…`);
    expect(messageOf([moment], true).body).toBe(`${"t".repeat(199)}…: ${"d".repeat(399)}…`);
    const fitting = { ...moment, text: "t".repeat(200), detail: "d".repeat(400) };
    expect(messageOf([fitting], true).body).toBe(`${fitting.text}: ${fitting.detail}`);
    const emoji = { ...moment, text: `${"t".repeat(198)}😀😀` };
    expect(messageOf([emoji], false).body, "no half of a character").toBe(`${"t".repeat(198)}…`);
    expect(messageOf([{ ...fitting, detail: undefined } as never], true).body).toBe(fitting.text);
  });
  test("are never cut in the middle of a character", () => {
    for (const filler of ["a", "ab"]) {
      const text = filler + "😀".repeat(300);
      const { body } = messageOf([{ key: "k", event: "waiting", at: 0, due: 0, text, detail: text }], true);
      expect(body).toBe(body.toWellFormed());
      expect(body).toContain("…: ");
    }
  });

  test("many are cut", () => {
    const many = Array.from({ length: 14 }, (_, n) => ({
      key: `${n}`,
      event: "gone",
      text: `a${n}`,
      at: 0,
      due: 0,
    }));
    expect(messageOf(many, false)).toMatchObject({
      title: "swarm: 14 things need you",
      body: expect.stringMatching(/and 4 more$/),
    });
    expect(messageOf(many.slice(0, 10), false).body.split("\n")).toHaveLength(10);
  });
  test.each([
    ["22:00-07:00", "2026-02-20T23:30", "2026-02-21T07:00"],
    ["22:00-07:00", "2026-02-20T06:59", "2026-02-20T07:00"],
    ["22:00-07:00", "2026-02-20T07:00", undefined],
    ["22:00-07:00", "2026-02-20T21:59", undefined],
    ["12:00-13:30", "2026-02-20T12:00", "2026-02-20T13:30"],
    ["12:00-13:30", "2026-02-20T13:30", undefined],
    [undefined, "2026-02-20T12:00", undefined],
  ])("quiet %s at %s ends %s", (quiet, at, end) =>
    expect(quietUntil(quiet, new Date(at).getTime())).toBe(
      end === undefined ? undefined : new Date(end).getTime(),
    ),
  );
});

describe("a desktop", () => {
  /** Programs that write down their arguments; `ps` says this process's terminal. */
  function aDesktop(programs: Record<string, string>) {
    const home = aHome();
    for (const [name, script] of Object.entries(programs))
      chmodSync(
        home.write(`bin/${name}`, `#!/bin/sh\nprintf '%s|' "$@" >> '${home.path(name)}'\n${script}\n`),
        0o755,
      );
    const desktop = { ...NOWHERE, path: home.path("bin"), tmux: [] as string[], pids: [] as number[] };
    const seen = (name: string) => (home.has(name) ? home.read(name) : "");
    return { home, desktop, seen };
  }
  const toDesktop = async (message: typeof MESSAGE, desktop: Parameters<typeof waysOn>[1]) =>
    (await sendToAll(["desktop"], message, desktop))[0]?.error;

  test("the first way that works, the text as an argument of its own", async () => {
    const { desktop, seen } = aDesktop({ "notify-send": "", tmux: "" });
    const message = { title: "-t", body: "<b> & $(touch x)" };
    const withScreen = { ...desktop, hasScreen: true, tmux: ["/a/socket,1,0"] };
    expect(await toDesktop(message, withScreen)).toBeUndefined();
    expect(seen("notify-send")).toBe("--app-name=swarm|--|-t|&lt;b&gt; &amp; $(touch x)|");
    expect(seen("tmux")).toBe("");
    expect(waysOn(MESSAGE, { ...desktop, hasScreen: true })).toHaveLength(1);
    expect(waysOn(MESSAGE, desktop)).toHaveLength(0);
  });

  test("of tmux each server once, and nothing in the text is a command of its own", async () => {
    const { desktop, seen } = aDesktop({ "notify-send": "exit 1", tmux: "" });
    const message = { title: "t", body: "#(touch x) 88 %H\nb" };
    const tmux = ["/a/socket,1,0", "/a/socket,1,2"];
    expect(await toDesktop(message, { ...desktop, hasScreen: true, tmux })).toBeUndefined();
    expect(seen("tmux")).toBe("-S|/a/socket|display-message|-d|15000|t: ##(touch x) 88 %%H b|");
    expect(waysOn(MESSAGE, { ...desktop, tmux: [...tmux, "/b/socket,1,0"] })).toHaveLength(2);
  });

  test("of a Mac, where it is one", async () => {
    const { desktop, seen } = aDesktop({ osascript: "" });
    expect(waysOn(MESSAGE, desktop)).toHaveLength(0);
    expect(await toDesktop(MESSAGE, { ...desktop, platform: "darwin" })).toBeUndefined();
    expect(seen("osascript")).toMatch(/^-e\|on run argv\|.*\|--\|b\|t\|$/s);
  });

  test("says every reason where none works", async () => {
    const { desktop } = aDesktop({ "notify-send": "exit 1", tmux: "exit 2", ps: "echo '?'" });
    vi.stubEnv("PATH", `${desktop.path}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const all = { ...desktop, hasScreen: true, tmux: ["/a/socket,1,0"], pids: [process.pid] };
    expect(await toDesktop(MESSAGE, all)).toBe("exit code 1; exit code 2; its client has no terminal");
  });

  test.skipIf(!existsSync("/dev/shm"))("a terminal gets an escape sequence of one line", async () => {
    const name = `swarmtty${process.pid}`;
    onTestFinished(() => rmSync(`/dev/shm/${name}`, { force: true }));
    const { desktop } = aDesktop({ ps: `echo shm/${name}` });
    vi.stubEnv("PATH", `${desktop.path}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    writeFileSync(`/dev/shm/${name}`, "");
    const message = { title: "t", body: "b\u0007\u001b]2;x\nc" };
    expect(await toDesktop(message, { ...desktop, pids: [7] })).toBeUndefined();
    expect(readFileSync(`/dev/shm/${name}`, "utf8")).toBe("\u001b]9;t: b ]2;x c\u0007");
  });

  test.skipIf(!existsSync("/dev/shm"))(
    "what `ps` says is read to its end, also where it ends before",
    async () => {
      const name = `swarmlate${process.pid}`;
      onTestFinished(() => rmSync(`/dev/shm/${name}`, { force: true }));
      const { desktop } = aDesktop({ ps: `(sleep 0.1; echo shm/${name}) &` });
      vi.stubEnv("PATH", `${desktop.path}:${process.env["PATH"]}`);
      onTestFinished(() => void vi.unstubAllEnvs());
      writeFileSync(`/dev/shm/${name}`, "");
      expect(await toDesktop(MESSAGE, { ...desktop, pids: [7] })).toBeUndefined();
      expect(readFileSync(`/dev/shm/${name}`, "utf8")).toContain(MESSAGE.body);
    },
  );

  test.skipIf(!existsSync("/dev/shm"))(
    "a terminal that takes nothing, as after Ctrl-S, is not waited for",
    async () => {
      const name = `swarmfull${process.pid}`;
      onTestFinished(() => rmSync(`/dev/shm/${name}`, { force: true }));
      execFileSync("mkfifo", [`/dev/shm/${name}`]);
      const fd = openSync(`/dev/shm/${name}`, constants.O_RDWR | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(fd));
      expect(() => {
        for (;;) writeSync(fd, "x".repeat(4096));
      }).toThrow("EAGAIN");
      const { desktop } = aDesktop({ ps: `echo shm/${name}` });
      vi.stubEnv("PATH", `${desktop.path}:${process.env["PATH"]}`);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(await toDesktop(MESSAGE, { ...desktop, pids: [7] })).toContain("EAGAIN");
    },
  );

  test.each([
    [{}, false],
    [{ DISPLAY: ":0" }, true],
    [{ WAYLAND_DISPLAY: "w" }, true],
    [{ DBUS_SESSION_BUS_ADDRESS: "b" }, true],
  ])("with %j there is a screen: %s", (env, hasScreen) => {
    const moments = [{ tmux: "/a,1,0", pid: 7 }, {}];
    expect(desktopOf(readEnvironment({ ...env, PATH: "/bin" }), moments)).toEqual({
      ...{ path: "/bin", platform: process.platform },
      ...{ hasScreen, tmux: ["/a,1,0"], pids: [7] },
    });
  });
});
