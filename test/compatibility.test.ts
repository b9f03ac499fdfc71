// Nothing on disk breaks: a home that 0.1.0 left behind (test/fixtures/home-0.1.0, made by test/fixtures/make-home.mjs with that
// version's own scripts) goes on under this version, beside sessions that still run the old one, and after going back to it.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { taskIdOf } from "../lib/efforts/store/efforts.ts";
import { kindOf } from "../lib/ops/file-kinds.ts";
import { startOf } from "../lib/system/processes.ts";
import { aHome, type Home } from "./support/a-home.ts";
import { cleanEnv, ROOT } from "./support/run-built.ts";

const FIXTURE = join(ROOT, "test/fixtures/home-0.1.0");
const RELEASE_0_1_0 = "7d01adf";
const NEW = join(ROOT, "plugin");

/** The built code of 0.1.0, where the repository's history is at hand. */
const OLD = ((): string | undefined => {
  const archive = spawnSync("git", ["-C", ROOT, "archive", RELEASE_0_1_0, "bin", "dist", "hooks.json"], {
    maxBuffer: 64 * 1024 * 1024,
  });
  if (archive.status !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "swarm-0.1.0-"));
  execFileSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  return folder;
})();
afterAll(() => {
  if (OLD) rmSync(OLD, { recursive: true, force: true });
});

const AGENTS = ["lead", "alice", "bob", "captain"] as const;
type Agent = (typeof AGENTS)[number];
const sessionOf = (who: Agent) => `5e55${AGENTS.indexOf(who)}000-0000-4000-8000-000000000000`;

interface World extends Home {
  clients: Record<Agent, ChildProcess>;
}

/** The fixture in a home of its own; a stand-in process for each client, since who is alive is decided by that. */
function aHomeOf010(): World {
  const home = aHome();
  const start = () => spawn("sleep", ["600"], { stdio: "ignore" });
  const clients = { lead: start(), alice: start(), bob: start(), captain: start() };
  onTestFinished(() => {
    for (const client of Object.values(clients)) client.kill();
  });
  const filled = (text: string) => {
    let result = text
      .replaceAll("__HOME__", home.root)
      .replaceAll("__PLUGIN__", join(home.root, "plugins/cache/swarm/0.1.0"))
      .replaceAll("__TASK__", taskIdOf(join(home.project, "reviews/parser")));
    for (const [name, { pid = 0 }] of Object.entries(clients))
      result = result
        .replaceAll(`__PID_${name}__`, String(pid))
        .replaceAll(`__STARTED_${name}__`, startOf(pid) ?? "");
    return result;
  };
  for (const name of readdirSync(FIXTURE, { recursive: true, encoding: "utf8" })) {
    if (!statSync(join(FIXTURE, name)).isFile()) continue;
    const path = home.path(filled(name).replaceAll(/(^|\/)dot-/g, "$1."));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, filled(readFileSync(join(FIXTURE, name), "utf8")), { mode: 0o600 });
  }
  mkdirSync(home.path("pier"), { recursive: true });
  return { ...home, clients };
}

const cwdOf = (home: World, who: Agent) => (who === "captain" ? home.path("pier") : home.project);

function environment(home: World, who: Agent, more: Record<string, string> = {}) {
  const isTeammate = who === "alice" || who === "bob";
  return cleanEnv(home, {
    CLAUDE_PROJECT_DIR: cwdOf(home, who),
    CLAUDE_CODE_SESSION_ID: sessionOf(who),
    CLAUDE_PID: String(home.clients[who].pid),
    CLAUDECODE: "1",
    ...(isTeammate ? { CLAUDE_CODE_TEAM_NAME: "harbour", CLAUDE_CODE_AGENT_NAME: who } : {}),
    ...more,
  });
}

function swarm(home: World, who: Agent, args: string[], { version = NEW, more = {}, mayFail = false } = {}) {
  const done = spawnSync(process.execPath, [join(version, "bin/swarm"), ...args], {
    cwd: cwdOf(home, who),
    env: environment(home, who, more),
    encoding: "utf8",
    timeout: 60_000,
  });
  if (!mayFail) expect(done.stderr || `exit code ${done.status}`).toBe("exit code 0");
  return done.stdout;
}

const json = (home: World, who: Agent, args: string[], given: { version?: string } = {}) =>
  JSON.parse(swarm(home, who, [...args, "--json"], given));

const scriptOf = (event: string) => event.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

function hookCall(home: World, who: Agent, event: string, input: object, version: string) {
  return {
    args: [join(version, `dist/hooks/${scriptOf(event)}.cjs`)],
    options: { cwd: cwdOf(home, who), env: environment(home, who, { CLAUDE_PLUGIN_ROOT: version }) },
    input: JSON.stringify({
      session_id: sessionOf(who),
      cwd: cwdOf(home, who),
      hook_event_name: event,
      transcript_path: home.path("transcripts", `${who}.jsonl`),
      ...input,
    }),
  };
}

