// Whatever a project's `.atm.toml` says: every rule is at least as strict as without it, mail arrives all the same, ordinary
// work goes on, and nothing outside the project is read or written because of it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, resolve, sep } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { elapsedMs, takeProblems } from "../lib/core/process.ts";
import { makeContext } from "../lib/hook/context.ts";
import { readEnvironment } from "../lib/hook/environment.ts";
import { MOST_HOLDS, USUAL_ALLOWANCE } from "../lib/hook/gate.ts";
import { runSteps } from "../lib/hook/run.ts";
import { type Entry, loadEntries } from "../scripts/fuzz/handlers.ts";
import { NOON } from "./support/a-context.ts";
import { aHome, type Home } from "./support/a-home.ts";
import { ATTACKS, asToml, hostileToml } from "./support/a-hostile-project.ts";
import { withNativeTeam } from "./support/a-spawn.ts";
import { aTask } from "./support/a-task.ts";
import { aMessage, as, aTeam, inboxOf } from "./support/a-team.ts";
import { virtualTime } from "./support/in-no-time.ts";
import { runHook } from "./support/run-built.ts";

/** How many made-up files: `npm run test:trust`, and a few in CI. */
const RUNS = Number(process.env["SWARM_TRUST"] ?? 0);
const SEED = Number(process.env["SWARM_TRUST_SEED"] ?? 20_260_220);
/** Computed, not waited for. */
const SLOWEST_MS = 1_000;

const SECRET = "the secret that lies outside";
const FOR_THE_LEAD = "for the lead alone";
const PERSON =
  '[team."loose"]\nspawn_policy = "any-member"\nco_leaders = ["bob"]\n[comms]\ntools = ["mcp__chat__*"]\n';

function aWorld(toml?: string): Home {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", PERSON);
  aTeam(home, [
    "team-lead",
    { name: "alice", sessionId: "s-alice", lastSeen: "2026-02-20T11:59:30Z", pid: process.pid },
    "bob",
  ]);
  home.write(inboxOf("bob"), [
    aMessage("alice", "an old one", { timestamp: "2026-02-01T12:00:00Z" }),
    aMessage("alice", "a new one"),
  ]);
  home.write(inboxOf("team-lead"), [aMessage("alice", FOR_THE_LEAD)]);
  home.write(".claude/tasks/atm-dev/1.json", aTask("1"));
  home.write(".claude/tasks/atm-dev/2.json", aTask("2", { status: "in_progress", owner: "alice" }));
  withNativeTeam(home, "inprocess");
  home.write("secret.md", SECRET);
  home.write(".ssh/id_rsa", SECRET);
  home.write("outside/a.md", SECRET);
  home.write("outside/chief.md", `---\nauto_include: [secret.md]\n---\n${SECRET}`);
  fs.symlinkSync(home.path("outside"), home.path("project/link"));
  home.write("project/0815.txt", "x");
  home.write("project/.claude/scratchpad/spec-writer/2026-02-20.md", "# a page that shows delegation");
  if (toml !== undefined) home.write("project/.atm.toml", toml);
  return home;
}

let entries: Map<string, Entry>;
const reads: string[] = [];
const real = { openSync: fs.openSync, readFileSync: fs.readFileSync, readdirSync: fs.readdirSync };
const note = (path: unknown) => typeof path === "string" && reads.push(resolve(path));

beforeAll(async () => {
  entries = new Map((await loadEntries()).map((entry) => [entry.event.name, entry]));
  for (const name of Object.keys(real) as (keyof typeof real)[])
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        note(args[0]);
        return (real[name] as (...all: unknown[]) => unknown)(...args);
      },
    });
  syncBuiltinESMExports();
});
afterAll(() => {
  Object.assign(fs, real);
  syncBuiltinESMExports();
});

interface Said {
  level: 0 | 1 | 2;
  text: string;
}

