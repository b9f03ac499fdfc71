// Calls to the person, from the built hooks through the detached helper to a real HTTP server on loopback.
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULTS } from "../../lib/core/settings-keys.ts";
import { messageOf, nextDue, quietUntil } from "../../lib/people/notify/runner.ts";
import { sendToAll, tmuxText, waysOn } from "../../lib/people/notify/targets.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { payload, ROOT, runSwarmProcess, startHook, startScript } from "../support/run-built.ts";
import { answer, append, mainFile } from "./transcripts.ts";

/** A helper starts beside the turn, on a machine that may be busy. */
const PATIENTLY = { timeout: 15_000 };

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answering = (path: string) => number | undefined;

/** `undefined` never answers. */
async function aServer(answering: Answering = () => 200) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      got.push({ path: request.url ?? "", headers: request.headers, body });
      const status = answering(request.url ?? "");
      if (status !== undefined)
        response.writeHead(status, status === 302 ? { location: "/other" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

async function aClosedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const settings = (home: Home, lines: string[]) =>
  home.write(".claude/swarm/settings.toml", `[notify]\n${lines.join("\n")}\n`);
const fire = async (
  home: Home,
  script: string,
  input: Record<string, unknown>,
  env: Record<string, string> = {},
) => {
  const full = { session_id: "s-1", cwd: home.project, transcript_path: "", ...input };
  const ran = await startHook(home, script, full, { CLAUDE_PID: String(process.pid), ...env }).done;
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  return ran;
};
const pending = (home: Home) => {
  const path = home.path(".claude/swarm/notify/pending");
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".json")) : [];
};
/** The helper has said or taken back everything, and ended. */
const settled = (home: Home) =>
  expect
    .poll(() => [pending(home), existsSync(home.path(".claude/swarm/notify/runner.lock"))], {
      timeout: 15_000,
    })
    .toEqual([[], false]);
const asking = { ...payload("PermissionRequest-Bash"), session_id: "s-1" };
const SECRET = "rm -rf /tmp/secret-thing";
asking.tool_input = { command: SECRET };

describe("a permission prompt", () => {
  test("that nobody answers is said once, to every target, without the command", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    const program = home.write(
      "call.cjs",
      `require("fs").writeFileSync(process.argv[2], require("fs").readFileSync(0))`,
    );
    settings(home, [
      `targets = ["webhook:${url}/hook/abc", "ntfy:${url}/topic", ["${process.execPath}", "${program}", "${home.path("said; touch x.txt")}"]]`,
      "after_s = 0",
    ]);
    await fire(home, "permission-request", { ...asking, cwd: home.project });
    await expect.poll(() => got.length, PATIENTLY).toBe(2);
    await settled(home);
    await fire(home, "notification", {
      notification_type: "permission_prompt",
      message: "Claude needs your permission to use Bash",
    });
    await settled(home);
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

  test("its text goes along where the person allows it", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0", "texts = true"]);
    await fire(home, "permission-request", { ...asking, cwd: home.project });
    await expect.poll(() => got.length, PATIENTLY).toBe(1);
    expect(JSON.parse(got[0]?.body ?? "").text).toContain(SECRET);
    await settled(home);
  });

  test("that is answered in time is taken back", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 2"]);
    await fire(home, "pre-tool-use", { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t1" });
    await fire(home, "permission-request", { ...asking, cwd: home.project });
    expect(pending(home)).toHaveLength(1);
    await fire(home, "post-tool-use", {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_response: {},
      tool_use_id: "t1",
    });
    await settled(home);
    expect(got).toEqual([]);
  });

  test.each([
    ["idle", 0],
    ["busy", 0],
    ["waiting", 1],
  ])("after no or Esc no event comes: a client that says it is %s decides", async (status, calls) => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 2"]);
    await fire(home, "permission-request", { ...asking, cwd: home.project });
    home.write(`.claude/sessions/${process.pid}.json`, { pid: process.pid, sessionId: "s-1", status });
    await settled(home);
    expect(got).toHaveLength(calls);
  });

  test("several at once are one call", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 3"]);
    await Promise.all(
      ["s-1", "s-2", "s-3"].map((session_id) =>
        fire(home, "permission-request", { ...asking, cwd: home.project, session_id }),
      ),
    );
    await fire(home, "permission-request", { ...asking, cwd: home.project, session_id: "s-1" });
    await settled(home);
    expect(got).toHaveLength(1);
    const { text } = JSON.parse(got[0]?.body ?? "");
    expect(text.split("\n")).toHaveLength(4);
    expect(text).toMatch(/^swarm: 3 things need you\n/);
  });

  test("in the quiet hours nothing is said, and an event nobody asked for is none", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0", 'events = ["failed"]']);
    await fire(home, "permission-request", { ...asking, cwd: home.project });
    expect(pending(home)).toEqual([]);
    const now = new Date();
    const clock = (hours: number) => `${String((now.getHours() + hours + 24) % 24).padStart(2, "0")}:00`;
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0", `quiet = "${clock(-1)}-${clock(2)}"`]);
    await fire(home, "permission-request", { ...asking, cwd: home.project });
    await expect.poll(() => existsSync(home.path(".claude/swarm/notify/runner.lock")), PATIENTLY).toBe(true);
    await fire(home, "stop", {});
    await settled(home);
    expect(got).toEqual([]);
  });
});

