// The call that concerns nobody is answered before the run is loaded: it must leave what a run leaves, and step aside in any doubt.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as check from "../../lib/features/command-guard/check.ts";
import { PreToolUse } from "../../lib/run/events.ts";
import { GUARDED, HARMLESS, mayBeQuiet, passQuietly } from "../../lib/run/quiet-call.ts";
import { corpora, readCorpus } from "../features/command-guard/corpus.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { cleanEnv, payload, ROOT, runHook } from "../support/run-built.ts";

const SESSION = "5f0c1d2e-0000-4000-8000-000000000001";
const RECORD = `.claude/swarm/sessions/${SESSION}.json`;

const aCall = (home: Home, more: object = {}) => ({
  ...payload("PreToolUse-Read"),
  session_id: SESSION,
  cwd: home.project,
  ...more,
});

/** A session in the middle of a turn, as its start and its prompt leave it. */
function aTurn(): Home {
  const home = aHome();
  runHook(home, "session-start", { session_id: SESSION, source: "startup" });
  runHook(home, "user-prompt-submit", { session_id: SESSION, prompt: "go" });
  runHook(home, "pre-tool-use", { session_id: SESSION, tool_name: "Bash", tool_input: { command: "ls" } });
  return home;
}

const passes = (home: Home, call: object, env: Record<string, string> = {}) =>
  passQuietly(JSON.stringify(call), cleanEnv(home, env), () => check);

/** The plugin in a copy that has no run to fall back on. */
function withoutRun(home: Home): void {
  cpSync(join(ROOT, "dist"), home.path("plugin/dist"), { recursive: true });
  writeFileSync(home.path("plugin/dist/body/pre-tool-use.cjs"), "the run was loaded");
}

function startIn(home: Home, input: string, env: Record<string, string> = {}) {
  const copy = home.path("plugin/dist/hooks/pre-tool-use.cjs");
  const script = existsSync(copy) ? copy : join(ROOT, "dist/hooks/pre-tool-use.cjs");
  return spawnSync(process.execPath, [script], { env: cleanEnv(home, env), input, encoding: "utf8" });
}

