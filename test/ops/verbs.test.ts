// The verbs of upkeep and looking back, in one process: config, journal, explain, gc, report, doctor.
import fs, { chmodSync, existsSync, mkdirSync, statSync, utimesSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readClientSettings } from "../../lib/core/client-settings.ts";
import { appendError, appendJournal } from "../../lib/core/journal.ts";
import { SessionStart } from "../../lib/hook/events.ts";
import { bugReportVerb } from "../../lib/ops/bug-report.ts";
import { sessionStart } from "../../lib/ops/hooks.ts";
import { ownersIn } from "../../lib/ops/leftovers.ts";
import { isUpkeepDue, readHeartbeatMarks, releaseLock } from "../../lib/ops/store/state-files.ts";
import { addPauses } from "../../lib/sessions/store/pauses.ts";
import { writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { aCall } from "../support/a-call.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { anEasyNode } from "../support/an-easy-node.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { virtualTime } from "../support/in-no-time.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});
const run = (args: string[], env: Record<string, string> = {}) => callSwarm(home, args, { env });
const json = async (args: string[], env: Record<string, string> = {}) =>
  JSON.parse((await run([...args, "--json"], env)).stdout);
const PERSONAL = ".claude/swarm/settings.toml";
const DAY_MS = 86_400_000;

describe("config", () => {
  test("one setting: its value, where it comes from, who may set it", async () => {
    home.write(PERSONAL, "[gate]\nmax_depth = 3\n");
    const { settings } = await json(["config", "gate.max_depth"]);
    expect(settings).toMatchObject([
      { name: "gate.max_depth", value: 3, source: "person", reach: "project-tightens" },
    ]);
    const { stdout } = await run(["config", "gate.max_depth"]);
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      `person:  ${home.path(PERSONAL)}`,
      "project: no .atm.toml here",
      "",
      expect.stringMatching(/^gate\.max_depth = 3 {2}\(person\) {2}\w/),
    ]);
  });

  test("where a default applies is said of a default alone", async () => {
    const where = "in a project with an .atm.toml";
    const { stdout } = await run(["config", "gate.orchestrators"]);
    expect(stdout).toContain(`(default, ${where}`);
    home.write(PERSONAL, '[gate]\norchestrators = ["x"]\n');
    expect((await run(["config", "gate.orchestrators"])).stdout).not.toContain(where);
  });

  test("how the person is called is shown by host and program alone: the rest is a secret", async () => {
    const targets = ["desktop", "ntfy:https://ann:pw@ntfy.sh/topic", ["notify", "--token", "abc"], ["beep"]];
    home.write(PERSONAL, `[notify]\ntargets = ${JSON.stringify(targets)}\n`);
    const { settings } = await json(["config", "notify.targets"]);
    const value = ["desktop", "ntfy:https://ntfy.sh/…", ["notify", "…"], ["beep"]];
    expect(settings).toMatchObject([{ value, source: "person" }]);
    expect((await run(["config"])).stdout).toContain(`notify.targets = ${JSON.stringify(value)}  (person)`);
  });

  test("an unknown one is refused with the nearest name", async () =>
    expect(await run(["config", "gate.max_dept"])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("did you mean gate.max_depth?"),
    }));

  test("all of them, each once, and what has no effect", async () => {
    home.write("project/.atm.toml", "[nonsense]\nx = 1\n");
    const { settings, problems, files } = await json(["config"]);
    const names = settings.map(({ name }: { name: string }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(40);
    expect(problems).toEqual([expect.stringContaining("nonsense")]);
    expect(files.project).toBe(home.path("project/.atm.toml"));
    const { stdout } = await run(["config"]);
    expect(stdout).toContain(`project: ${home.path("project/.atm.toml")}`);
    expect(stdout).toMatch(/\n\n! .*nonsense.*\n$/);
    expect(stdout).toMatch(/^core\.default_team = unset {2}\(default/m);
  });
});

describe("journal", () => {
  const note = (what: string, more: object = {}) =>
    appendJournal(home.paths, NOON, {
      event: "PreToolUse",
      session: "0123456789",
      agent: "main",
      feature: "f",
      what,
      ...more,
    });
  const lines = async (...args: string[]) =>
    (await json(["journal", "--day", "2026-02-20", ...args])).map(({ what }: { what: string }) => what);

  test("a day's lines: all, the last, the decisions, one session's", async () => {
    for (const what of ["deny", "note", "ask", "warn"]) note(what);
    note("other", { session: "another" });
    expect(await lines()).toEqual(["deny", "note", "ask", "warn", "other"]);
    expect(await lines("--last", "2")).toEqual(["warn", "other"]);
    expect(await lines("--denied")).toEqual(["deny", "ask"]);
    expect(await lines("--session-id", "another")).toEqual(["other"]);
    expect((await run(["journal", "--day", "2026-02-21"])).stdout).toBe("No entries on 2026-02-21.\n");
    expect((await run(["journal"])).stdout).toMatch(/^No entries on \d{4}-\d\d-\d\d\.\n$/);
  });

  test("the whole day counts, however long, with its rotated part, and a line without its fields", async () => {
    const at = new Date();
    const path = `.claude/swarm/journal/${at.toISOString().slice(0, 10)}.jsonl`;
    const lineOf = (what: string) => `${JSON.stringify({ at: at.toISOString(), what, feature: "f" })}\n`;
    home.write(`${path}.1`, lineOf("deny"));
    home.write(path, lineOf("ask") + lineOf("note").repeat(10_000));
    const decisions = await json(["journal", "--denied"]);
    expect(decisions.map(({ what }: { what: string }) => what)).toEqual(["deny", "ask"]);
    expect((await run(["journal", "--last", "1"])).stdout).toMatch(/ {2}f: note\n$/);
    expect(await json(["explain"])).toMatchObject({ what: "ask" });
  });

  test("twenty lines where nothing is said, and each as text without empty details", async () => {
    for (let n = 0; n < 22; n++) note(`n${n}`, { rule: "", n, gone: undefined });
    expect(await lines()).toHaveLength(20);
    const { stdout } = await run(["journal", "--day", "2026-02-20", "--last", "1"]);
    expect(stdout).toMatch(
      /^2026-02-20T12:00:00.000Z {2}\S+ {2}PreToolUse {2}01234567\/main {2}f: n21 {2}n=21\n$/,
    );
  });

  test.each([
    [["--day", "today"], "--day is a date"],
    [["--last", "0"], "--last is a number"],
    [["--last", "x"], "--last is a number"],
  ])("%j is a bad call", async (args, why) =>
    expect(await run(["journal", ...args])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(why),
    }),
  );

  test("explain: the last decision of the session, of any session, by id, or none", async () => {
    const now = new Date();
    const at = (days: number, what: string, session: string, more: object = {}) =>
      appendJournal(home.paths, new Date(now.getTime() - days * DAY_MS), {
        ...{ event: "PreToolUse", agent: "main", feature: "comms", rule: "comms-x", reason: "a\nb\u001b" },
        ...{ session, what, ...more },
      });
    const SESSION = { CLAUDE_CODE_SESSION_ID: "s-1" };
    expect((await run(["explain"])).stderr).toContain("no decision in the last 14 days");
    expect((await run(["explain"], SESSION)).stderr).toContain(
      "no decision of session s-1 in the last 14 days",
    );
    expect((await run(["explain", "x-1"])).stderr).toContain("no decision x-1");
    expect(await run(["explain", "x/1"])).toMatchObject({ exitCode: 2 });
    at(20, "deny", "s-1");
    expect((await run(["explain"], SESSION)).exitCode).toBe(1);
    at(2, "deny", "s-1", { tool: "Bash", input: '{"command":"x"}', files: 3, reason: "a\rb\u001b" });
    at(1, "note", "s-1");
    at(0, "ask", "s-2");
    const own = await json(["explain"], SESSION);
    expect(own).toMatchObject({ what: "deny", session: "s-1" });
    expect(await json(["explain"])).toMatchObject({ what: "ask", session: "s-2" });
    const { stdout } = await run(["explain", own.id]);
    expect(stdout.split("\n").slice(0, 12)).toEqual([
      `decision   ${own.id}: denied`,
      `when       ${own.at}, at PreToolUse`,
      "who        main of session s-1",
      "feature    comms",
      "rule       comms-x",
      'asked for  Bash {"command":"x"}',
      "files      3",
      "",
      "reason:",
      "  a",
      "  b",
      "",
    ]);
    expect(stdout).toContain(`to change it (settings belong into ${home.path(PERSONAL)}):\n  # `);
    expect(stdout).toContain("  [comms]\n  tools = []\n");
    expect(stdout).toContain("  SWARM_DISABLE=comms claude");
  });

  test("what is no decision gets no advice", async () => {
    const now = new Date();
    const event = { event: "PreToolUse", session: "s-1", agent: "main", feature: "spawn-gate" };
    appendJournal(home.paths, now, { ...event, what: "spawn" });
    const [{ id }] = await json(["journal", "--day", now.toISOString().slice(0, 10)]);
    const { stdout } = await run(["explain", id]);
    expect(stdout).toContain(": allowed\n");
    expect(stdout).not.toContain("to change it");
    expect(await json(["explain", id])).toMatchObject({ change: [] });
  });
});

