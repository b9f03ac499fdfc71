// What was accepted survives a power cut: synced before it takes its place, its directory synced after, and only then said. Seen in the
// file calls of the built scripts. And a writer that lost its lock to another process writes nothing.
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  takeOrdinal,
  updateEffort,
  writeEffortSession,
  writeRestartPrompt,
} from "../lib/efforts/store/efforts.ts";
import { appendLogEntry, writeDebrief } from "../lib/efforts/store/project-files.ts";
import { makeConfig } from "../lib/machines/server.ts";
import { writeRelay } from "../lib/machines/store/relay.ts";
import { createTask, mirrorTask, updateTask, withTaskAuthority } from "../lib/tasks/store.ts";
import { writeTree } from "../lib/worktrees/store/trees.ts";
import { NOON } from "./support/a-context.ts";
import { aHome, type Home } from "./support/a-home.ts";
import { aTask } from "./support/a-task.ts";
import { aMessage, archiveOf, as, aTeam, CONFIG, inboxOf, TEAM } from "./support/a-team.ts";
import { anEffort } from "./support/an-effort.ts";
import { onFileCalls } from "./support/file-calls.ts";
import { virtualTime } from "./support/in-no-time.ts";
import type { BeforeCall } from "./support/in-process.ts";
import { runHook, runSwarm } from "./support/run-built.ts";

beforeEach(virtualTime); // a lock that another process holds is waited for in no time

const TASK = `.claude/tasks/${TEAM}/1.json`;
const ALICE = { env: as("alice") };
const LEAD = { env: as("team-lead") };

interface Watch {
  beforeCall: BeforeCall;
  calls: string[];
}

/** Calls as `sync F`, `rename F` (to F), `say`; a path without its temporary ending. */
function watch(home: Home): Watch {
  const calls: string[] = [];
  let opening: string | undefined;
  const short = (path: unknown) =>
    String(path)
      .replace(`${home.root}/`, "")
      .replace(/\.tmp\.[0-9a-f]+-[0-9a-f]+$/, "");
  return {
    calls,
    beforeCall: (name, args) => {
      if (name === "openSync") opening = short(args[0]);
      if (name === "fsyncSync") calls.push(`sync ${opening}`);
      if (name === "renameSync") calls.push(`rename ${short(args[1])}`);
      if (name === "writeSync" && args[0] === 1) calls.push("say");
    },
  };
}

const withTask = (home: Home) => runSwarm(home, ["task", "create", "write the parser"], LEAD);

type Case = [
  what: string,
  file: string,
  before: (home: Home) => unknown,
  args: string[],
  given: { env: Record<string, string> },
];
const ACCEPTED: Case[] = [
  ["a message", inboxOf("bob"), () => {}, ["send", "bob", "hello"], ALICE],
  ["a task", TASK, () => {}, ["task", "create", "write the parser"], LEAD],
  [
    "the highest id, when a task is deleted",
    `.claude/tasks/${TEAM}/.highwatermark`,
    withTask,
    ["task", "delete", "1"],
    LEAD,
  ],
  ["a claim", TASK, withTask, ["task", "claim", "1"], ALICE],
  [
    "a new team",
    ".claude/teams/second/config.json",
    () => {},
    ["create", "second"],
    { env: { CLAUDE_CODE_SESSION_ID: "s-9" } },
  ],
  [
    "an effort",
    ".claude/swarm/efforts/1/effort.json",
    (home) => mkdirSync(home.path("project/work")),
    ["effort", "start", "parser", "--title", "x", "--dir", "work"],
    { env: { CLAUDE_CODE_SESSION_ID: "s-9" } },
  ],
];