test("a project's settings call nobody", async () => {
  const home = aHome();
  const { url, got } = await aServer();
  home.write("project/.atm.toml", `[notify]\ntargets = ["webhook:${url}"]\nafter_s = 0\n`);
  await fire(home, "permission-request", { ...asking, cwd: home.project });
  expect(home.has(".claude/swarm/notify")).toBe(false);
  expect(got).toEqual([]);
});

test("a target that hangs or fails delays no other, is named for the doctor, and its address stays secret", async () => {
  const home = aHome();
  const { url, got } = await aServer((path) =>
    path === "/hangs" ? undefined : path === "/moved" ? 302 : path === "/fails" ? 500 : 200,
  );
  const closed = await aClosedPort();
  const message = { title: "t", body: "b" };
  const nowhere = { path: "", platform: "linux", hasScreen: false, tmux: [], pids: [] };
  const begun = performance.now();
  const outcomes = await sendToAll(
    [
      `webhook:${url}/hangs`,
      `webhook:${url}/fails`,
      `ntfy:${url}/fine`,
      `webhook:${url}/moved`,
      `ntfy:${closed}/t0p1c`,
      ["/no/such/program"],
      [process.execPath, "-e", "setInterval(()=>{},1e6)"],
      [process.execPath, "-e", "process.exit(3)"],
      "desktop",
    ],
    message,
    nowhere,
    1_000,
  );
  expect(performance.now() - begun).toBeLessThan(5_000);
  const host = url.slice("http://".length);
  expect(outcomes).toEqual([
    { target: `webhook:${host}`, error: "no answer in time" },
    { target: `webhook:${host}`, error: "answered 500" },
    { target: `ntfy:${host}` },
    { target: `webhook:${host}`, error: expect.any(String) },
    { target: `ntfy:${closed.slice(7)}`, error: "ECONNREFUSED" },
    { target: "/no/such/program", error: expect.stringContaining("ENOENT") },
    { target: process.execPath, error: "no answer in time" },
    { target: process.execPath, error: "exit code 3" },
    { target: "desktop", error: "no notify-send, osascript, tmux or terminal to show it" },
  ]);
  expect(got.map(({ path }) => path)).not.toContain("/other");
  expect(JSON.stringify(outcomes)).not.toContain("t0p1c");
  settings(home, [`targets = ["ntfy:${closed}/t0p1c"]`]);
  const ran = runSwarmProcess(home, ["notify", "test"]);
  expect(ran).toMatchObject({
    exitCode: 1,
    stdout: `ntfy:${closed.slice(7)}: failed: ECONNREFUSED\n`,
    stderr: "",
  });
  expect(home.read(".claude/swarm/notify/targets.json")).not.toContain("t0p1c");
  expect(runSwarmProcess(home, ["notify"]).stdout).toMatch(
    /^ntfy:127\.0\.0\.1:\d+: failed \d+s ago: ECONNREFUSED\n/,
  );
});

test("a hook does not wait for a target that hangs", async () => {
  const home = aHome();
  const { url, got } = await aServer(() => undefined);
  settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0"]);
  const begun = performance.now();
  await fire(home, "permission-request", { ...asking, cwd: home.project });
  expect(performance.now() - begun).toBeLessThan(3_000);
  await expect.poll(() => got.length, PATIENTLY).toBe(1);
  await settled(home);
  expect(home.json(".claude/swarm/notify/targets.json")).toMatchObject({
    [`webhook:${url.slice(7)}`]: { error: "no answer in time" },
  });
}, 30_000);