const filesIn = (home: Home) =>
  readdirSync(home.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z|^\d+\.\d$|"id":"\w+-\w+"/gm;
const left = (home: Home) =>
  filesIn(home).map((file) => [
    file.slice(home.root.length),
    readFileSync(file, "utf8")
      .replace(TIMES, "<time>")
      .replace(/^([+-])\w+\.\w+$/gm, "$1<call>")
      .replaceAll(home.root, "<home>"),
  ]);

const FILE = "src/a.ts";
const INPUTS: Record<string, object> = {
  Bash: { command: 'for f in $(git ls-files); do wc -l "$f"; done' },
  NotebookEdit: { notebook_path: FILE, new_source: "" },
};

test("it leaves exactly what a run leaves", () => {
  const [quiet, whole] = [aTurn(), aTurn()];
  expect(left(quiet)).toEqual(left(whole));
  for (const name of [...HARMLESS, ...GUARDED]) {
    const call = (home: Home) =>
      aCall(home, {
        tool_name: name,
        tool_use_id: `toolu_${name}`,
        tool_input: INPUTS[name] ?? { file_path: FILE },
      });
    expect(passes(quiet, call(quiet))).toBe(true);
    // Spread over lines the tool's name is not seen at a glance: then the run has its way.
    const spread = JSON.stringify(call(whole), null, 2);
    expect(mayBeQuiet(spread, {})).toBe(false);
    expect(runHook(whole, "pre-tool-use", spread)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    expect(left(quiet)).toEqual(left(whole));
    expect(quiet.json(RECORD)).toMatchObject({ state: "tool_active", tool: { name, id: `toolu_${name}` } });
  }
});

test("as a script: in, marked, and nothing said", () => {
  const home = aTurn();
  const ran = runHook(home, "pre-tool-use", aCall(home, { tool_use_id: "toolu_9" }));
  expect(ran).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(home.json(RECORD)).toMatchObject({ tool: { name: "Read", id: "toolu_9" } });
});

test.each(["PowerShell", "Agent", "Task", "SendMessage", "TaskUpdate", "mcp__mail__send"])(
  "%s is never taken for harmless",
  (tool_name) => {
    const call = { ...aCall(aHome()), tool_name, tool_input: { text: '"tool_name":"Read"' } };
    expect(mayBeQuiet(JSON.stringify(call), {})).toBe(false);
  },
);

test("the guard is asked as a run asks it: whatever a run would speak about, it speaks about", () => {
  const home = aTurn();
  const corpus = [...corpora("denied"), ...corpora("allowed")].flatMap(readCorpus);
  const asked = corpus.filter((_, at) => at % 5 === 0);
  const calls = [
    ...asked.map((command) => ["Bash", { command }] as const),
    ...asked.map((text) => ["Write", { file_path: text.split(" ").at(-1) }] as const),
  ];
  const differing = calls.filter(([tool_name, tool_input]) => {
    const ctx = aContext(home, PreToolUse, { tool_name, tool_input, cwd: home.project });
    const outcome = check.checkCall({ ...ctx, projectDir: home.project, clientPid: process.ppid } as never);
    const objection = check.objectionTo(ctx.input as never, cleanEnv(home));
    return objection?.isDenial !== (outcome && outcome.deny !== undefined);
  });
  expect(differing).toEqual([]);
}, 60_000);

test.each([
  ["Bash", { command: "rm -rf ~" }, "deny", {}],
  ["Bash", { command: 'rm -rf "$dir"/x' }, "ask", {}],
  ["Bash", { command: 'rm -rf "$dir"/x' }, "deny", { CLAUDE_CODE_SESSION_ATTENDED: "0" }],
  ["Bash", { command: "$'\\x73udo' ls" }, "deny", {}],
  ["Write", { file_path: "/etc/hosts", content: "é <b> \u0007" }, "deny", {}],
  ["Edit", { file_path: ".env" }, "deny", {}],
  ["NotebookEdit", { notebook_path: "/etc/a.ipynb" }, "deny", {}],
])(
  "%s of %o: %s, in a run's words, and it leaves what a run leaves",
  (tool_name, tool_input, decision, env) => {
    const [quiet, whole] = [aTurn(), aTurn()];
    withoutRun(quiet);
    const call = (home: Home) => aCall(home, { tool_name, tool_input, permission_mode: "default" });
    const short = startIn(quiet, JSON.stringify(call(quiet)), env);
    const long = runHook(whole, "pre-tool-use", JSON.stringify(call(whole), null, 2), { env });
    expect(short).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(short.stdout).hookSpecificOutput.permissionDecision).toBe(decision);
    expect(short.stdout.replaceAll(quiet.root, "<home>")).toBe(long.stdout.replaceAll(whole.root, "<home>"));
    rmSync(quiet.path("plugin"), { recursive: true });
    expect(left(quiet)).toEqual(left(whole));
  },
);

test("once said it is said, whatever becomes of the stamp", () => {
  const home = aTurn();
  rmSync(home.path(".claude/swarm/fired"), { recursive: true });
  home.write(".claude/swarm/fired", "a file in its place");
  const { stdout } = startIn(
    home,
    JSON.stringify(aCall(home, { tool_name: "Bash", tool_input: { command: "sudo ls" } })),
  );
  expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("deny");
});

test("a guard that breaks is the run's to tell of", () => {
  const home = aTurn();
  const call = JSON.stringify(aCall(home, { tool_name: "Bash", tool_input: { command: "ls" } }));
  const broken = () => {
    throw new Error("no such part");
  };
  expect(passQuietly(call, cleanEnv(home), broken)).toBe(false);
});

test("as a script it needs the guard's part and no more", () => {
  const home = aTurn();
  withoutRun(home);
  const run = (command: string, more: object = {}) =>
    startIn(home, JSON.stringify(aCall(home, { tool_name: "Bash", tool_input: { command }, ...more })));
  expect(run("cat a | sort $(ls)")).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(run("sudo ls", { agent_id: "a123" }).stderr).toContain("could not be loaded");
});

test("a call whose input names a harmless tool before the call names its own is judged as its own", () => {
  const home = aTurn();
  const { tool_name, tool_input, ...rest } = aCall(home);
  const call = { tool_input: { tool_name, command: "rm -rf /" }, ...rest, tool_name: "Bash" };
  expect(mayBeQuiet(JSON.stringify(call), {})).toBe(true);
  const { reply } = runHook(home, "pre-tool-use", call);
  expect(reply.hookSpecificOutput).toMatchObject({ permissionDecision: "deny" });
});

test("a member of a team is never passed by", () => {
  const call = JSON.stringify(aCall(aHome()));
  expect(mayBeQuiet(call, {})).toBe(true);
  expect(mayBeQuiet(call, { CLAUDE_CODE_TEAM_NAME: "alpha" })).toBe(false);
});

describe("in any doubt it does nothing, and the run has its way", () => {
  const recorded = (change: object) => (home: Home) => {
    home.write(RECORD, { ...(home.json(RECORD) as object), ...change });
    return {};
  };
  const calls = (change: object) => () => ({ call: change });
  const runs = (env: Record<string, string>) => () => ({ env });
  const holds = (path: string, content: string) => (home: Home) => {
    home.write(path, content);
    return {};
  };
  type Doubt = (home: Home) => { call?: object; env?: Record<string, string> };

  test.each<[string, Doubt]>([
    ["a seat in a team", recorded({ team: "alpha", agent: "bob" })],
    ["a session that has ended", recorded({ endedAt: "2026-02-20T12:00:00Z" })],
    ["a turn that has not begun", recorded({ state: "idle", status: "done" })],
    ["somebody waited for", recorded({ status: "attention" })],
    ["a damaged record", holds(RECORD, "{")],
    ["a record that is a list", holds(RECORD, "[]")],
    ["a person's settings", holds(".claude/swarm/settings.toml", "")],
    ["a project's settings", holds("project/.atm.toml", "")],
    ["an effort", holds(`.claude/swarm/efforts/windows/${SESSION}/main/x`, "")],
    ["words about the context that wait", holds(`.claude/swarm/context/${SESSION}/due`, "")],
    ["a voice inside the session", calls({ agent_id: "a123" })],
    ["another session", calls({ session_id: "5f0c1d2e-0000-4000-8000-00000000000f" })],
    ["a session id that leads elsewhere", calls({ session_id: "../sessions/x" })],
    ["a session id that is no text", calls({ session_id: 5 })],
    ["another directory than the project's", calls({ cwd: "/" })],
    ["a call without an id", calls({ tool_use_id: undefined })],
    ["a call without an input", calls({ tool_input: undefined })],
    ["an input that is a list", calls({ tool_input: [] })],
    ["a mode that is no text", calls({ permission_mode: 5 })],
    ["a transcript that is no text", calls({ transcript_path: 5 })],
    ["no directory", calls({ cwd: undefined })],
    ["features switched off", runs({ SWARM_DISABLE: "sessions" })],
    ["an unattended session", runs({ CLAUDE_SESSION_MODE: "mission" })],
    ["a home that is no place", runs({ HOME: "" })],
  ])("%s", (_, doubt) => {
    const home = aTurn();
    const { call = {}, env = {} } = doubt(home);
    const before = left(home);
    expect(passes(home, aCall(home, call), env)).toBe(false);
    expect(left(home)).toEqual(before);
  });

  test("a state directory that cannot take the stamp leaves nothing behind", () => {
    const home = aTurn();
    rmSync(home.path(".claude/swarm/fired"), { recursive: true });
    home.write(".claude/swarm/fired", "a file in its place");
    expect(passes(home, aCall(home))).toBe(false);
    expect(filesIn(home).filter((file) => file.includes(".tmp."))).toEqual([]);
  });
});