describe("synced, put in its place, its directory synced, then said", () => {
  test.each(ACCEPTED)("%s", (_, file, before, args, given) => {
    const home = aHome();
    aTeam(home);
    before(home);
    const { beforeCall, calls } = watch(home);
    const ran = runSwarm(home, args, { ...given, beforeCall });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(calls).toContain(`rename ${file}`);
    const at = calls.indexOf(`rename ${file}`);
    expect(calls[at - 1]).toBe(`sync ${file}`);
    expect(calls[at + 1]).toBe(`sync ${dirname(file)}`);
    expect(calls.indexOf("say")).toBeGreaterThan(at + 1);
  });

  test("a message whose inbox is locked: its change in the spool", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), []);
    mkdirSync(home.path(`${inboxOf("bob")}.lock`));
    const { beforeCall, calls } = watch(home);
    const ran = runSwarm(home, ["send", "bob", "hello"], { ...ALICE, beforeCall });
    expect(ran.exitCode).toBe(0);
    const at = calls.findIndex((call) => /^rename .*\/spool\/bob\//.test(call));
    expect(calls[at - 1]).toBe(calls[at]?.replace("rename", "sync"));
    expect(calls[at + 1]).toBe(`sync .claude/teams/${TEAM}/spool/bob`);
    // The directories were new: each has to survive in its parent.
    for (const made of ["spool", "spool/bob"])
      expect(statSync(home.path(`.claude/teams/${TEAM}/${made}`)).mode & 0o777).toBe(0o700);
    for (const parent of ["/spool", ""])
      expect(calls.slice(0, at)).toContain(`sync .claude/teams/${TEAM}${parent}`);
    expect(calls.indexOf("say")).toBeGreaterThan(at + 1);
  });

  const AT = NOON.toISOString();
  const TREE = { path: "/t", branch: "b", from: "/p", commonDir: "/p/.git", base: "c", at: AT };
  const RELAY = { url: "nats://x", machine: "laptop", secret: "s", replicas: 1, joinedAt: AT };

  test.each<[what: string, file: RegExp, write: (home: Home) => () => unknown]>([
    [
      "a change of an effort",
      /^\.claude\/swarm\/efforts\/1\/effort\.json$/,
      (home) => {
        const { id } = anEffort(home);
        return () => updateEffort(home.paths, id, (stored) => ({ ...stored, phase: "2" }));
      },
    ],
    [
      "the number of an effort's artifacts",
      /\/efforts\/tasks\/.*\.json$/,
      (home) => () => takeOrdinal(home.paths, { dir: "/p/work", project: "/p" }, NOON),
    ],
    [
      "a session of an effort",
      /\/efforts\/1\/sessions\/7\.json$/,
      (home) => {
        anEffort(home);
        const record = { effort: 1, number: 7, client: "s-7", voice: "main", startedAt: AT };
        const empty = { previous: null, contextUsage: null, loadedFiles: [], dehydration: null };
        return () => writeEffortSession(home.paths, { ...record, ...empty });
      },
    ],
    [
      "an effort's restart prompt",
      /\/efforts\/1\/.*/,
      (home) => {
        anEffort(home);
        return () => writeRestartPrompt(home.paths, 1, "go on");
      },
    ],
    [
      "a debrief",
      /^project\/work\/1_IMPLEMENT_DEBRIEF\.md$/,
      (home) => {
        const effort = anEffort(home);
        return () => writeDebrief(effort, "done");
      },
    ],
    [
      "the record of a worktree",
      /bob.*\.json$/,
      (home) => () => writeTree(home.paths, { team: TEAM, agent: "bob", ...TREE }),
    ],
    [
      "the secret of a relay",
      /\/relay\/teams\/.*\.json$/,
      (home) => () => writeRelay(home.paths, { team: TEAM, ...RELAY }),
    ],
  ])("%s", (_, file, write) => {
    const home = aHome();
    const act = write(home);
    const { beforeCall, calls } = watch(home);
    onFileCalls(beforeCall);
    act();
    const at = calls.findIndex(
      (call) => call.startsWith("rename ") && file.test(call.slice("rename ".length)),
    );
    const written = calls[at]?.slice("rename ".length) ?? "nothing";
    expect(calls.slice(at - 1, at + 2)).toEqual([
      `sync ${written}`,
      `rename ${written}`,
      `sync ${dirname(written)}`,
    ]);
  });

  test("a session that ends leaves no effort without its content", () => {
    const home = aHome();
    anEffort(home, {}, "s-9");
    const { beforeCall, calls } = watch(home);
    runHook(home, "session-end", { session_id: "s-9", reason: "other" }, { beforeCall });
    const at = calls.indexOf("rename .claude/swarm/efforts/1/effort.json");
    expect(calls[at - 1]).toBe("sync .claude/swarm/efforts/1/effort.json");
  });

  test("an effort whose record is on disk is found: its mark is there before", () => {
    const home = aHome();
    const { beforeCall, calls } = watch(home);
    onFileCalls(beforeCall);
    anEffort(home, {}, null);
    expect(calls.filter((call) => /efforts\/(active|1\/effort\.json)$/.test(call))).toEqual([
      "sync .claude/swarm/efforts/active",
      "sync .claude/swarm/efforts/1/effort.json",
      "rename .claude/swarm/efforts/1/effort.json",
    ]);
  });

  test("an entry of an effort's log is on disk when its writer hears so", () => {
    const home = aHome();
    const effort = anEffort(home);
    const { beforeCall, calls } = watch(home);
    onFileCalls(beforeCall);
    const log = appendLogEntry(effort, "12:00", "built the form");
    expect(calls.at(-1)).toBe(`sync ${log.slice(home.root.length + 1)}`);
  });

  test("a machine's key is on disk before the server trusts it", () => {
    const home = aHome();
    const { beforeCall, calls } = watch(home);
    onFileCalls(beforeCall);
    const { creds } = makeConfig(home.paths, {
      team: TEAM,
      machines: ["laptop"],
      listen: "127.0.0.1:4222",
      store: home.path("store"),
    });
    const seed = Object.values(creds)[0]?.slice(home.root.length + 1) ?? "";
    const at = calls.indexOf(`rename ${seed}`);
    expect(calls.slice(at - 1, at + 2)).toEqual([`sync ${seed}`, `rename ${seed}`, `sync ${dirname(seed)}`]);
  });

  test("a member that registers, gives a sign of life or ends never leaves a team without its config: the content is synced before the rename", () => {
    const home = aHome();
    aTeam(home);
    for (const [script, input] of [
      ["session-start", { session_id: "s-bob", source: "startup" }],
      ["notification", { session_id: "s-bob", notification_type: "x", message: "" }],
      ["session-end", { session_id: "s-bob", reason: "other" }],
    ] as const) {
      const { members, ...config } = home.json(CONFIG);
      const silent = (one: object) => ({ ...one, lastSeen: NOON.toISOString() }); // a heartbeat is due
      home.write(CONFIG, { ...config, members: members.map(silent) });
      rmSync(home.path(`tmp/swarm-heartbeat-${TEAM}-bob`), { force: true });
      const { beforeCall, calls } = watch(home);
      runHook(home, script, input, { env: as("bob"), beforeCall });
      const at = calls.indexOf(`rename ${CONFIG}`);
      expect([script, calls[at - 1]]).toEqual([script, `sync ${CONFIG}`]);
    }
  });

  test("mail that was shown is in the archive before it leaves the inbox", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [
      aMessage("alice", "shown before", { read: true, state: "shown" }),
      aMessage("alice", "new"),
    ]);
    const { beforeCall, calls } = watch(home);
    const start = { session_id: "s-bob", source: "startup" };
    runHook(home, "session-start", start, { env: as("bob"), beforeCall });
    runHook(
      home,
      "user-prompt-submit",
      { session_id: "s-bob", prompt: "go" },
      { env: as("bob"), beforeCall },
    );
    const archived = calls.indexOf(`sync ${archiveOf("bob")}`);
    expect(archived).toBeGreaterThanOrEqual(0);
    expect(calls.indexOf(`rename ${inboxOf("bob")}`, archived)).toBeGreaterThan(archived);
  });
});