/** What the hook gave the model. */
function hook(home: World, who: Agent, event: string, input: object, version = NEW): string {
  const call = hookCall(home, who, event, input, version);
  const done = spawnSync(process.execPath, call.args, {
    ...call.options,
    input: call.input,
    encoding: "utf8",
    timeout: 60_000,
  });
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: "" });
  return done.stdout;
}

const contents = (text: string) =>
  [...text.matchAll(/<content>(.*?)<\/content>/gs)].map((found) => found[1] ?? "");
const prompt = (home: World, who: Agent, version = NEW) =>
  contents(hook(home, who, "UserPromptSubmit", { prompt: "go on" }, version));
const stop = (home: World, who: Agent, version = NEW) =>
  contents(hook(home, who, "Stop", { last_assistant_message: "done" }, version));

const UNREAD_OF_BOB = ["unread one", "unread two: &lt;b&gt;markup&lt;/b&gt; &amp; more"];
const CLAIMED_OF_ALICE = ["team-lead assigned task #1 to you: Write the parser", "claimed, never marked"];

describe("a home of 0.1.0 under this version", () => {
  test("unread and claimed mail is delivered, each message once; archived mail can be read", () => {
    const home = aHomeOf010();
    expect(prompt(home, "bob")).toEqual(expect.arrayContaining(UNREAD_OF_BOB));
    expect(stop(home, "alice")).toEqual(CLAIMED_OF_ALICE);
    expect(prompt(home, "lead")).toEqual(["unread by the lead"]);
    for (const who of ["lead", "alice", "bob"] as const) expect(prompt(home, who)).toEqual([]);
    const all = swarm(home, "alice", ["inbox", "--all"]);
    for (const text of ["archived one", "archived two", "read last"]) expect(all).toContain(text);
    expect(swarm(home, "lead", ["outbox"])).toContain("archived one");
  });

  test("what an interrupted tool call may not have shown comes again", () => {
    const home = aHomeOf010();
    // 0.1.0 showed the assignment before a tool call that never ended.
    expect(prompt(home, "bob")).toContain("team-lead assigned task #2 to you: Review it");
  });

  test("the effort goes on where it was", () => {
    const home = aHomeOf010();
    const text = hook(home, "bob", "SessionStart", { source: "compact" });
    expect(text).toContain("Grammar read; only fuzzing is left.");
    expect(text).toContain("fuzz the lexer");
    swarm(home, "bob", ["effort", "log", "fuzzed | nothing found | done"]);
    expect(json(home, "bob", ["effort", "show"]).effort).toMatchObject({ phase: "1: read", skill: "review" });
    swarm(home, "bob", ["effort", "finish", "all done"]);
    expect(home.read("project/reviews/parser/1_REVIEW_LOG.md")).toMatch(/read the grammar[\s\S]*fuzzed/);
    // The second effort in the same directory is the task's second.
    swarm(home, "bob", ["effort", "start", "review", "--dir", "reviews/parser"]);
    expect(json(home, "bob", ["effort", "show"]).effort).toMatchObject({ ordinal: 2 });
  });

  test("tasks, settings, the journal and the board", () => {
    const home = aHomeOf010();
    swarm(home, "alice", ["task", "done", "1"]);
    swarm(home, "bob", ["task", "claim", "2"]);
    const { settings } = json(home, "lead", ["config"]);
    const value = (name: string) => settings.find((one: { name: string }) => one.name === name);
    expect(value("mail.keep_read")).toMatchObject({ value: 1, source: "person" });
    expect(value("gate.max_teammates")).toMatchObject({ value: 7, source: "person" });
    expect(swarm(home, "lead", ["journal", "--denied", "--day", dayOfFixture()])).toContain("sudo rm");
    const board = JSON.stringify(json(home, "lead", ["status"]));
    for (const name of ["team-lead", "alice", "bob"]) expect(board).toContain(`"${name}"`);
  });

  test("the installed status line finds this version after a session has started", () => {
    const home = aHomeOf010();
    hook(home, "lead", "SessionStart", { source: "resume" });
    const { command } = home.json(".claude/settings.json").statusLine;
    const line = execFileSync("sh", ["-c", command], {
      env: environment(home, "lead"),
      input: JSON.stringify({ session_id: sessionOf("lead"), cwd: home.project }),
      encoding: "utf8",
    });
    expect(line).toContain("harbour");
  });

  test("a suspended team comes back, with its member and that member's mail", () => {
    const home = aHomeOf010();
    mkdirSync(home.path("notes"));
    const more = {
      CLAUDE_CODE_TEAMMATE_COMMAND: join(ROOT, "test/support/stand-in-client.cjs"),
      STAND_IN_NOTES: home.path("notes"),
    };
    swarm(home, "captain", ["resume", "pier"], { more });
    const config = home.json(".claude/teams/pier/config.json");
    expect(config).toMatchObject({ status: "active" });
    expect(config.members[1]).toMatchObject({ name: "diver", status: "active" });
    expect(home.json("notes/diver.json").argv.join(" ")).toContain(config.members[1].sessionId);
    swarm(home, "captain", ["suspend", "pier"], { more });
    expect(home.read(".claude/teams/pier/inboxes/diver.json")).toContain("for when you are back");
  });

  test("every file has a kind, and the doctor finds none damaged", () => {
    const home = aHomeOf010();
    hook(home, "lead", "SessionStart", { source: "resume" });
    const base = home.path(".claude");
    const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) =>
      statSync(join(base, name)).isFile(),
    );
    expect(files.filter((name) => !/^(tasks\/|settings\.json)/.test(name) && !kindOf(name))).toEqual([]);
    expect(swarm(home, "lead", ["doctor"], { mayFail: true })).not.toMatch(/damaged|cannot be read/);
  });
});

