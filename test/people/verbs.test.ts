// `swarm serve` and `swarm cost` in this process: what the page is given, how it begins and ends, and what is printed meanwhile.
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readSettings } from "../../lib/core/settings.ts";
import * as stdio from "../../lib/hook/environment.ts";
import { costVerb } from "../../lib/people/cost.ts";
import { livePage } from "../../lib/people/view/page.ts";
import { serveVerb } from "../../lib/people/view/serve.ts";
import { costView, snapshot } from "../../lib/people/view/snapshot.ts";
import { startOf } from "../../lib/system/processes.ts";
import { watchFiles } from "../../lib/teams/status-board/watch.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { addClaim } from "../../lib/worktrees/store/claims.ts";
import { writeForecast } from "../../lib/worktrees/store/forecast.ts";
import { aBareTree } from "../support/a-bare-tree.ts";
import { aCall } from "../support/a-call.ts";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { answer, append, mainFile } from "./transcripts.ts";

vi.mock("../../lib/hook/environment.ts", { spy: true });
vi.mock("../../lib/teams/status-board/watch.ts", { spy: true });

const printed: string[] = [];
let isPrinted: Promise<void>;
beforeEach(() => {
  printed.length = 0;
  isPrinted = new Promise((resolve) => {
    vi.mocked(stdio.writeAll).mockImplementation((_, text) => {
      printed.push(text);
      resolve();
      return true;
    });
  });
});

const seeing = (home: Home, now = new Date()) => ({
  ...aCall(home, [], {}, { now }),
  loaded: readSettings(home.paths, home.project, undefined),
});
const HOUR = 3_600_000;
const AT = "2026-02-20T12:00:00.000Z";

/** A served page; it ends as with a closed terminal. */
async function served(home: Home, flags: Record<string, string | boolean> = {}) {
  const over = serveVerb(aCall(home, [], flags, { now: new Date() }) as never);
  const end = async () => {
    process.emit("SIGHUP");
    await over;
  };
  onTestFinished(end);
  await Promise.race([over, isPrinted]);
  const url = flags["json"] ? JSON.parse(printed[0] ?? "").url : (printed[0]?.split("\n")[0] ?? "");
  const ask = (path: string, more: object = {}) =>
    fetch(`${url}${path}`, { signal: AbortSignal.timeout(8_000), ...more });
  const page = await (await ask("")).text();
  const headers = {
    origin: new URL(url).origin,
    "content-type": "application/json",
    "x-csrf-token": page.match(/name="csrf" content="([\w-]+)"/)?.[1] ?? "",
  };
  const post = async (action: string, body: unknown) => {
    const answered = await ask(action, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answered.status, text: await answered.text() };
  };
  const events = async () => {
    const response = await ask("events");
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("event: cost")) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    const of = (name: string) =>
      JSON.parse(text.match(new RegExp(`event: ${name}\\ndata: (.*)`))?.[1] ?? "null");
    return of;
  };
  return { url, page, ask, post, events, end };
}

test("the page of a team: its title and time, its agents, mail to them, pauses, and an end", async () => {
  const home = aHome();
  aTeam(home);
  const { url, page, post, events, end } = await served(home, { team: TEAM, since: "8h", json: true });
  expect(page).toContain(`<title>${TEAM}: swarm</title>`);
  expect(page).toContain("in the last 8h");
  const of = await events();
  expect(of("agents").map(({ agent, paused }: any) => [agent, paused])).toEqual([
    ...[
      ["team-lead", ""],
      ["alice", ""],
      ["bob", ""],
    ],
  ]);
  expect(of("recipients")).toContainEqual({ team: TEAM, name: "alice" });
  expect(await post("send", { team: TEAM, to: "alice", text: "hello" })).toMatchObject({ status: 200 });
  expect(home.json(inboxOf("alice"))).toMatchObject([{ text: "hello" }]);
  expect(snapshot(seeing(home), TEAM, new Date()).agents.map(({ role, unread }) => [role, unread])).toEqual([
    ["lead", 0],
    ["", 1],
    ["", 0],
  ]);
  expect(await post("pause", { agent: "alice" })).toMatchObject({
    status: 200,
    text: expect.stringContaining("alice"),
  });
  expect((await events())("agents").map(({ paused }: any) => paused)).toEqual(["", "own", ""]);
  await post("unpause", { agent: "alice" });
  await post("pause", { all: true });
  expect((await events())("agents").map(({ paused }: any) => paused)).toEqual(["all", "all", "all"]);
  await post("unpause", { all: true });
  expect((await events())("agents").map(({ paused }: any) => paused)).toEqual(["", "", ""]);
  await end();
  await expect(fetch(url)).rejects.toThrow();
});