describe("gc", () => {
  const old = (name: string, days = 40, text = "x".repeat(2_048)) => {
    const at = Date.now() / 1000 - (days * DAY_MS) / 1000;
    utimesSync(home.write(name, text), at, at);
    return home.path(name);
  };

  test("nothing to do", async () => {
    home.write(".claude/swarm/journal/2026-02-20.jsonl", "x");
    expect((await run(["gc"])).stdout).toBe(
      "Nothing to remove: no orphaned files older than 30 days (1 file, 1 KB in all).\n",
    );
    expect((await run(["gc", "--days", "1"])).stdout).toContain("older than 1 day (");
    expect(await json(["gc"])).toEqual({ found: [], done: false });
  });

  test("by kind, three of each and how many more; --yes removes them and says so in the journal", async () => {
    const files = [1, 2, 3, 4].map((n) => old(`.claude/swarm/journal/2025-01-0${n}.jsonl`));
    const session = old(".claude/swarm/sessions/s-old/session.json");
    const { stdout } = await run(["gc"]);
    expect(stdout.split("\n")).toEqual([
      "journal: 4, 8 KB",
      ...files.slice(0, 3).map((path) => `  ${path}`),
      "  and 1 more",
      expect.stringMatching(/^session.*: 1, 2 KB$/),
      `  ${session}`,
      "10 KB of 5 files, 10 KB in all",
      "Nothing was removed; `swarm gc --yes` removes them.",
      "",
    ]);
    expect(await json(["gc"])).toMatchObject({ bytes: 10_240, done: false });
    expect((await run(["gc", "--yes"], { CLAUDE_CODE_SESSION_ID: "s-1" })).stdout).toBe(
      "Removed 5 files, 10 KB.\n",
    );
    expect([...files, session].filter(existsSync)).toEqual([]);
    const day = new Date().toISOString().slice(0, 10);
    expect(await json(["journal", "--day", day])).toMatchObject([
      { event: "command", agent: "main", session: "s-1", what: "pruned", files: 5, bytes: 10_240 },
    ]);
  });

  describe("a file that may not be removed keeps no other, and is named", () => {
    const [closed, other] = [
      ".claude/swarm/journal/2025-01-01.jsonl",
      ".claude/swarm/journal/2025-01-02.jsonl",
    ];
    beforeEach(() => {
      for (const name of [closed, other]) old(name);
      const real = fs.rmSync;
      const remove = vi.spyOn(fs, "rmSync").mockImplementation((path, options) => {
        if (path === home.path(closed)) throw new Error(`EACCES: permission denied, unlink '${path}'`);
        real(path, options);
      });
      syncBuiltinESMExports();
      onTestFinished(() => {
        remove.mockRestore();
        syncBuiltinESMExports();
      });
    });

    test("by gc", async () =>
      expect((await run(["gc", "--yes"])).stdout).toBe(
        `Removed 1 file, 2 KB.\nnot removed: EACCES: permission denied, unlink '${home.path(closed)}'\n`,
      ));

    test("by gc --all", async () => {
      const { stdout } = await run(["gc", "--all", "--yes"]);
      expect(stdout).toBe(
        `Removed 1 file or directory.\nnot removed: EACCES: permission denied, unlink '${home.path(closed)}'\n`,
      );
    });

    test.each([[["gc"]], [["gc", "--all"]]])("in JSON too: %j", async (words) =>
      expect((await json([...words, "--yes"])).left).toEqual([
        `not removed: EACCES: permission denied, unlink '${home.path(closed)}'`,
      ]),
    );

    test("by the daily upkeep", () => {
      sessionStart(aContext(home, SessionStart, {}, { now: new Date() }))?.after?.();
      expect([closed, other].filter(home.has)).toEqual([closed]);
    });
  });

  test("a person's removal is a person's", async () => {
    old(".claude/swarm/journal/2025-01-01.jsonl");
    expect(await json(["gc", "--yes"])).toMatchObject({ done: true, bytes: 2_048 });
    const day = new Date().toISOString().slice(0, 10);
    expect(await json(["journal", "--day", day])).toMatchObject([{ agent: "person", session: "" }]);
  });

  test("an archived team counts in the sum as well", async () => {
    old(".claude/archives/old-20260101T000000Z/team/config.json");
    utimesSync(home.path(".claude/archives/old-20260101T000000Z"), 1, 1);
    expect((await run(["gc"])).stdout).toContain("\n2 KB of 1 file, 2 KB in all\n");
  });

  test.each([
    [["--all", "--days", "3"], "exclude each other"],
    [["--days", "0"], "--days is a number of days"],
    [["--days", "1.5"], "--days is a number of days"],
  ])("%j is a bad call", async (args, why) =>
    expect(await run(["gc", ...args])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) }),
  );

  test("upkeep is due once a day, marks itself, and removes what is old", () => {
    const file = old(".claude/swarm/journal/2025-01-01.jsonl");
    const wanted = old(".claude/swarm/reports/r.html");
    const now = new Date();
    const start = () => sessionStart(aContext(home, SessionStart, {}, { now }));
    expect(isUpkeepDue(home.paths, now)).toBe(true);
    start()?.after?.();
    expect([existsSync(file), existsSync(wanted)]).toEqual([false, true]);
    expect(home.lines(`.claude/swarm/journal/${now.toISOString().slice(0, 10)}.jsonl`)).toMatchObject([
      { event: "SessionStart", session: "s-1", feature: "upkeep", what: "pruned", files: 1 },
    ]);
    expect(start()).toBeUndefined();
    const later = (ms: number) => isUpkeepDue(home.paths, new Date(Date.now() + ms));
    expect([later(DAY_MS - 60_000), later(DAY_MS + 60_000)]).toEqual([false, true]);
    // The clock was set back.
    expect([later(60_000 - DAY_MS), later(-DAY_MS - 60_000)]).toEqual([false, true]);
  });

  test("upkeep has a limited time: what is left waits, and nothing removed is nothing to tell", () => {
    const file = old(".claude/swarm/journal/2025-01-01.jsonl");
    const at = Date.now();
    const clock = vi.spyOn(Date, "now").mockReturnValueOnce(at);
    onTestFinished(() => clock.mockRestore());
    clock.mockReturnValue(at + 301);
    sessionStart(aContext(home, SessionStart, {}, { now: new Date(at) }))?.after?.();
    expect(existsSync(file)).toBe(true);
    expect(home.has(`.claude/swarm/journal/${new Date(at).toISOString().slice(0, 10)}.jsonl`)).toBe(false);
  });

  test("where listing alone takes longer, upkeep removes something all the same", () => {
    const file = old(".claude/swarm/journal/2025-01-01.jsonl");
    let at = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => at);
    const real = fs.lstatSync;
    const slowly = ((path: string, options: object) => {
      at += 400;
      return real(path, options);
    }) as typeof fs.lstatSync;
    const listing = vi.spyOn(fs, "lstatSync").mockImplementation(slowly);
    syncBuiltinESMExports();
    onTestFinished(() => {
      clock.mockRestore();
      listing.mockRestore();
      syncBuiltinESMExports();
    });
    sessionStart(aContext(home, SessionStart, {}, { now: new Date(at) }))?.after?.();
    expect(existsSync(file)).toBe(false);
  });

  test("a lock is released by its own rules: one that is held stays, and another failure is an error", () => {
    onTestFinished(virtualTime());
    const lock = home.path("held.lock");
    mkdirSync(lock);
    expect(releaseLock(lock)).toBe(false);
    expect(existsSync(lock)).toBe(true);
    expect(releaseLock(home.path("free.lock"))).toBe(true);
    home.write("file", "");
    expect(() => releaseLock(home.path("file/x.lock"))).toThrow();
  });

  test("a directory that cannot be listed is an error, unless it is missing or not ours to read", () => {
    const marksIn = (tmp: string) => readHeartbeatMarks({ ...home.paths, tmp });
    expect(marksIn(home.path("nowhere"))).toEqual([]);
    expect(() => marksIn(`/${"x".repeat(300)}`)).toThrow("ENAMETOOLONG");
  });

  test("a session is needed while it runs, or a team may resume it", () => {
    aTeam(home, [{ name: "bob", sessionId: "s-bob" }]);
    const at = NOON.toISOString();
    const record = (session: string, more: object) =>
      writeSession(home.paths, { session, state: "", status: "", startedAt: at, lastSeen: at, ...more });
    record("s-live", { pid: process.pid, pidStartedAt: startOf(process.pid) });
    record("s-gone", { pid: process.pid, pidStartedAt: "1" });
    record("s-none", {});
    const owners = ownersIn(home.paths);
    const of = (is: (session: string) => boolean) =>
      ["s-bob", "lead-session", "s-live", "s-gone", "s-none", "s-unknown", "../x"].filter(is);
    expect(of(owners.isNeeded)).toEqual(["s-bob", "lead-session", "s-live"]);
    expect(of(owners.isRunning)).toEqual(["s-live"]);
    expect([owners.isAlive(process.pid), owners.isAlive(4_194_300)]).toEqual([true, false]);
  });
});

