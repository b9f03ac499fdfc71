// Every verb: its help, a wrong option, a stray word, an unknown team or member, `--json`, and the exit code of each.
// 0: done; 1: refused or not found; 2: wrong usage. With `--json` an error is {error, hint} on stdout.
import { expect, test } from "vitest";
import { COMMANDS } from "../../scripts/verbs.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { runSwarmProcess } from "../support/run-built.ts";

const LEAD = as("team-lead");

function aWorld(): Home {
  const home = aHome();
  aTeam(home);
  return home;
}

const VERBS = [...COMMANDS.map((one) => one.name), "help"];
const errorOf = (stdout: string) => JSON.parse(stdout) as { error: string; hint: string };

test.each(VERBS)(
  "swarm %s: help in three spellings, and a wrong option in words and as JSON",
  async (verb) => {
    const home = aWorld();
    const page = await callSwarm(home, ["help", verb]);
    expect(page).toEqual({ stdout: expect.stringContaining(`swarm ${verb}`), stderr: "", exitCode: 0 });
    for (const spelling of ["--help", "-h"]) expect(await callSwarm(home, [verb, spelling])).toEqual(page);
    const wrong = await callSwarm(home, [verb, "--no-such-option"]);
    expect(wrong).toMatchObject({ stdout: "", exitCode: 2 });
    expect(wrong.stderr).toMatch(/^swarm: Unknown option '--no-such-option'.*\nusage: swarm /);
    const asJson = await callSwarm(home, [verb, "--no-such-option", "--json"]);
    expect(asJson).toMatchObject({ stderr: "", exitCode: 2 });
    expect(errorOf(asJson.stdout)).toEqual({
      error: expect.stringContaining("--no-such-option"),
      hint: expect.stringMatching(/^usage: swarm /),
    });
  },
);

test("a verb that answers later, in a process of its own: what it says and its exit code", () => {
  const home = aHome();
  expect(runSwarmProcess(home, ["relay"])).toMatchObject({
    stdout: expect.stringContaining("no team here has a relay"),
    exitCode: 0,
  });
  expect(runSwarmProcess(home, ["relay", "sync"])).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("no team here has a relay"),
    exitCode: 1,
  });
});

/** Every declared flag means the same everywhere: one type, and no second name for the same thing. */
test("a flag has one name and one type in all verbs", () => {
  const types = new Map<string, Set<string>>();
  for (const { flags = {} } of COMMANDS)
    for (const [name, type] of Object.entries(flags as Record<string, string>))
      types.set(name, (types.get(name) ?? new Set()).add(type === "switch" ? "switch" : "text"));
  expect([...types].filter(([, kinds]) => kinds.size > 1)).toEqual([]);
  for (const second of ["session", "assign", "member", "to", "since-time", "output", "list", "verbose"])
    expect([...types.keys()]).not.toContain(second);
});

const withTeamFlag = COMMANDS.filter(
  ({ name, flags, team }) => flags && "team" in flags && (team !== "data" || name === "task"),
);

test.each(withTeamFlag.map((one) => one.name))(
  "swarm %s --team atm-dve: not found, nearest name",
  async (verb) => {
    const home = aWorld();
    const words =
      { send: ["bob", "hi"], broadcast: ["hi"], spawn: ["eve"], task: ["create", "x"] }[verb] ?? [];
    const args = [verb, ...words, "--team", "atm-dve"];
    const said = await callSwarm(home, args, { env: LEAD });
    expect(said).toEqual({
      stdout: "",
      stderr: `swarm: there is no team atm-dve; nearest: ${TEAM}\nswarm list-teams lists all teams\n`,
      exitCode: 1,
    });
    const asJson = await callSwarm(home, [...args, "--json"], { env: LEAD });
    expect({ ...asJson, stdout: errorOf(asJson.stdout) }).toEqual({
      stdout: {
        error: `there is no team atm-dve; nearest: ${TEAM}`,
        hint: "swarm list-teams lists all teams",
      },
      stderr: "",
      exitCode: 1,
    });
    expect(home.has(".claude/tasks/atm-dve")).toBe(false);
    expect(home.has(".claude/teams/atm-dve")).toBe(false);
  },
);