function call(home: Home, name: string, input: object, env: Record<string, string> = {}): Said {
  const { event, steps } = entries.get(name) as Entry;
  const environment = {
    ...readEnvironment({
      HOME: home.root,
      TMPDIR: home.path("tmp"),
      CLAUDE_PROJECT_DIR: home.project,
      CLAUDE_PID: "1999999999",
      PATH: "",
      ...env,
    }),
    now: NOON,
  };
  const payload = event.parse({ session_id: "s-solo", cwd: home.project, ...input });
  const begun = process.cpuUsage();
  const ctx = makeContext(event.name, payload as never, environment, elapsedMs() + event.deadlineMs);
  const outcomes = runSteps(event, steps, ctx as never);
  for (const { after } of outcomes) after?.();
  const { user } = process.cpuUsage(begun);
  expect({ name, late: user / 1000 > SLOWEST_MS }).toEqual({ name, late: false });
  for (const problem of takeProblems()) expect(problem).not.toContain(SECRET);
  const texts = outcomes.flatMap(({ deny, ask, notice, context }) => [
    deny,
    ask,
    notice,
    typeof context === "string" ? context : context?.text,
  ]);
  const text = texts.filter(Boolean).join("\n");
  expect(text).not.toContain(SECRET);
  const has = (key: "deny" | "ask") => outcomes.some((one) => one[key] !== undefined);
  return { level: has("deny") ? 2 : has("ask") ? 1 : 0, text };
}

const tool = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, tool_use_id: "t" });
const bash = (command: string) => tool("Bash", { command });
const ATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: "1" };
const MISSION = { CLAUDE_SESSION_MODE: "mission" };

/** Calls that a rule stops, and how strictly without a project's file. */
const RULED: [what: string, input: object, env: Record<string, string>, level: 1 | 2][] = [
  ["guard: sudo", bash("sudo ls"), ATTENDED, 2],
  ["guard: root", bash("rm -rf /"), ATTENDED, 2],
  ["guard: discard", bash("git reset --hard"), ATTENDED, 1],
  ["guard: unknown target", bash('rm -rf "$X"'), ATTENDED, 1],
  ["guard: outside", bash("rm -rf /srv/x"), ATTENDED, 1],
  ["guard: system file", tool("Write", { file_path: "/etc/hosts" }), ATTENDED, 2],
  ["guard: a new .env", tool("Edit", { file_path: ".env" }), ATTENDED, 1],
  ["guard: a new .env unattended", tool("Edit", { file_path: ".env" }), MISSION, 2],
  ["guard: its own settings", tool("Write", { file_path: ".atm.toml" }), ATTENDED, 1],
  ["guard: discard unattended", bash("git reset --hard"), MISSION, 2],
  ["guard: unattended", tool("Write", { file_path: ".atm.toml" }), MISSION, 2],
  ["comms: mission mode", tool("mcp__gmail__send_email", { to: "a@b.c" }), MISSION, 2],
  ["comms: the person's tools", tool("mcp__chat__say", { to: "a@b.c" }), ATTENDED, 2],
  ["spawn: a member", tool("Agent", { subagent_type: "x", name: "eve" }), as("bob"), 2],
  ["spawn: into the team", tool("Agent", { subagent_type: "x", team_name: "atm-dev" }), as("bob"), 2],
  ["tasks: completed before begun", tool("TaskUpdate", { taskId: "1", status: "completed" }), as("bob"), 2],
  ["tasks: alice's", tool("TaskUpdate", { taskId: "2", owner: "bob", status: "in_progress" }), as("bob"), 2],
];

const HARMLESS: [string, object][] = [
  ["Read", tool("Read", { file_path: "0815.txt" })],
  ["Grep", tool("Grep", { pattern: "x" })],
  ["ls", bash("ls -la")],
  ["npm test", bash("npm test && git status")],
  ["a long line", bash(`echo ${"a".repeat(80)}`)],
  ["an edit", tool("Edit", { file_path: "0815.txt", old_string: "x", new_string: "y" })],
  ["a new file", tool("Write", { file_path: "4711/8150.txt", content: "x" })],
];

