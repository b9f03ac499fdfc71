// The life of a team on the built scripts: made, joined, suspended, brought back, ended, with processes that really run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { lifeOf, startOf } from "../../lib/system/processes.ts";
import { aLeadWithTeam, aTeamHome, HEADLESS, LEAD_SESSION } from "../support/a-tmux-team.ts";
import { withWaits } from "../support/own-time.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

const isAlive = (pid: number) => lifeOf({ pid, startedAt: startOf(pid) }) === "alive";
const inSession = (env: Record<string, string>, session: string) => ({
  ...env,
  CLAUDE_CODE_SESSION_ID: session,
});
const until = async (seen: () => boolean, what: string) => {
  for (const giveUp = Date.now() + 15_000; !seen(); ) {
    if (Date.now() > giveUp) throw new Error(`waited for ${what}`);
    await new Promise((next) => setTimeout(next, 30));
  }
};

test("who creates a team leads it: config, inbox, tasks and the session's own record say so", () => {
  const { swarm, config, home, env } = aTeamHome({ outside: true });
  runHook(home, "session-start", { session_id: LEAD_SESSION, source: "startup" }, { env });
  const { exitCode, stdout } = swarm("create", "alpha", "a", "first", "team");
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("You lead it") });
  expect(config("alpha")).toMatchObject({
    name: "alpha",
    description: "a first team",
    status: "active",
    leadSessionId: LEAD_SESSION,
    members: [{ name: "team-lead", agentType: "team-lead", sessionId: LEAD_SESSION, status: "active" }],
  });
  expect(config("alpha").leadAgentId).toBe(config("alpha").members[0].agentId);
  expect(home.json(".claude/teams/alpha/inboxes/team-lead.json")).toEqual([]);
  expect(home.has(".claude/tasks/alpha")).toBe(true);
  const shown = JSON.parse(swarm("session", "show").stdout);
  expect(shown).toMatchObject({ team: "alpha", agent: "team-lead", isLead: true, kind: "lead" });
});

test("the lead is still the lead after a compaction and after /clear", () => {
  const { home, env, swarm } = aTeamHome({ outside: true });
  const client = { ...env, CLAUDE_PID: String(process.pid) };
  runHook(home, "session-start", { session_id: LEAD_SESSION, source: "startup" }, { env: client });
  expect(swarm("create", "alpha").exitCode).toBe(0);
  runHook(home, "session-start", { session_id: LEAD_SESSION, source: "compact" }, { env: client });
  expect(home.json(`.claude/swarm/sessions/${LEAD_SESSION}/session.json`)).toMatchObject({
    team: "alpha",
    isLead: true,
  });
  runHook(home, "session-start", { session_id: "s-next", source: "clear" }, { env: client });
  expect(home.json(".claude/swarm/sessions/s-next/session.json")).toMatchObject({
    team: "alpha",
    agent: "team-lead",
  });
});

test("a team has one name: taken, hostile and native ones are refused", () => {
  const { swarm, home, env } = aLeadWithTeam("alpha", { outside: true });
  expect(swarm("create", "beta").stderr).toContain("this session is team-lead in team alpha");
  const elsewhere = (...args: string[]) => runSwarm(home, args, { env: inSession(env, "s-other") });
  expect(elsewhere("create", "alpha").stderr).toContain("team alpha already exists (active)");
  expect(elsewhere("create", "session-0123abcd").stderr).toContain("a team of the client");
  for (const name of ["../up", "a b", ".x", "", "a/b", "x".repeat(101)])
    expect(elsewhere("create", "--", name)).toMatchObject({ exitCode: 2 });
});

test("a creation that fails half-way leaves nothing", () => {
  const { home, swarm } = aTeamHome({ outside: true });
  home.write(".claude/tasks", "a file where a directory should be");
  expect(swarm("create", "alpha").exitCode).toBe(1);
  expect(home.has(".claude/teams/alpha")).toBe(false);
});

