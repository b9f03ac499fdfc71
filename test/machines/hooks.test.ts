// What hooks say in a relayed team, and that they say nothing elsewhere.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PostToolUse, SessionStart } from "../../lib/hook/events.ts";
import { commandFor } from "../../lib/machines/hook-texts.ts";
import * as machines from "../../lib/machines/hooks.ts";
import { relayFindings } from "../../lib/ops/doctor/teams.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { payload, ROOT, runHook, runSwarm } from "../support/run-built.ts";

const relayed = (home: Home) =>
  home.write(`.claude/swarm/relay/teams/${TEAM}.json`, {
    url: "nats://127.0.0.1:1",
    team: TEAM,
    machine: "laptop",
    secret: "s",
    replicas: 1,
    joinedAt: "2026-02-20T12:00:00Z",
  });
/** As if a courier were at work: no hook starts one. */
const withCourier = (home: Home) => home.write(".claude/swarm/relay/courier.lock/x", "");

describe("the client's own Task tools in a relayed team", () => {
  const call = (home: Home, tool: string, input: unknown, list?: string) =>
    runHook(
      home,
      "pre-tool-use",
      { ...payload("PreToolUse-TaskCreate"), tool_name: tool, tool_input: input },
      {
        env: { ...as("alice"), ...(list ? { CLAUDE_CODE_TASK_LIST_ID: list } : {}) },
      },
    );
  const reason = (ran: ReturnType<typeof runHook>) =>
    ran.reply?.hookSpecificOutput?.permissionDecisionReason ?? "";
  const home = () => {
    const made = aHome();
    aTeam(made);
    relayed(made);
    withCourier(made);
    return made;
  };

  test("create is denied with the line that does it", () => {
    const ran = call(home(), "TaskCreate", { subject: "it's new", description: "how" }, TEAM);
    expect(reason(ran)).toContain(`Use: swarm task create 'it'\\''s new' --description 'how'`);
  });
  test.each([
    [{ taskId: "3", status: "in_progress" }, "swarm task claim 3"],
    [{ taskId: "3", status: "completed" }, "swarm task done 3"],
    [{ taskId: "3", status: "deleted" }, "swarm task delete 3"],
    [{ taskId: "3", owner: "bob" }, "swarm task update 3 --owner 'bob'"],
    [{ taskId: "3", addBlockedBy: ["1", "2"] }, "swarm task update 3 --blocked-by '1,2'"],
  ])("update %j is denied with %s", (input, line) =>
    expect(reason(call(home(), "TaskUpdate", input, TEAM))).toContain(`Use: ${line}`),
  );

  test("a change that no line makes is denied too: the copy here is written again from the relay", () => {
    const ran = call(home(), "TaskUpdate", { taskId: "3", metadata: { a: 1 } }, TEAM);
    expect(reason(ran)).toContain("What is written into their metadata here does not last");
    expect(reason(call(home(), "TaskUpdate", { taskId: "3" }, TEAM))).toBe("");
  });

  test("a list of the session's own is left alone, and so is a team without a relay", () => {
    expect(reason(call(home(), "TaskCreate", { subject: "x", description: "" }))).toBe("");
    expect(reason(call(home(), "TaskCreate", { subject: "x", description: "" }, "other"))).toBe("");
    const plain = aHome();
    aTeam(plain);
    expect(reason(call(plain, "TaskCreate", { subject: "x", description: "" }, TEAM))).toBe("");
  });
  test("nothing is denied that changes nothing", () =>
    expect(commandFor("TaskUpdate", { taskId: "1" })).toBeUndefined());
  test("a number from elsewhere cannot bring a command along", () =>
    expect(commandFor("TaskUpdate", { taskId: "1; rm -rf /", status: "completed" })).toBe(
      "swarm task done 1rmrf",
    ));
});

test("the board shows members of other machines by what their machine says, a silent machine as silent", () => {
  const home = aHome();
  const seen = (agoS: number) => new Date(Date.now() - agoS * 1000).toISOString();
  aTeam(home, [
    "team-lead",
    {
      name: "bob",
      machine: "cloud",
      agent: "bob",
      state: "working",
      task: "#4 parse",
      lastSeen: seen(5),
      machineSeen: seen(3),
    },
    {
      name: "eve",
      machine: "box",
      agent: "eve",
      state: "working",
      lastSeen: seen(4_000),
      machineSeen: seen(4_000),
    },
    {
      name: "dan",
      machine: "box",
      agent: "dan",
      state: "gone",
      lastSeen: seen(4_000),
      machineSeen: seen(4_000),
    },
  ]);
  const { agents: rows } = JSON.parse(runSwarm(home, ["status", "--team", TEAM, "--json"]).stdout);
  const row = (name: string) => rows.find((one: any) => one.agent === name);
  expect(row("bob")).toMatchObject({ state: "working", evidence: "on cloud", task: "#4 parse" });
  expect(row("eve")).toMatchObject({ state: "unknown", evidence: "no sign from box since 66m" });
  expect(row("dan")).toMatchObject({ state: "gone" });
});

