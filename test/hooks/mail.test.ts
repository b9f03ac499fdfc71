// Mail between real processes: many at once, killed at the worst moment, and called by hand as the recipes of Claude Swarm hooks do.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { aFullPipe } from "../support/a-full-pipe.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, member, TEAM } from "../support/a-team.ts";
import { cleanEnv, ROOT, runHook, runSwarm, startHook, startScript } from "../support/run-built.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `member-${n}`);
const contents = (text: string) =>
  [...text.matchAll(/<content>(.*?)<\/content>/gs)].map((found) => found[1] ?? "");
const fresh = () => ({ timestamp: new Date().toISOString() });

test("sixteen members end at the same moment: sixteen messages, sixteen marks", async () => {
  const home = aHome();
  const all = names(16);
  aTeam(home, ["team-lead", ...all]);
  const end = (name: string) => ({ session_id: name, cwd: home.project, reason: "other" });
  const ended = await Promise.all(
    all.map((name) => startHook(home, "session-end", end(name), as(name)).done),
  );
  expect(ended.map(({ exitCode, stderr }) => `${exitCode}${stderr}`)).toEqual(Array(16).fill("0"));
  // Where the lock was not to be had in time, message and mark are in the spool until the lead's next hook.
  const lead = { session_id: "lead", source: "startup" };
  const { stdout } = runHook(home, "session-start", lead, { env: as("team-lead") });
  const leavers = contents(stdout).map((text) => text.split(" session ended")[0]);
  expect(leavers.sort()).toEqual([...all].sort());
  expect(all.map((name) => member(home, name).status)).toEqual(Array(16).fill("offline"));
}, 60_000);

test("many senders and a reader at one inbox: nothing lost, nothing twice, each sender's order kept", async () => {
  const home = aHome();
  const senders = names(8);
  const each = 6;
  aTeam(home, ["team-lead", ...senders]);
  const prompt = { session_id: "lead", cwd: home.project, prompt: "go on" };
  let writing = true;
  const read: string[] = [];
  const reader = (async () => {
    for (let more = true; more; ) {
      more = writing;
      const { done } = startHook(home, "user-prompt-submit", prompt, as("team-lead"));
      read.push(...contents((await done).stdout));
    }
  })();
  const send = async (name: string) => {
    for (let n = 0; n < each; n++) {
      const words = ["send", "team-lead", `${name} ${n}`];
      const { done } = startScript(join(ROOT, "plugin/bin/swarm"), words, home, "", as(name));
      expect((await done).exitCode).toBe(0);
    }
  };
  await Promise.all(senders.map(send));
  writing = false;
  await reader;
  for (const name of senders)
    expect(read.filter((text) => text.startsWith(`${name} `))).toEqual(
      Array.from({ length: each }, (_, n) => `${name} ${n}`),
    );
  expect(read).toHaveLength(senders.length * each);
}, 120_000);

describe("killed between claim and mark", () => {
  test.each([
    ["SIGKILL", "at once, since its process is gone"],
    ["SIGSTOP", "after its lease, since its process may still show it"],
  ] as const)("by %s: the message comes again %s", async (signal, _how) => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [aMessage("alice", "hello", fresh())]);
    const child = spawn(process.execPath, [join(ROOT, "plugin/dist/hooks/user-prompt-submit.cjs")], {
      env: cleanEnv(home, as("bob")),
      stdio: ["pipe", aFullPipe(home), "ignore"],
    });
    const gone = new Promise((resolve) => child.on("close", resolve));
    child.stdin?.end(JSON.stringify({ session_id: "s-1", cwd: home.project, prompt: "go" }));
    const isClaimed = () =>
      home.json(inboxOf("bob"))[0].state === "claimed" && !home.has(`${inboxOf("bob")}.lock`);
    for (let n = 0; !isClaimed(); n++) {
      expect(n).toBeLessThan(500);
      await pause(20);
    }
    child.kill(signal);
    onTestFinished(() => void child.kill("SIGKILL"));
    if (signal === "SIGKILL") await gone;

    const prompt = () => runHook(home, "user-prompt-submit", { prompt: "go" }, { env: as("bob") }).stdout;
    if (signal === "SIGSTOP") {
      expect(contents(prompt())).toEqual([]);
      const [entry] = home.json(inboxOf("bob"));
      const lapsed = new Date(Date.now() - 31_000).toISOString();
      home.write(inboxOf("bob"), [{ ...entry, claim: { ...entry.claim, at: lapsed } }]);
    }
    expect(contents(prompt())).toEqual(["hello"]);
    expect(contents(prompt())).toEqual([]);
  });
});

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

test("the client's own lock protocol is honoured: a held lock is waited for, not broken", async () => {
  const home = aHome();
  aTeam(home);
  const lock = home.path(`${inboxOf("bob")}.lock`);
  mkdirSync(lock, { recursive: true });
  const words = ["send", "bob", "hello"];
  const { done, child } = startScript(join(ROOT, "plugin/bin/swarm"), words, home, "", as("alice"));
  await pause(300);
  expect(child.exitCode).toBeNull();
  expect(home.has(inboxOf("bob"))).toBe(false);
  execFileSync("rmdir", [lock]);
  expect((await done).exitCode).toBe(0);
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