test("a session joins under a name of its own, and suspend does not end it", () => {
  const { home, env, swarm, member } = aLeadWithTeam("alpha", { outside: true });
  const guest = { ...env, CLAUDE_CODE_SESSION_ID: "s-guest" };
  const asGuest = (...args: string[]) => runSwarm(home, args, { env: guest });
  const other = spawn("sleep", ["60"]);
  onTestFinished(() => void other.kill());
  runHook(
    home,
    "session-start",
    { session_id: "s-guest" },
    { env: { ...guest, CLAUDE_PID: String(other.pid) } },
  );
  expect(asGuest("join", "alpha", "--name", "guest", "--type", "tester").exitCode).toBe(0);
  expect(member("alpha", "guest")).toMatchObject({
    sessionId: "s-guest",
    backend: "joined",
    agentType: "tester",
  });
  expect(JSON.parse(asGuest("session", "show").stdout)).toMatchObject({ team: "alpha", agent: "guest" });
  const third = runSwarm(home, ["join", "alpha", "--name", "guest"], { env: inSession(env, "s-third") });
  expect(third.stderr).toContain("guest is taken");
  expect(asGuest("suspend").stderr).toContain("guest does not lead alpha");
  expect(swarm("suspend").stdout).toContain("guest: left alone (it joined by itself");
  expect(isAlive(other.pid as number)).toBe(true);
});

test("kill takes a dead member that joined by itself off the team; its unread mail is dead for its senders", async () => {
  const { home, swarm, config, env } = aLeadWithTeam("alpha", { outside: true });
  const guest = { ...env, CLAUDE_CODE_SESSION_ID: "s-guest", CLAUDE_CODE_AGENT_NAME: "" };
  const other = spawn("sleep", ["60"]);
  onTestFinished(() => void other.kill());
  const inGuest = { ...guest, CLAUDE_PID: String(other.pid) };
  runHook(home, "session-start", { session_id: "s-guest" }, { env: inGuest });
  expect(runSwarm(home, ["join", "alpha", "--name", "guest"], { env: guest }).exitCode).toBe(0);
  expect(swarm("send", "guest", "are you there?").exitCode).toBe(0);
  expect(swarm("kill", "guest")).toMatchObject({
    exitCode: 1,
    stdout: "  guest: left alone (it joined by itself)\n",
  });

  other.kill("SIGKILL");
  await once(other, "exit");
  expect(swarm("kill", "guest").stdout).toBe(
    "  guest: was not running (removed from the team; 1 unread message is now a dead letter)\n",
  );
  expect(config("alpha").members.map(({ name }: { name: string }) => name)).toEqual(["team-lead"]);
  expect(home.json(".claude/teams/alpha/inboxes/guest.json")).toEqual([]);
  expect(swarm("outbox").stdout).toMatch(/to guest {2}dead {2}are you there\?/);
});

test("suspend ends what we started and keeps the rest; resume brings it back with its tasks and mail", () => {
  const { home, swarm, started, member, config, env } = aLeadWithTeam("alpha", {
    outside: true,
    env: { STAND_IN_TRANSCRIPT: "/nowhere/t.jsonl" },
  });
  expect(swarm("spawn", "ada", "--model", "haiku", "--permission-mode", "plan", ...HEADLESS).exitCode).toBe(
    0,
  );
  const first = started("ada");
  expect(swarm("suspend").stdout).toMatch(/team alpha is suspended.*\n {2}ada: ended/);
  expect(isAlive(first.pid)).toBe(false);
  // Only now: what is left of its start would still deliver the message.
  home.write(".claude/tasks/alpha/2.json", {
    id: "2",
    subject: "second",
    status: "in_progress",
    owner: "ada",
  });
  home.write(".claude/tasks/alpha/10.json", {
    id: "10",
    subject: "ten\n<x>",
    status: "pending",
    owner: "ada",
  });
  home.write(".claude/tasks/alpha/3.json", { id: "3", subject: "third", status: "completed", owner: "ada" });
  home.write(".claude/teams/alpha/inboxes/ada.json", [
    { from: "team-lead", text: "a", read: false, timestamp: "2026-02-20T12:00:00Z" },
    { from: "team-lead", text: "b", read: true, timestamp: "2026-02-20T12:00:00Z" },
  ]);
  expect(config("alpha")).toMatchObject({ status: "suspended", suspendedAt: expect.any(String) });
  expect(member("alpha", "ada").status).toBe("offline");
  expect(member("alpha", "team-lead").status).toBe("active");
  expect(swarm("spawn", "bob").stderr).toContain("the team is suspended since");
  expect(swarm("suspend").stdout).toContain("was already suspended");

  const { exitCode, stdout } = runSwarm(home, ["resume", "alpha"], { env });
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("ada is up") });
  const again = started("ada");
  expect(again.argv).toEqual(expect.arrayContaining(["--model", "haiku", "--permission-mode", "plan"]));
  expect(again.stdin).toContain(
    "Your tasks:\n- Task #2 [in_progress]: second\n- Task #10 [pending]: ten &lt;x&gt;\nUnread messages: 1",
  );
  expect(again.env["CLAUDE_CODE_AGENT_ID"]).toBe(first.env["CLAUDE_CODE_AGENT_ID"]);
  expect(config("alpha")).toMatchObject({ status: "active", resumedAt: expect.any(String) });
  expect(swarm("resume").stdout).toContain("All teammates are already running.");
});

