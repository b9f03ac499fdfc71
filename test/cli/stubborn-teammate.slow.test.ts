import { expect, test } from "vitest";
import { lifeOf, startOf } from "../../lib/system/processes.ts";
import { aLeadWithTeam } from "../support/a-tmux-team.ts";
import { runSwarm } from "../support/run-built.ts";

test("a teammate that will not go is made to", () => {
  const { home, swarm, started, env } = aLeadWithTeam("alpha");
  const stubborn = runSwarm(home, ["spawn", "ada"], { env: { ...env, STAND_IN_STAYS: "1" } });
  expect(stubborn.exitCode).toBe(0);
  const { pid } = started("ada");
  const startedAt = startOf(pid);
  expect(swarm("kill", "ada").stdout).toContain("ada: ended");
  expect(lifeOf({ pid, startedAt })).not.toBe("alive");
});
