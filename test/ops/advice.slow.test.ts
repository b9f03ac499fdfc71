// What `swarm explain` advises: each setting and command is applied, and then the call that was held passes.
import { spawn } from "node:child_process";
import { parse } from "smol-toml";
import { afterAll, describe, expect, test } from "vitest";
import { stop as contextStop } from "../../lib/context/hooks.ts";
import { readSettings, unusedIn } from "../../lib/core/settings.ts";
import * as effort from "../../lib/efforts/hooks.ts";
import { preToolUse as guard, policyOf } from "../../lib/guard/hooks.ts";
import { judge, judgePowerShell } from "../../lib/guard/judge.ts";
import { judgeWrite } from "../../lib/guard/protected-paths.ts";
import { isCatastrophic, RULES, type RuleId } from "../../lib/guard/rules.ts";
import * as events from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { type Handler, runSteps } from "../../lib/hook/run.ts";
import { preToolUse as machines } from "../../lib/machines/hooks.ts";
import { preToolUse as sendCheck } from "../../lib/mail/hooks/send-check.ts";
import { type Advice, adviceFor } from "../../lib/ops/journal.ts";
import { preToolUse as comms } from "../../lib/outbound/hooks.ts";
import { preToolUse as pause } from "../../lib/people/hooks/pause.ts";
import * as scratchpad from "../../lib/scratchpad/hooks.ts";
import { addPauses } from "../../lib/sessions/store/pauses.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as tasks from "../../lib/tasks/hooks.ts";
import { preToolUse as spawnGate } from "../../lib/teammates/hooks/spawn-gate.ts";
import * as worktrees from "../../lib/worktrees/hooks/shared.ts";
import { addClaim } from "../../lib/worktrees/store/claims.ts";
import { takeTurn } from "../../lib/worktrees/store/index-turn.ts";
import { treeOf } from "../../lib/worktrees/store/repository.ts";
import { aSituation } from "../guard/a-situation.ts";
import { lists, readCases } from "../guard/corpus.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRepository } from "../support/a-repository.ts";
import { agent, TOML, withNativeTeam } from "../support/a-spawn.ts";
import { aTask } from "../support/a-task.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";
import { type Actor, anActor } from "../support/agents-in-a-checkout.ts";
import { anEffort } from "../support/an-effort.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { inNoTime } from "../support/in-no-time.ts";

const SETTINGS = ".claude/swarm/settings.toml";

interface Kind {
  feature: string;
  rule: RegExp;
  /** Settings that the denial needs. */
  settings?: string;
  home?: () => Home;
  /** What it gives is the session that calls, where that is another one. */
  prepare?: (home: Home) => unknown;
  handler: Handler<any>;
  event?: any;
  input: object;
  env?: Record<string, string>;
  now?: () => Date;
  /** A command that must be part of the advice. */
  advised?: string;
}

const inTeam = (home: Home) => aTeam(home);
const spawnOf = (input: object) => ({ tool_name: "Agent", tool_input: input });
const NATIVE = "session-0a1b2c3d";
const UNATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: "0" };

/** Stands in for a client; some calls are only held where it is proven to live. */
const CLIENT = spawn("sleep", ["600"], { stdio: "ignore" });
afterAll(() => void CLIENT.kill());

const aRecord = (more: object) => {
  const at = NOON.toISOString();
  return {
    session: "s-1",
    kind: "solo",
    state: "active",
    status: "working",
    startedAt: at,
    lastSeen: at,
    ...more,
  };
};

/** ada and bob work in one checkout with uncommitted files; `then` is what else has happened before ada's call. */
function aSharedCheckout(then: (home: Home, ada: Actor, bob: Actor) => void = () => {}): Home {
  const repository = aRepository({ "a.ts": "a\n", "b.ts": "b\n" });
  repository.git(["branch", "topic"]);
  const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
  ada.edit("a.ts");
  bob.edit("b.ts");
  then(repository.home, ada, bob);
  return repository.home;
}

const treeIn = (home: Home) => {
  const tree = treeOf(home.project);
  if (!tree) throw new Error("no tree");
  return tree;
};

