// A program that a hook runs and that never ends: the hook goes on at its own limit.
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { payload, runHook } from "../support/run-built.ts";

test("a hanging git delays the start by its own limit only, and the pages still come", () => {
  const home = aHome();
  home.write("project/.claude/scratchpad/ego/2026-02-19.md", "calm");
  chmodSync(home.write("bin/git", "#!/bin/sh\nexec /bin/sleep 30\n"), 0o755);
  const begun = Date.now();
  const env = { PATH: home.path("bin") };
  const { reply } = runHook(home, "session-start", { source: "startup" }, { env });
  expect(reply.hookSpecificOutput.additionalContext).toContain("calm");
  expect(Date.now() - begun).toBeLessThan(10_000);
});

test("a check that hangs is ended at its time", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[tasks]\nverify = "sleep 60"\nverify_timeout_s = 1');
  const before = performance.now();
  const { reply } = runHook(home, "task-completed", { ...payload("TaskCompleted"), cwd: home.project });
  expect(reply.reason).toContain("did not end within 1 s");
  expect(performance.now() - before).toBeLessThan(15_000);
});