test("flushes to the disk: messages and the team's config, nothing on the way of a tool call", () => {
  const home = aHome();
  aTeam(home);
  home.write(inboxOf("team-lead"), []);
  const call = { tool_name: "Read", tool_use_id: "t", tool_input: { file_path: "a" } };
  const flushesOf = (script: string, input: object) => {
    const { beforeCall, calls } = watch(home);
    runHook(home, script, { session_id: "s-bob", ...input }, { env: as("bob"), beforeCall });
    return [script, calls.filter((one) => one.startsWith("sync ")).length];
  };
  expect([
    flushesOf("session-start", { source: "startup" }),
    flushesOf("user-prompt-submit", { prompt: "go" }),
    flushesOf("pre-tool-use", call),
    flushesOf("post-tool-use", { ...call, tool_response: {} }),
    flushesOf("stop", { last_assistant_message: "done" }),
    flushesOf("session-end", { reason: "other" }),
  ]).toEqual([
    ["session-start", 1],
    ["user-prompt-submit", 0],
    ["pre-tool-use", 0],
    ["post-tool-use", 0],
    ["stop", 2],
    ["session-end", 3],
  ]);
});

describe("a writer that lost its lock changes nothing", () => {
  /** Another process takes the lock while the new content is being written. */
  const stealing = (home: Home, file: string, locked = file) => {
    let isStolen = false;
    const beforeCall: BeforeCall = (name, args) => {
      if (isStolen || name !== "openSync" || !String(args[0]).startsWith(`${home.path(file)}.tmp.`)) return;
      isStolen = true;
      const lock = home.path(`${locked}.lock`);
      renameSync(lock, `${lock}.old`);
      rmdirSync(`${lock}.old`);
      mkdirSync(lock);
    };
    return { beforeCall, wasStolen: () => isStolen };
  };

  test("a stale lock that another has just replaced is left to that one", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), []);
    const lock = home.path(`${inboxOf("bob")}.lock`);
    mkdirSync(lock);
    utimesSync(lock, 0, 0);
    let isReplaced = false;
    const beforeCall: BeforeCall = (name, args) => {
      if (isReplaced || name !== "mkdirSync" || args[0] !== `${lock}.breaking`) return;
      isReplaced = true;
      rmdirSync(lock);
      mkdirSync(lock);
    };
    const ran = runSwarm(home, ["send", "bob", "hello"], { ...ALICE, beforeCall });
    expect(ran.exitCode).toBe(0);
    expect(isReplaced).toBe(true);
    expect(statSync(lock).isDirectory()).toBe(true);
    expect(home.json(inboxOf("bob"))).toEqual([]);
  });

  const elsewhere = aTask("1", { subject: "as it is decided elsewhere" });
  /** Agrees to the second try. */
  const changingOnce = () => {
    let tries = 0;
    return {
      reserve: () => 1,
      commit: () => (tries++ === 0 ? { present: elsewhere } : undefined),
      meanwhile: <T>(_: () => void, work: () => T) => work(),
    };
  };

  test.each<[string, (home: Home) => unknown, string?]>([
    ["a new task", ({ paths }) => createTask(paths, TEAM, (id) => aTask(id)), `.claude/tasks/${TEAM}/.lock`],
    ["a copy of a task", ({ paths }) => mirrorTask(paths, TEAM, "1", elsewhere, 0)],
    [
      "a task whose present state is decided elsewhere",
      ({ paths }) =>
        withTaskAuthority(TEAM, changingOnce(), () =>
          updateTask(paths, TEAM, "1", (task) => ({ ...task, status: "in_progress" })),
        ),
    ],
  ])("%s", (_, act, locked) => {
    const home = aHome();
    if (!locked) home.write(TASK, aTask("1"));
    const before = home.has(TASK) && home.read(TASK);
    const { beforeCall, wasStolen } = stealing(home, TASK, locked);
    onFileCalls(beforeCall);
    expect(() => act(home)).toThrow(/^the lock on .* was lost/);
    expect(wasStolen()).toBe(true);
    expect(home.has(TASK) && home.read(TASK)).toBe(before);
  });

  const CASES: [string, string, string[], Record<string, string>, string?][] = [
    ["a task", TASK, ["task", "claim", "1"], as("alice"), `the lock on`],
    ["a team", CONFIG, ["join", TEAM, "--name", "eve"], { CLAUDE_CODE_SESSION_ID: "s-eve" }, "the lock on"],
    [
      "an inbox, and the message goes to the spool instead",
      inboxOf("bob"),
      ["send", "bob", "second"],
      as("alice"),
    ],
  ];

  test.each(CASES)("%s", (_, file, args, env, refusal) => {
    const home = aHome();
    aTeam(home);
    withTask(home);
    home.write(inboxOf("bob"), [aMessage("alice", "first")]);
    const before = home.read(file);
    const { beforeCall, wasStolen } = stealing(home, file);
    const ran = runSwarm(home, args, { env, beforeCall });
    expect(wasStolen()).toBe(true);
    expect(home.read(file)).toBe(before);
    if (refusal) expect(ran.stderr).toContain(refusal);
    else expect(readdirSync(home.path(`.claude/teams/${TEAM}/spool/bob`))).toHaveLength(1);
    expect(ran.exitCode).toBe(refusal ? 1 : 0);
  });
});

