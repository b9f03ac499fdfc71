// `swarm claim`, `claims`, `release` and `task create --files`: what they refuse, and what the doctor says of shared repositories.
import { expect, test } from "vitest";
import { sharedFindings } from "../../lib/ops/doctor/teams.ts";
import { anAgent, aRepository } from "../support/a-repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { callSwarm } from "../support/call-swarm.ts";

test("claims of agents and of a person, and what is refused", async () => {
  const { home } = aRepository();
  const env = (session: string) => ({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: "1" });
  const [ada, bob] = ["ada", "bob"].map((name) => env(anAgent(home, name)));
  const swarm = (args: string[], given = {}) => callSwarm(home, args, { env: given });
  expect(await swarm(["claim", "src/**"], ada)).toMatchObject({
    exitCode: 0,
    stdout: "claimed src/**, until you release it or end\n",
  });
  const refused = await swarm(["claim", "src/a.ts", "--json"], bob);
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ claimed: false, conflicts: [{ name: "ada" }] });
  expect((await swarm(["release", "src/**"], bob)).exitCode).toBe(1);
  expect((await swarm(["claim", "docs"])).stdout).toMatch(/^claimed docs, until /); // a person's, for an hour
  expect((await swarm(["claims"])).stdout.split("\n").filter(Boolean).length).toBe(2);
  for (const bad of [
    ["claim"],
    ["claim", "../x"],
    ["claim", "x", "--for", "never"],
    ["claim", "x", "--as", "zoe"],
  ])
    expect([bad, (await swarm(bad, ada)).exitCode]).toEqual([bad, 2]);
  expect((await swarm(["release"], ada)).stdout).toBe("released src/**\n");
});

test("a task's files overlap by path segments, and must lie in the repository", async () => {
  const { home } = aRepository();
  const create = (...args: string[]) => callSwarm(home, ["task", "create", ...args, "--team", "dev"]);
  home.write(".claude/teams/dev/config.json", { name: "dev", members: [] });
  expect((await create("one", "--files", "src/{a,b}/**")).stdout).not.toContain("overlap");
  expect((await create("two", "--files", "src/c", "--files", "src/b/x.ts")).stdout).toContain(
    "overlap with #1",
  );
  expect((await create("three", "--files", "src/c2")).stdout).not.toContain("overlap");
  expect((await create("four", "--files", "/etc/passwd")).exitCode).toBe(2);
  expect(home.json(".claude/tasks/dev/2.json").metadata.swarm.files).toEqual(["src/c", "src/b/x.ts"]);
});

test("the doctor names shared repositories, and that without the guard the shell is not seen", () => {
  const repository = aRepository();
  const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
  ada.edit("a.ts");
  const look = (isGuardOn: boolean) => sharedFindings(repository.home.paths, new Date(), isGuardOn);
  expect(look(true)).toEqual([]);
  bob.edit("b.ts");
  expect(look(true)).toMatchObject([{ level: "ok", what: "1 repository shared by live agents" }]);
  expect(look(false)).toMatchObject([{ level: "warn" }]);
});