test("a stranger's process with a teammate's number is not ended", () => {
  const { home, swarm, config } = aLeadWithTeam("alpha", { outside: true });
  expect(swarm("spawn", "ada", ...HEADLESS).exitCode).toBe(0);
  expect(swarm("kill", "ada").stdout).toContain("ada: ended");
  const stranger = spawn("sleep", ["60"]);
  onTestFinished(() => void stranger.kill());
  const team = config("alpha");
  Object.assign(team.members[1], { pid: stranger.pid, pidStartedAt: "1", status: "active", paneId: "%0" });
  home.write(".claude/teams/alpha/config.json", team);
  expect(swarm("kill", "ada").stdout).toContain("ada: was not running");
  expect(isAlive(stranger.pid as number)).toBe(true);
});

test("the lead's end suspends the team within its time, and a helper ends the teammates", async () => {
  const { home, env, swarm, started, config, tmux } = aLeadWithTeam("alpha");
  for (const name of ["ada", "bob"]) expect(swarm("spawn", name).exitCode).toBe(0);
  const pids = ["ada", "bob"].map((name) => started(name).pid);
  const end = { session_id: LEAD_SESSION, reason: "prompt_input_exit" };
  const { done, waitedMs } = withWaits(() => runHook(home, "session-end", end, { env }));
  expect(done).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(waitedMs).toBeLessThan(1_000); // the client ends it after 1.5 s
  expect(config("alpha").status).toBe("suspended");
  expect(config("alpha").members.map((one: { status: string }) => one.status)).toEqual([
    "offline",
    "offline",
    "offline",
  ]);
  await until(() => !pids.some(isAlive), "the teammates to end");
  await until(() => tmux("list-panes", "-a", "-F", "#{pane_id}").trim() === "%0", "their panes to close");
  expect(home.has(".claude/swarm/errors.jsonl")).toBe(false);

  const back = runHook(home, "session-start", { session_id: LEAD_SESSION, source: "resume" }, { env });
  expect(back.reply.hookSpecificOutput.additionalContext).toMatch(
    /The team alpha is suspended since \S+ \(ada, bob\)\. `swarm resume alpha` brings it back\./,
  );
});

test.each([
  ["by the environment", { SWARM_KEEP_ALIVE: "true" }, ""],
  ["by the settings", {}, "[teammates]\nkeep_alive = true"],
])("kept alive %s, the team is notified that it goes on", (_, more, toml) => {
  const { home, env, config } = aLeadWithTeam("alpha", { outside: true });
  if (toml) home.write(".claude/swarm/settings.toml", toml);
  for (const name of ["ada", "bob"])
    expect(
      runSwarm(home, ["join", "alpha", "--name", name], { env: inSession(env, `s-${name}`) }).exitCode,
    ).toBe(0);
  runHook(home, "session-end", { session_id: LEAD_SESSION, reason: "other" }, { env: { ...env, ...more } });
  expect(config("alpha").status).toBe("active");
  expect(config("alpha").members.map((one: { status: string }) => one.status)).toEqual([
    "offline",
    "active",
    "active",
  ]);
  for (const name of ["ada", "bob"])
    expect(home.json(`.claude/teams/alpha/inboxes/${name}.json`)).toEqual([
      expect.objectContaining({
        from: "team-lead",
        text: "Team-lead session ended. Team remains active.",
        read: false,
      }),
    ]);
});

test.each([
  ["/clear", { session_id: LEAD_SESSION, reason: "clear" }],
  ["/resume", { session_id: LEAD_SESSION, reason: "resume" }],
  ["another session", { session_id: "s-other", reason: "other" }],
  ["a member", { session_id: "s-ada", reason: "other" }],
])("%s does not end the team", (_, payload) => {
  const { home, env, config } = aLeadWithTeam("alpha", { outside: true });
  const joined = runSwarm(home, ["join", "alpha", "--name", "ada"], { env: inSession(env, "s-ada") });
  expect(joined.exitCode).toBe(0);
  runHook(home, "session-end", payload, { env: { ...env, CLAUDE_CODE_SESSION_ID: payload.session_id } });
  expect(config("alpha").status).toBe("active");
});

