// Many agents in one checkout, each a lane of real hook processes and real git: every commit holds only its author's files, however
// the agents spell it and whatever others write, stage and commit meanwhile.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startOf } from "../../lib/system/processes.ts";
import type { Home } from "../../test/support/home-at.ts";
import { aTorturedHome, removeHome } from "./fixture.ts";
import { startHook } from "./processes.ts";
import { type Ask, isOver, type Result, type Scenario } from "./scenario.ts";

const gitEnvironment = (agent: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: agent,
  GIT_AUTHOR_EMAIL: `${agent}@example.com`,
  GIT_COMMITTER_NAME: agent,
  GIT_COMMITTER_EMAIL: `${agent}@example.com`,
});

const git = (home: Home, ...args: string[]): string =>
  execFileSync("git", args, { cwd: home.project, encoding: "utf8", env: gitEnvironment("setup") });

interface Tally {
  calls: number;
  refused: number;
  failed: number;
}

/** Alive as long as this process is. */
function register(home: Home, agent: string): void {
  const at = new Date().toISOString();
  home.write(`.claude/swarm/sessions/${agent}/session.json`, {
    session: agent,
    agent,
    pid: process.pid,
    pidStartedAt: startOf(process.pid),
    state: "active",
    status: "working",
    startedAt: at,
    lastSeen: at,
  });
}

/** As the client does it: asked, done, reported as done. `undefined` when it was refused. */
async function call(
  home: Home,
  tally: Tally,
  agent: string,
  tool_name: string,
  tool_input: object,
  work: () => Promise<number>,
): Promise<string | undefined> {
  const payload = { session_id: agent, tool_name, tool_input, tool_use_id: `${agent}-${++tally.calls}` };
  const asked = await startHook(home, "pre-tool-use", payload, { hangsAfterMs: 60_000 });
  const answer = asked.stdout ? JSON.parse(asked.stdout).hookSpecificOutput : undefined;
  if (answer?.permissionDecision === "deny") {
    tally.refused++;
    return answer.permissionDecisionReason as string;
  }
  if ((await work()) !== 0) tally.failed++;
  await startHook(home, "post-tool-use", { ...payload, tool_response: {} }, { hangsAfterMs: 60_000 });
  return undefined;
}

const bash = (home: Home, agent: string, command: string): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], {
      cwd: home.project,
      env: gitEnvironment(agent),
      stdio: "ignore",
    });
    child.on("close", (code) => resolve(code ?? 1));
  });

/** Writes, then commits in one of the usual ways; where that is refused, by the command that the refusal spells out. */
async function work(home: Home, tally: Tally, agent: string, round: number, pick: number): Promise<void> {
  const file = `${agent}/file ${round % 3}.txt`;
  const path = join(home.project, file);
  await call(home, tally, agent, "Write", { file_path: path }, async () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${agent} ${round}\n`);
    return 0;
  });
  const message = `-qm '${agent} ${round}'`;
  const ways = [
    `git add -A && git commit ${message}`,
    `git add '${file}' && git commit ${message}`,
    `git add '${file}' && git commit ${message} -- '${file}'`,
    `git commit -a ${message}`,
  ];
  let command = ways[pick % ways.length] ?? "";
  for (let tries = 0; tries < 4; tries++) {
    const shell = () => bash(home, agent, command);
    const refused = await call(home, tally, agent, "Bash", { command }, shell);
    if (refused === undefined) return;
    const spelled = /Take only your own: `([^`]+)`/.exec(refused)?.[1];
    const isCommit = spelled?.includes(" commit ") === true;
    if (spelled) command = isCommit ? spelled : `${spelled} && git commit ${message} -- '${file}'`;
  }
}

export async function commitsOf(agents: number, ask: Ask): Promise<Result> {
  const home = aTorturedHome();
  const tally: Tally = { calls: 0, refused: 0, failed: 0 };
  const names = Array.from({ length: agents }, (_, n) => `agent-${n}`);
  try {
    git(home, "init", "-q", "-b", "main");
    git(home, "commit", "-q", "--allow-empty", "-m", "first");
    for (const name of names) register(home, name);
    const lane = async (agent: string, n: number) => {
      for (let round = 0; round < 2 || !isOver(ask); round++) {
        await work(home, tally, agent, round, ask.random.below(97) + n);
        ask.count.points++;
      }
    };
    await Promise.all(names.map(lane));
    return resultOf(home, agents, tally);
  } finally {
    removeHome(home);
  }
}

function resultOf(home: Home, agents: number, { calls, refused, failed }: Tally): Result {
  const commits = git(home, "log", "--format=%x00%an", "--name-only")
    .split("\0")
    .slice(1)
    .map((one) => one.split("\n").filter(Boolean))
    .filter(([author]) => author !== "setup");
  const failures = commits.flatMap(([author = "", ...files]) =>
    files
      .filter((file) => !file.replace(/^"/, "").startsWith(`${author}/`))
      .map((file) => `${author} committed ${file}`),
  );
  // A check that breaks lets the command pass, whether or not it does harm this time.
  const errors = home.lines(".claude/swarm/errors.jsonl").filter(({ feature }) => feature === "worktrees");
  failures.push(...errors.map((one) => JSON.stringify(one)));
  return {
    done: `${agents} agents wrote and committed in one checkout, ${calls} calls`,
    figures: `${commits.length} commits, ${refused} calls refused, ${failed} failed in git`,
    failures: commits.length === 0 ? ["nothing was committed"] : failures,
  };
}

export const commits: Scenario = {
  name: "twenty agents commit in one checkout",
  weight: 3,
  atLeast: { points: 20 },
  run: (ask) => commitsOf(20, ask),
};
