// Mail by the built scripts, also called by hand as the recipes of Claude Swarm hooks do.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmdirSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, member, TEAM } from "../support/a-team.ts";
import type { BeforeCall } from "../support/in-process.ts";
import { cleanEnv, ROOT, runHook, runSwarm } from "../support/run-built.ts";

const fresh = () => ({ timestamp: new Date().toISOString() });

test("what a part that was loaded on demand set aside is in the error log too", () => {
  const home = aHome();
  home.write(CONFIG, "{ damaged");
  runHook(home, "session-start", { source: "startup" }, { env: as("bob") });
  expect(home.lines(".claude/swarm/errors.jsonl").map((line) => line.error)).toEqual([
    expect.stringContaining(`${CONFIG} is damaged`),
  ]);
});

test("a lock left behind by a dead process does not stop the mail", () => {
  const home = aHome();
  aTeam(home);
  const lock = home.path(`${inboxOf("bob")}.lock`);
  mkdirSync(lock, { recursive: true });
  utimesSync(lock, new Date(0), new Date(0));
  expect(runSwarm(home, ["send", "bob", "hello"], { env: as("alice") }).exitCode).toBe(0);
  expect(runHook(home, "session-start", { source: "startup" }, { env: as("bob") }).stdout).toContain("hello");
});

test("the client's own lock protocol is honoured: a held lock is waited for, not broken", () => {
  const home = aHome();
  aTeam(home);
  const lock = home.path(`${inboxOf("bob")}.lock`);
  mkdirSync(lock, { recursive: true });
  let looks = 0;
  const beforeCall: BeforeCall = (_, args) => {
    if (args[0] !== lock || ++looks !== 5) return;
    expect(home.has(inboxOf("bob"))).toBe(false);
    rmdirSync(lock); // its holder is done
  };
  const ran = runSwarm(home, ["send", "bob", "hello"], { env: as("alice"), beforeCall });
  expect(ran.exitCode).toBe(0);
  expect(looks).toBeGreaterThan(5);
  expect(home.json(inboxOf("bob"))).toHaveLength(1);
});

test("a push wakes once, and not in -p, where the client would ignore it", () => {
  const home = aHome();
  aTeam(home);
  home.write(inboxOf("bob"), [aMessage("alice", "hello", fresh())]);
  const change = { file_path: home.path(inboxOf("bob")), event: "change" };
  const push = (CLAUDE_CODE_ENTRYPOINT: string) =>
    runHook(home, "file-changed", change, { env: as("bob", { CLAUDE_CODE_ENTRYPOINT }) });
  expect(push("sdk-cli")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(push("cli")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("New mail has come."),
  });
  expect(push("cli")).toMatchObject({ exitCode: 0, stderr: "" });
});

// The commands stand in README as they are here, with the paths of an installed plugin.
describe("the recipes of Claude Swarm hooks, adapted to our scripts", () => {
  function shell(home: Home, script: string): string {
    const env = { ...cleanEnv(home), CLAUDE_PLUGIN_ROOT: `${ROOT}/plugin`, TMPDIR: home.path("tmp") };
    const options = { env, cwd: home.project, encoding: "utf8" } as const;
    return execFileSync("bash", ["--norc", "-eo", "pipefail", "-c", script], options);
  }
  const IDENTITY = `export CLAUDE_CODE_TEAM_NAME="${TEAM}" CLAUDE_CODE_AGENT_NAME="bob"`;
  const hook = (name: string, input = "{}") =>
    `echo '${input}' | node "$CLAUDE_PLUGIN_ROOT/dist/hooks/${name}.cjs"`;

  test("Manual Hook Testing: SessionStart by hand delivers and marks", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [
      { from: "team-lead", text: "by hand", color: "blue", read: false, ...fresh() },
    ]);
    const said = JSON.parse(shell(home, `${IDENTITY}\n${hook("session-start")}`)).hookSpecificOutput;
    expect(said.additionalContext).toContain("# Team Updates for bob\n\n## Unread Messages (1)");
    expect(home.json(inboxOf("bob"))[0].read).toBe(true);
  });

  test("Heartbeat Not Updating: the throttle file, clearing it, and the config", () => {
    const home = aHome();
    aTeam(home);
    const beat = `${IDENTITY}\n${hook("notification")}`;
    shell(home, beat);
    expect(shell(home, "ls $TMPDIR/swarm-heartbeat-*")).toContain(`swarm-heartbeat-${TEAM}-bob`);
    expect(member(home, "bob").lastSeen).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const long = { name: "bob", lastSeen: "2020-01-01T00:00:00Z" };
    home.write(CONFIG, { ...home.json(CONFIG), members: [long] });
    shell(home, beat);
    expect(member(home, "bob").lastSeen).toBe(long.lastSeen);
    shell(home, `rm $TMPDIR/swarm-heartbeat-*\n${beat}`);
    expect(member(home, "bob").lastSeen).not.toBe(long.lastSeen);
  });

  test("Messages Not Appearing: what waits in an inbox, looked at without marking it", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [aMessage("alice", "waiting"), aMessage("alice", "seen", { read: true })]);
    expect(shell(home, `cat ~/${inboxOf("bob")}`)).toContain("waiting");
    const peek = shell(home, `node "$CLAUDE_PLUGIN_ROOT/bin/swarm" inbox --peek --team ${TEAM} --agent bob`);
    expect(peek).toContain("waiting");
    expect(peek).not.toContain("seen");
  });

  test("Task Context Not Appearing: the team's name alone brings the reminder", () => {
    const team = `export CLAUDE_CODE_TEAM_NAME="${TEAM}"`;
    expect(shell(aHome(), `${team}\n${hook("pre-tool-use", '{"tool_name":"Task"}')}`)).toContain(
      "# Team Context Available",
    );
  });

  test("a member's SessionEnd by hand: offline, and the lead knows", () => {
    const home = aHome();
    aTeam(home);
    shell(home, `${IDENTITY}\n${hook("session-end")}`);
    expect(member(home, "bob").status).toBe("offline");
    expect(home.json(inboxOf("team-lead"))[0].text).toBe(
      "bob session ended cleanly. Check task status for any incomplete work.",
    );
  });
});

