// What a member's hooks and a person's verbs cost does not grow with the task list. `npm run bench` counts the same by instructions.
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { indexPath } from "../../lib/tasks/store/task-index.ts";
import { tasksDir } from "../../lib/tasks/store.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { settledIndex } from "../support/a-long-list.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";
import { runHookProcess, runSwarmProcess } from "../support/run-built.ts";

const MEMBERS = ["team-lead", "bob", "amy"];

/** One in ten open; bob has every tenth of those. */
function aList(tasks: number): Home {
  const home = aHome();
  aTeam(home, MEMBERS);
  const directory = tasksDir(home.paths, "dev");
  mkdirSync(directory, { recursive: true });
  for (let id = 1; id <= tasks; id++) {
    const status = id % 10 === 0 ? "pending" : "completed";
    const owner = id % 100 === 0 ? "bob" : "amy";
    writeFileSync(`${directory}/${id}.json`, JSON.stringify(aTask(String(id), { status, owner })));
  }
  settledIndex(home, "dev");
  return home;
}

/** Nobody starts a pass meanwhile: it would be measured with whatever runs beside it. */
const withoutPass = (home: Home) =>
  writeFileSync(`${indexPath(home.paths, tasksDir(home.paths, "dev"))}.asked`, "");

const RUNS: [string, number, (home: Home) => { stdout: string }][] = [
  [
    "SessionStart of a member",
    1.3,
    (home) => runHookProcess(home, "session-start", { source: "startup" }, { env: member("bob") }),
  ],
  ["Stop of a member", 1.3, (home) => runHookProcess(home, "stop", {}, { env: member("bob") })],
  ["swarm status", 1.3, (home) => runSwarmProcess(home, ["status", "--team", "dev"])],
  ["swarm task list", 1.3, (home) => runSwarmProcess(home, ["task", "list", "--team", "dev"])],
];

describe("500 and 5,000 tasks", () => {
  const [small, large] = [aList(500), aList(5_000)];
  /** The limit is about work; a loaded machine adds its noise to that. */
  const NOISE = 1.2;

  test.each(RUNS)(
    "%s: at most %s times as much",
    (_, limit, run) => {
      const cost = (home: Home) => {
        withoutPass(home);
        const before = performance.now();
        run(home);
        return performance.now() - before;
      };
      for (let n = 0; n < 5; n++) [small, large].map(cost);
      const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
      const ratio = () => {
        const rounds = Array.from({ length: 9 }, () => [cost(small), cost(large)] as const);
        return median(rounds.map(([, one]) => one)) / median(rounds.map(([one]) => one));
      };
      // A machine under load can spoil one measurement; what really grows spoils all three.
      expect([ratio, ratio, ratio].some((measure) => measure() <= limit * NOISE)).toBe(true);
    },
    120_000,
  );

  test("and both say the same of what is there", () => {
    const own = (home: Home) =>
      runHookProcess(home, "session-start", { source: "startup" }, { env: member("bob") }).stdout.match(
        /Task #\d+/g,
      );
    expect(own(small)).toEqual([100, 200, 300, 400, 500].map((id) => `Task #${id}`));
    expect(own(large)).toHaveLength(50);
  });
});