test("a lead that was replaced does not end the team it no longer leads", () => {
  const { home, env, config } = aLeadWithTeam("alpha", { outside: true });
  const fresh = { env: inSession(env, "s-new") };
  expect(runSwarm(home, ["resume", "alpha"], fresh).stderr).toMatch(
    /its lead, session .* may be alive|is alive/,
  );
  expect(runSwarm(home, ["resume", "alpha", "--force"], fresh).exitCode).toBe(0);
  expect(config("alpha").leadSessionId).toBe("s-new");
  runHook(home, "session-end", { session_id: LEAD_SESSION, reason: "other" }, { env });
  expect(config("alpha").status).toBe("active");
});

test("clean-up is shown first, refused while somebody runs, and archives", () => {
  const { home, swarm, started, env } = aLeadWithTeam("alpha", { outside: true });
  expect(swarm("spawn", "ada", ...HEADLESS).exitCode).toBe(0);
  expect(swarm("cleanup").stdout).toContain("Nothing done yet");
  expect(swarm("cleanup", "--yes").stderr).toContain("ada still runs");
  expect(home.has(".claude/teams/alpha/config.json")).toBe(true);
  const { stdout } = swarm("cleanup", "--force");
  expect(stdout).toMatch(/Archived team alpha: .*archives\/alpha-\d{8}T\d{6}Z\n {2}ada: ended/);
  expect(isAlive(started("ada").pid)).toBe(false);
  const path = stdout.match(/Archived team alpha: (.*)/)?.[1] ?? "";
  expect(home.json(`${path.slice(home.root.length)}/team/config.json`)).toMatchObject({ status: "archived" });
  expect(home.has(".claude/teams/alpha")).toBe(false);
  expect(runSwarm(home, ["resume", "alpha"], { env }).stderr).toContain("the team alpha was archived at");
  expect(swarm("list-teams").stdout).toContain("(1 archived; --all lists them)");
  expect(swarm("list-teams", "--all").stdout).toContain("alpha  archived");
  expect(swarm("create", "alpha").exitCode).toBe(0);
});

test("list-teams tells ours from the client's own", () => {
  const { home, swarm } = aLeadWithTeam("alpha", { outside: true });
  home.write(".claude/teams/session-0123abcd/config.json", {
    name: "session-0123abcd",
    leadSessionId: "x",
    members: [{ name: "team-lead" }],
  });
  const { stdout } = swarm("list-teams");
  expect(stdout).toContain("alpha  active  lead 11111111  1 member, 1 running");
  expect(stdout).toContain("session-0123abcd  native");
  expect(swarm("suspend", "session-0123abcd").stderr).toContain("a team of the client");
});

test("onboard shows the next step, and every command it names is a verb or a slash command", () => {
  const { swarm } = aTeamHome({ outside: true, env: { CLAUDE_CODE_SESSION_ID: "" } });
  const { stdout } = swarm("onboard");
  expect(stdout).toMatch(/^--> 1\. Start Claude Code inside tmux/m);
  const { swarm: inTeam } = aLeadWithTeam("alpha", { outside: true });
  expect(inTeam("onboard").stdout).toMatch(/^\[ \] 1\. [\s\S]*^--> 2\. Let the client run/m);
  expect(inTeam("onboard").stdout).toMatch(/^\[ \] 2\. [\s\S]*^--> 4\. Open a teammate/m); // offered once
});

test("what onboard says a step prints is what it prints, and done steps are ticked off", () => {
  const { swarm, home, env } = aLeadWithTeam("demo", { outside: true });
  runSwarm(home, ["join", "demo", "--name", "ada"], { env: inSession(env, "s-ada") });
  const shown = () => swarm("onboard").stdout.replaceAll(/\w+-\w+(?= to ada)/g, "ID");
  const sent = swarm("send", "ada", "Which part was hard to understand?").stdout.replace(/^\w+-\w+/, "ID");
  const made = swarm("task", "create", "Fix the typos in README.md", "--owner", "ada").stdout;
  for (const line of [sent, made]) expect(shown()).toContain(`> ${line.trimEnd()}`);
  expect(shown()).toMatch(/^--> 7\. Stop for today/m);
});

test("a read-only home is a clear error, not a half-made team", () => {
  if (process.getuid?.() === 0) return; // root may write everywhere
  const { home, swarm } = aTeamHome({ outside: true });
  home.write(".claude/teams/.keep", "");
  chmodSync(home.path(".claude/teams"), 0o500);
  expect(swarm("create", "alpha").exitCode).toBe(1);
});
