import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { recentCommits, runGit } from "../../lib/system/git.ts";
import { factsOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";

afterEach(() => vi.unstubAllEnvs());

function aRepository(home: Home, commits: number) {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: home.project });
  git("init", "-q", "-b", "main");
  for (let n = 1; n <= commits; n++) git("commit", "-q", "--allow-empty", "-m", `change ${n}`);
}

function fakeGit(home: Home, script: string) {
  chmodSync(home.write("bin/git", `#!/bin/sh\n${script}\n`), 0o755);
  vi.stubEnv("PATH", home.path("bin"));
}

test("the newest five commits, newest first", () => {
  const home = aHome();
  aRepository(home, 7);
  const subjects = recentCommits(home.project, process.env).map((line) => line.replace(/^\w+ /, ""));
  expect(subjects).toEqual(["change 7", "change 6", "change 5", "change 4", "change 3"]);
});

test("a repository without commits, or none at all, has nothing to tell", () => {
  const home = aHome();
  vi.stubEnv("GIT_CEILING_DIRECTORIES", home.root);
  expect(recentCommits(home.project, process.env)).toEqual([]);
  aRepository(home, 0);
  expect(recentCommits(home.project, process.env)).toEqual([]);
});

test("no git on the machine", () => {
  const home = aHome();
  vi.stubEnv("PATH", home.path("nowhere"));
  expect(recentCommits(home.project, process.env)).toEqual([]);
});

test("a git that hangs is left after its time", () => {
  const home = aHome();
  fakeGit(home, "exec /bin/sleep 30");
  const begun = Date.now();
  expect(recentCommits(home.project, process.env, 50)).toEqual([]);
  expect(Date.now() - begun).toBeLessThan(5_000);
});

test("a git that never stops talking is cut off", () => {
  const home = aHome();
  fakeGit(home, "while :; do echo abc1234 words; done");
  expect(recentCommits(home.project, process.env, 2_000)).toEqual([]);
});

test.each([
  ["that is not there", undefined, { ok: false, why: "there is no git" }],
  ["that is killed", "kill -9 $$", { ok: false }],
  ["that says no", "exit 3", { ok: false, code: 3 }],
  ["that talks too much", "exec /bin/cat /dev/zero", { ok: false, why: "git said too much" }],
  ["that hangs", "exec /bin/sleep 30", { ok: false, why: "git did not answer in time" }, 50],
])("a git %s", (_, script, answer, limitMs = 30_000) => {
  const home = aHome();
  if (script) fakeGit(home, script);
  else vi.stubEnv("PATH", home.path("nowhere"));
  const {
    stdout: _out,
    stderr: _err,
    ...given
  } = runGit(["status"], { cwd: home.project, env: process.env, limitMs });
  expect(given).toEqual(answer);
});

test.runIf(process.platform === "linux")("what a git that hangs has started ends with it", async () => {
  const home = aHome();
  const path = home.path("pid");
  fakeGit(home, `/bin/sleep 60 & echo $! > ${path}.new; /bin/mv ${path}.new ${path}; wait`);
  // On a busy machine it takes longer to begin.
  for (let limitMs = 100; !home.has("pid"); limitMs *= 2)
    expect(runGit(["status"], { cwd: home.project, env: process.env, limitMs }).ok).toBe(false);
  const pid = Number(home.read("pid"));
  await vi.waitFor(() => expect(factsOf(pid)?.isZombie ?? true).toBe(true), 5_000);
});
