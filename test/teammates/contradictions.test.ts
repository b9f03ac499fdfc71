// Calls that name two things where only one can be meant: refused before anything is done.
import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { as, aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

test.each([
  ["kill", ["alice", "--all"], "--all ends all teammates: leave the names out"],
  ["suspend", [TEAM, "--team", "other"], `which team? ${TEAM} or --team other`],
  ["cleanup", [TEAM, "--team", "other", "--force"], `which team? ${TEAM} or --team other`],
  ["resume", [TEAM, "--team", "other"], `which team? ${TEAM} or --team other`],
  ["pause", ["--why", "lunch"], "which agents? names, --team TEAM or --all"],
  ["unpause", ["alice", "--all"], "--all means everything: leave the rest out"],
  ["stop", ["alice", "--all"], '"alice" is one word too many'],
])("swarm %s %j", async (verb, words, why) => {
  const home = aHome();
  aTeam(home);
  home.write(".claude/teams/other/config.json", { name: "other", members: [{ name: "alice" }] });
  const before = home.read(CONFIG);
  expect(await callSwarm(home, [verb, ...words], { env: as("team-lead") })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`swarm: ${why}`),
  });
  expect(home.read(CONFIG)).toBe(before);
  expect(home.has(".claude/swarm/pauses.json")).toBe(false);
});

test.each([["suspend", [TEAM, "--team", TEAM]]])(
  "said twice is no contradiction: swarm %s %j",
  async (verb, words) => {
    const home = aHome();
    aTeam(home);
    expect(await callSwarm(home, [verb, ...words], { env: as("team-lead") })).toMatchObject({ exitCode: 0 });
  },
);
