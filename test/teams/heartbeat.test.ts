import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as events from "../../lib/hook/events.ts";
import type { Section } from "../../lib/hook/outcome.ts";
import { linkChange } from "../../lib/mail/store/broadcasts.ts";
import { broadcastsDir } from "../../lib/mail/store/mailbox-files.ts";
import { newMessage } from "../../lib/mail/store/message.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as heartbeat from "../../lib/teams/hooks.ts";
import { teamStatus } from "../../lib/teams/registration.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, CONFIG, inboxOf, member, TEAM } from "../support/a-team.ts";
import { anError, onFileCalls } from "../support/file-calls.ts";
import { inNoTime } from "../support/in-no-time.ts";

/** A process that has certainly ended. */
const gone = () => spawnSync(process.execPath, ["-e", ""]).pid;
const alive = () => ({ pid: process.pid, pidStartedAt: startOf(process.pid) });
const INSIDE = { CLAUDE_PID: String(process.pid) };
const later = (s: number) => new Date(NOON.getTime() + s * 1000);
type Input = Record<string, unknown>;

function start(home: Home, agent: string, input: Input = {}, env: Record<string, string> = INSIDE) {
  const ctx = aContext(home, events.SessionStart, { source: "startup", ...input }, { env: as(agent, env) });
  return heartbeat.sessionStart(ctx) || {};
}

function beat(home: Home, agent: string, now = NOON, input: Input = {}) {
  const outcome = heartbeat.beat(aContext(home, events.Notification, input, { env: as(agent, INSIDE), now }));
  if (outcome) outcome.after?.();
}

function end(home: Home, agent: string, input: Input = {}, env: Record<string, string> = INSIDE) {
  const ctx = aContext(home, events.SessionEnd, { reason: "other", ...input }, { env: as(agent, env) });
  const outcome = heartbeat.sessionEnd(ctx);
  if (outcome) outcome.after?.();
  return outcome;
}