test("only hooks that the turn does not wait for start a courier", () => {
  const home = aHome();
  aTeam(home);
  relayed(home);
  const starts = (outcome: { after?: () => void } | void) => outcome?.after !== undefined;
  const given = { env: as("alice"), now: new Date() };
  const tool = (tool_name: string) => aContext(home, PostToolUse, { tool_name }, given);
  expect(starts(machines.postToolUse(tool("Bash")))).toBe(true);
  expect(starts(machines.postToolUse(tool("ExitPlanMode")))).toBe(false);
  expect(starts(machines.sessionStart(aContext(home, SessionStart, {}, given)))).toBe(false);
  withCourier(home);
  expect(starts(machines.postToolUse(tool("Bash")))).toBe(false);
});

test("without a relay nothing is started and nothing is written", () => {
  const home = aHome();
  aTeam(home);
  const ran = runHook(
    home,
    "session-start",
    { ...payload("SessionStart-startup"), session_id: "s" },
    { env: as("bob") },
  );
  expect(ran.exitCode).toBe(0);
  expect(home.has(".claude/swarm/relay")).toBe(false);
  for (const name of ["session-start", "pre-tool-use", "post-tool-use", "stop"])
    expect(readFileSync(join(ROOT, `plugin/dist/body/${name}.cjs`), "utf8")).not.toContain("_INBOX_");
});

describe("a session with the name of a member elsewhere", () => {
  const home = () => {
    const made = aHome();
    aTeam(made, ["team-lead", { name: "bob", machine: "cloud", agent: "bob" }]);
    made.write(inboxOf("bob"), [aMessage("team-lead", "for bob on cloud")]);
    return made;
  };

  test("gets none of its mail, which stays in the outbox", () => {
    const made = home();
    const { stdout } = runHook(made, "user-prompt-submit", payload("UserPromptSubmit"), { env: as("bob") });
    expect(stdout).not.toContain("for bob on cloud");
    expect(runSwarm(made, ["inbox"], { env: as("bob") })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("not yours to mark as read"),
    });
    expect(made.json(inboxOf("bob"))[0].read).toBe(false);
  });

  test("learns at its start that the name is taken", () => {
    const started = { ...payload("SessionStart-startup"), session_id: "bob-session" };
    const { stdout } = runHook(home(), "session-start", started, { env: as("bob") });
    expect(stdout).toContain(`The name bob in team ${TEAM} belongs to a member on cloud`);
  });

  test("cannot join, be spawned, killed or removed here", () => {
    const made = home();
    const said = (...args: string[]) => {
      const { stdout, stderr } = runSwarm(made, args);
      return stdout + stderr;
    };
    expect(said("join", TEAM, "--name", "bob", "--session-id", "x")).toContain("bob is a member on cloud");
    expect(said("spawn", "bob", "--team", TEAM, "--backend", "headless")).toContain(
      "bob is a member on cloud",
    );
    expect(said("kill", "bob", "--team", TEAM)).toContain("it runs on cloud");
    expect(said("cleanup", TEAM, "--members", "--force", "--yes")).toContain("it is a member on cloud");
    expect(made.json(inboxOf("bob"))).toHaveLength(1);
  });
});

describe("a relay that is out of reach", () => {
  test.each([
    ["says so once at session start", "session-start"],
    ["costs a tool call nothing", "pre-tool-use"],
  ])("%s", (_, script) => {
    const home = aHome();
    aTeam(home);
    relayed(home);
    withCourier(home);
    home.write(`.claude/swarm/relay/status/${TEAM}.json`, { error: "connect ECONNREFUSED <b>\n", pid: 1 });
    const name = script === "session-start" ? "SessionStart-startup" : "PreToolUse-Read";
    const ran = runHook(
      home,
      script,
      { ...payload(name), session_id: "alice-session" },
      { env: as("alice") },
    );
    const lines =
      ran.stdout.match(/was not reachable when last tried: connect ECONNREFUSED &lt;b&gt;/g) ?? [];
    expect([ran.exitCode, lines.length]).toEqual([0, script === "session-start" ? 1 : 0]);
  });

  test("is one finding of the doctor", () => {
    const home = aHome();
    relayed(home);
    const status = { pid: 1, at: NOON.toISOString(), synced: 0, lastPull: {}, machines: {}, refused: 0 };
    const at = (more: object) => {
      home.write(`.claude/swarm/relay/status/${TEAM}.json`, { ...status, ...more });
      return relayFindings(home.paths, NOON).map(({ level, what }) => `${level} ${what}`);
    };
    expect(at({ error: "no route to host" })).toEqual([`warn the relay of ${TEAM} is not reached`]);
    expect(at({ server: { name: "swarm-x-fsync", version: "2.11.0" } })).toEqual([
      `ok the team ${TEAM} is on a relay`,
    ]);
    expect(at({ server: { name: "x", version: "2.9.10" } })).toEqual([
      `ok the team ${TEAM} is on a relay`,
      `warn a power loss of the relay of ${TEAM} may cost acknowledged messages`,
    ]);
  });
});
