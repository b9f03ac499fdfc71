// Names that could do harm: every verb that writes one refuses it before it writes anything, and a roster that holds one
// already keeps nobody else from mail, tasks or the board.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { payload, runHook } from "../support/run-built.ts";

function everything(home: Home): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (directory: string) => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      const isDirectory = statSync(path).isDirectory();
      found[path] = isDirectory ? "" : readFileSync(path, "utf8");
      if (isDirectory) walk(path);
    }
  };
  walk(home.root);
  return found;
}

/** Refused everywhere: none of them can be a file on every system, or it is not what it looks like. */
const HOSTILE = [
  "con",
  "NUL",
  "com1",
  "lpt\u00b9",
  "..",
  ".",
  "a/b",
  "a\\b",
  "../../x",
  "x".repeat(300),
  "a\u001b[31m",
  "a\nb",
  "a\u200bb",
  "bo\u00adb",
  "a\u{e0041}",
  "a\ufe0f",
  "a.",
  "a ",
  " a",
  "con.json",
];
/** Of the names we give, only ASCII: a Cyrillic а is no a. */
const LOOKALIKE = ["\u0430lice", "ali\u0441e", "ｂｏｂ", "bob\u0301", "b\u00f6b"];
const EMPTY = "";

const LEAD = as("team-lead");
/** Words that become no file: only what could pass for an option, a path or another word is refused. */
const NO_FILE = ["con", "NUL", "com1", "con.json", "a.", "a/b"];
type Verb = [string, (name: string) => string[], string[], string[]?];
const VERBS: Verb[] = [
  ["create", (name) => ["create", "--", name], [...LOOKALIKE, EMPTY]],
  ["join: the team", (name) => ["join", "--name", "eve", "--", name], [...LOOKALIKE, EMPTY]],
  ["join: the name", (name) => ["join", TEAM, `--name=${name}`], [...LOOKALIKE, EMPTY]],
  [
    "join: the type",
    (name) => ["join", TEAM, "--name", "eve", `--type=${name}`],
    [...LOOKALIKE, EMPTY],
    NO_FILE,
  ],
  ["spawn: the name", (name) => ["spawn", "--team", TEAM, "--", name], [...LOOKALIKE, EMPTY]],
  ["spawn: the team", (name) => ["spawn", "eve", `--team=${name}`], LOOKALIKE],
  ["task create: the owner", (name) => ["task", "create", "x", `--owner=${name}`], LOOKALIKE],
  ["task update: the owner", (name) => ["task", "update", "1", `--owner=${name}`], LOOKALIKE],
  ["task create: the list", (name) => ["task", "create", "x", `--team=${name}`], []],
  ["task: the agent", (name) => ["task", "create", "x", `--as=${name}`], []],
  ["send", (name) => ["send", "--", name, "hi"], [...LOOKALIKE, EMPTY]],
  ["send: the team", (name) => ["send", "bob", "hi", `--team=${name}`], LOOKALIKE],
  ["broadcast: but one", (name) => ["broadcast", "hi", `--exclude=${name}`], [...LOOKALIKE, EMPTY]],
  ["effort start", (name) => ["effort", "start", "--", name], [...LOOKALIKE, EMPTY]],
  ["effort inject", (name) => ["effort", "inject", "text", `--id=${name}`], [...LOOKALIKE, EMPTY], NO_FILE],
  [
    "effort guard",
    (name) => ["effort", "guard", "--deny", "--tool", "Bash", "--message", "no", "--", name],
    [...LOOKALIKE, EMPTY],
    NO_FILE,
  ],
  ["scratchpad open", (name) => ["scratchpad", "open", "--", name], [EMPTY]],
  ["lead take", (name) => ["lead", "take", "--force", "--", name], LOOKALIKE],
  ["resume", (name) => ["resume", "--", name], LOOKALIKE],
  ["suspend", (name) => ["suspend", "--", name], LOOKALIKE],
  ["kill", (name) => ["kill", "--", name], [...LOOKALIKE, EMPTY]],
  ["cleanup", (name) => ["cleanup", "--yes", "--", name], LOOKALIKE],
  ["event: the agent", (name) => ["event", "idle", `--agent=${name}`, "--team", TEAM], [EMPTY]],
  ["event: the team", (name) => ["event", "idle", "--agent", "a", `--team=${name}`], [EMPTY]],
];
/** Where the name is that of the calling session, the caller is somebody new. */
const NEW = { CLAUDE_CODE_SESSION_ID: "s-new" };