test("without a team it is of this machine, of one day, and says how to open it", async () => {
  const home = aHome();
  const { page } = await served(home, { team: "none" });
  expect(printed[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/\nOpen it in a browser on this machine/);
  expect(page).toContain("<title>this machine: swarm</title>");
  expect(page).toContain("in the last 24h");
});

test("of this machine one agent is paused by its full name, or all", async () => {
  const home = aHome();
  aTeam(home);
  const { post, page } = await served(home, { team: "../x" });
  expect(page).toContain("<title>this machine: swarm</title>");
  const paused = () => home.json(".claude/swarm/pauses.json");
  await post("pause", { agent: `alice@${TEAM}` });
  expect(paused()).toMatchObject([{ team: TEAM, agent: "alice" }]);
  await post("unpause", { agent: `alice@${TEAM}` });
  await post("pause", { all: true });
  expect(paused()).toEqual([{ by: "person", since: expect.any(String) }]);
});

test.each([
  ["has a name and no team", {}, "alice@-", { session: "alice-session" }],
  ["is in a team that is gone", { team: "gone" }, "alice@gone", { team: "gone", agent: "alice" }],
])("of this machine one that %s is paused by its row", async (_, more, agent, paused) => {
  const home = aHome();
  home.write(".claude/swarm/sessions/alice-session/session.json", {
    ...{
      session: "alice-session",
      agent: "alice",
      state: "idle",
      status: "done",
      startedAt: AT,
      lastSeen: AT,
    },
    ...{ pid: process.pid, pidStartedAt: startOf(process.pid), ...more },
  });
  const { post, events } = await served(home);
  expect((await events())("agents")).toMatchObject([{ agent, paused: "" }]);
  expect(await post("pause", { agent })).toMatchObject({ status: 200 });
  expect(home.json(".claude/swarm/pauses.json")).toMatchObject([paused]);
  expect((await events())("agents")).toMatchObject([{ agent, paused: "own" }]);
  expect(await post("unpause", { agent })).toMatchObject({ status: 200 });
  expect(home.has(".claude/swarm/pauses.json")).toBe(false);
});

test("an open page sees at once what changes on disk, and what it did itself", async () => {
  const home = aHome();
  aTeam(home);
  const watching = { end: vi.fn() };
  vi.mocked(watchFiles).mockReturnValueOnce(watching);
  const { ask, post, end } = await served(home, { team: TEAM });
  const changed = vi.mocked(watchFiles).mock.lastCall?.[1] ?? (() => {});
  const reader = (await ask("events")).body?.getReader();
  const until = async (words: string) => {
    for (let text = ""; !text.includes(words); )
      text += new TextDecoder().decode((await reader?.read())?.value);
  };
  await until("event: cost");
  aTeam(home, ["team-lead", "newcomer"]);
  changed();
  await until("newcomer");
  await post("pause", { all: true });
  await until('"paused":"all"');
  await post("send", { team: TEAM, to: "newcomer", text: "welcome aboard" });
  await until("welcome aboard");
  await reader?.cancel();
  await end();
  expect(watching.end).toHaveBeenCalledTimes(1);
});

test("a look that fails ends nothing: the page goes on with the next", async () => {
  const home = aHome();
  aTeam(home);
  vi.mocked(watchFiles).mockReturnValueOnce({ end: () => {} });
  const { ask } = await served(home, { team: TEAM });
  const changed = vi.mocked(watchFiles).mock.lastCall?.[1] ?? (() => {});
  const reader = (await ask("events")).body?.getReader();
  home.write(`${inboxOf("alice")}/in-its-place`, "");
  expect(changed).not.toThrow();
  expect(printed.at(-1)).toMatch(/^swarm: .*alice.json is not a regular file\n$/);
  changed();
  expect(printed).toHaveLength(2); // once for each reason
  rmSync(home.path(inboxOf("alice")), { recursive: true });
  aTeam(home, ["team-lead", "newcomer"]);
  changed();
  for (let text = ""; !text.includes("newcomer"); )
    text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
});

test("why a look failed is printed as plain text", async () => {
  const home = aHome();
  aTeam(home);
  vi.mocked(watchFiles).mockReturnValueOnce({ end: () => {} });
  const { ask } = await served(home, { team: TEAM });
  const changed = vi.mocked(watchFiles).mock.lastCall?.[1] ?? (() => {});
  const reader = (await ask("events")).body?.getReader();
  vi.mocked(stdio.readEnvironment).mockImplementationOnce(() => {
    throw new Error("no\u001b[31m way");
  });
  changed();
  expect(printed.at(-1)).toBe("swarm: no[31m way\n");
  await reader?.cancel();
});

test("it ends with its parent, not before, and leaves no timer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let isOver = false;
  const over = serveVerb(aCall(aHome(), [], {}, { now: new Date() }) as never).then(() => {
    isOver = true;
  });
  await Promise.race([over, isPrinted]);
  vi.advanceTimersByTime(1_000);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  const parent = vi.spyOn(process, "ppid", "get").mockReturnValue(process.ppid + 1);
  onTestFinished(() => parent.mockRestore());
  vi.advanceTimersByTime(1_000);
  await over;
  expect(vi.getTimerCount()).toBe(0);
});

