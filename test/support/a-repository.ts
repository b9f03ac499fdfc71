// A real git repository in a throw-away home, and agents that are on record as alive in it.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startOf } from "../../lib/system/processes.ts";
import { firstCommitAt } from "./a-first-commit.ts";
import { aHome, type Home } from "./a-home.ts";

export interface Repository {
  home: Home;
  /** Runs git in the main tree, or where `at` says, and gives back what it prints. */
  git: (args: string[], at?: string) => string;
  /** Writes a file below the main tree, or below `at`. */
  put: (file: string, text?: string, at?: string) => string;
}

/** Nothing of the person's or the machine's configuration. */
export const gitEnvironment = (home: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@example.com",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@example.com",
});

export const gitIn = (cwd: string, args: string[], env: Record<string, string> = {}): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    env: { ...gitEnvironment(cwd), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** A commit in the second of a test's first write would count as a commit of that write. */
const LONG_AGO = { GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z" };

/** `files` are committed. */
export function aRepository(files: Record<string, string> = { "a.ts": "a\n" }): Repository {
  const home = aHome();
  const git = (args: string[], at = home.project) => gitIn(at, args);
  const put = (file: string, text = `${Math.random()}\n`, at = home.project) => {
    mkdirSync(dirname(join(at, file)), { recursive: true });
    writeFileSync(join(at, file), text);
    return join(at, file);
  };
  if (Object.keys(files).length === 0) git(["init", "-q", "-b", "main"]);
  else firstCommitAt(home.project, files, (at, ...args) => void gitIn(at, args, LONG_AGO));
  return { home, git, put };
}

/** On record as a session of this very process, so it counts as alive. */
export function anAgent(home: Home, name: string, more: Record<string, unknown> = {}): string {
  const session = `${name}-session`;
  const at = new Date().toISOString();
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    session,
    team: "dev",
    agent: name,
    kind: "named",
    pid: process.pid,
    pidStartedAt: startOf(process.pid),
    state: "active",
    status: "working",
    startedAt: at,
    lastSeen: at,
    ...more,
  });
  return session;
}
