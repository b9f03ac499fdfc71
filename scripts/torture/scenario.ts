// What a scenario is asked, and what it answers.
import type { Random } from "../../test/support/random.ts";

export interface Ask {
  random: Random;
  /** When this scenario should be through; never, in the long form. */
  until: number;
  /** The messages the load scenario is to get through at least, in the long form. */
  messages: number;
  /** What it has done so far, and what it has to do at least, however slow the machine. */
  count: Count;
  atLeast: Count;
}

interface Count {
  /** Calls that met the trouble. */
  points: number;
  /** Processes that a kill ended. */
  kills: number;
}

export interface Result {
  /** What was done to the scripts, with numbers. */
  done: string;
  /** What came out. */
  figures: string;
  /** One line each; none means that the promise held. */
  failures: string[];
  /** It cannot run here. */
  isSkipped?: boolean;
}

export interface Scenario {
  name: string;
  /** Its share of the time, relative to the others. */
  weight: number;
  /** Fewer points or kills than this prove nothing, and fail. */
  atLeast: Partial<Count>;
  run: (ask: Ask) => Promise<Result>;
}

/** Past its time it goes on until it has done the least, unless even that takes too long. */
const PATIENCE_MS = 120_000;

export const isOver = ({ until, count, atLeast }: Ask): boolean => {
  const late = Date.now() - until;
  return late >= (count.points >= atLeast.points && count.kills >= atLeast.kills ? 0 : PATIENCE_MS);
};

export function shortfalls({ count, atLeast }: Pick<Ask, "count" | "atLeast">): string[] {
  return (["points", "kills"] as const)
    .filter((what) => count[what] < atLeast[what])
    .map((what) => `only ${count[what]} ${what}, at least ${atLeast[what]} are needed`);
}