test("what a hook does after its answer is finished, although the client ends it with SIGTERM", () => {
  const home = aHome();
  aTeam(home);
  home.write(inboxOf("bob"), [aMessage("alice", "hello", { timestamp: new Date().toISOString() })]);
  const usual = process.listenerCount("SIGTERM");
  const armed: boolean[] = [];
  let isSaid = false;
  const beforeCall: BeforeCall = (name, args) => {
    if (name === "writeSync" && args[0] === 1) isSaid = true;
    if (isSaid && name === "renameSync") armed.push(process.listenerCount("SIGTERM") > usual);
  };
  const prompt = { session_id: "bob-session", prompt: "go" };
  runHook(home, "user-prompt-submit", prompt, { env: as("bob"), beforeCall });
  expect(isSaid).toBe(true);
  expect(home.json(inboxOf("bob"))[0]).toMatchObject({ state: "shown" });
  expect(armed.length).toBeGreaterThan(0);
  expect(armed).not.toContain(false);
});

test("a session's end goes on after SIGTERM from its first step, and other events do not", () => {
  const home = aHome();
  aTeam(home);
  const usual = process.listenerCount("SIGTERM");
  const armedAt = (script: string, input: object): boolean[] => {
    const armed: boolean[] = [];
    const beforeCall: BeforeCall = (name, args) => {
      if (["mkdirSync", "renameSync"].includes(name) && String(args[0]).startsWith(home.path(".claude")))
        armed.push(process.listenerCount("SIGTERM") > usual);
    };
    runHook(home, script, { session_id: "bob-session", ...input }, { env: as("bob"), beforeCall });
    return armed;
  };
  expect(armedAt("session-start", { source: "startup" })[0]).toBe(false);
  const atEnd = armedAt("session-end", { reason: "other" });
  expect(atEnd.length).toBeGreaterThan(3);
  expect(atEnd).not.toContain(false);
});