test("swarm notify test reaches every target; without one it says how", async () => {
  const home = aHome();
  expect(runSwarmProcess(home, ["notify", "test"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("notify.targets"),
  });
  const { url, got } = await aServer();
  settings(home, [`targets = ["webhook:${url}/w", "ntfy:${url}/t"]`]);
  const { done } = startScript(`${ROOT}/plugin/bin/swarm`, ["notify", "test", "--json"], home, "");
  const { reply, exitCode } = await done;
  expect(exitCode).toBe(0);
  expect(reply.targets.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true]);
  expect(got).toHaveLength(2);
});

describe("moments", () => {
  test("a turn that failed, and one that hit a limit with its reset", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0"]);
    await fire(home, "stop-failure", { error: "server_error" });
    await expect.poll(() => got.length, PATIENTLY).toBe(1);
    await settled(home);
    expect(JSON.parse(got[0]?.body ?? "").text).toBe(
      "swarm\nsession s-1 failed: its turn broke off (server_error)",
    );
    const reset = Math.floor(Date.now() / 1000) + 3600;
    const transcript = home.write(
      "t.jsonl",
      `${JSON.stringify({ type: "assistant", isApiErrorMessage: true, apiError: "usage_limit_reached", quotaLimits: { resetsAt: reset, rateLimitType: "five_hour" }, message: { content: [] } })}\n`,
    );
    await fire(home, "stop-failure", { error: "rate_limit", transcript_path: transcript, session_id: "s-2" });
    await expect.poll(() => got.length, PATIENTLY).toBe(2);
    await settled(home);
    expect(JSON.parse(got[1]?.body ?? "").text).toMatch(/^swarm\nsession s-2 is rate-limited, resets /);
  });

  test("a member that a limit stopped is woken after the reset, unless it goes on by itself", async () => {
    const home = aHome();
    aTeam(home, [
      { name: "team-lead", sessionId: "lead-session" },
      { name: "alice", sessionId: "s-alice" },
    ]);
    const limit = (secondsFromNow: number) =>
      home.write(
        "t.jsonl",
        `${JSON.stringify({ type: "assistant", isApiErrorMessage: true, apiError: "usage_limit_reached", quotaLimits: { resetsAt: Date.now() / 1000 + secondsFromNow }, message: { content: [] } })}\n`,
      );
    const mail = () =>
      home.has(inboxOf("alice")) ? home.json(inboxOf("alice")).map(({ text }: { text: string }) => text) : [];
    const hit = async () => {
      await fire(
        home,
        "stop-failure",
        { session_id: "s-alice", error: "rate_limit", transcript_path: limit(600) },
        as("alice"),
      );
      const [name = ""] = pending(home);
      const path = `.claude/swarm/notify/pending/${name}`;
      expect(home.json(path)).toMatchObject({ event: "wake", team: TEAM, agent: "alice" });
      return path;
    };
    await hit();
    await fire(home, "user-prompt-submit", { session_id: "s-alice", prompt: "go on" }, as("alice"));
    await settled(home);
    expect(mail()).toEqual([]);
    const second = await hit();
    home.write(second, { ...home.json(second), due: Date.now() });
    await settled(home);
    expect(mail()).toEqual([expect.stringMatching(/^The rate limit .* has been reset/)]);
    await fire(
      home,
      "stop-failure",
      { session_id: "s-alice", error: "rate_limit", transcript_path: limit(7 * 86_400) },
      as("alice"),
    );
    expect(pending(home)).toEqual([]);
  });

  const aWorkingTeam = async (home: Home, status: string) => {
    aTeam(home, [
      { name: "team-lead", sessionId: "lead-session" },
      { name: "alice", sessionId: "s-alice" },
    ]);
    home.write(`.claude/tasks/${TEAM}/1.json`, {
      id: "1",
      subject: "s",
      description: "",
      status,
      owner: "alice",
      blocks: [],
      blockedBy: [],
    });
    await fire(home, "session-start", { session_id: "s-alice", source: "startup" }, as("alice"));
    await fire(home, "user-prompt-submit", { session_id: "s-alice", prompt: "go" }, as("alice"));
  };

  test("all tasks done", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0"]);
    await aWorkingTeam(home, "completed");
    for (const _ of [1, 2]) {
      await fire(home, "stop", { session_id: "s-alice" }, as("alice"));
      await settled(home);
    }
    expect(got.map(({ body }) => JSON.parse(body).text)).toEqual([
      `swarm\nteam ${TEAM}: all 1 tasks are done`,
    ]);
  });

  test("idle with open tasks, unless somebody goes on meanwhile", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 2"]);
    home.write(
      ".claude/swarm/settings.toml",
      `${home.read(".claude/swarm/settings.toml")}[tasks]\nenforce = false\n`,
    );
    await aWorkingTeam(home, "pending");
    await fire(home, "stop", { session_id: "s-alice" }, as("alice"));
    await expect.poll(() => pending(home).filter((name) => name !== "look.json"), PATIENTLY).toHaveLength(1);
    await fire(home, "user-prompt-submit", { session_id: "s-alice", prompt: "go on" }, as("alice"));
    await settled(home);
    expect(got).toEqual([]);
    await fire(home, "stop", { session_id: "s-alice" }, as("alice"));
    await settled(home);
    expect(got.map(({ body }) => JSON.parse(body).text)).toEqual([
      `swarm\nteam ${TEAM} is idle with 1 open task`,
    ]);
  });

  test("one that is gone without a word", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    settings(home, [`targets = ["webhook:${url}"]`, "after_s = 0"]);
    const { child } = startScript("/bin/sleep", ["60"], home, "");
    child.kill();
    await fire(home, "session-start", { session_id: "s-gone", source: "startup" }, {});
    const record = home.json(".claude/swarm/sessions/s-gone.json");
    home.write(".claude/swarm/sessions/s-gone.json", { ...record, pid: 999_999_99, pidStartedAt: "1" });
    await fire(home, "stop", { session_id: "s-other" });
    await settled(home);
    expect(got.map(({ body }) => JSON.parse(body).text)).toEqual([
      expect.stringMatching(/^swarm\nsession s-gone is gone: /),
    ]);
  });

  test("a budget: at 80 % the lead gets a message, at 100 % the person is called, once each", async () => {
    const home = aHome();
    const { url, got } = await aServer();
    home.write(
      ".claude/swarm/settings.toml",
      `[budget]\nagent = 10\n[notify]\ntargets = ["webhook:${url}"]\nafter_s = 0\n`,
    );
    aTeam(home, [
      { name: "team-lead", sessionId: "lead-session" },
      { name: "alice", sessionId: "s-alice" },
    ]);
    const spend = async (id: string, dollars: number) => {
      append(
        home,
        mainFile("s-alice"),
        answer({ id, session: "s-alice", input: (dollars * 1_000_000) / 3, at: new Date().toISOString() }),
      );
      await fire(home, "stop", { session_id: "s-x" });
      await settled(home);
    };
    const mail = () =>
      home.has(inboxOf("team-lead"))
        ? home.json(inboxOf("team-lead")).map(({ text }: { text: string }) => text)
        : [];
    await spend("m1", 7.5);
    expect([mail(), got.length]).toEqual([[], 0]);
    await spend("m2", 0.6);
    expect(mail()).toEqual([
      `agent alice@${TEAM} has cost $8.10, 81 % of its budget of $10.00 (budget.agent)`,
    ]);
    await spend("m3", 0.3);
    expect([mail().length, got.length]).toEqual([1, 0]);
    await spend("m4", 3);
    await spend("m5", 3);
    expect(mail()).toHaveLength(2);
    expect(got.map(({ body }) => JSON.parse(body).text)).toEqual([
      `swarm\nagent alice@${TEAM} has cost $11.40, 114 % of its budget of $10.00 (budget.agent)`,
    ]);
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

test("a desktop: the first way that works, the text as an argument of its own", async () => {
  const home = aHome();
  const program = home.write("bin/notify-send", `#!/bin/sh\nprintf '%s|' "$@" > '${home.path("seen")}'\n`);
  chmodSync(program, 0o755);
  const desktop = {
    path: home.path("bin"),
    platform: "linux",
    hasScreen: true,
    tmux: ["/no/socket,1,0"],
    pids: [],
  };
  const [first, ...others] = waysOn({ title: "-t", body: "<b> & $(touch x)" }, desktop);
  await first?.(2_000);
  expect(home.read("seen")).toBe("--app-name=swarm|--|-t|&lt;b&gt; &amp; $(touch x)|");
  expect(others).toHaveLength(0);
  expect(waysOn({ title: "t", body: "b" }, { ...desktop, hasScreen: false })).toHaveLength(0);
});
