// Commands made to take long. The guard's own limit is far inside the client's: a hook that is killed gives no verdict, and the tool runs.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judge, judgePowerShell, LIMIT_MS } from "../../lib/guard/judge.ts";
import { judgeWrite } from "../../lib/guard/protected-paths.ts";
import { aSituation, ruleFor } from "./a-situation.ts";

const SIZE = 60_000;
/** On a busy machine the last step before the limit may take a while. */
const ENDED_MS = LIMIT_MS + 10_000;

const filled = (piece: string, size = SIZE) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

const WORST: Record<string, string> = {
  "a pattern of stars, from the end": `x=${filled("a", 5_000)}; echo \${x%%${filled("*a", 400)}b}`,
  "a pattern of stars, from the start": `x=${filled("a", 5_000)}; echo \${x##${filled("*a", 400)}b}`,
  "a pattern of stars, replaced": `x=${filled("a", 5_000)}; echo \${x//${filled("*a", 400)}b/c}`,
  "a long pattern and a long text": `x=${filled("a", 30_000)}; echo \${x##${filled("?*a", 29_000)}b}`,
  "one pattern again and again": `x=${filled("a", 4_000)}; ${filled(`echo \${x%%${filled("*a", 60)}b}; `, 50_000)}`,
  "a program named by a pattern": `/bin/${filled("*r", 4_000)} -rf /`,
  "a file named by a pattern": `rm -rf /${filled("*e", 4_000)}`,
  "words behind keywords": filled("if "),
  negations: filled("! "),
  "open quotes": filled("\"'"),
  "open substitutions": filled("$(`"),
  backslashes: filled("\\"),
  "here documents": filled("<<A "),
  redirections: filled("> a "),
  pipes: filled("a|"),
  "logical operators": filled("a&&b||"),
  assignments: filled("a=$a$a "),
  "a variable that doubles": `a=aaaa;${filled("a=$a$a;")}`,
  parameters: filled("${a:-"),
  arithmetic: filled("$((1+"),
  "case without an end": filled("case a in a) "),
  "functions that call each other": filled("f(){ f;g; };g(){ f;g; };f;"),
  "shells in shells": filled("bash -c "),
  "code for python": `python3 -c '${filled("eval(")}'`,
  "code for perl": `perl -e '${filled("s/(a*)*/")}'`,
  "code for awk": `awk '${filled("{system(")}'`,
  "code for node": `node -e "${filled("a.b(`${")}"`,
  sed: `sed '${filled("s/a/b/e;")}' x`,
  find: `find . ${filled("-exec sh -c ")}`,
  blanks: `echo${filled(" ")}x`,
  "blank lines": filled("\n"),
  comments: filled("#\n"),
  braces: filled("{a,"),
  "extended patterns": filled("@(a|"),
  "an array": `a=(${filled("a ")}); echo \${a[@]/*a*a*b/}`,
  digits: filled("1"),
  "a pack's verbs": `kubectl ${filled("delete -n ")}`,
  "a pack's words": `aws ${filled("a stop-")}`,
  "options of a pack": `docker ${filled("compose rm -f ")}`,
  "statements of SQL": `psql -c "${filled("update a set b = 'c' ")}"`,
  "SQL from standard input": `psql <<'E'\n${filled("delete from a where b; update c set d ")}\nE`,
  "quotes in SQL": `psql -c "${filled("it's ")}"`,
  "emptied files": `truncate -s 0 ${filled("*a ")}`,
  "settings of git": `git ${filled("config --get ")} --global`,
};

describe.each(Object.entries(WORST))("%s", (_, command) => {
  test("the verdict is there in time, and what follows is not forgotten", () => {
    const begun = performance.now();
    judge(command, aSituation());
    expect(ruleFor(`rm -rf /\n${command}`.slice(0, 65_000))).toBeDefined();
    expect(performance.now() - begun).toBeLessThan(2 * ENDED_MS);
  }, 60_000);
});

test("pattern after pattern ends in a denial with a reason", () =>
  expect(judge(WORST["a long pattern and a long text"] ?? "", aSituation())).toMatchObject({
    rule: "unverifiable",
    decision: "deny",
    reason: "could not be verified",
  }));

test.each([
  ["a megabyte", filled("ls; ", 1_000_000)],
  ["a megabyte of stars", `echo \${x%%${filled("*a", 1_000_000)}}`],
  ["nesting without brackets", filled("if ", SIZE)],
])("%s could not be verified", (_, command) => {
  const verdict = judge(command, aSituation());
  if (command.length > 65_536) expect(verdict).toMatchObject({ rule: "unverifiable", decision: "deny" });
});

test.each(Object.entries(WORST))("a megabyte of %s ends in a verdict", (_, command) => {
  const begun = performance.now();
  const verdict = judge(filled(command, 1_000_000), aSituation());
  expect(verdict).toMatchObject({ rule: "unverifiable", decision: "deny" });
  expect(performance.now() - begun).toBeLessThan(ENDED_MS);
});

test("a stack that is full is a limit too, not a failure that lets the call pass", () => {
  const overflow = (): number => 1 + overflow();
  const situation = aSituation();
  const probe = { ...situation.probe, realPath: () => String(overflow()) };
  expect(judge("rm -rf sub/dir", { ...situation, probe })).toMatchObject({ rule: "unverifiable" });
});

test("code that neither counts nor looks at the clock is stopped, and what was found before counts", () => {
  const situation = aSituation();
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
}, 60_000);

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
      (isPowerShell ? judgePowerShell : judge)(command, aSituation());
      return performance.now() - begun < ENDED_MS;
    }),
    { numRuns: 40, seed: 17 },
  );
}, 240_000);
