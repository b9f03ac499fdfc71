// A fault inside every file call of every operation, one run for each. Afterwards every file is whole, nothing that was accepted
// is missing, the same operation works again and ends like one that was not disturbed, and whatever did not die by our hand left with an
// exit code it is meant to have.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Home } from "../../test/support/home-at.ts";
import { inMemory } from "../../test/support/in-memory.ts";
import { aFilledHome, missing } from "./fixture.ts";
import { ageLocks, damaged, leftovers, mailIn } from "./inspect.ts";
import { HOOKS, type Operation, VERBS } from "./operations.ts";
import { inLanes, type Ran } from "./processes.ts";
import { type Ask, isOver, type Result, type Scenario } from "./scenario.ts";
import { described, isMeant } from "./verdict.ts";

const LANES = 3;
const { CHANGES } = createRequire(import.meta.url)("./preload.cjs") as { CHANGES: string[] };

export interface Fault {
  act: string;
  /** Which calls count; default those that change something. */
  calls?: "all" | string[];
  /** From the point on every call fails, not only the one. */
  sticky?: boolean;
  /** Where the calls must point to: the home, unless said otherwise. */
  root?: string;
}

interface Point {
  operation: Operation;
  fault: Fault;
  from: number;
}

interface Tally {
  runs: number;
  died: number;
  refused: number;
  leftLocked: number;
  leftFiles: number;
  failures: string[];
}

export const faultPoints = (name: string, weight: number, faults: Fault[]): Scenario => ({
  name,
  weight,
  atLeast: { points: 10, kills: faults.some(({ act }) => act.startsWith("kill")) ? 5 : 0 },
  run: async (ask) => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => aFilledHome(inMemory())));
    try {
      const points = await pointsOf(lanes[0] as Lane, faults);
      const tally: Tally = { runs: 0, died: 0, refused: 0, leftLocked: 0, leftFiles: 0, failures: [] };
      await inLanes(
        LANES,
        ask.random.shuffled(points),
        (point, lane) => tried(point, lanes[lane] as Lane, tally, ask),
        () => !isOver(ask),
      );
      return resultOf(faults, points, tally, ask);
    } finally {
      for (const lane of lanes) lane.remove();
    }
  },
});

type Lane = Awaited<ReturnType<typeof aFilledHome>>;

/** The file calls of each operation when nothing breaks: seen once, for all scenarios. */
let noted: Promise<Map<Operation, string[]>> | undefined;

async function callsOf({ home, renew }: Lane): Promise<Map<Operation, string[]>> {
  const calls = new Map<Operation, string[]>();
  for (const operation of [...HOOKS, ...VERBS]) {
    renew();
    const note = home.path("tmp", "calls.json");
    const ran = await operation.start(home, { fault: { root: home.root, calls: "all", from: 0, note } });
    if (!isMeant(operation, ran)) throw new Error(`${operation.name} without a fault: ${described(ran)}`);
    const lines: string[] = JSON.parse(readFileSync(note, "utf8"));
    calls.set(
      operation,
      lines.map((line) => line.split(" ")[0] ?? ""),
    );
  }
  return calls;
}

async function pointsOf(lane: Lane, faults: Fault[]): Promise<Point[]> {
  noted ??= callsOf(lane);
  return [...(await noted)].flatMap(([operation, calls]) =>
    faults.flatMap((fault) => {
      const breakable =
        fault.calls === "all" ? calls : calls.filter((name) => (fault.calls ?? CHANGES).includes(name));
      return breakable.map((_, at) => ({ operation, fault, from: at + 1 }));
    }),
  );
}

async function tried(
  { operation, fault, from }: Point,
  { home, renew }: Lane,
  tally: Tally,
  { count }: Ask,
): Promise<void> {
  renew();
  const ran = await operation.start(home, { fault: { root: home.root, ...fault, from } });
  tally.runs++;
  count.points++;
  if (ran.signal) {
    tally.died++;
    count.kills++;
  } else if (ran.exitCode !== 0) tally.refused++;
  const at = `${operation.name}, ${fault.act} at call ${from}`;
  const wrong = [...whatIsWrong(operation, ran, home, fault)];
  tally.leftLocked += ageLocks(home);
  const again = await operation.start(home);
  if (!isMeant(operation, again) && !isSettled(again))
    wrong.push(`not again afterwards: ${described(again)}`);
  const { takes = [] } = operation;
  const gone = missing(home);
  wrong.push(
    ...damaged(home),
    ...gone.filter((what) => !takes.includes(what)).map((what) => `${what} is lost`),
    ...takes.filter((what) => !gone.includes(what)).map((what) => `${what} is still there`),
  );
  tally.leftFiles += leftovers(home);
  tally.failures.push(...wrong.map((what) => `${at}: ${what}`));
}

function* whatIsWrong(operation: Operation, ran: Ran, home: Home, fault: Fault): Generator<string> {
  if (ran.hung) yield "hangs";
  if (!ran.signal && !isMeant(operation, ran)) yield described(ran);
  if (ran.signal && !fault.act.startsWith("kill")) yield `died of ${ran.signal}`;
  const { sends, to = [undefined] } = operation;
  for (const reader of sends && ran.exitCode === 0 ? to : [])
    if (!mailIn(home, reader).has(sends ?? "")) yield `said yes, and ${reader ?? "nobody"} has the message`;
  yield* damaged(home);
}

/** The first run did it although it could not say so: the second finds nothing left to do, and says that. */
const isSettled = ({ exitCode, stderr }: Ran) => exitCode === 1 && /^swarm: /.test(stderr);

function resultOf(faults: Fault[], points: Point[], tally: Tally, ask: Ask): Result {
  const acts = [...new Set(faults.map((fault) => fault.act))].join(", ");
  const whole = tally.runs === points.length ? "all" : `${tally.runs} of`;
  return {
    done: `${acts} at ${whole} ${points.length} calls of ${HOOKS.length} hooks and ${VERBS.length} verbs${ask.until < Infinity ? " (a sample)" : ""}`,
    figures: `${tally.died} killed, ${tally.refused} said no, ${tally.leftLocked} locks and ${tally.leftFiles} temp files left behind and taken over`,
    failures: tally.failures,
  };
}