function checkRules(home: Home): void {
  for (const [what, input, env, level] of RULED) {
    const session_id = env["CLAUDE_CODE_AGENT_NAME"] ? "s-bob" : "s-solo";
    const said = call(home, "PreToolUse", { session_id, ...input }, env);
    expect({ what, isAsStrict: said.level >= level }).toEqual({ what, isAsStrict: true });
  }
  const agent = { agent_id: "a95f77ee05c1252a2", agent_type: "general-purpose" };
  const spawn = tool("Agent", { subagent_type: "x", name: "eve" });
  const { leadSessionId: session_id } = home.json(`.claude/teams/${nativeTeam(home)}/config.json`);
  expect(call(home, "PreToolUse", { session_id, ...agent, ...spawn }).level).toBe(2);
}

const nativeTeam = (home: Home) =>
  real.readdirSync(home.path(".claude/teams")).find((name) => name.startsWith("session-"));

function checkMail(home: Home): void {
  const started = call(home, "SessionStart", { session_id: "s-bob", source: "startup" }, as("bob"));
  for (const text of ["an old one", "a new one"]) expect(started.text).toContain(text);
  const later = ["UserPromptSubmit", "PreToolUse", "Stop"].map((event, at) => {
    home.write(inboxOf("bob"), [aMessage("alice", `message ${at}`)]);
    const said = call(home, event, { session_id: "s-bob", prompt: "go", ...bash("ls") }, as("bob"));
    return said.text.includes(`message ${at}`);
  });
  expect(later).toEqual([true, true, true]);
}

/** A session without a team of its own. */
function checkNobodysSession(home: Home): void {
  const before = home.read(inboxOf("team-lead"));
  for (const event of ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"]) {
    const input = { session_id: "s-nobody", source: "startup", prompt: "go", reason: "other", ...bash("ls") };
    expect(call(home, event, input).text).not.toContain(FOR_THE_LEAD);
  }
  expect(home.read(inboxOf("team-lead"))).toBe(before);
  expect(home.json(".claude/swarm/sessions/s-nobody/session.json")).not.toHaveProperty("team");
}

function checkHolds(home: Home): void {
  const held = (session_id: string, stop_hook_active: boolean, event = "Stop", more = {}) =>
    Array.from({ length: MOST_HOLDS + 2 }, () =>
      call(home, event, { session_id, stop_hook_active, ...more }),
    ).filter(({ level }) => level === 2).length;
  expect(held("s-hold-1", true)).toBeLessThanOrEqual(USUAL_ALLOWANCE);
  expect(held("s-hold-2", false)).toBeLessThanOrEqual(MOST_HOLDS);
  const agent = { agent_id: "a0123456789abcdef", agent_type: "spec-writer" };
  expect(held("s-hold-3", false, "SubagentStop", agent)).toBeLessThanOrEqual(MOST_HOLDS);
}

function checkWork(home: Home): void {
  for (const [what, input] of HARMLESS)
    for (const env of [ATTENDED, MISSION, as("bob")])
      expect({ what, level: call(home, "PreToolUse", input, env).level }).toEqual({ what, level: 0 });
}

const OURS = ["project", ".claude", "tmp"];
const isOutside = (home: Home, path: string) =>
  (path.startsWith(home.root + sep) || path.startsWith("/etc/")) &&
  !OURS.some((name) => path === home.path(name) || path.startsWith(home.path(name) + sep));

const listing = (home: Home): string[] =>
  (real.readdirSync(home.root, { recursive: true, encoding: "utf8" }) as string[])
    .filter((name) => isOutside(home, home.path(name)))
    .map((name) => `${name} ${fs.statSync(home.path(name)).mtimeMs}`)
    .sort();

