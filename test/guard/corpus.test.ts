// Every list of cases. A list is one test here, which says how many cases it went through: they are printed apart from the tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingsInPowerShell, findingsInShell, judge } from "../../lib/guard/judge.ts";
import { judgeWrite } from "../../lib/guard/protected-paths.ts";
import { RULES } from "../../lib/guard/rules.ts";
import { PACKS } from "../../lib/guard/shell/rare-programs.ts";
import { aSituation, expectAllowed, expectDenied } from "./a-situation.ts";
import { bothByFindings, bothByJudge, disagreements, lists, readCases } from "./corpus.ts";

/** The guard's watchdog would cost as much as the verdicts; time.test.ts has it. */
const UNHURRIED = { deadlineMs: Number.POSITIVE_INFINITY };

const FOLDERS = [
  ["cases/bash", bothByFindings(findingsInShell)],
  ["cases/packs", bothByFindings(findingsInShell)],
  ["cases/powershell", bothByFindings(findingsInPowerShell)],
  ["cases/paths", bothByJudge(judgeWrite)],
] as const;

describe.each(FOLDERS)("%s", (folder, judgeBoth) => {
  test.for(lists(folder))("%s", (file, { task }) => {
    const cases = readCases(file);
    task.meta.guardCases = cases.length;
    expect(disagreements(cases, judgeBoth, aSituation(UNHURRIED))).toEqual([]);
  });
});

test("each rule occurs in the lists", () => {
  const seen = new Set(
    FOLDERS.flatMap(([folder]) => lists(folder).flatMap(readCases)).map(
      ({ expected }) => expected.split(" ")[0],
    ),
  );
  const untested = Object.keys(RULES).filter((id) => !seen.has(id));
  expect(untested).toEqual(["protect-custom"]); // a setting, with tests of its own
});

test.each(Object.keys(PACKS))(
  "the pack %s has a list with stopped and with harmless calls of its programs",
  (pack) => {
    const cases = readCases(`cases/packs/${pack}.txt`);
    expect(cases.some(({ expected }) => expected === `${pack} ask/deny`)).toBe(true);
    expect(cases.some(({ expected }) => expected === "pass")).toBe(true);
  },
);

describe("measured", () => {
  // Written from a coding agent's day, with no .env in the project yet.
  const files = ["package.json", "src/index.ts", "src/app.ts"].map((name) => `/home/dev/app/${name}`);
  const situation = aSituation(UNHURRIED, { files });
  const everyday = readCases("measured/everyday.txt");
  const accidents = readCases("measured/accidents.txt");
  const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

  test("each line is judged as it says", ({ task }) => {
    task.meta.guardCases = everyday.length + accidents.length;
    expect(disagreements([...everyday, ...accidents], bothByJudge(judge), situation)).toEqual([]);
  });

  test("of everyday commands in an attended session only what the source document names is denied, at most 8 % are asked", () => {
    const denied = everyday.filter(({ expected }) => expected.includes(" deny/"));
    const named = new Set(["kill-by-name", "elevate", "protect-env", "protect-keys", "protect-system"]);
    expect(denied.filter(({ expected }) => !named.has(expected.split(" ")[0] ?? ""))).toEqual([]);
    const asked = everyday.filter(({ expected }) => expected.includes(" ask/"));
    expect(asked.length / everyday.length, share(asked.length, everyday.length)).toBeLessThanOrEqual(0.08);
  });

  test("docs/evidence.md gives these figures", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/evidence.md"), "utf8").replace(
      /\s+/g,
      " ",
    );
    const asked = everyday.filter(({ expected }) => expected.includes(" ask/")).length;
    const stopped = accidents.filter(({ expected }) => expected.endsWith("/deny")).length;
    expect(page).toContain(`of ${everyday.length} everyday commands`);
    expect(page).toContain(`${asked} (${share(asked, everyday.length)}) are asked about`);
    expect(page).toContain(
      `of ${accidents.length} accidents ${stopped === accidents.length ? "all" : stopped} are`,
    );
  });

  test("of accidents at least 90 % are stopped in an unattended session", () => {
    const stopped = accidents.filter(({ expected }) => expected.endsWith("/deny"));
    expect(stopped.length / accidents.length, share(stopped.length, accidents.length)).toBeGreaterThanOrEqual(
      0.9,
    );
  });
});

test("a symlink that leads out of the project does not hide the target", () => {
  const links = { "/home/dev/app/out": "/etc", "/home/dev/app/far": "/home/dev/other" };
  const situation = aSituation({}, { links });
  expectDenied("echo x > out/hosts", situation);
  expectDenied("rm -rf far/", situation);
  expectDenied("rm -rf far/*", situation);
  expectDenied("rm -rf far/src", situation);
  expectAllowed("rm -rf far", situation);
});