test("--since that is no time is a bad call", async () => {
  onTestFinished(() => void process.emit("SIGHUP")); // where it serves
  const over = serveVerb(aCall(aHome(), [], { since: "soon" }) as never);
  await expect(Promise.race([over, isPrinted])).rejects.toThrow("--since is a time like");
});

test.each(["-1", "65536", "1.5", "x", " "])("port %j is a bad call", async (port) => {
  onTestFinished(() => void process.emit("SIGHUP")); // where it serves
  const over = serveVerb(aCall(aHome(), [], { port }) as never);
  await expect(Promise.race([over, isPrinted])).rejects.toThrow("--port is a number up to 65535");
});

test("columns of numbers are marked as such, and a title is text", () => {
  const page = livePage("<b>", "token", "8h");
  expect(page).toContain('<th scope="col">agent</th><th scope="col" class="number">messages</th>');
  expect(page).toContain("<h1>&lt;b&gt;</h1>");
});

test.each([
  ["24h", "in the last 24h"],
  ["2026-02-20", "since 2026-02-20"],
])("costs of --since %s are called %j", (since, words) =>
  expect(livePage("t", "token", since)).toContain(`<span id="w-cost" data-since="${words}">${words}</span>`),
);

test("a time of another day has the day of the clock it is shown by", () => {
  const code = livePage("t", "token", "8h").match(/const two = [\s\S]*?\n};\n/)?.[0] ?? "";
  const timeText = new Function(`${code}return timeText`)() as (at: number) => string;
  vi.stubEnv("TZ", "America/New_York");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(timeText(Date.parse("2026-02-20T02:30:00Z"))).toBe("02-19 21:30:00");
});

