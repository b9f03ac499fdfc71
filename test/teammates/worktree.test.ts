// When a teammate gets a worktree of its own.
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { worktreeFor } from "../../lib/teammates/worktree.ts";
import { aCall } from "../support/a-call.ts";
import { aRepository, gitEnvironment } from "../support/a-repository.ts";

const ALWAYS = '[teammates]\nworktree = "always"\n';

test("by flag, by setting, or because it has one; never outside a repository unless asked", () => {
  const { home, git } = aRepository();
  const outside = home.path("outside");
  mkdirSync(outside);
  const made = (flags: Record<string, string>, { cwd = home.project, settings = "", name = "ada" } = {}) => {
    home.write(".claude/swarm/settings.toml", settings);
    const call = aCall(home, [], flags, { env: gitEnvironment(home.root) });
    const tree = worktreeFor(call as never, { team: "dev", name, cwd });
    return tree && { branch: tree.record.branch, base: tree.record.baseName, isNew: tree.isNew };
  };
  expect(made({})).toBeUndefined();
  expect(() => made({ base: "main" })).toThrow("--base needs --worktree");
  expect(made({}, { settings: ALWAYS, cwd: outside })).toBeUndefined();
  expect(() => made({ worktree: "" }, { cwd: outside })).toThrow("is not in a git repository");
  expect(made({ worktree: "" })).toEqual({ branch: "swarm/dev/ada", base: "HEAD", isNew: true });
  expect(made({})).toEqual({ branch: "swarm/dev/ada", base: "HEAD", isNew: false }); // it keeps it
  expect(made({}, { cwd: outside })).toBeUndefined();
  git(["branch", "topic"]);
  expect(made({ worktree: "mine", base: "topic" }, { name: "bob" })).toEqual({
    branch: "mine",
    base: "topic",
    isNew: true,
  });
  expect(made({ base: "topic" }, { name: "cat", settings: ALWAYS })).toEqual({
    ...{ branch: "swarm/dev/cat", base: "topic", isNew: true },
  });
});
