// Commands made to take long, with limits a tenth of the real ones; time.slow.test.ts has the real ones.
import { expect, test } from "vitest";
import { judge } from "../../lib/guard/judge.ts";
import { judgeWrite } from "../../lib/guard/protected-paths.ts";
import { aSituation } from "./a-situation.ts";
import { filled, WORST } from "./worst.ts";

/** 0.5 s in all; on a busy machine the last step before the limit may take a while. */
const hasty = (deadlineMs = 25) => aSituation({ deadlineMs, clock: () => process.cpuUsage().user / 1000 });
const ENDED_MS = 10_000;

/** The whole list is in time.slow.test.ts. */
test("a command made to take long: a verdict in time, also on a megabyte of it", () => {
  const command = WORST["functions that call each other"] ?? "";
  const begun = performance.now();
  expect(judge(`rm -rf /\n${command}`.slice(0, 8_000), hasty())).toBeDefined();
  expect(judge(filled(command, 1_000_000), hasty())).toMatchObject({
    rule: "unverifiable",
    decision: "deny",
  });
  expect(performance.now() - begun).toBeLessThan(ENDED_MS);
});

test("pattern after pattern ends in a denial with a reason", () =>
  expect(judge(WORST["a long pattern and a long text"] ?? "", hasty())).toMatchObject({
    rule: "unverifiable",
    decision: "deny",
    reason: "could not be verified",
  }));

test.each(["blanks in SQL", "blanks for a console's pack", "words of a pack in three places"])(
  "%s are read to the end, whatever the length",
  (name) => expect(judge(WORST[name] ?? "", hasty(100))?.rule).not.toBe("unverifiable"),
);

test("a stack that is full is a limit too, not a failure that lets the call pass", () => {
  const overflow = (): number => 1 + overflow();
  const situation = aSituation();
  const probe = { ...situation.probe, realPath: () => String(overflow()) };
  expect(judge("rm -rf sub/dir", { ...situation, probe })).toMatchObject({ rule: "unverifiable" });
});

test("code that neither counts nor looks at the clock is stopped, and what was found before counts", () => {
  const situation = hasty(5);
  const probe = {
    ...situation.probe,
    realPath: (path: string) => {
      if (path.includes("slow")) for (;;);
      return path;
    },
  };
  const begun = performance.now();
  expect(judge("git push --force; rm -rf /; rm -rf slow/x", { ...situation, probe })).toMatchObject({
    rule: "delete-root",
  });
  expect(judge("rm -rf slow/x", { ...situation, probe })).toMatchObject({ rule: "unverifiable" });
  expect(performance.now() - begun).toBeLessThan(2 * ENDED_MS);
});

test.each([
  ["slashes", filled("/", 1_000_000)],
  ["dots", filled("../", 1_000_000)],
  ["stars", `/${filled("*a", 1_000_000)}`],
])(
  "a path of a megabyte of %s",
  (_, path) => {
    const begun = performance.now();
    expect(judgeWrite(path, aSituation())).toMatchObject({ rule: "unverifiable" });
    expect(performance.now() - begun).toBeLessThan(ENDED_MS);
  },
  60_000,
);