test("a day's entries: newest last, each with a key of its own, long texts cut, no states", () => {
  const home = aHome();
  aDay(home);
  const since = new Date(Date.now() - 48 * HOUR);
  const { entries, agents } = snapshot(seeing(home), DAY_TEAM, since);
  expect(entries.length).toBeGreaterThan(5);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort((a, b) => a - b));
  expect(entries.filter(({ kind }) => !["message", "task", "decision", "context"].includes(kind))).toEqual(
    [],
  );
  expect(agents.length).toBeGreaterThan(1);
  const decision = (day: string) =>
    home
      .read(`.claude/swarm/journal/${day}`)
      .split("\n")
      .find((line) => line.includes('"deny"'));
  const day = readdirSync(home.path(".claude/swarm/journal")).find(decision) ?? ""; // the day may have begun the evening before
  const again = [1, 2].map((n) => JSON.stringify({ ...JSON.parse(decision(day) ?? "{}"), id: `again-${n}` }));
  appendFileSync(home.path(`.claude/swarm/journal/${day}`), `${again.join("\n")}\n`);
  const more = snapshot(seeing(home), DAY_TEAM, since).entries;
  expect(more).toHaveLength(entries.length + 2);
  expect(new Set(more.map(({ key }) => key)).size).toBe(more.length);
  const messages = [1, 2].map(() => ({
    id: "same",
    from: "bob",
    text: "x".repeat(3_000),
    timestamp: new Date().toISOString(),
    read: false,
  }));
  home.write(`.claude/teams/${DAY_TEAM}/inboxes/alice.json`, messages);
  const long = snapshot(seeing(home), DAY_TEAM, since).entries.filter(({ text }) => text?.startsWith("xxx"));
  expect(long.map(({ text }) => text?.length)).toEqual([2_001, 2_001].slice(0, long.length));
});

test("a name or text that turns itself around does not reach the page as such", () => {
  const home = aHome();
  aTeam(home);
  const more = { timestamp: new Date().toISOString(), read: false };
  home.write(inboxOf("alice"), [
    { id: "m", from: "bob\u202e", text: "a\u202eb", summary: "c\u202ed", ...more },
  ]);
  home.write(`.claude/tasks/${TEAM}/1.json`, {
    ...{ id: "1", subject: "e\u202ef", status: "pending", owner: "bob\u202e", blocks: [], blockedBy: [] },
  });
  expect(JSON.stringify(snapshot(seeing(home), TEAM, new Date(Date.now() - HOUR)))).not.toContain("\u202e");
});

test("a long text is not cut in the middle of a character", () => {
  const home = aHome();
  aTeam(home);
  const text = `x${"😀".repeat(2_000)}`;
  home.write(inboxOf("alice"), [
    { id: "m", from: "bob", text, timestamp: new Date().toISOString(), read: false },
  ]);
  const [entry] = snapshot(seeing(home), TEAM, new Date(Date.now() - HOUR)).entries;
  expect(entry?.text).toBe(`x${"😀".repeat(999)}…`);
});

test("of more than the page holds the newest stay, their texts counted", () => {
  const home = aHome();
  aTeam(home);
  const messages = Array.from({ length: 3_800 }, (_, n) => ({
    ...{ id: `m-${n}`, from: "bob", text: `${n} ${"x".repeat(2_000)}`, read: false },
    timestamp: new Date(Date.now() - (3_800 - n) * 1_000).toISOString(),
  }));
  home.write(inboxOf("alice"), messages);
  const { entries } = snapshot(seeing(home), TEAM, new Date(Date.now() - 48 * HOUR));
  const length = entries.reduce((sum, { head, text }) => sum + head.length + (text?.length ?? 0), 0);
  expect(entries.at(-1)?.text).toMatch(/^3799 /);
  expect(length).toBeLessThanOrEqual(8_000_000);
  expect(length).toBeGreaterThan(7_990_000);
});