/** ada's call in a shared checkout; the guard reads what the command does. */
const inSharedCheckout = (rule: string, command: string, home: () => Home, settings = ""): Kind => ({
  feature: "worktrees",
  rule: new RegExp(`^worktrees:${rule}$`),
  settings,
  home,
  handler: (ctx) => {
    guard(ctx);
    return worktrees.preToolUse(ctx);
  },
  input: {
    session_id: "ada-session",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call-of-ada",
  },
  env: UNATTENDED,
  now: () => new Date(),
});

const KINDS: Kind[] = [
  {
    feature: "command-guard",
    rule: /^kill-by-name$/,
    handler: guard,
    input: { tool_name: "Bash", tool_input: { command: "pkill -f node" } },
  },
  {
    feature: "spawn-gate",
    rule: /^orchestrator-named$/,
    prepare: (home) => void home.write("project/.atm.toml", TOML),
    handler: spawnGate,
    input: spawnOf(agent("scrum-master")),
  },
  {
    feature: "spawn-gate",
    rule: /^lead-only$/,
    prepare: inTeam,
    handler: spawnGate,
    input: spawnOf(agent("general-purpose", "eve", TEAM)),
    env: as("bob"),
  },
  {
    feature: "spawn-gate",
    rule: /^lead-only$/,
    prepare: (home) => {
      inTeam(home);
      home.write("project/.atm.toml", TOML);
      const gone = { session: "lead-session", pid: 7, pidStartedAt: "1", endedAt: NOON.toISOString() };
      home.write(
        ".claude/swarm/sessions/lead-session/session.json",
        aRecord({ ...gone, team: TEAM, agent: "team-lead" }),
      );
    },
    handler: spawnGate,
    input: spawnOf(agent("general-purpose", "eve", TEAM)),
    advised: `swarm lead take ${TEAM}`,
  },
  ...(["max_depth", "max_spawns_per_hour", "max_premium"] as const).map(
    (key): Kind => ({
      feature: "spawn-gate",
      rule: new RegExp(`^${key.replaceAll("_", "-")}$`),
      settings: `[gate]\n${key} = 0\n`,
      handler: spawnGate,
      input: spawnOf({ ...agent("general-purpose"), model: "opus" }),
      env: UNATTENDED,
    }),
  ),
  {
    feature: "comms",
    rule: /^comms-/,
    settings: '[comms]\ntools = ["mcp__mail__*"]\n',
    handler: comms,
    input: { tool_name: "mcp__mail__send", tool_input: { to: "ada@example.com" } },
  },
  {
    feature: "tasks",
    rule: /^tasks$/,
    prepare: (home) => {
      inTeam(home);
      home.write(`.claude/tasks/${TEAM}/1.json`, aTask("1", { owner: "alice" }));
    },
    handler: tasks.preToolUse,
    input: { tool_name: "TaskUpdate", tool_input: { taskId: "1", status: "completed" } },
    env: { ...as("bob"), CLAUDE_CODE_TASK_LIST_ID: TEAM },
  },
  {
    feature: "scratchpad",
    rule: /^scratchpad/,
    prepare: (home) => void home.write("project/.claude/scratchpad/.keep", ""),
    event: events.SubagentStop,
    handler: scratchpad.subagentStop,
    input: { agent_id: "a0123456789abcdef", agent_type: "spec-writer" },
  },
  {
    feature: "effort",
    rule: /^heartbeat:/,
    prepare: (home) => {
      anEffort(home);
      effort.preToolUse(aContext(home, events.PreToolUse, { tool_name: "Read", tool_input: {} }));
    },
    settings: "[effort]\nblock_after = 2\n",
    handler: effort.preToolUse,
    input: { tool_name: "Read", tool_input: {} },
  },
  {
    feature: "effort",
    rule: /^effort:no-push$/,
    prepare: (home) =>
      anEffort(home, {
        metadata: {
          guards: [{ id: "no-push", tool: "Bash", input: "git push", message: "Not yet.", action: "deny" }],
        } as any,
      }),
    handler: effort.preToolUse,
    input: { tool_name: "Bash", tool_input: { command: "git push" } },
  },
  {
    feature: "spawn-gate",
    rule: /^max-teammates$/,
    settings: "[gate]\nmax_teammates = 1\n",
    prepare: (home) => withNativeTeam(home, "inprocess").leadSessionId,
    handler: spawnGate,
    input: spawnOf(agent("tester", "dora")),
    env: UNATTENDED,
  },
  {
    feature: "spawn-gate",
    rule: /^team-match$/,
    prepare: (home) => void home.write("project/.atm.toml", TOML),
    handler: spawnGate,
    input: spawnOf(agent("general-purpose", "eve", "another-team")),
  },
  {
    feature: "tasks",
    rule: /^tasks\.verify$/,
    settings: '[tasks]\nverify = "false"\n',
    event: events.TaskCompleted,
    handler: tasks.taskCompleted,
    input: { task_id: "1", task_subject: "Parser" },
  },
  {
    feature: "tasks",
    rule: /^tasks-idle/,
    settings: "[tasks]\nhold_idle = true\n",
    prepare: (home) => {
      inTeam(home);
      home.write(`.claude/tasks/${TEAM}/1.json`, aTask("1", { owner: "bob", status: "in_progress" }));
    },
    event: events.TeammateIdle,
    handler: tasks.teammateIdle,
    input: { teammate_name: "bob", team_name: TEAM },
    env: { ...as("bob"), CLAUDE_CODE_TASK_LIST_ID: TEAM },
  },
  {
    feature: "effort",
    rule: /^precompact:/,
    prepare: (home) => anEffort(home),
    settings: '[effort]\nprecompact = "block"\n',
    event: events.PreCompact,
    handler: effort.preCompact,
    input: { trigger: "auto" },
  },
  {
    feature: "effort",
    rule: /^effort:precompact-kill$/,
    prepare: (home) => {
      anEffort(home);
      const pid = CLIENT.pid ?? 0;
      home.write(".claude/swarm/sessions/s-1/session.json", aRecord({ pid, pidStartedAt: startOf(pid) }));
    },
    env: { CLAUDE_PID: `${CLIENT.pid}` },
    settings: '[effort]\nprecompact = "kill"\n',
    event: events.PreCompact,
    handler: effort.preCompact,
    input: { trigger: "auto" },
  },
  ...(
    [
      ["send:unknown", { to: "bbo", message: "hi" }],
      ["send:empty", { to: "bob", message: " " }],
      ["shutdown:bob", { to: "bob", message: { type: "shutdown_request", reason: "" } }],
    ] as const
  ).map(
    ([rule, tool_input]): Kind => ({
      feature: "send-check",
      rule: new RegExp(`^${rule}$`),
      prepare: (home) => {
        home.write(`.claude/teams/${NATIVE}/config.json`, {
          name: NATIVE,
          leadSessionId: "s-1",
          members: [{ name: "team-lead" }, { name: "alice" }, { name: "bob" }],
        });
        home.write(`.claude/tasks/${NATIVE}/1.json`, aTask("1", { owner: "bob", status: "in_progress" }));
      },
      handler: sendCheck,
      input: { tool_name: "SendMessage", tool_input },
    }),
  ),
  {
    feature: "machines",
    rule: /^machines\.tasks$/,
    prepare: (home) => {
      inTeam(home);
      const relay = { url: "nats://127.0.0.1:1", team: TEAM, machine: "laptop", secret: "s", replicas: 1 };
      home.write(`.claude/swarm/relay/teams/${TEAM}.json`, { ...relay, joinedAt: NOON.toISOString() });
    },
    handler: machines,
    input: { tool_name: "TaskCreate", tool_input: { subject: "Parser", description: "how" } },
    env: { ...as("alice"), CLAUDE_CODE_TASK_LIST_ID: TEAM },
  },
  {
    feature: "context-budget",
    rule: /^context-budget:ping$/,
    event: events.Stop,
    handler: contextStop,
    input: {},
    env: { CLAUDE_SESSION_MODE: "background" },
  },
  {
    feature: "pause",
    rule: /^pause$/,
    prepare: (home) => {
      inTeam(home);
      addPauses(home.paths, [{ team: TEAM, agent: "bob", since: NOON.toISOString(), by: "a person" }] as any);
    },
    handler: pause,
    input: { session_id: "bob-session", tool_name: "Read", tool_input: {} },
    env: as("bob"),
    advised: "swarm pause",
  },
  inSharedCheckout("sweep", "git add -A", aSharedCheckout),
  inSharedCheckout("move", "git checkout topic", aSharedCheckout),
  inSharedCheckout("busy-index", "git add a.ts", () =>
    aSharedCheckout((home, _, bob) => {
      // A turn that has just begun is believed for 3 s, which a busy machine may need until the call.
      const later = new Date(Date.now() + 60_000);
      takeTurn(home.paths, treeIn(home), { by: bob.session, call: "call-of-bob", isWide: true }, later);
    }),
  ),
  inSharedCheckout(
    "collision",
    "echo x > b.ts",
    () => aSharedCheckout((_, ada) => void ada.read("a.ts")),
    '[worktrees]\ncollisions = "deny"\n',
  ),
  inSharedCheckout("claim", "echo x > c.ts", () =>
    aSharedCheckout((home, _, bob) => {
      const claim = { by: bob.session, patterns: ["c.ts"], until: undefined, why: "the parser" };
      addClaim(home.paths, treeIn(home), new Date(), claim);
    }),
  ),
  inSharedCheckout("foreign-tree", "echo x > ../tree-of-bob/a.ts", () => {
    const repository = aRepository();
    const other = repository.home.path("tree-of-bob");
    repository.git(["worktree", "add", "-q", other, "-b", "work-of-bob"]);
    anActor(repository, "ada").edit("a.ts");
    anActor(repository, "bob").edit("a.ts", other);
    return repository.home;
  }),
];