const dayOfFixture = () =>
  readdirSync(join(FIXTURE, "dot-claude/swarm/journal"))[0]?.replace(".jsonl", "") ?? "";

describe("beside a session of 0.1.0", () => {
  test("entries as it writes them, without our newer keys, are delivered", () => {
    const home = aHomeOf010();
    const path = ".claude/teams/harbour/inboxes/bob.json";
    const late = { from: "alice", text: "late", timestamp: new Date().toISOString(), read: false };
    home.write(path, [...home.json(path), { state: "queued", id: "mwkjqq63-zzz0", ...late }]);
    home.write(path, [...home.json(path), { ...late, text: "without id and state" }]);
    expect(prompt(home, "bob")).toEqual(
      expect.arrayContaining([...UNREAD_OF_BOB, "late", "without id and state"]),
    );
    expect(prompt(home, "bob")).toEqual([]);
  });

  test.runIf(OLD)(
    "both write and read at the same time: nothing is lost",
    async () => {
      const home = aHomeOf010();
      prompt(home, "bob");
      const texts = Array.from({ length: 4 }, (_, n) => `message ${n}`);
      const send = async (version: string, to: string, from: Agent) => {
        for (const text of texts) {
          const child = spawn(
            process.execPath,
            [join(version, "bin/swarm"), "send", to, `${from}: ${text}`],
            {
              cwd: home.project,
              env: environment(home, from),
              stdio: "ignore",
            },
          );
          expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
        }
      };
      let isSending = true;
      const shown: string[] = [];
      const reader = (async () => {
        for (let more = true, n = 0; more; n++) {
          more = isSending;
          const call = hookCall(
            home,
            "bob",
            "UserPromptSubmit",
            { prompt: "go" },
            n % 2 ? (OLD as string) : NEW,
          );
          const child = spawn(process.execPath, call.args, {
            ...call.options,
            stdio: ["pipe", "pipe", "ignore"],
          });
          child.stdin.end(call.input);
          let text = "";
          child.stdout.on("data", (part) => (text += part));
          await new Promise((resolve) => child.on("close", resolve));
          shown.push(...contents(text));
        }
      })();
      await Promise.all([send(OLD as string, "bob", "alice"), send(NEW, "bob", "lead")]);
      isSending = false;
      await reader;
      shown.push(...prompt(home, "bob"));
      for (const from of ["alice", "lead"])
        for (const text of texts) expect(shown).toContain(`${from}: ${text}`);
    },
    120_000,
  );
});

describe("going back to 0.1.0", () => {
  test("entries keep the keys that it reads", () => {
    const home = aHomeOf010();
    swarm(home, "lead", ["send", "bob", "from the new version"]);
    const entry = home.json(".claude/teams/harbour/inboxes/bob.json").at(-1);
    expect(entry).toMatchObject({
      state: "queued",
      id: expect.any(String),
      from: "team-lead",
      text: "from the new version",
      timestamp: expect.any(String),
      read: false,
    });
  });

  test.runIf(OLD)("mail, tasks, the effort and the suspended team are where this version left them", () => {
    const home = aHomeOf010();
    const version = OLD as string;
    hook(home, "bob", "SessionStart", { source: "resume" });
    swarm(home, "lead", ["send", "bob", "from the new version"]);
    swarm(home, "alice", ["task", "done", "1"]);
    swarm(home, "bob", ["effort", "log", "fuzzed | nothing found | done"]);
    expect(stop(home, "alice")).toEqual(CLAIMED_OF_ALICE);

    const shown = [...prompt(home, "bob", version), ...stop(home, "bob", version)];
    expect(shown).toContain("from the new version");
    expect(stop(home, "alice", version)).toEqual([]);
    expect(swarm(home, "alice", ["inbox", "--all"], { version })).toContain("claimed, never marked");
    expect(json(home, "bob", ["task", "list"], { version })).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: "1", status: "completed" })]),
    );
    expect(hook(home, "bob", "SessionStart", { source: "compact" }, version)).toContain("fuzzed");
    expect(JSON.stringify(json(home, "captain", ["list-teams"], { version }))).toContain("suspended");
    expect(home.has(".claude/swarm/errors.jsonl")).toBe(false);
  });
});