test("of this machine: every session by its name, every team to write to, and who is paused by what", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "alice"]);
  home.write(".claude/teams/other/config.json", { name: "other", members: [{ name: "carol" }] });
  const record = (session: string, more: object) =>
    home.write(`.claude/swarm/sessions/${session}/session.json`, {
      ...{ session, state: "idle", status: "done", startedAt: AT, lastSeen: AT, statusText: "at the parser" },
      ...{ pid: process.pid, pidStartedAt: startOf(process.pid), ...more },
    });
  record("alice-session", { team: TEAM, agent: "alice" });
  record("lone-session", { role: "reviewer" });
  const seen = (...pauses: object[]) => {
    home.write(
      ".claude/swarm/pauses.json",
      pauses.map((one) => ({ by: "person", since: AT, ...one })),
    );
    const { agents, recipients } = snapshot(seeing(home, new Date(AT)), undefined, new Date(AT));
    const rows = agents.sort((a, b) => a.agent.localeCompare(b.agent));
    return { recipients, rows, paused: rows.map(({ paused }) => paused) };
  };
  const { recipients, rows, paused } = seen();
  expect(snapshot(seeing(home, new Date(AT)), "none", new Date(AT)).agents).toHaveLength(2);
  expect(recipients).toEqual([
    { team: TEAM, name: "team-lead" },
    { team: TEAM, name: "alice" },
    { team: "other", name: "carol" },
  ]);
  expect(rows).toMatchObject([
    {
      key: "alice-session",
      agent: `alice@${TEAM}`,
      role: "",
      task: "at the parser",
      context: null,
      unread: 0,
    },
    { key: "lone-session", agent: "lone-ses", role: "reviewer", unread: 0, lastSeen: AT },
  ]);
  expect(paused).toEqual(["", ""]);
  expect(seen({ team: TEAM, agent: "alice" }).paused).toEqual(["own", ""]);
  expect(seen({ session: "lone-session" }).paused).toEqual(["", "own"]);
  expect(seen({ team: TEAM }).paused).toEqual(["all", ""]);
  expect(seen({}).paused).toEqual(["all", "all"]);
});

test("agents inside the lead's session have rows of their own, and are paused by their own names", () => {
  const home = aHome();
  const native = "session-0a1b2c3d";
  const members = ["team-lead", "carol", "dora"].map((name) => ({ name, tmuxPaneId: "in-process" }));
  home.write(`.claude/teams/${native}/config.json`, { name: native, leadSessionId: "s-lead", members });
  const at = { state: "idle", status: "done", startedAt: AT, lastSeen: AT };
  home.write(".claude/swarm/sessions/s-lead/session.json", {
    ...{ session: "s-lead", team: native, agent: "team-lead", ...at },
    ...{ pid: process.pid, pidStartedAt: startOf(process.pid) },
  });
  for (const agent of ["carol", "dora"])
    home.write(`.claude/swarm/agents/s-lead/a${agent}-0123456789abcdef.json`, {
      ...{ session: "s-lead", agentId: `a${agent}-0123456789abcdef`, team: native, agent, ...at },
    });
  const { agents } = snapshot(seeing(home, new Date(AT)), native, new Date(AT));
  expect(agents.map(({ agent }) => agent)).toEqual(["team-lead", "carol", "dora"]);
  expect(new Set(agents.map(({ key }) => key)).size).toBe(3);
});

test("a name that holds the team's is paused by that name", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob@atm-development"]);
  home.write(".claude/swarm/pauses.json", [
    { team: TEAM, agent: "bob@atm-development", by: "person", since: AT },
  ]);
  const { agents } = snapshot(seeing(home, new Date(AT)), TEAM, new Date(AT));
  expect(agents.map(({ paused }) => paused)).toEqual(["", "own"]);
});

test("trees: changed or clean, distance, conflicts and claims as last counted", () => {
  const home = aHome();
  const tree = aBareTree(home);
  const now = new Date();
  const at = now.toISOString();
  aTeam(home, ["team-lead", { name: "ada", cwd: home.project }]);
  for (const name of ["ada", "bob"]) {
    home.write(`.claude/swarm/sessions/${name}-s/session.json`, {
      ...{
        session: `${name}-s`,
        agent: name,
        team: TEAM,
        state: "idle",
        status: "done",
        startedAt: at,
        lastSeen: at,
      },
      ...{ pid: process.pid, pidStartedAt: startOf(process.pid) },
    });
    writePresence(home.paths, tree, { session: `${name}-s` }, now);
  }
  addClaim(home.paths, tree, now, { by: "ada-s", patterns: ["src/**"], until: undefined, why: undefined });
  const state = (report: object) => {
    const trees = [{ top: tree.top, branch: "main", agents: ["ada"], changed: 0, ...report }];
    const conflicts = [{ trees: [tree.top, "/other"], files: [{ file: "a.ts", since: at }] }];
    writeForecast(home.paths, tree, { at, trees, conflicts, leftOut: [] });
    return snapshot(seeing(home, now), TEAM, now).trees.map((one) => [one.state, one.branch, ...one.notes]);
  };
  const [clean] = state({});
  expect(clean?.slice(0, 2)).toEqual(["clean", "main"]);
  expect(clean).toContain("claims src/**");
  expect(state({ changed: 3, ahead: 2, behind: 1, against: "main" })[0]?.[0]).toBe(
    "3 changed, 2 ahead of main, 1 behind",
  );
});