interface Scene {
  home: Home;
  call: (env?: Record<string, string>) => Outcome | undefined;
}

function aScene({ home: make = aHome, settings, prepare, event = events.PreToolUse, ...kind }: Kind): Scene {
  const home = make();
  if (settings) home.write(SETTINGS, settings);
  const session = prepare?.(home);
  const input = typeof session === "string" ? { ...kind.input, session_id: session } : kind.input;
  const call: Scene["call"] = (more = {}) => {
    const given = { env: { ...kind.env, ...more }, ...(kind.now && { now: kind.now() }) };
    const context = aContext(home, event, input as any, given) as any;
    return inNoTime(() => runSteps(event, { [kind.feature]: kind.handler }, context)[0]);
  };
  return { home, call };
}

/** The journal's line of the denial. */
function lineOf(kind: Kind): any {
  const { deny, ask, rule } = aScene(kind).call() ?? {};
  expect({ rule, reason: deny ?? ask }).toEqual({
    rule: expect.stringMatching(kind.rule),
    reason: expect.any(String),
  });
  const session = (kind.input as { session_id?: string }).session_id ?? "s-1";
  return {
    what: deny === undefined ? "ask" : "deny",
    feature: kind.feature,
    rule,
    reason: deny ?? ask,
    session,
  };
}

