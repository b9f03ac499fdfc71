// Commands made to take long, at full length, with the limits of a real run. A hook that the client ends gives no verdict, and the
// tool runs: the guard's own limit must come far earlier.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge, judgePowerShell } from "../../lib/guard/judge.ts";
import { aSituation } from "./a-situation.ts";
import { filled, WORST } from "./worst.ts";

/** The client's limit is 60 s; the guard's own is 5 s, and on a busy machine the last step before it may take a while. */
const ENDED_MS = 15_000;
const worked = () => process.cpuUsage().user / 1000;
const real = () => aSituation({ clock: worked });

describe.each(Object.entries(WORST))("%s", (_, command) => {
  test("the verdict is there in time, and what follows is not forgotten", () => {
    const begun = performance.now();
    judge(command, real());
    expect(judge(`rm -rf /\n${command}`.slice(0, 65_000), real())).toBeDefined();
    expect(judge(filled(command, 1_000_000), real())).toMatchObject({
      rule: "unverifiable",
      decision: "deny",
    });
    expect(performance.now() - begun).toBeLessThan(3 * ENDED_MS);
  }, 60_000);
});

const FRAGMENTS = Object.values(WORST).flatMap((command) => [command.slice(0, 40), command.slice(-40)]);

test("any mixture of them, in either language", () => {
  const mixture = fc
    .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.integer({ min: 1, max: 500 })), { maxLength: 8 })
    .map((parts) =>
      parts
        .map(([piece, times]) => piece.repeat(times))
        .join("")
        .slice(0, 65_000),
    );
  fc.assert(
    fc.property(mixture, fc.boolean(), (command, isPowerShell) => {
      const begun = performance.now();
      (isPowerShell ? judgePowerShell : judge)(command, real());
      return performance.now() - begun < ENDED_MS;
    }),
    { numRuns: Number(process.env["SWARM_FUZZ"] ?? 4_000) / 100, seed: 17 },
  );
}, 600_000);
