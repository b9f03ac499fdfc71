// What README and the manual show is what the commands print, apart from ids, times and paths.
import { describe, expect, test } from "vitest";
import { agrees, plainCall, stepsIn, withOutput } from "../../scripts/docs/console.ts";
import { manual } from "../../scripts/docs/pages.ts";
import { isDemo, read, wrongIn } from "./wrong-in-a-page.ts";

describe("every console block runs and prints what the page shows", () => {
  test.each(manual().filter((path) => stepsIn(read(path)).length > 0))(
    "%s",
    (path) => {
      expect(wrongIn(path, (step) => !isDemo(step))).toEqual([]);
    },
    90_000,
  );
  test("README and getting started have some", () => {
    for (const path of ["README.md", "docs/getting-started.md"])
      expect(stepsIn(read(path)).length).toBeGreaterThan(3);
  });
});

describe("the comparison", () => {
  const page = (...lines: string[]) => ["```console", ...lines, "```", ""].join("\n");

  test("reads commands, continuations, remarks and output", () =>
    expect(stepsIn(page("$ cat <<'E'    # as bob; exit code 1", "> x", "> E", "x", "$ ls"))).toEqual([
      { from: 4, to: 5, command: "cat <<'E'\nx\nE", as: "bob", exitCode: 1, expected: "x\n" },
      { from: 6, to: 6, command: "ls", as: undefined, exitCode: 0, expected: "" },
    ]));
  test("leaves other blocks alone", () =>
    expect(stepsIn("```text\n$ swarm nothing\n```\n$ not in a block\n")).toEqual([]));
  test.each(["npm cit", "claude plugin install swarm", "rm -rf /", "curl x", "tmux ls"])(
    "never runs %s",
    (command) => expect(() => stepsIn(page(`$ ${command}`))).toThrow("not a command that pages may run"),
  );
  test.each([
    ["swarm status", ["status"]],
    [`swarm send bob "it's done" --json`, ["send", "bob", "it's done", "--json"]],
    ["swarm send bob 'a $b'", ["send", "bob", "a $b"]],
    ["ls", undefined],
    ["swarm inbox | head", undefined],
    ["swarm inbox > x", undefined],
    ["swarm send bob $X", undefined],
    ['swarm send bob "$X"', undefined],
    ["swarm send bob a\\ b", undefined],
    ["swarm send bob x*", undefined],
    ["swarm send bob a'b'", undefined],
    ["swarm log -\nx", undefined],
    ["swarm demo", undefined],
  ])("%j is run without a shell as %j", (command, words) => expect(plainCall(command)).toEqual(words));
  test.each([
    ["ids", "mwiwytpe-bzf0 to ada: queued", "mwkgiytm-ooc0 to ada: queued"],
    ["times", "at 2026-11-16T07:00:10.861Z", "at 2027-01-02T03:04:05.678Z"],
    ["durations", "SessionStart  76 ms", "SessionStart  140 ms"],
    ["left out lines", "a\n…\nz", "a\nb\nc\nz"],
  ])("passes over %s", (_, expected, printed) => expect(agrees(expected, printed)).toBe(true));
  test.each([
    ["a word", "to ada: queued", "to ada: shown"],
    ["a number that is not a time", "2 unread", "3 unread"],
    ["a line more", "a", "a\nb"],
    ["a line less", "a\nb", "a"],
    ["what follows left out lines", "a\n…\nz", "a\nb"],
  ])("sees %s", (_, expected, printed) => expect(agrees(expected, printed)).toBe(false));
  test("a page that is wrong is written right, and then stays", () => {
    const right = withOutput(page("$ printf 'one\\ntwo\\n'", "three", "$ ls"));
    expect(right).toBe(page("$ printf 'one\\ntwo\\n'", "one", "two", "$ ls"));
    expect(withOutput(right)).toBe(right);
  });
  test("what a page leaves out stays left out", () =>
    expect(withOutput(page("$ printf 'a\\nb\\nc\\nd\\n'", "x", "…", "z"))).toBe(
      page("$ printf 'a\\nb\\nc\\nd\\n'", "a", "…", "d"),
    ));
});