test("a task is deleted under its own lock, so that no update brings it back", () => {
  const home = aHome();
  aTeam(home);
  withTask(home);
  const locked: boolean[] = [];
  const beforeCall: BeforeCall = (name, args) => {
    if (["rmSync", "unlinkSync"].includes(name) && args[0] === home.path(TASK))
      locked.push(home.has(`${TASK}.lock`));
  };
  expect(runSwarm(home, ["task", "delete", "1"], { ...LEAD, beforeCall }).exitCode).toBe(0);
  expect(locked).toEqual([true]);
});

test("everything we write is for its owner alone", () => {
  const home = aHome();
  mkdirSync(home.path(".claude"), { mode: 0o755 });
  const lead = { env: { CLAUDE_CODE_SESSION_ID: "s-lead" } };
  for (const args of [
    ["create", "harbour"],
    ["task", "create", "write the parser"],
    ["task", "claim", "1"],
    ["effort", "start", "parser", "--title", "x", "--dir", "work"],
    ["send", "team-lead", "hello"],
  ])
    runSwarm(home, args, lead);
  const call = {
    session_id: "s-lead",
    tool_name: "Bash",
    tool_use_id: "t",
    tool_input: { command: "sudo ls" },
  };
  for (const [script, input] of [
    ["session-start", { source: "startup" }],
    ["user-prompt-submit", { prompt: "go" }],
    ["pre-tool-use", call],
    ["post-tool-use", { ...call, tool_response: {} }],
    ["stop", {}],
    ["session-end", { reason: "other" }],
  ] as const)
    runHook(home, script, { session_id: "s-lead", ...input }, lead);
  const all = readdirSync(home.path(".claude"), { recursive: true, encoding: "utf8" });
  const open = all.filter((name) => (statSync(join(home.path(".claude"), name)).mode & 0o077) !== 0);
  expect(all.length).toBeGreaterThan(15);
  expect(open).toEqual([]);
});
