import { expect, test } from "vitest";
import { levelOf, nextLevel, noteForLead, thresholdsFor, warningText } from "../../lib/context/warnings.ts";

const WARN = [60, 80, 90, 95];
const use = { tokens: 124_000, window: 200_000, share: 62 };

test.each([
  ["interactive", [60, 80, 90, 95]],
  ["mission", [50, 70, 80, 85]],
  ["background", [50, 70, 80, 85]],
  ["autonomous", [50, 70, 80, 85]],
] as const)("in %s mode the thresholds are %j", (mode, expected) => {
  expect(thresholdsFor(WARN, mode)).toEqual(expected);
});

test.each([
  [59.9, 0],
  [60, 1],
  [79.9, 1],
  [80, 2],
  [94, 3],
  [95, 4],
  [130, 4],
])("%d %% is level %d", (share, level) => expect(levelOf(share, WARN)).toBe(level));

test.each([
  ["first met", 0, 61, 1],
  ["already said", 1, 65, 1],
  ["two levels at once", 1, 91, 3],
  ["a wavering figure", 1, 55, 1],
  ["after a compaction", 3, 20, 0],
  ["after a small compaction", 4, 65, 1],
])("%s: %d at %d %% becomes %d", (_, said, share, expected) => {
  expect(nextLevel(said, share, WARN)).toBe(expected);
});

test.each([
  ["prompt", 1, "[CLAUDE OS SYS: INFO]: Context at 60% - Consider writing reset notes soon"],
  ["prompt", 2, "[CLAUDE OS SYS: WARNING]: Context at 80% - Write reset notes and prepare to transition"],
  ["prompt", 3, "[CLAUDE OS SYS: WARNING]: Context at 90% - URGENT"],
  ["prompt", 4, "[CLAUDE OS SYS: WARNING]: Context at 95% - CRITICAL"],
  ["stop", 1, "[CLAUDE OS SYS: INFO]: Memory check (60% context used)"],
  ["stop", 2, "[CLAUDE OS SYS: WARNING]: Context at 80%"],
  ["stop", 3, "[CLAUDE OS SYS: WARNING]: Context at 90% - URGENT"],
  ["stop", 4, "[CLAUDE OS SYS: WARNING]: Context at 95% - CRITICAL"],
] as const)("at the %s, level %d begins with the seed's line", (moment, level, line) => {
  expect(warningText(moment, level, WARN, use).split("\n")[0]).toBe(line);
});

test("the true figures stand below it", () => {
  expect(warningText("prompt", 1, WARN, use)).toMatch(
    /\(62 % of the context window is used: 124k of 200k tokens\.\)$/,
  );
});

test("a person's own list of thresholds has words too", () => {
  expect(warningText("prompt", 1, [70], use)).toContain("Context at 70% - Consider");
  expect(warningText("prompt", 5, [10, 20, 30, 40, 50], use)).toContain("Context at 50% - CRITICAL");
});

test("the lead hears of 80 and 95 only, with what to do", () => {
  const notes = [1, 2, 3, 4].map((level) => noteForLead("bob", level, use));
  expect(notes.map(Boolean)).toEqual([false, true, false, true]);
  expect(notes[1]).toContain("bob has used 62 % of its context window");
  expect(notes[1]).toContain("fresh teammate");
  expect(notes[3]).toContain("replace it");
});