test.each(VERBS)("%s refuses hostile names and writes nothing", async (verb, args, more, fine = []) => {
  const home = aHome();
  aTeam(home);
  home.write("project/.atm.toml", "");
  home.write(`.claude/tasks/${TEAM}/1.json`, {
    ...{ id: "1", subject: "x", description: "", status: "pending", blocks: [], blockedBy: [] },
  });
  const env = verb.startsWith("join") || verb === "create" ? NEW : LEAD;
  const effort = ["effort inject", "effort guard"].includes(verb);
  if (effort) expect((await callSwarm(home, ["effort", "start", "fix"], { env })).exitCode).toBe(0);
  const before = everything(home);
  for (const name of [...HOSTILE, ...more].filter((one) => !fine.includes(one))) {
    const { exitCode } = await callSwarm(home, args(name), { env });
    expect({ name, exitCode }).toEqual({
      name,
      exitCode: expect.toSatisfy((code) => code === 1 || code === 2),
    });
    expect(everything(home)).toEqual(before);
  }
});

test.each(HOSTILE)("a session's id like %j is refused before anything is written", async (name) => {
  const home = aHome();
  aTeam(home);
  const before = everything(home);
  const { exitCode } = await callSwarm(home, ["join", TEAM, "--name", "eve", `--session-id=${name}`]);
  expect(exitCode).toBe(2);
  expect(everything(home)).toEqual(before);
});

test("a roster that already holds such names keeps nobody else from anything", async () => {
  const home = aHome();
  const hostile = ["con", "..", "a/b", "x".repeat(300), "a\u001b[31m", "bo\u00adb", "a "];
  aTeam(home, ["team-lead", "alice", ...hostile, "bob"]);
  const run = (...args: string[]) => callSwarm(home, args, { env: LEAD });
  const { exitCode, stdout } = await run("broadcast", "hello");
  expect({ exitCode, head: stdout.split("\n")[0] }).toEqual({
    exitCode: 0,
    head: expect.stringMatching(/ to 2 of 2: alice, bob$/),
  });
  expect(stdout.match(/^skipped ".*": the name .* removes it$/gm)).toHaveLength(hostile.length);
  for (const name of ["alice", "bob"]) expect(home.json(inboxOf(name))[0].text).toBe("hello");
  for (const args of [
    ["send", "alice", "x"],
    ["outbox"],
    ["status"],
    ["list-teams"],
    ["scratchpad"],
    ["task", "create", "x", "--owner", "alice"],
    ["task", "update", "1", "--status", "in_progress"],
    ["task", "list"],
    ["report", "--out", "-"],
    ["lead", "show"],
    ["onboard"],
    ["suspend"],
    ["resume", "--wait", "0"],
  ])
    expect({ args, ...(await run(...args)) }).toMatchObject({ args, stderr: "" });
  for (const script of ["session-start", "user-prompt-submit", "stop"]) {
    const { exitCode } = runHook(
      home,
      script,
      { session_id: "lead-session", source: "startup" },
      { env: LEAD },
    );
    expect({ script, exitCode }).toEqual({ script, exitCode: 0 });
  }
  expect(home.has(".claude/swarm/errors.jsonl") && home.read(".claude/swarm/errors.jsonl")).toBe(false);
  for (const name of hostile) {
    const removed = await run("cleanup", TEAM, "--members", "--yes", "--force", "--agent", name);
    expect({ name, stderr: removed.stderr }).toEqual({ name, stderr: "" });
  }
  const names = home.json(CONFIG).members.map((one: { name: string }) => one.name);
  expect(names).toEqual(["team-lead", "alice", "bob"]);
});

test("a plan's team name that cannot be a file is passed over", () => {
  const home = aHome();
  const plan = "# Plan\n\nlaunchSwarm: true\nteamName: con\n";
  const input = { ...payload("PostToolUse-ExitPlanMode"), session_id: "s-1", cwd: home.project };
  runHook(home, "post-tool-use", { ...input, tool_input: { plan }, tool_response: { plan } });
  expect(readdirSync(home.path(".claude/teams"))).toEqual(["plan"]);
});