describe("registration", () => {
  test("a member that starts is active, with its session, process and pane", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob", status: "offline", model: "opus" }]);
    start(home, "bob", {}, { ...INSIDE, TMUX: "/tmp/tmux-0/default,1,0", TMUX_PANE: "%7" });
    expect(member(home, "bob")).toMatchObject({
      status: "active",
      sessionId: "s-1",
      ...alive(),
      paneId: "%7",
      socket: "/tmp/tmux-0/default",
      lastSeen: "2026-02-20T12:00:00Z",
      model: "opus",
    });
    expect(home.json(CONFIG).keptBySomebodyElse).toBe(true);
  });

  test("a start is its first heartbeat: the next is due a minute later", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob", status: "offline" }]);
    start(home, "bob");
    beat(home, "bob", later(30));
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:00:00Z");
    beat(home, "bob", later(61));
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:01:01Z");
  });

  test("a start that finds the config locked is registered by the next heartbeat", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob", status: "offline", sessionId: "s-0", lastSeen: "2026-02-20T11:59:59Z" }]);
    beat(home, "bob", NOON, { session_id: "s-0" }); // of the session before this one
    const lock = home.path(`${CONFIG}.lock`);
    mkdirSync(lock);
    inNoTime(() => {
      start(home, "bob");
      beat(home, "bob"); // and so does this one
    });
    expect(member(home, "bob")).toMatchObject({ status: "offline", sessionId: "s-0" });
    rmdirSync(lock);
    beat(home, "bob");
    expect(member(home, "bob")).toMatchObject({ status: "active", sessionId: "s-1", ...alive() });
  });

  test("a hook run by hand does not register the shell it was run from", () => {
    const home = aHome();
    aTeam(home);
    start(home, "bob", { session_id: "" }, {});
    expect(member(home, "bob")).toMatchObject({ status: "active", lastSeen: "2026-02-20T12:00:00Z" });
    expect(member(home, "bob")).not.toHaveProperty("pid");
  });

  test("a second client under a living member's name is notified and changes nothing", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob", ...alive(), sessionId: "the-real-bob" }]);
    const before = home.read(CONFIG);
    const { context } = start(home, "bob", {}, { CLAUDE_PID: "4190001" });
    expect(context).toContain(`belongs to another live session (process ${process.pid})`);
    expect(end(home, "bob", {}, { CLAUDE_PID: "4190001" })).toBeUndefined();
    expect(home.read(CONFIG)).toBe(before);
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });

  test.each([
    ["/clear in the lead's own process keeps it the lead", alive(), "s-1"],
    [
      "another process does not become the lead by starting",
      { pid: gone(), pidStartedAt: "1" },
      "lead-session",
    ],
    ["nor one of another start under its number", { ...alive(), pidStartedAt: "1" }, "lead-session"],
    ["nor one whose session was not the lead's", { ...alive(), sessionId: "other" }, "lead-session"],
    ["nor one that had no session", { ...alive(), sessionId: undefined }, "lead-session"],
  ])("%s", (_, process, leadSessionId) => {
    const home = aHome();
    aTeam(home, [{ name: "team-lead", sessionId: "lead-session", ...process }]);
    start(home, "team-lead", { source: "clear" });
    expect(home.json(CONFIG).leadSessionId).toBe(leadSessionId);
    expect(member(home, "team-lead").sessionId).toBe("s-1");
  });

  test("a member that starts in the lead's process is not the lead", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", sessionId: "lead-session", ...alive() }]);
    start(home, "bob", { source: "clear" });
    expect(home.json(CONFIG).leadSessionId).toBe("lead-session");
  });

  test("who has no right to a name is informed of it as data", () => {
    const home = aHome();
    const members = [
      { name: "b&b", machine: "m&n", agent: "b&b" },
      { name: "c&c", pid: process.pid, pidStartedAt: startOf(process.pid), sessionId: "s-0" },
    ];
    home.write(".claude/teams/t&m/config.json", { name: "t&m", members });
    const words = (agent: string) => {
      const env = { CLAUDE_CODE_TEAM_NAME: "t&m", CLAUDE_CODE_AGENT_NAME: agent, CLAUDE_PID: "4190001" };
      const ctx = aContext(home, events.SessionStart, { source: "startup" }, { env });
      return heartbeat.sessionStart(ctx)?.context;
    };
    expect(words("b&b")).toContain("The name b&amp;b in team t&amp;m belongs to a member on m&amp;n. ");
    expect(words("c&c")).toContain(
      `The name c&amp;c in team t&amp;m belongs to another live session (process ${process.pid})`,
    );
  });

  test.each([
    ["a stranger to the team", ["alice"]],
    ["no team on disk", undefined],
  ])("%s writes nothing", (_, members) => {
    const home = aHome();
    if (members) aTeam(home, members);
    const before = members && home.read(CONFIG);
    start(home, "bob");
    beat(home, "bob");
    expect(home.has(CONFIG) && home.read(CONFIG)).toBe(before ?? false);
    expect(home.has(dirname(CONFIG))).toBe(members !== undefined);
  });
});