/** The commands that a denial's own words name. */
const namedIn = (reason: string) =>
  [...reason.matchAll(/`((?:swarm|git) [^`]+)`|(?:Use|lifts it): (swarm [^()\n]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );

/** The words of a command line, without their quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** Commands that show what a person needs to lift the denial: what they must print. */
const SHOWS: Record<string, RegExp> = { "swarm pause": /bob@atm-dev/, "swarm claims": /c\.ts.*bob/s };

/** Applies it before the call that was held, in a world of its own, so that no allowance is used up. */
async function outcomeAfter(one: Advice, kind: Kind): Promise<"passes" | "held" | "shown"> {
  const { home, call } = aScene(kind);
  const [program = "", ...args] = wordsOf(one.run ?? "");
  if (one.toml) {
    home.write(SETTINGS, merged(kind.settings, one.toml));
    expect(unusedIn(readSettings(home.paths, home.project, home.project))).toEqual([]);
  } else if (program.startsWith("SWARM_DISABLE=")) {
    const env = { SWARM_DISABLE: program.replace("SWARM_DISABLE=", "") };
    return call(env)?.deny === undefined ? "passes" : "held";
  } else {
    expect(judge(one.run ?? "", aSituation())).toBeUndefined();
    const env = { CLAUDE_CODE_SESSION_ID: "s-1", ...kind.env };
    const done = await callSwarm(home, args, { env });
    expect({ one, done }).toEqual({ one, done: { ...done, exitCode: 0 } });
    const shows = SHOWS[one.run ?? ""];
    if (shows) expect(done.stdout).toMatch(shows);
    if (shows) return "shown";
  }
  return call()?.deny === undefined ? "passes" : "held";
}

describe.each(KINDS.map((kind) => [`${kind.feature} ${kind.rule.source}`, kind] as const))(
  "%s",
  (_, kind) => {
    test("the call is held, and passes after each advice", async () => {
      const line = lineOf(kind);
      for (const command of namedIn(line.reason))
        expect(judge(command, aSituation()), command).toBeUndefined();
      const advice = adviceFor(line);
      expect(advice.length).toBeGreaterThanOrEqual(2);
      if (kind.advised) expect(advice.map(({ run }) => run)).toContain(kind.advised);
      for (const one of advice) {
        const expected = SHOWS[one.run ?? ""] ? "shown" : "passes";
        expect({ one, outcome: await outcomeAfter(one, kind) }).toEqual({ one, outcome: expected });
      }
    });
  },
);

/** The person's file with the advice in place of what it says there. */
function merged(before: string | undefined, advice: string): string {
  const [old, fresh] = [parse(before ?? ""), parse(advice)];
  const [name = ""] = Object.keys(fresh);
  return before && old[name] ? advice : `${before ?? ""}\n${advice}\n`;
}

/** For each rule of the guard a call of its lists that no other rule stops. */
const GUARDED = [
  ["cases/bash", judge],
  ["cases/packs", judge],
  ["cases/powershell", judgePowerShell],
  ["cases/paths", judgeWrite],
] as const;
const CALLS = GUARDED.flatMap(([folder, judgeIt]) =>
  lists(folder).flatMap((file) => readCases(file).map((one) => ({ ...one, judgeIt }))),
);

test.each(Object.keys(RULES) as RuleId[])("the guard's rule %s: each advice changes the verdict", (rule) => {
  const reason = isCatastrophic(rule) || rule === "unverifiable" ? "" : `guard.rules.${rule} =`;
  const advice = adviceFor({ what: "deny", feature: "command-guard", rule, reason, session: "s" } as any);
  const rules = advice.filter(({ toml }) => toml?.startsWith("[guard.rules]"));
  expect(rules).toHaveLength(reason ? 2 : 0);
  const own = CALLS.filter(({ expected }) => expected.startsWith(`${rule} `)).slice(0, 10);
  for (const { toml = "" } of rules) {
    const home = aHome();
    home.write(SETTINGS, toml);
    const settings = readSettings(home.paths, home.project, home.project);
    expect(unusedIn(settings)).toEqual([]);
    const protect = rule === "protect-custom" ? ["secret.txt"] : [];
    const situation = aSituation({ policy: { ...policyOf(settings), protect } });
    const verdicts =
      rule === "protect-custom"
        ? [judgeWrite("/home/dev/app/secret.txt", situation)]
        : own.map(({ command, judgeIt }) => judgeIt(command, situation));
    const wanted = toml.includes('"ask"') ? "ask" : undefined;
    expect({ toml, verdicts: verdicts.map((one) => one?.decision) }).toMatchObject({
      verdicts: expect.arrayContaining([wanted]),
    });
  }
});

test("an effort guard is named by the advice; a rule without a switch gets none of its own", () => {
  const line = (feature: string, rule: string, reason = "") =>
    ({ what: "deny", feature, rule, reason, session: "s-1" }) as any;
  expect(adviceFor(line("effort", "effort:no-push"))[0]?.run).toBe(
    "swarm effort guard no-push --remove --session-id s-1",
  );
  expect(adviceFor(line("command-guard", "x", "This rule has no off switch."))).toHaveLength(2);
  expect(adviceFor(line("worktrees", "worktrees:foreign-tree"))).toHaveLength(2);
  expect(adviceFor(line("spawn-gate", "team-match"))).toHaveLength(2);
});

test.each([
  ["This makes agents 5 levels deep.", "[gate]\nmax_depth = 10"],
  ["It says no figure.", "[gate]\nmax_depth = 16"],
])("a limit is raised to twice what was asked for: %s", (reason, toml) => {
  const line = { what: "deny", feature: "spawn-gate", rule: "max-depth", reason, session: "s-1" } as any;
  expect(adviceFor(line)[0]?.toml).toBe(toml);
});
