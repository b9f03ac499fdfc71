// Locks that others hold, left behind, or that are no locks of ours at all: a hook answers within its time, a verb says no, and
// when the lock is gone everything goes on.
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inMemory } from "../../test/support/in-memory.ts";
import { ROOT } from "../../test/support/run-built.ts";
import { aFilledHome, missing } from "./fixture.ts";
import { damaged, filesIn } from "./inspect.ts";
import { HOOKS, type Operation, VERBS } from "./operations.ts";
import { inLanes } from "./processes.ts";
import { isOver, type Scenario } from "./scenario.ts";
import { described, isMeant } from "./verdict.ts";

/** The client's own limit for each event, in ms; it ends SessionEnd after 1.5 s, whatever hooks.json says. */
function limitOf(name: string): number {
  const [script = ""] = name.split(" ");
  if (script === "session-end") return 1_500;
  const blocks: { hooks: { args: string[]; timeout: number }[] }[] = Object.values(
    JSON.parse(readFileSync(join(ROOT, "hooks.json"), "utf8")).hooks,
  ).flat() as never;
  const hook = blocks
    .flatMap(({ hooks }) => hooks)
    .find(({ args }) => args.at(-1)?.endsWith(`/${script}.cjs`));
  return (hook?.timeout ?? 10) * 1000;
}
const VERB_LIMIT_MS = 15_000;

const KINDS: [string, (lock: string) => void][] = [
  ["held", (lock) => mkdirSync(lock, { recursive: true })],
  ["a file in its place", (lock) => writeFileSync(lock, "another protocol")],
  [
    "not empty and old",
    (lock) => {
      mkdirSync(lock, { recursive: true });
      writeFileSync(join(lock, "owner"), "somebody");
      utimesSync(lock, 0, 0);
    },
  ],
  [
    "left behind",
    (lock) => {
      mkdirSync(lock, { recursive: true });
      utimesSync(lock, 0, 0);
    },
  ],
];

type Lane = Awaited<ReturnType<typeof aFilledHome>>;
interface Tally {
  runs: number;
  longest: { ms: number; name: string };
  failures: string[];
}

export const locks: Scenario = {
  name: "locks held for a minute, stale, foreign",
  weight: 2,
  atLeast: { points: 10 },
  run: async (ask) => {
    const lanes = await Promise.all([0, 1, 2].map(() => aFilledHome(inMemory())));
    const tally: Tally = { runs: 0, longest: { ms: 0, name: "" }, failures: [] };
    const all = KINDS.flatMap((kind) => [...HOOKS, ...VERBS].map((operation) => ({ kind, operation })));
    try {
      await inLanes(
        lanes.length,
        ask.random.shuffled(all),
        async ({ kind, operation }, lane) => {
          await tried(operation, kind, lanes[lane] as Lane, tally);
          ask.count.points++;
        },
        () => !isOver(ask),
      );
    } finally {
      for (const lane of lanes) lane.remove();
    }
    return {
      done: `${tally.runs} of ${all.length} calls of every hook and verb with every file locked`,
      figures: `longest hook ${Math.round(tally.longest.ms)} ms (${tally.longest.name}), all within the client's limit`,
      failures: tally.failures,
    };
  },
};

async function tried(operation: Operation, [kind, lock]: (typeof KINDS)[number], lane: Lane, tally: Tally) {
  const { home, renew } = lane;
  renew();
  const locked = filesIn(home.path(".claude")).filter((path) => path.endsWith(".json"));
  const all = [...locked, home.path(".claude/tasks/atm-dev/.lock")].map((path) => `${path}.lock`);
  for (const path of all) lock(path);
  const ran = await operation.start(home);
  tally.runs++;
  const at = `${operation.name}, ${kind}`;
  if (operation.isHook && ran.ms > tally.longest.ms) tally.longest = { ms: ran.ms, name: at };
  const limit = operation.isHook ? limitOf(operation.name) : VERB_LIMIT_MS;
  if (ran.hung || ran.ms > limit) tally.failures.push(`${at}: took ${Math.round(ran.ms)} of ${limit} ms`);
  if (!isMeant(operation, ran)) tally.failures.push(`${at}: ${described(ran)}`);
  if (kind === "left behind" && ran.exitCode === 1) tally.failures.push(`${at}: ${ran.stderr.slice(0, 300)}`);
  for (const path of all) rmSync(path, { recursive: true, force: true });
  const wrong = [...damaged(home), ...missing(home, operation.takes).map((what) => `${what} is lost`)];
  tally.failures.push(...wrong.map((what) => `${at}: ${what}`));
}