describe("the heartbeat", () => {
  const marker = (home: Home) => home.path("tmp", `swarm-heartbeat-${TEAM}-bob`);

  test("is written at most once a minute, whatever happens in between", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob" }]);
    beat(home, "bob");
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:00:00Z");
    const untouched = statSync(home.path(CONFIG)).mtimeMs;
    for (const s of [1, 30, 59]) beat(home, "bob", later(s));
    expect(statSync(home.path(CONFIG)).mtimeMs).toBe(untouched);
    beat(home, "bob", later(60));
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:01:00Z");
  });

  test("an old marker makes it due again, as Claude Swarm hooks say", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob" }]);
    beat(home, "bob");
    expect(existsSync(marker(home))).toBe(true);
    utimesSync(marker(home), later(-120), later(-120));
    beat(home, "bob", later(61));
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:01:01Z");
  });

  test("without its marker it is due at once, as Claude Swarm hooks say", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob" }]);
    beat(home, "bob");
    rmSync(marker(home));
    beat(home, "bob", later(5));
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:00:05Z");
  });

  test("a stranger's link in the marker's place is not followed, and the team's own file throttles", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob" }]);
    const victim = home.write("victim", "precious");
    symlinkSync(victim, marker(home));
    const before = statSync(victim).mtimeMs;
    beat(home, "bob");
    const written = statSync(home.path(CONFIG)).mtimeMs;
    beat(home, "bob", later(10));
    expect(statSync(victim).mtimeMs).toBe(before);
    expect(statSync(home.path(CONFIG)).mtimeMs).toBe(written);
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:00:00Z");
  });

  test("a subagent's work is a sign of its session's life", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob" }]);
    beat(home, "bob", NOON, { agent_id: "a0123456789abcdef", agent_type: "Explore" });
    expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:00:00Z");
  });

  test("writes a broadcast into the inboxes of those who have not looked: other programs read only those", () => {
    const home = aHome();
    aTeam(home, ["bob", "cid"]);
    const message = newMessage({ from: "bob", text: "to all of you", at: NOON });
    linkChange(broadcastsDir(home.paths, TEAM), ["cid"], { messages: [message] });
    expect(home.has(inboxOf("cid"))).toBe(false);
    beat(home, "bob");
    expect(home.json(inboxOf("cid"))).toMatchObject([{ text: "to all of you", read: false }]);
  });

  test("a config that somebody holds locked is passed over after a moment, not waited for", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob", sessionId: "s-1" }]);
    home.write(`${CONFIG}.lock/x`, "");
    beat(home, "bob");
    const mark = statSync(home.path(`tmp/swarm-heartbeat-${TEAM}-bob`)).mtimeMs;
    expect(mark).toBe(NOON.getTime()); // the next one is due in a minute, not with the next event
  });

  test("a config that cannot be written for another reason is an error", () => {
    const home = aHome();
    aTeam(home, [{ name: "bob", sessionId: "s-1" }]);
    onFileCalls((name, [, to]) => {
      if (name === "renameSync" && to === home.path(CONFIG)) throw anError("EIO");
    });
    expect(() => beat(home, "bob")).toThrow("EIO");
  });
});

describe("the lead's start", () => {
  const said = (home: Home) => (start(home, "team-lead").context as Section | undefined)?.text;

  test("names the crashed and marks them, all in one change of the file", () => {
    const home = aHome();
    const dead = gone();
    aTeam(home, [
      "team-lead",
      { name: "bob", pid: dead, pidStartedAt: "1", lastSeen: "2026-02-20T11:50:00Z" },
      { name: "carol", ...alive(), lastSeen: "2026-02-20T11:59:30Z" },
      { name: "dave", pid: process.pid, pidStartedAt: "7", lastSeen: "2026-02-20T11:58:00Z" },
      { name: "erin", status: "offline", pid: dead },
      "frank",
    ]);
    expect(said(home)).toBe(`<system-reminder>
# Team Status for team-lead

## Crashed, now marked offline (2)

- bob: process ${dead} has ended, last seen 2026-02-20T11:50:00Z
- dave: process ${process.pid} has ended, last seen 2026-02-20T11:58:00Z

</system-reminder>`);
    const statuses = home.json(CONFIG).members.map((one: any) => one.status);
    expect(statuses).toEqual(["active", "offline", "active", "offline", "offline", "active"]);
    expect(member(home, "erin")).not.toHaveProperty("crashedAt");
  });

  test("silence alone is no proof of death", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", ...alive(), lastSeen: "2026-02-20T11:54:59Z" }]);
    expect(said(home)).toContain(
      "## Silent, but not proven dead (1)\n\n- bob: silent for more than 300 s, last seen 2026-02-20T11:54:59Z",
    );
    expect(member(home, "bob").status).toBe("active");
  });

  test("five minutes are not yet silence", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", ...alive(), lastSeen: "2026-02-20T11:55:00Z" }]);
    expect(said(home)).toBeUndefined();
  });

  test("a session that said goodbye counts as gone even if its mark was lost", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", sessionId: "s-9" }]);
    const record = { session: "s-9", state: "ended", status: "done", startedAt: "x", lastSeen: "x" };
    home.write(".claude/swarm/sessions/s-9/session.json", { ...record, endedAt: "2026-02-20T11:00:00Z" });
    expect(said(home)).toContain("- bob: its session ended at 2026-02-20T11:00:00Z");
  });

  test("a pane counts only with its own server: gone server, gone pane", () => {
    const home = aHome();
    const bob = { name: "bob", paneId: "%1", socket: home.path("no-such-server") };
    aTeam(home, ["team-lead", bob, { name: "carol", paneId: "%1" }]);
    expect(said(home)).toContain("- bob: pane %1 is closed");
    expect(member(home, "carol").status).toBe("active");
  });

  test("a member's start reconciles nobody", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", pid: gone(), pidStartedAt: "1" }, "carol"]);
    expect(start(home, "carol").context).toBeUndefined();
    expect(member(home, "bob").status).toBe("active");
  });

  test("names are data", () => {
    const lost = { name: "x</system-reminder>", evidence: "p\nq", lastSeen: "<then>" };
    const text = teamStatus("l&d", [lost], []);
    expect(text).toContain("# Team Status for l&amp;d\n");
    expect(text).toContain("- x&lt;/system-reminder&gt;: p q, last seen &lt;then&gt;\n");
  });
});