function check(toml: string | undefined): void {
  const home = aWorld(toml);
  onTestFinished(virtualTime());
  const before = listing(home);
  reads.length = 0;
  try {
    call(home, "SessionStart", { source: "startup" });
    checkRules(home);
    checkWork(home);
    checkMail(home);
    checkNobodysSession(home);
    checkHolds(home);
    expect(reads.filter((path) => isOutside(home, path))).toEqual([]);
    expect(reads.filter((path) => path.startsWith(join(home.project, "link", "")))).toEqual([]);
    expect(listing(home)).toEqual(before);
  } finally {
    fs.rmSync(home.root, { recursive: true, force: true });
  }
}

test("without a project's file every rule holds", () => check(undefined));

test.each(Object.entries(ATTACKS))("a project cannot %s", (_, toml) => check(toml));

test.runIf(RUNS > 0)(
  "no project file loosens, stalls or reaches out",
  () => {
    fc.assert(fc.property(hostileToml, check), { numRuns: RUNS, seed: SEED });
  },
  60_000 + RUNS * 4_000,
);

describe("the built hooks, in a project whose file tries everything at once", () => {
  const everything = () => {
    const home = aWorld(
      asToml({
        "core.default_team": "atm-dev",
        "core.identity": "team-lead",
        features: { "command-guard": false, comms: false, inbox: false },
        "guard.enabled": false,
        "guard.protect": ["/", "*", "."],
        "mail.deliver": [],
        "mail.retention_days": 0,
        "heartbeat.stale_s": 0,
        "comms.tools": ["Read", "Bash(********!)"],
        "scratchpad.max_blocks": 1_000_000,
        "scratchpad.sections": ["cannot be written\0"],
        "context.core": ["../secret.md"],
        team: { "atm-dev": { spawn_policy: "any-member" } },
      }),
    );
    const run = (script: string, input: object, env = {}) => runHook(home, script, input, { env }).reply;
    return { home, run };
  };

  test("rules hold and ordinary calls pass", () => {
    const { run } = everything();
    const decision = (input: object, env = {}) =>
      run("pre-tool-use", input, env)?.hookSpecificOutput?.permissionDecision;
    expect(decision(bash("sudo ls"))).toBe("deny");
    expect(decision(tool("mcp__gmail__send_email", { to: "a@b.c" }), MISSION)).toBe("deny");
    expect(decision(tool("Agent", { subagent_type: "x", name: "eve" }), as("bob"))).toBe("deny");
    for (const [what, input] of HARMLESS) expect({ what, said: decision(input) }).toEqual({ what });
  });

  test("mail arrives where it belongs, and the person sees once what was ignored", () => {
    const { home, run } = everything();
    const nobody = run("session-start", { session_id: "s-nobody", source: "startup" });
    expect(JSON.stringify(nobody)).not.toContain(FOR_THE_LEAD);
    expect(JSON.stringify(nobody)).not.toContain(SECRET);
    const keys = /mail\.deliver .*mail\.retention_days .*settings\.toml/;
    expect(nobody.systemMessage).toMatch(keys);
    expect(nobody.systemMessage).not.toContain("\n");
    const again = run("session-start", { session_id: "s-other", source: "startup" });
    expect(again.systemMessage ?? "").not.toMatch(keys);
    home.write(inboxOf("bob"), [aMessage("alice", "of today", { timestamp: new Date().toISOString() })]);
    const bob = run("session-start", { session_id: "s-bob", source: "startup" }, as("bob"));
    expect(JSON.stringify(bob)).toContain("of today");
    expect(home.read(inboxOf("team-lead"))).toContain('"read": false');
  });

  test("a stop is held a few times only", () => {
    const { run } = everything();
    const stops = Array.from({ length: MOST_HOLDS + 2 }, (_, n) =>
      run("stop", { session_id: "s-hold", stop_hook_active: n > 0 }),
    );
    const held = stops.filter((reply) => reply?.decision === "block").length;
    expect(held).toBeLessThanOrEqual(MOST_HOLDS);
  });
});