describe("report", () => {
  test.each<[string, string[], Record<string, string>, RegExp]>([
    ["the caller's own team", [], as("bob"), /swarm-report-atm-dev-/],
    ["a team that is named", ["--team", TEAM], {}, /swarm-report-atm-dev-/],
    ["everything", ["--all"], as("bob"), /swarm-report-this-machine-/],
    ["no team", [], {}, /swarm-report-this-machine-/],
    ["a team that is not there", [], { CLAUDE_CODE_TEAM_NAME: "nope" }, /swarm-report-this-machine-/],
    ["what is no team's name", [], { CLAUDE_CODE_TEAM_NAME: "../x" }, /swarm-report-this-machine-/],
  ])("of %s", async (_, args, env, name) => {
    aTeam(home);
    home.write(inboxOf("bob"), [
      aMessage("alice", "hi", { timestamp: new Date(Date.now() - 1_000).toISOString() }),
    ]);
    const { path, entries } = await json(["report", ...args], env);
    expect(path).toMatch(name);
    expect(entries).toBe(1);
    expect(existsSync(path)).toBe(true);
    expect((await run(["report", ...args], env)).exitCode).toBe(0);
  });

  test("tasks have their team's name where the report is of all", async () => {
    aTeam(home);
    home.write(`.claude/tasks/${TEAM}/7.json`, { id: "7", subject: "s", status: "pending", blockedBy: [] });
    const page = async (...args: string[]) => (await run(["report", "--out", "-", ...args])).stdout;
    expect(await page("--all")).toContain(`${TEAM} #7`);
    expect(await page("--team", TEAM)).not.toContain(`${TEAM} #7`);
  });

  test("a bug report is readable by its person alone, and so are the directories made for it", async () => {
    const { path } = await json(["bug-report"]);
    const modes = [path, home.path(".claude/swarm")].map((one) => statSync(one).mode & 0o777);
    expect(modes).toEqual([0o600, 0o700]);
    expect(await run(["bug-report", "--out", path])).toMatchObject({ exitCode: 2 });
  });

  test("a bug report without secrets of the environment and the home; an author's name is no secret", () => {
    const at = new Date().toISOString();
    const error = `swarm-dev said hunter-2 in ${home.root}/x`;
    appendError(home.paths, { at, event: "Stop", error });
    const env = { GIT_AUTHOR_NAME: "swarm-dev", MY_AUTHORIZATION: "hunter-2" };
    const errorIn = (root: string) => {
      const call = { ...aCall(home, [], { out: "-" }, { env }), paths: { ...home.paths, home: root } };
      return bugReportVerb(call, "1").data;
    };
    expect(errorIn(home.root)).toMatchObject({ errors: [{ error: "swarm-dev said [removed] in ~/x" }] });
    const whole = error.replace("hunter-2", "[removed]");
    expect(errorIn("/")).toMatchObject({ errors: [{ error: whole }] });
  });

  test("a bug report counts files by kind and decisions by rule", async () => {
    for (const day of ["01", "02"]) home.write(`.claude/swarm/journal/2026-01-${day}.jsonl`, "x".repeat(10));
    home.write(".claude/swarm/what-is-this", "xyz");
    const at = { event: "PreToolUse", session: "s", agent: "main", feature: "comms" };
    for (const what of ["deny", "deny", "ask", "note"])
      appendJournal(home.paths, new Date(), { ...at, what });
    const report = await json(["bug-report", "--out", "-"]);
    expect(report.files).toMatchObject({ journal: { files: 3 }, other: { files: 1, bytes: 3 } });
    expect(report.decisions).toEqual({ "comms deny": 2, "comms ask": 1 });
  });

  test("runs: of the team, or of all", async () => {
    aTeam(home);
    const at = new Date().toISOString();
    const aRun = (id: string, agent: string, more: object) => ({
      ...{ id, began: at, ended: at, command: "npm test", tree: "/t", agent, session: "s", others: [] },
      ...more,
    });
    const runs = [
      aRun("r-own", "bob", { team: TEAM, exitCode: 0 }),
      aRun("r-other", "zoe", { team: "ops", exitCode: 1, isWhole: true }),
      aRun("r-solo", "main", {}),
      aRun("r-old", "bob", { team: TEAM, ended: "2020-01-01T00:00:00Z" }),
    ];
    home.write(
      ".claude/swarm/repositories/x/runs.jsonl",
      runs.map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
    const ids = async (...args: string[]) =>
      ((await run(["report", "--out", "-", ...args])).stdout.match(/r-(own|other|solo|old)/g) ?? []).sort();
    expect(await ids("--team", TEAM)).toEqual(["r-own"]);
    expect(await ids("--all")).toEqual(["r-other", "r-own", "r-solo"]);
    const { stdout } = await run(["report", "--all", "--out", "-"]);
    for (const text of ["zoe@ops", "1 (whole command)", `bob@${TEAM}`]) expect(stdout).toContain(text);
  });

  test("to the screen, to a file, never over another's", async () => {
    expect((await run(["report", "--out", "-"])).stdout).toMatch(/^<!doctype html>/i);
    expect((await run(["report", "--out", "a.html"])).stdout).toContain(home.path("project/a.html"));
    home.write("project/b.html", "mine");
    expect(await run(["report", "--out", "b.html"])).toMatchObject({ exitCode: 2 });
    expect(home.read("project/b.html")).toBe("mine");
    expect(await run(["report", "--all", "--team", TEAM])).toMatchObject({ exitCode: 1 });
    aTeam(home);
    expect(await run(["report", "--all", "--team", TEAM])).toMatchObject({ exitCode: 2 });
  });
});

test.each<[string, object | undefined, object | undefined, object]>([
  ["nothing", undefined, undefined, { env: {}, isInstalled: false, isEnabled: undefined }],
  ["installed", {}, { plugins: { "swarm@market": [] } }, { isInstalled: true, isEnabled: undefined }],
  ["enabled", { enabledPlugins: { "other@m": false, "swarm@m": true } }, {}, { isEnabled: true }],
  ["switched off", { enabledPlugins: { "swarm@m": false } }, {}, { isInstalled: false, isEnabled: false }],
  ["variables", { env: { A: "1", B: 2 } }, {}, { env: { A: "1", B: "2" } }],
])("the client's settings: %s", (_, settings, plugins, expected) => {
  if (settings) home.write(".claude/settings.json", settings);
  if (plugins) home.write(".claude/plugins/installed_plugins.json", plugins);
  expect(readClientSettings(home.paths)).toMatchObject(expected);
});

describe("doctor", () => {
  beforeEach(anEasyNode);
  const findings = async (env: Record<string, string> = {}): Promise<string[]> =>
    (await json(["doctor"], env)).findings.map(
      (one: { level: string; what: string; evidence: string[] }) =>
        `${one.level} ${one.what}${one.evidence.length > 0 ? ` | ${one.evidence.join("; ")}` : ""}`,
    );
  const starting = (all: string[], begin: string) => all.filter((one) => one.startsWith(begin));

  test("pauses by their scope", async () => {
    const since = NOON.toISOString();
    expect(starting(await findings(), "warn agents are paused")).toEqual([]);
    addPauses(home.paths, [
      { since, by: "me" },
      { team: "t", since, by: "me", why: "lunch" },
      { team: "t", agent: "bob", since, by: "me" },
      { session: "0123456789", since, by: "me" },
    ]);
    const [found] = starting(await findings(), "warn agents are paused");
    for (const scope of [
      `everything: by me since ${since}`,
      `t: by me since ${since}: lunch`,
      "bob@t: by",
      "session 01234567: by",
    ])
      expect(found).toContain(scope);
  });

  test("teams: without a config, with a lost lead or member, and those at rest", async () => {
    const gone = { pid: 4_194_300, pidStartedAt: "1" };
    aTeam(home, [
      { name: "team-lead", sessionId: "lead-session", ...gone },
      { name: "bob", sessionId: "s-bob", ...gone },
      { name: "eve", sessionId: "s-eve", status: "offline", ...gone },
      { name: "ann", sessionId: "s-ann", pid: process.pid, pidStartedAt: startOf(process.pid) },
    ]);
    mkdirSync(home.path(".claude/teams/empty"));
    const all = await findings();
    expect(starting(all, `warn the lead of ${TEAM} is gone`)).toHaveLength(1);
    const [lost = ""] = starting(all, `warn 1 member of ${TEAM} ended unexpectedly`);
    expect(lost).toContain("| bob: ");
    for (const status of ["suspended", "archived"]) {
      const config = home.json(`.claude/teams/${TEAM}/config.json`);
      home.write(`.claude/teams/${TEAM}/config.json`, { ...config, status });
      expect((await findings()).filter((one) => one.includes(`of ${TEAM} `))).toEqual([]);
    }
  });

  test("a team of the client whose lead is gone, and clients that ended without a word", async () => {
    const native = (name: string, more: object) =>
      home.write(`.claude/teams/${name}/config.json`, { name, members: [], ...more });
    native("session-0a1b2c3d", { leadProcess: { pid: 4_194_300, procStart: "1" } });
    const alive = { leadProcess: { pid: process.pid, procStart: startOf(process.pid) } };
    native("session-1a1b2c3d", { ...alive, leadSessionId: "s-ended" });
    native("session-2a1b2c3d", {});
    native("session-3a1b2c3d", { leadSessionId: "s-ended" });
    native("session-4a1b2c3d", { leadSessionId: "s-live" });
    const at = NOON.toISOString();
    const record = { state: "", status: "", startedAt: at, lastSeen: at };
    writeSession(home.paths, { ...record, session: "s-ended", endedAt: at });
    writeSession(home.paths, {
      ...record,
      session: "s-live",
      pid: process.pid,
      pidStartedAt: startOf(process.pid),
    });
    const known = (pid: number, startedAt: string | undefined) =>
      home.write(`.claude/swarm/processes/${pid}.json`, { pid, startedAt, session: `s-${pid}` });
    known(4_194_301, "1");
    known(process.pid, startOf(process.pid));
    const all = await findings();
    const [left] = starting(all, "warn 2 teams of the client left behind");
    for (const one of ["session-0a1b2c3d: process 4194300", "session-3a1b2c3d: "])
      expect(left).toContain(one);
    expect(starting(all, "warn 1 client ended unexpectedly")[0]).toContain(
      "process 4194301, session s-4194301",
    );
    expect(starting(all, "ok 0 named teams")).toEqual([]);
  });

  test("settings by who made them, and calls to the person where a target is set", async () => {
    expect(starting(await findings(), "ok you are called")).toEqual([]);
    home.write(PERSONAL, '[gate]\nmax_depth = 3\n[notify]\ntargets = ["desktop"]\n');
    home.write("project/.atm.toml", '[core]\ndefault_team = "x"\n');
    const all = await findings();
    expect(starting(all, "ok the settings are in order")).toEqual([
      "ok the settings are in order | 2 of yours, 1 of the project",
    ]);
    expect(starting(all, "ok you are called when an agent needs you")).toHaveLength(1);
  });

  test("the client's own directory may be open", async () => {
    aTeam(home);
    chmodSync(home.path(".claude/teams"), 0o755);
    mkdirSync(home.path(".claude/swarm"), { mode: 0o700 });
    expect(starting(await findings(), "ok the state directory is in order")).toHaveLength(1);
  });

  test("nothing left behind is said once", async () =>
    expect(starting(await findings(), "ok 0 named teams, nothing left behind")).toHaveLength(1));

  test("errors by feature, the newest quoted, and none is in order", async () => {
    expect(starting(await findings(), "ok no error in the last day")).toHaveLength(1);
    const at = new Date().toISOString();
    const errors = [
      { at, event: "Stop", feature: "inbox", error: "one" },
      { at, event: "Stop", feature: "inbox", error: "two\u001b\nlines" },
      { at, event: "Stop\u001b", error: "three" },
      { at: "2026-01-01T00:00:00Z", event: "Stop", feature: "old", error: "four" },
    ];
    home.write(".claude/swarm/errors.jsonl", errors.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect(starting(await findings(), "warn 3 errors")).toEqual([
      "warn 3 errors in the last day | inbox: 2, the last: two lines; Stop: 1, the last: three",
    ]);
  });

  test("agents that share a repository, and whether the shell's writes are seen", async () => {
    const at = new Date().toISOString();
    const present = (agent: string, repository: string) => {
      const session = `${agent}-session`;
      const base = { session, agent, state: "active", status: "", startedAt: at, lastSeen: at };
      writeSession(home.paths, { ...base, pid: process.pid, pidStartedAt: startOf(process.pid) });
      home.write(`.claude/swarm/repositories/${repository}/agents/1f.${session}.json`, {
        ...{ session, tree: home.path(repository), since: at },
      });
    };
    present("amy", "shop");
    expect((await findings()).filter((one) => one.includes("shared by live agents"))).toEqual([]);
    present("bob", "shop");
    present("eve", "alone");
    const shared = "1 repository shared by live agents";
    const who = `| amy, bob: ${home.path("shop")}`;
    expect(starting(await findings(), `ok ${shared}`)).toEqual([`ok ${shared} ${who}`]);
    const unseen = `warn ${shared}, and writes by the shell are not seen`;
    for (const off of ["[guard]\nenabled = false\n", "[features]\ncommand-guard = false\n"]) {
      home.write(PERSONAL, off);
      expect(starting(await findings(), unseen)).toEqual([`${unseen} ${who}`]);
    }
    home.write(PERSONAL, "");
    expect(starting(await findings({ SWARM_DISABLE: "command-guard" }), unseen)).toHaveLength(1);
  });

  test("sessions whose window nothing tells", async () => {
    const at = NOON.toISOString();
    const record = (session: string, model: string | undefined, more: object = {}) => {
      const usage = { type: "assistant", message: { model, usage: { input_tokens: 9 } } };
      const transcript = home.write(`${session}.jsonl`, `${JSON.stringify(usage)}\n`);
      const base = { session, state: "", status: "", startedAt: at, lastSeen: at };
      writeSession(home.paths, { ...base, transcript, ...(model ? { model } : {}), ...more });
    };
    record("s-unknown", "some-model");
    record("s-nameless", undefined);
    record("s-known", "claude-opus-4-8");
    record("s-ended", "some-model", { endedAt: at });
    const [found = ""] = starting(await findings(), "warn the context window of 2 sessions is not known");
    expect(found).toContain("session s-unknown, model some-model");
    expect(found).toContain("session s-nameless, model not named");
  });

  test("a check that breaks off is a finding and hides no other", async () => {
    home.write(`.claude/teams/${TEAM}/config.json/x`, "");
    const all = await findings();
    const config = home.path(`.claude/teams/${TEAM}/config.json`);
    expect(starting(all, "bad a check")[0]).toBe(
      `bad a check of the doctor broke off | ${config} is not a regular file`,
    );
    expect(starting(all, "ok no error in the last day")).toHaveLength(1);
  });

  test("repairs: nothing, shown, done, and in whose name", async () => {
    expect(await run(["doctor", "--yes"])).toMatchObject({ exitCode: 2 });
    expect((await run(["doctor", "--fix"])).stdout).toBe("Nothing to repair.\n");
    const damaged = home.write(".claude/swarm/x.json.corrupt-2026", "{");
    expect((await run(["doctor", "--fix"])).stdout).toBe(
      `would delete ${damaged}\nNothing was repaired; \`swarm doctor --fix --yes\` does it.\n`,
    );
    expect((await run(["doctor", "--fix", "--yes"], { CLAUDE_CODE_SESSION_ID: "s-1" })).stdout).toBe(
      `deleted ${damaged}\n`,
    );
    const day = new Date().toISOString().slice(0, 10);
    expect(await json(["journal", "--day", day])).toMatchObject([
      { what: "deleted", agent: "main", session: "s-1" },
    ]);
  });
});
