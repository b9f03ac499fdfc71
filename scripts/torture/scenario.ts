// What a scenario is asked, and what it answers.
import type { Random } from "../../test/support/random.ts";

export interface Ask {
  random: Random;
  /** When this scenario should be through; never, in the long form. */
  until: number;
  /** The messages the load scenario is to get through at least, in the long form. */
  messages: number;
}

export interface Result {
  /** What was done to the scripts, with numbers. */
  done: string;
  /** What came out. */
  figures: string;
  /** One line each; none means that the promise held. */
  failures: string[];
}

export interface Scenario {
  name: string;
  /** Its share of the time, relative to the others. */
  weight: number;
  run: (ask: Ask) => Promise<Result>;
}

export const isOver = ({ until }: Ask): boolean => Date.now() >= until;
