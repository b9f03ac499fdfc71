// The built Stop hook starts the forecast beside the turn.
import { expect, test } from "vitest";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { readForecast } from "../../lib/worktrees/store/forecast.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { aHome } from "../support/a-home.ts";
import { ROOT, runHook } from "../support/run-built.ts";

/** For the helper that the hook starts. */
const PATIENT = { NODE_OPTIONS: `--require=${ROOT}/test/support/patient-git.cjs` };

test("after a turn in one of two trees the conflict between them is on record, and the next turn of each hears it", async () => {
  const home = aHome();
  const ada = aCheckout(home.project);
  ada.git("worktree", "add", "-q", "-b", "bob", home.path("bob"));
  const bob = checkoutAt(home.path("bob"));
  const now = new Date();
  for (const [session, tree] of [
    ["s-1", ada],
    ["s-2", bob],
  ] as const) {
    home.write(`.claude/swarm/sessions/${session}/session.json`, {
      ...{ session, state: "active", status: "working", pid: process.pid },
      ...{ startedAt: now.toISOString(), lastSeen: now.toISOString() },
    });
    writePresence(home.paths, treeOf(tree.path) as Tree, { session }, now);
  }
  ada.write("a.txt", "ADA\n");
  bob.write("a.txt", "BOB\n");
  const repository = treeOf(home.project) as Tree;
  expect(runHook(home, "stop", {}, { env: PATIENT })).toMatchObject({ exitCode: 0 });
  await expect
    .poll(() => readForecast(home.paths, repository)?.conflicts.length, { timeout: 30_000, interval: 200 })
    .toBe(1);
  const said = (session_id: string) =>
    runHook(home, "user-prompt-submit", { session_id, prompt: "go on" }).reply?.hookSpecificOutput
      .additionalContext;
  await expect.poll(() => said("s-2"), { timeout: 10_000 }).toContain("would now conflict in a.txt");
  expect(said("s-1")).toContain("that of solo-s-2");
  expect(said("s-1") ?? "").not.toContain("conflict");
}, 60_000);
