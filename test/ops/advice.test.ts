// What `swarm explain` advises: settings that parse, that Swarm knows, and that change the decision when they are applied.
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { readSettings, unusedIn } from "../../lib/core/settings.ts";
import * as effort from "../../lib/efforts/hooks.ts";
import { preToolUse as guard } from "../../lib/guard/hooks.ts";
import { RULES } from "../../lib/guard/rules.ts";
import * as events from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { type Handler, runSteps } from "../../lib/hook/run.ts";
import { adviceFor } from "../../lib/ops/advice.ts";
import { preToolUse as comms } from "../../lib/outbound/hooks.ts";
import * as scratchpad from "../../lib/scratchpad/hooks.ts";
import * as tasks from "../../lib/tasks/hooks.ts";
import { preToolUse as spawnGate } from "../../lib/teammates/hooks/spawn-gate.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { agent, TOML } from "../support/a-spawn.ts";
import { aTask } from "../support/a-task.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";
import { anEffort } from "../support/an-effort.ts";
import { callSwarm } from "../support/call-swarm.ts";

const SETTINGS = ".claude/swarm/settings.toml";
type Step = (home: Home) => Outcome | undefined;

interface Kind {
  feature: string;
  rule: RegExp;
  /** Settings that the denial needs. */
  settings?: string;
  prepare?: (home: Home) => void;
  handler: Handler<any>;
  event?: any;
  input: object;
  env?: Record<string, string>;
}

const inTeam = (home: Home) => aTeam(home);
const spawnOf = (input: object) => ({ tool_name: "Agent", tool_input: input });

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
    prepare: (home) => home.write("project/.atm.toml", TOML),
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
  ...(["max_depth", "max_spawns_per_hour", "max_premium"] as const).map(
    (key): Kind => ({
      feature: "spawn-gate",
      rule: new RegExp(`^${key.replaceAll("_", "-")}$`),
      settings: `[gate]\n${key} = 0\n`,
      handler: spawnGate,
      input: spawnOf({ ...agent("general-purpose"), model: "opus" }),
      env: { CLAUDE_CODE_SESSION_ATTENDED: "0" },
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
    prepare: (home) => home.write("project/.claude/scratchpad/.keep", ""),
    event: events.SubagentStop,
    handler: scratchpad.subagentStop,
    input: { agent_id: "a0123456789abcdef", agent_type: "spec-writer" },
  },
  {
    feature: "effort",
    rule: /^heartbeat:/,
    prepare: (home) => anEffort(home),
    settings: "[effort]\nblock_after = 1\n",
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
];

function aDenial(kind: Kind): { home: Home; again: Step; line: any } {
  const home = aHome();
  if (kind.settings) home.write(SETTINGS, kind.settings);
  kind.prepare?.(home);
  const { event = events.PreToolUse, feature, handler, input, env } = kind;
  const again: Step = () =>
    runSteps(event, { [feature]: handler }, aContext(home, event, input as any, { env }) as any)[0];
  const outcome = again(home);
  const reason = outcome?.deny ?? outcome?.ask;
  const what = outcome?.deny === undefined ? "ask" : "deny";
  expect({ feature, rule: outcome?.rule, reason }).toEqual({
    feature,
    rule: expect.stringMatching(kind.rule),
    reason: expect.any(String),
  });
  return { home, again, line: { what, feature, rule: outcome?.rule, reason, session: "s-1" } };
}

const isHeld = (outcome: Outcome | undefined) => outcome?.deny !== undefined;

describe.each(KINDS.map((kind) => [`${kind.feature} ${kind.rule.source}`, kind] as const))(
  "%s",
  (_, kind) => {
    const advice = adviceFor(aSample(kind));

    test("has advice of its own, and each of it changes the decision", async () => {
      expect(advice.length).toBeGreaterThan(2);
      for (const index of advice.keys()) {
        const { home, again, line } = aDenial(kind);
        const one = adviceFor(line)[index];
        if (one?.toml) {
          home.write(SETTINGS, merged(kind.settings, one.toml));
          expect(unusedIn(readSettings(home.paths, home.project, home.project))).toEqual([]);
        } else if (one?.run?.startsWith("swarm effort guard")) {
          const args = one.run.replace("swarm ", "").split(" ");
          expect(await callSwarm(home, args)).toMatchObject({ exitCode: 0 });
        } else continue;
        expect({ one, isHeld: isHeld(again(home)) }).toEqual({ one, isHeld: false });
      }
    });
  },
);

function aSample({ feature, rule }: Kind): any {
  const name = rule.source.replace(/[\^$]/g, "");
  return {
    what: "deny",
    feature,
    rule: name,
    reason: `guard.rules.${name} = \nPolicy team: ${TEAM}`,
    session: "s-1",
  };
}

/** The person's file with the advice in place of what it says there. */
function merged(before: string | undefined, advice: string): string {
  const [old, fresh] = [parse(before ?? ""), parse(advice)];
  const [name = ""] = Object.keys(fresh);
  return before && old[name] ? advice : `${before ?? ""}\n${advice}\n`;
}

test("every rule of the guard: its advice parses and is known", () => {
  for (const rule of Object.keys(RULES))
    for (const { toml } of adviceFor({
      what: "deny",
      feature: "command-guard",
      rule,
      reason: `guard.rules.${rule} =`,
      session: "s",
    } as any)) {
      if (!toml) continue;
      const home = aHome();
      home.write(SETTINGS, toml);
      expect({ rule, unused: unusedIn(readSettings(home.paths, home.project, home.project)) }).toEqual({
        rule,
        unused: [],
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
});

/** Decisions whose situation takes a repository, a pause or a client: their advice parses, and is known. */
test.each([
  ["worktrees", "worktrees:sweep"],
  ["worktrees", "worktrees:move"],
  ["worktrees", "worktrees:busy-index"],
  ["worktrees", "worktrees:collision"],
  ["worktrees", "worktrees:foreign-tree"],
  ["worktrees", "worktrees:claim"],
  ["spawn-gate", "max-teammates"],
  ["spawn-gate", "team-match"],
  ["tasks", "tasks.verify"],
  ["tasks", "tasks-idle:1"],
  ["effort", "precompact:1.1"],
  ["effort", "effort:precompact-kill"],
  ["send-check", "send:unknown"],
  ["context-budget", "context-budget:ping"],
  ["pause", "pause"],
])("%s, rule %s", (feature, rule) => {
  const reason = `BLOCKED: this would make 17 teammates alive at once; the limit is 16.\nPolicy team: ${TEAM}`;
  for (const { toml, run } of adviceFor({ what: "deny", feature, rule, reason, session: "s-1" } as any)) {
    expect(toml ?? run).toMatch(/\w/);
    const home = aHome();
    home.write(SETTINGS, toml ?? "");
    expect(unusedIn(readSettings(home.paths, home.project, home.project))).toEqual([]);
  }
});
