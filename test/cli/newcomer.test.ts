// What a newcomer reads who has no team yet, or left a name out: what is missing, and the command that helps.
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

const SESSION = { CLAUDE_CODE_SESSION_ID: "s-new" };
const LEAD = as("team-lead");
const answerTo = async (home: Home, args: string[], env: Record<string, string> = SESSION) =>
  (await callSwarm(home, args, { env })).stderr;

const NEEDS_TEAM = [
  ["spawn", "ada"],
  ["suspend"],
  ["resume"],
  ["kill", "ada"],
  ["cleanup"],
  ["lead"],
  ["join"],
];

test.each(NEEDS_TEAM)("no team at all: swarm %s says how one is made", async (...args) => {
  const text = "which team? there is none yet: `swarm create TEAM` makes one";
  expect(await answerTo(aHome(), args)).toContain(text);
  expect(await answerTo(aHome(), args, {})).toContain(text);
});

test.each(NEEDS_TEAM)("other teams: swarm %s names them, in a session and in a terminal", async (...args) => {
  const home = aHome();
  aTeam(home);
  expect(await answerTo(home, args)).toContain(
    `which team? this session belongs to none: \`swarm create TEAM\` makes one, or name one of: ${TEAM}`,
  );
  expect(await answerTo(home, args, {})).toContain(`which team? name one of: ${TEAM}`);
});

test("names that were left out", async () => {
  const home = aHome();
  aTeam(home);
  expect(await answerTo(home, ["create"])).toContain("which name should the team have?");
  expect(await answerTo(home, ["spawn", "--team", TEAM])).toContain("which name should the teammate have?");
  expect(await answerTo(home, ["join", TEAM])).toContain("which name should this session have? --name NAME");
});

test("mail without a team", async () => {
  const home = aHome();
  expect(await answerTo(home, ["send", "ada", "hi"])).toContain(
    "which team? there is none yet: `swarm create TEAM` makes one",
  );
  for (const verb of ["inbox", "outbox"])
    expect(await answerTo(home, [verb])).toContain(
      `whose ${verb}? this session belongs to no team: \`swarm create TEAM\` or \`swarm join TEAM --name NAME\` comes first`,
    );
});

test("a team that is not there, before there is any", async () => {
  const home = aHome();
  for (const args of [
    ["resume", "demo"],
    ["join", "demo"],
    ["join", "demo", "--name", "me"],
    ["status", "--team", "demo"],
  ])
    expect(await answerTo(home, args)).toBe("swarm: there is no team demo\n`swarm create demo` makes it\n");
  expect(await answerTo(home, ["status", "--team", "a b"])).toContain("`swarm create TEAM` makes one");
  aTeam(home);
  expect(await answerTo(home, ["join", "demo"])).toContain(
    "there is no team demo\nswarm list-teams lists all teams",
  );
});

test("a suspended team is joined when it is back", async () => {
  const home = aHome();
  aTeam(home);
  home.write(CONFIG, { ...home.json(CONFIG), status: "suspended" });
  expect(await answerTo(home, ["join", TEAM, "--name", "me"])).toContain(
    `the team ${TEAM} is suspended; \`swarm resume ${TEAM}\` in its lead's session brings it back`,
  );
});

test("a lead without teammates", async () => {
  const home = aHome();
  aTeam(home, ["team-lead"]);
  const opens = "`swarm spawn NAME` opens a teammate";
  expect(await answerTo(home, ["broadcast", "hello"], LEAD)).toBe(
    `swarm: nobody else is in team ${TEAM}\n${opens}\n`,
  );
  expect(await answerTo(home, ["kill"], LEAD)).toContain(`${TEAM} has no teammates`);
  const { stdout } = await callSwarm(home, ["resume"], { env: LEAD });
  expect(stdout).toContain(`It has no teammates yet: ${opens}.`);
  expect(stdout).not.toContain("already running");
});

test("teammates that joined by themselves are not said to run", async () => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "ada", backend: "joined" }]);
  const { stdout } = await callSwarm(home, ["resume"], { env: LEAD });
  expect(stdout).toContain("Swarm started none of its teammates, so none was brought back.");
});

test("a message to a teammate that has ended names what starts it", async () => {
  const home = aHome();
  aTeam(home, [
    "team-lead",
    { name: "ada", backend: "headless", status: "offline" },
    { name: "bob", backend: "joined", status: "offline" },
  ]);
  const sent = async (to: string) => (await callSwarm(home, ["send", to, "hi"], { env: LEAD })).stdout;
  expect(await sent("ada")).toContain(
    `(ada is offline and gets it when it starts; \`swarm resume ${TEAM}\` starts it)`,
  );
  expect(await sent("bob")).toContain("(bob is offline and gets it when it starts)");
});

test("kill without a name says who is there", async () => {
  const home = aHome();
  aTeam(home);
  expect(await answerTo(home, ["kill"], LEAD)).toContain("which teammate? name one of: alice, bob; or --all");
});

test("a member's name where a message's id is expected", async () => {
  const home = aHome();
  aTeam(home);
  expect(await answerTo(home, ["inbox", "bob"], LEAD)).toBe(
    "swarm: there is no message bob\n`swarm inbox --agent bob --peek` shows what waits for bob\n",
  );
});

test("a team's name as a word where a verb takes --team", async () => {
  const home = aHome();
  aTeam(home);
  expect(await answerTo(home, ["status", TEAM])).toContain(
    `not "${TEAM}"; a team is named by --team ${TEAM}`,
  );
  expect(await answerTo(home, ["outbox", TEAM])).toContain(`; a team is named by --team ${TEAM}`);
  expect(await answerTo(home, ["status", "nobody"])).not.toContain("--team nobody");
});

test("resume that is refused names the call that resumes all the same", async () => {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session", pid: process.pid }]);
  expect(await answerTo(home, ["resume", TEAM])).toContain(
    `To take it anyway: swarm resume ${TEAM} --force (recorded`,
  );
  expect(await answerTo(home, ["lead", "take", TEAM])).toContain(
    `To take it anyway: swarm lead take ${TEAM} --force`,
  );
});

test("a name that only its case tells from a member's", async () => {
  const home = aHome();
  aTeam(home);
  expect(await answerTo(home, ["join", TEAM, "--name", "BOB"])).toContain("bob is in the team already");
});

test("a session without a team has a task list of its own", async () => {
  const { stdout } = await callSwarm(aHome(), ["task", "list"], { env: SESSION });
  expect(stdout).toBe("no task in this session's own list\n");
});
