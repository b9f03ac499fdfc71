// The clock is set an hour forward, back, and an hour behind, over and over, while mail is sent, read and killed; and a lock that
// its dead owner left in what is now the future must not stand for an hour.
import { mkdirSync } from "node:fs";
import { as, aTeam, inboxOf } from "../../test/support/a-team.ts";
import { aTorturedHome, removeHome } from "./fixture.ts";
import { load } from "./load.ts";
import { startVerb } from "./processes.ts";
import type { Scenario } from "./scenario.ts";

const HOUR_MS = 3_600_000;
const EVERY_MS = 300;

export const clock: Scenario = {
  name: "the clock jumps an hour back and forth",
  weight: 3,
  atLeast: { points: 20, kills: 1 },
  run: async (ask) => {
    const jumping = { start: Date.now(), everyMs: EVERY_MS, offsets: [0, HOUR_MS, 0, -HOUR_MS] };
    const result = await load(0, { clock: jumping, mayRepeat: true }).run({ ...ask, messages: 1_000 });
    const done = `a jump every ${EVERY_MS} ms; ${result.done}`;
    if (Number.isFinite(ask.until)) return { ...result, done };
    const late = await fromTheFuture();
    const figures = `${result.figures}; a dead lock of the future taken over after ${late.seconds} s`;
    return { done, figures, failures: [...result.failures, ...late.failures] };
  },
};

/** The clock was an hour ahead when the owner died, and is right again. */
async function fromTheFuture(): Promise<{ seconds: string; failures: string[] }> {
  const home = aTorturedHome();
  try {
    aTeam(home);
    mkdirSync(home.path(`${inboxOf("bob")}.lock`), { recursive: true });
    const began = Date.now();
    const back = { start: 0, everyMs: 1, offsets: [-HOUR_MS] };
    // The dead owner's time stays: only the others live in the past.
    const isTaken = async () =>
      (
        await startVerb(home, ["send", "bob", "x"], {
          clock: { ...back, keepsTimes: true },
          env: as("alice"),
        })
      ).exitCode === 0;
    while (!(await isTaken()))
      if (Date.now() - began > 30_000)
        return { seconds: "never", failures: ["the lock still stands after 30 s"] };
    return { seconds: ((Date.now() - began) / 1000).toFixed(0), failures: [] };
  } finally {
    removeHome(home);
  }
}