/** A team as a word, a team of the environment, and members. */
const UNKNOWN: [string[], string][] = [
  [["join", "atm-dve", "--name", "eve"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["suspend", "atm-dve"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["resume", "atm-dve"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["cleanup", "atm-dve"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["cleanup", "atm-dve", "--members"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["lead", "show", "atm-dve"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["lead", "take", "atm-dve"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["send", "bob@atm-dve", "hi"], `there is no team atm-dve; nearest: ${TEAM}`],
  [["send", "bobb", "hi"], `there is no bobb in team ${TEAM}; nearest: bob`],
  [["broadcast", "hi", "--exclude", "alcie"], `there is no alcie in team ${TEAM}; nearest: alice`],
  [["inbox", "--agent", "bobb", "--peek"], `there is no bobb in team ${TEAM}; nearest: bob`],
  [["outbox", "--agent", "bobb"], `there is no bobb in team ${TEAM}; nearest: bob`],
  [["kill", "bobb"], `there is no bobb in team ${TEAM}; nearest: bob`],
  [["cleanup", "--members", "--agent", "bobb"], `there is no bobb in team ${TEAM}; nearest: bob`],
  [["task", "list", "--owner", "bobb"], `there is no bobb in team ${TEAM}; nearest: bob`],
  [["task", "create", "x", "--owner", "bobb"], `"bobb" is no member of team ${TEAM}; nearest: bob`],
  [["task", "show", "7"], `there is no task #7 in list ${TEAM}`],
  [["wake", "alcie"], "there is no running session alcie"],
  [["session", "show", "nope"], "there is no session nope"],
  [["effort", "show", "99"], "there is no effort 99; swarm effort list --all shows them"],
  [["inbox", "m-none"], "there is no message m-none"],
  [["config", "gate.max_dept"], "there is no setting gate.max_dept; did you mean gate.max_depth?"],
  [["explain", "mwkgums6-4hc0"], "the journal has no decision mwkgums6-4hc0"],
];

test.each(UNKNOWN)("swarm %j: %s", async (args, error) => {
  const home = aWorld();
  const env = args[0] === "join" ? { CLAUDE_CODE_SESSION_ID: "s-new" } : LEAD;
  const { stdout, stderr, exitCode } = await callSwarm(home, [...args, "--json"], { env });
  expect({ exitCode, stderr, ...errorOf(stdout) }).toMatchObject({
    exitCode: 1,
    stderr: "",
    error: expect.stringContaining(error),
    hint: expect.stringMatching(/\w/),
  });
});

test("a team that only the environment or a setting names is refused as well", async () => {
  const home = aWorld();
  home.write(".claude/swarm/settings.toml", '[core]\ndefault_team = "atm-dve"\n');
  for (const args of [
    ["task", "create", "x"],
    ["task", "list"],
    ["outbox"],
    ["inbox", "--agent", "bob", "--peek"],
  ])
    expect(await callSwarm(home, args)).toMatchObject({
      stderr: expect.stringContaining(`there is no team atm-dve; nearest: ${TEAM}`),
      exitCode: 1,
    });
  expect(home.has(".claude/tasks/atm-dve")).toBe(false);
});

const STRAY: string[][] = [
  ...[
    "outbox",
    "doctor",
    "gc",
    "list-teams",
    "onboard",
    "journal",
    "report",
    "cost",
    "version",
    "bug-report",
  ].map((verb) => [verb, "stray"]),
  ["help", "send", "stray"],
  ["config", "gate.max_depth", "stray"],
  ["explain", "last", "stray"],
  ["session", "list", "stray"],
  ["session", "show", "last", "stray"],
  ["task", "list", "stray"],
  ["task", "done", "1", "stray"],
  ["effort", "list", "stray"],
  ["guard", "rules", "stray"],
  ["scratchpad", "list", "stray"],
  ["statusline", "install", "stray"],
  ["lead", "show", TEAM, "stray"],
  ["suspend", TEAM, "stray"],
  ["cleanup", TEAM, "stray"],
  ["inbox", "m-1", "stray"],
  ["wake", "bob", "stray"],
  ["notify", "test", "stray"],
];

test.each(STRAY)("swarm %s %s %s %s: a stray word is wrong usage", async (...given) => {
  const args = given.filter((word) => word !== undefined);
  expect(await callSwarm(aWorld(), args, { env: LEAD })).toMatchObject({
    stderr: expect.stringContaining('"stray" is one word too many'),
    exitCode: 2,
  });
});

test.each([
  [["taks", "list"], 'there is no verb "taks"; did you mean task?'],
  [["tasks"], 'there is no verb "tasks"; did you mean task?'],
  [["help", "spwan"], 'there is no verb "spwan"; did you mean spawn?'],
  [["task", "lsit"], "did you mean list?"],
  [["effort", "pahse", "x"], "did you mean phase?"],
  [["session", "shwo"], "did you mean show?"],
  [["inbox", "--peak"], "did you mean --peek?"],
  [["zzzzzzzzz"], "swarm help lists them all"],
])("swarm %j suggests what was meant", async (args, suggestion) => {
  const { stdout, stderr, exitCode } = await callSwarm(aWorld(), args, { env: LEAD });
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  expect(stderr).toContain(suggestion);
  const asJson = await callSwarm(aWorld(), [...args, "--json"], { env: LEAD });
  expect(errorOf(asJson.stdout).error).toContain(suggestion);
});

/** What each verb answers in JSON when it is called as its usage says, without anything to do. */
const READING: string[][] = [
  ["inbox"],
  ["outbox"],
  ["task", "list"],
  ["task", "create", "x"],
  ["status"],
  ["list-teams"],
  ["lead", "show"],
  ["onboard"],
  ["session"],
  ["effort"],
  ["effort", "list"],
  ["scratchpad"],
  ["guard", "rules"],
  ["guard", "test", "ls"],
  ["journal"],
  ["config"],
  ["gc"],
  ["cleanup"],
  ["cost"],
  ["notify"],
  ["version"],
  ["help"],
  ["help", "spawn"],
  ["send", "bob", "hi"],
  ["broadcast", "hi"],
  ["runs"],
  ["worktree", "list"],
  ["relay"],
  ["pause"],
  ["stop", "--all", "--dry-run"],
  ["setup"],
  ["statusline"],
  ["bug-report", "--out", "-"],
  ["report", "--out", "-"],
  ["kill", "--all"],
  ["suspend"],
  ["resume"],
];

test.each(READING)("swarm %s %s --json prints JSON and exits 0", async (...given) => {
  const args = given.filter((word) => word !== undefined);
  const { stdout, stderr, exitCode } = await callSwarm(aWorld(), [...args, "--json"], { env: LEAD });
  expect({ args, stderr, exitCode }).toEqual({ args, stderr: "", exitCode: 0 });
  expect(() => JSON.parse(stdout)).not.toThrow();
});

/** Called as their usage says, where there is nothing for them to work on: JSON all the same, and exit code 1. */
const NOTHING_THERE: string[][] = [
  ["claims"],
  ["claim", "src/a.ts"],
  ["release", "src/a.ts"],
  ["unpause", "bob"],
  ["create", "second"],
  ["join", TEAM, "--name", "eve"],
  ["explain", "last"],
  ["event"],
  ["wake", "bob"],
  ["doctor"],
];

test.each(NOTHING_THERE)("swarm %s %s --json prints JSON and exits 1", async (...given) => {
  const args = given.filter((word) => word !== undefined);
  const { stdout, stderr, exitCode } = await callSwarm(aWorld(), [...args, "--json"], { env: LEAD });
  expect({ args, stderr, exitCode }).toEqual({ args, stderr: "", exitCode: 1 });
  expect(() => JSON.parse(stdout)).not.toThrow();
});

test("every verb is in one of the two tables, but for those that start programs or a server", () => {
  const named = new Set([...READING, ...NOTHING_THERE].map(([verb]) => verb));
  expect(VERBS.filter((verb) => !named.has(verb)).sort()).toEqual(["demo", "serve", "spawn"]);
});
