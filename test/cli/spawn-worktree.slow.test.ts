// Worktrees by `swarm spawn`: names, bases, and starts that fail.
import { existsSync } from "node:fs";
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