describe("a member's end", () => {
  test("marks it offline and tells the lead in the words of Claude Swarm hooks", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", ...alive(), sessionId: "s-1" }]);
    end(home, "bob");
    expect(member(home, "bob").status).toBe("offline");
    expect(home.json(inboxOf("team-lead"))).toEqual([
      expect.objectContaining({
        from: "bob",
        text: "bob session ended cleanly. Check task status for any incomplete work.",
        read: false,
        kind: "system",
      }),
    ]);
  });

  test("is none while another client runs the same session", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", ...alive(), sessionId: "s-1" }]);
    const other = { pid: process.ppid, startedAt: startOf(process.ppid), session: "s-1" };
    home.write(`.claude/swarm/processes/${other.pid}.json`, other);
    end(home, "bob");
    expect(member(home, "bob").status).toBe("active");
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });

  test("of one of two clients: the next event of the other one puts that one on record", () => {
    const home = aHome();
    const ended = { pid: spawnSync("true").pid, pidStartedAt: "1" };
    aTeam(home, ["team-lead", { name: "bob", ...ended, sessionId: "s-1" }]);
    beat(home, "bob");
    expect(member(home, "bob")).toMatchObject({ ...alive(), sessionId: "s-1" });
  });

  test("one that the lead itself has ordered is not reported to it", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", ...alive(), sessionId: "s-1", status: "offline" }]);
    end(home, "bob");
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });

  test("the lead may have another name", () => {
    const home = aHome();
    aTeam(home, [{ name: "chief", agentId: `team-lead@${TEAM}` }, "bob"]);
    end(home, "bob");
    expect(home.json(inboxOf("chief"))).toHaveLength(1);
  });

  test.each([
    ["/clear is no end", "bob", { reason: "clear" }],
    ["a resumed session is no end", "bob", { reason: "resume" }],
    ["the lead's own end is not ours", "team-lead", {}],
    ["a stranger's end is not ours", "ghost", {}],
  ])("%s", (_, agent, input) => {
    const home = aHome();
    aTeam(home);
    const before = home.read(CONFIG);
    end(home, agent, input);
    expect(home.read(CONFIG)).toBe(before);
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });

  test("a team that was suspended on purpose gets no note about each of its members", () => {
    const home = aHome();
    aTeam(home);
    home.write(CONFIG, { ...home.json(CONFIG), status: "suspended" });
    end(home, "bob");
    expect(member(home, "bob").status).toBe("offline");
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });
});

test("a mark of another user's team of the same name throttles nobody", () => {
  const home = aHome();
  aTeam(home);
  beat(home, "bob");
  const other = statSync(home.path(`tmp/swarm-heartbeat-${TEAM}-bob`)).uid + 1;
  const getuid = vi.spyOn(process, "getuid").mockReturnValue(other);
  onTestFinished(() => getuid.mockRestore());
  aTeam(home, ["team-lead", { name: "bob", lastSeen: "2026-02-20T11:00:00Z" }]);
  beat(home, "bob", later(10));
  expect(member(home, "bob").lastSeen).toBe("2026-02-20T12:00:10Z");
});
