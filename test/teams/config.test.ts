// One reader of a team's config.json, one rule for who leads.
import { expect, test } from "vitest";
import {
  findNativeMember,
  isLead,
  leadOf,
  type Member,
  readTeam,
  type Team,
  updateTeam,
} from "../../lib/teams/store/config.ts";
import { aHome } from "../support/a-home.ts";

const CONFIG = ".claude/teams/dev/config.json";
const boss = { name: "boss", agentId: "boss@dev" };
const usual = { name: "team-lead", agentId: "other@dev" };
const byType = { name: "ann", agentId: "ann@dev", agentType: "team-lead" };
const bob = { name: "bob", agentId: "bob@dev" };

// Before there was one rule, mail went by the id alone, tasks by id or type, the board and cleanup by id or name.
test.each<[string, string | undefined, Member[], string]>([
  ["the id", "boss@dev", [bob, boss], "boss"],
  ["the id, though another has the usual name", "boss@dev", [usual, boss], "boss"],
  ["the id, though another has the type", "boss@dev", [byType, boss], "boss"],
  ["the usual name, without an id", undefined, [bob, usual], "team-lead"],
  ["the usual name, where the id names no member", "gone@dev", [bob, usual], "team-lead"],
  ["the usual name before the type", undefined, [byType, usual], "team-lead"],
  ["the type, where nothing else says it", undefined, [bob, byType], "ann"],
  ["nobody listed: its mail is kept under the usual name", "gone@dev", [bob], "team-lead"],
  ["members without ids do not match a missing id", undefined, [{ name: "bob" }], "team-lead"],
])("who leads: %s", (_, leadAgentId, members, lead) => {
  const team: Team = { leadAgentId, members };
  expect(leadOf(team)).toBe(lead);
  expect(members.filter((member) => isLead(team, member)).map(({ name }) => name)).toEqual(
    members.some(({ name }) => name === lead) ? [lead] : [],
  );
});

test("the lead of no team is the usual one", () => expect(leadOf(undefined)).toBe("team-lead"));

test("an odd value counts as missing, for readers and for changes, and costs nothing else", () => {
  const home = aHome();
  home.write(CONFIG, {
    name: 7,
    leadAgentId: null,
    createdAt: 1771588800000,
    mine: { kept: null },
    members: [null, "x", { agentId: "no name" }, { ...bob, pid: "12", lastSeen: 7, joinedAt: 5, mine: [1] }],
  });
  const read = readTeam(home.paths, "dev");
  expect(read?.members).toEqual([{ ...bob, joinedAt: 5, mine: [1] }]);
  updateTeam(home.paths, "dev", (stored) => stored && { ...stored, status: "active" });
  expect(home.json(CONFIG)).toEqual({
    createdAt: 1771588800000,
    mine: { kept: null },
    status: "active",
    members: [{ ...bob, joinedAt: 5, mine: [1] }],
  });
});

test.each([["a list"], [{ members: "none" }], [{ members: { bob } }]])(
  "%j is damage: set aside, not overwritten",
  (content) => {
    const home = aHome();
    home.write(CONFIG, content);
    expect(readTeam(home.paths, "dev")).toBeUndefined();
    expect(home.has(CONFIG)).toBe(false);
  },
);

test("a config without members is a team without members", () => {
  const home = aHome();
  home.write(CONFIG, { name: "dev" });
  expect(readTeam(home.paths, "dev")?.members).toEqual([]);
});

test("a native team is named by its directory, whatever its file says, and never written", () => {
  const home = aHome();
  const name = "session-0a1b2c3d";
  home.write(`.claude/teams/${name}/config.json`, {
    leadSessionId: "s-1",
    members: [{ name: "ada", tmuxPaneId: null }],
  });
  expect(findNativeMember(home.paths, { session: "s-1", clientPid: 0, pane: undefined })).toMatchObject({
    team: name,
    agent: "team-lead",
    isLead: true,
  });
  expect(() => updateTeam(home.paths, name, (team) => team)).toThrow("belongs to the client");
});