test("costs by agent, and whether all of it is counted; the rest of the page counts none", () => {
  const home = aHome();
  const at = new Date(Date.now() - 60_000).toISOString();
  append(home, mainFile("s-1"), answer({ id: "m1", session: "s-1", at, input: 1_000_000, output: 5 }));
  snapshot(seeing(home), undefined, new Date(Date.now() - HOUR));
  expect(home.has(".claude/swarm/cost")).toBe(false);
  const view = costView(seeing(home), undefined, new Date(Date.now() - HOUR));
  expect(view).toMatchObject({ isCounting: false, rows: [{ messages: 1, output: 5 }] });
  expect(view.usd).toBeGreaterThan(2);
});

describe("swarm cost", () => {
  const NOW = new Date("2026-02-20T12:00:00Z");
  const cost = (home: Home, flags: Record<string, string | boolean> = {}) =>
    costVerb(aCall(home, [], flags, { now: NOW }) as never);
  /** Every look at the clock is so much later than the one before. */
  const byAClock = (stepMs: number) => {
    let now = NOW.getTime();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += stepMs));
    onTestFinished(() => clock.mockRestore());
    return clock;
  };
  const onTerminal = (isTerminal: boolean) =>
    vi.mocked(stdio.terminal).mockReturnValue({ isTerminal, columns: 80, rows: 24 });

  function aPaidTeam(): Home {
    const home = aHome();
    append(home, mainFile("s-1"), answer({ id: "m1", session: "s-1", input: 1_000_000, output: 1_000 }));
    append(home, mainFile("a-longer-name"), answer({ id: "m2", session: "a-longer-name", read: 1_000 }));
    return home;
  }

  test("a table: the dearest first, numbers to the right", () => {
    expect(cost(aPaidTeam()).text.split("\n")).toEqual([
      "AGENT          INPUT  OUTPUT  CACHE READ  WRITE 5M  WRITE 1H  MSGS      USD",
      "s-1            1.00M    1.0k           0         0         0     1    $3.02",
      "a-longer-name      0       0        1.0k         0         0     1  $0.0003",
      "total          1.00M    1.0k        1.0k         0         0     2    $3.02",
      "",
      "prices of 2026-11-17",
    ]);
  });

  test("what is used of a budget is said, unless only a part is asked for", () => {
    const home = aPaidTeam();
    home.write(".claude/swarm/settings.toml", "[budget]\nday = 3\n[cost.prices.x]\ninput = 1\noutput = 1\n");
    const line = "day 2026-02-20 has cost $3.02, 100 % of its budget of $3.00 (budget.day)";
    expect(cost(home).text.split("\n").slice(-2)).toEqual([line, "prices of 2026-11-17, and yours"]);
    expect(cost(home, { since: "8h" }).text).not.toContain(line);
    aTeam(home, [{ name: "team-lead" }, { name: "alice", sessionId: "s-1" }]);
    expect(cost(home, { team: TEAM }).text).not.toContain(line);
  });

  test("where only the client's own figure is there, it is shown", () => {
    const home = aHome();
    const models = { "claude-sonnet-4-5": { inputTokens: 1_000_000, costUSD: 3 } };
    append(home, mainFile("s-1"), [
      { type: "cost-state", sessionId: "s-1", totalCostUSD: 3, modelUsage: models, startTime: NOW.getTime() },
    ]);
    expect(cost(home).text).toMatch(/^\(billed beyond the transcripts\) +1\.00M .* \$3\.00$/m);
  });

  test("where nothing is there, of which time", () => {
    const home = aHome();
    expect(cost(home, { since: "8h" })).toEqual({
      text: "the transcripts hold no answer of a model since 2026-02-20T04:00:00.000Z",
      data: { since: "2026-02-20T04:00:00.000Z", totals: expect.anything(), rows: [] },
    });
    expect(cost(home).data.since).toBeNull();
  });

  test("a name is one line", () => {
    const home = aHome();
    const fields = { agentName: "eve\ntotal", teamName: TEAM };
    append(home, mainFile("s-1"), answer({ id: "m1", session: "s-1", output: 1, fields }));
    expect(cost(home).text).toMatch(new RegExp(`^eve total@${TEAM} `, "m"));
  });

  test("a long name is cut", () => {
    const home = aHome();
    for (const [n, length] of [
      [1, 44],
      [2, 45],
    ] as const) {
      const session = `${n}`.repeat(length);
      append(home, mainFile(session), answer({ id: session, session, output: 1 }));
    }
    const { text } = cost(home);
    expect(text).toMatch(/^1{44} /m);
    expect(text).toMatch(/^2{43}… /m);
  });

  test("models without a price are named on one line, and a model without a name is none of them", () => {
    const home = aPaidTeam();
    const other = (id: string, model: string) =>
      append(home, mainFile(id), answer({ id, session: id, output: 1, model }));
    other("s-2", "");
    expect(cost(home).text).not.toContain("no price for");
    other("s-3", "gpt\n9");
    expect(cost(home).text).toMatch(/^no price for gpt 9: \[cost\.prices\."gpt 9"\] in your/m);
    expect(cost(home).data.totals.noPrice).toEqual(["", "gpt\n9"]);
  });

  test("a name is not cut in the middle of a character", () => {
    const home = aHome();
    const fields = { agentName: "😀".repeat(30), teamName: "" };
    append(home, mainFile("s-1"), answer({ id: "m1", session: "s-1", output: 1, fields }));
    expect(cost(home).text).toMatch(/^(😀){21}… /mu);
  });

  test("what there was no time for is said", () => {
    const home = aPaidTeam();
    const clock = byAClock(130_000);
    const { text, data } = cost(home);
    expect(text).toMatch(/^not everything is read yet: 1 MB in 1 transcripts are left; run it again$/m);
    expect(data.unread).toEqual({ files: 1, bytes: expect.any(Number) });
    clock.mockRestore();
    expect(cost(home).data).not.toHaveProperty("unread");
  });

  /** The first file is nearly all of it. */
  function aLongRead(): Home {
    const home = aHome();
    home.write(mainFile("a"), `${"x".repeat(300_000)}\n`);
    for (const name of ["b", "c", "d"])
      append(home, mainFile(name), answer({ id: name, session: name, output: 1 }));
    return home;
  }

  test("on a terminal, a long read says how far it is, each figure once", () => {
    onTerminal(true);
    const home = aLongRead();
    byAClock(250);
    cost(home);
    expect(printed).toEqual([
      "\rreading transcripts: 1 of 1 MB (99 %)\u001b[K",
      "\rreading transcripts: 1 of 1 MB (100 %)\u001b[K",
      "\n",
    ]);
  });

  test("on a terminal, a read that is broken off ends its line too", () => {
    onTerminal(true);
    const home = aLongRead();
    byAClock(130_000);
    cost(home);
    expect(printed.join("")).toBe("\rreading transcripts: 1 of 1 MB (99 %)\u001b[K\n");
  });

  test.each<[string, boolean, boolean]>([
    ["elsewhere", false, false],
    ["with --json", true, true],
  ])("%s it says nothing", (_, isTerminal, json) => {
    onTerminal(isTerminal);
    byAClock(250);
    cost(aLongRead(), { json });
    expect(printed).toEqual([]);
  });
});
