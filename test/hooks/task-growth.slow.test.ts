// What a member's hooks and a person's verbs cost does not grow with the task list. `npm run bench` counts the same by instructions.
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
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

/** The limit is about work; a loaded machine adds its noise to that. */
const NOISE = 1.2;

function ratioOf(run: (home: Home) => unknown, small: Home, large: Home): number {
  const cost = (home: Home) => {
    withoutPass(home);
    const before = performance.now();
    run(home);
    return performance.now() - before;
  };
  const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  const rounds = Array.from({ length: 9 }, () => [cost(small), cost(large)] as const);
  return median(rounds.map(([, one]) => one)) / median(rounds.map(([one]) => one));
}

test("5,000 tasks cost what 500 cost, and the same is said of them", () => {
  const [small, large] = [aList(500), aList(5_000)];
  const own = (home: Home) =>
    runHookProcess(home, "session-start", { source: "startup" }, { env: member("bob") }).stdout.match(
      /Task #\d+/g,
    );
  expect(own(small)).toEqual([100, 200, 300, 400, 500].map((id) => `Task #${id}`));
  expect(own(large)).toHaveLength(50);
  const tooDear = RUNS.flatMap(([name, limit, run]) => {
    // A machine under load can spoil one measurement; what really grows spoils all three.
    const ratios: number[] = [];
    while (ratios.length < 3 && !ratios.some((ratio) => ratio <= limit * NOISE))
      ratios.push(ratioOf(run, small, large));
    return ratios.some((ratio) => ratio <= limit * NOISE) ? [] : [`${name}: ${ratios.join(", ")}`];
  });
  expect(tooDear).toEqual([]);
}, 300_000);