describe("mail counts as read when it is out, not before", () => {
  const gone = (code: string) => Object.assign(new Error(code), { code });
  const aHomeWithMail = (): Home => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [aMessage("alice", "hello", fresh())]);
    return home;
  };
  const isRead = (home: Home) => home.json(inboxOf("bob"))[0].read;

  test.each([["inbox"], ["inbox", "--json"]])("swarm %s %s", (...args) => {
    const home = aHomeWithMail();
    const seen: boolean[] = [];
    const beforeCall: BeforeCall = (name, [fd]) => {
      if (name === "writeSync" && fd === 1) seen.push(isRead(home));
    };
    expect(runSwarm(home, args, { env: as("bob"), beforeCall }).stdout).toContain("hello");
    expect([...seen, isRead(home)]).toEqual([false, true]);
  });

  const nobodyListens: BeforeCall = (name, [fd]) => {
    if (name === "writeSync" && fd === 1) throw gone("EPIPE");
  };

  test("swarm inbox into a pipe that nobody reads any more", () => {
    const home = aHomeWithMail();
    expect(runSwarm(home, ["inbox"], { env: as("bob"), beforeCall: nobodyListens }).exitCode).toBe(0);
    expect(isRead(home)).toBe(false);
  });

  test("a mark that cannot be written is an error of its own; the mail is out", () => {
    const home = aHomeWithMail();
    let isOut = false;
    const beforeCall: BeforeCall = (name, [fd]) => {
      if (isOut && name === "renameSync") throw gone("ENOSPC");
      isOut ||= name === "writeSync" && fd === 1;
    };
    expect(runSwarm(home, ["inbox"], { env: as("bob"), beforeCall })).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("hello"),
      stderr: "swarm: ENOSPC\n",
    });
    expect(isRead(home)).toBe(false);
  });

  test.each([
    ["session-start", { source: "startup" }],
    ["user-prompt-submit", { prompt: "go on" }],
    ["stop", {}],
  ])("%s of a client that was killed meanwhile", (hook, input) => {
    const home = aHomeWithMail();
    runHook(home, hook, input, { env: as("bob"), beforeCall: nobodyListens });
    expect(isRead(home)).toBe(false);
    expect(home.json(inboxOf("bob"))[0].claim.pid).toBe(process.pid);
    runHook(home, hook, input, { env: as("bob") }); // the claim of a process that lives
    expect(isRead(home)).toBe(false);
  });
});

test("however long a project's welcome is, no mail that counts as read is cut", () => {
  const home = aHome();
  aTeam(home);
  const [team, welcome] = ["t".repeat(990), "w".repeat(990)];
  home.write("project/.atm.toml", `[core]\ndefault_team = "${team}"\nwelcome-message = "${welcome}"\n`);
  const text = (n: number) => `${"x".repeat(800)} end of ${n}.`;
  home.write(
    inboxOf("bob"),
    Array.from({ length: 12 }, (_, n) => aMessage("alice", text(n), fresh())),
  );
  const { reply } = runHook(home, "session-start", { source: "startup" }, { env: as("bob") });
  const shown: string = reply.hookSpecificOutput.additionalContext;
  const read = home.json(inboxOf("bob")).filter((one: { read: boolean }) => one.read);
  expect(read.length).toBeGreaterThan(3);
  for (const one of read) expect(shown).toContain(one.text);
  expect(shown).toContain("SESSION_ID=s-1 (starting fresh)");
});
