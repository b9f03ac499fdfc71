// `swarm spawn --worktree` and `swarm worktree` on the built script, with a real repository: names, bases, what is kept and what fails.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { aLeadWithTeam, HEADLESS } from "../support/a-tmux-team.ts";

test("the branch and the base are optional words, and a client that does not start leaves no worktree", () => {
  const { swarm, started, home } = aLeadWithTeam("alpha", { outside: true });
  const main = aCheckout(home.project);
  const first = main.git("rev-parse", "HEAD");
  main.commit("second");
  expect(swarm("spawn", "ada", "--worktree", "fix/parser", "--base", "HEAD~1", ...HEADLESS).exitCode).toBe(0);
  const tree = checkoutAt(started("ada").cwd);
  expect(tree.git("branch", "--show-current")).toBe("fix/parser");
  expect(tree.git("rev-parse", "HEAD")).toBe(first);
  expect(swarm("spawn", "ada", "--worktree", ...HEADLESS).stderr).toContain("ada is already running");
  expect(existsSync(tree.path)).toBe(true);
  expect(swarm("spawn", "bob", "--worktree", "--backend", "kitty").exitCode).toBe(1);
  expect(main.git("worktree", "list").split("\n")).toHaveLength(2);
  expect(swarm("spawn", "bob", "--base", "HEAD").stderr).toContain("--base needs --worktree");

  home.write(".claude/swarm/settings.toml", '[teammates]\nworktree = "always"\n');
  expect(swarm("spawn", "eve", "--worktree", "Look at the docs", ...HEADLESS).exitCode).toBe(0);
  expect(started("eve").stdin).toBe("Look at the docs");
  expect(started("eve").cwd).toMatch(/\/alpha\/eve$/);
  swarm("kill", "--all");
}, 120_000);

test("a teammate in a worktree keeps it through suspend and resume, and gives it back", () => {
  const { swarm, started, member, home } = aLeadWithTeam("alpha", { outside: true });
  const main = aCheckout(home.project);
  const spawned = swarm("spawn", "ada", "--worktree", ...HEADLESS);
  expect(spawned).toMatchObject({ exitCode: 0, stderr: "" });
  expect(spawned.stdout).toMatch(
    /\nworktree .*\/alpha\/ada\nbranch swarm\/alpha\/ada from HEAD [0-9a-f]{7} /,
  );
  const { cwd } = started("ada");
  expect(cwd).toContain("/.swarm/worktrees/");
  expect(member("alpha", "ada").cwd).toBe(cwd);
  expect(swarm("worktree", "path", "ada").stdout.trim()).toBe(cwd);
  expect(swarm("worktree", "remove", "ada").stderr).toContain(
    "ada is running in it: `swarm kill ada --team alpha`",
  );

  checkoutAt(cwd).commit("work", { "b.txt": "b" });
  expect(swarm("suspend").exitCode).toBe(0);
  rmSync(cwd, { recursive: true });
  expect(swarm("resume", ...HEADLESS).exitCode).toBe(0);
  expect(started("ada").cwd).toBe(cwd);
  expect(existsSync(join(cwd, "b.txt"))).toBe(true);

  expect(swarm("kill", "ada").exitCode).toBe(0);
  expect(swarm("cleanup").stdout).toMatch(/1 commit on no other branch, tag or remote: [0-9a-f]+ work/);
  expect(swarm("spawn", "ada", ...HEADLESS).stdout).toContain("worktree of before");
  expect(swarm("kill", "ada").exitCode).toBe(0);
  const refused = swarm("worktree", "remove", "ada");
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain("still holds work");
  main.git("merge", "-q", "swarm/alpha/ada");
  expect(swarm("worktree", "list").stdout).toContain("ada@alpha  not running  swarm/alpha/ada");
  expect(swarm("worktree", "remove", "ada").stdout).toContain("and the branch swarm/alpha/ada");
  expect(swarm("worktree").stdout).toContain("There is no worktree of a teammate");
}, 120_000);
