import { expect, test } from "vitest";
import { DEFAULTS } from "../../lib/core/settings.ts";
import { runIn } from "../../lib/worktrees/run-patterns.ts";

const PATTERNS = DEFAULTS["worktrees.runs"];

test.each<[string, string]>([
  ["npm test", "npm test"],
  ["npm run test:unit -- --watch=false", "npm run test:unit -- --watch=false"],
  ["npm --silent test", "npm --silent test"],
  [
    "cd web && FOO=1 timeout -k 5 60 npx --yes vitest run a.test.ts",
    "FOO=1 timeout -k 5 60 npx --yes vitest run a.test.ts",
  ],
  ["cargo +nightly test -p x", "cargo +nightly test -p x"],
  ["python3.12 -m pytest -q", "python3.12 -m pytest -q"],
  ["uv run pytest", "uv run pytest"],
  ["./gradlew testDebug", "./gradlew testDebug"],
  ["./node_modules/.bin/tsc --noEmit", "./node_modules/.bin/tsc --noEmit"],
  ["for f in a b; do go test ./$f; done", "do go test ./$f"],
  ["node --experimental-x --test test/", "node --experimental-x --test test/"],
  ["cmake --build build", "cmake --build build"],
  ["make", "make"],
  ["if npm test; then echo ok; fi", "if npm test"],
])("%j is a run", (command, text) => expect(runIn(command, PATTERNS)?.text).toBe(text));

test.each([
  "git commit -m 'npm test && cargo test'",
  'echo "npm test"',
  "grep -rn pytest .",
  "npm install vitest",
  "cat Makefile",
  "node server.js --test-mode",
  "go mod tidy",
  "npm",
  "",
  "'unclosed npm test",
])("%j is none", (command) => expect(runIn(command, PATTERNS)).toBeUndefined());

test.each<[string, boolean]>([
  ["npm test", true],
  ["cd x && npm test", true],
  ["npm test 2>&1", true],
  ["npm test;", true],
  ["npm test &> log", true],
  ["npm test&> log", true],
  ["npm test >| log", true],
  ["npm test &>> log; echo done", false],
  ["npm test | tail -5", false],
  ["npm test || true", false],
  ["npm test; echo done", false],
  ["npm test && git push", false],
  ["npm test &", false],
])("%j: the exit code is the run's own: %s", (command, isLast) =>
  expect(runIn(command, PATTERNS)?.isLast).toBe(isLast),
);

test("the last of several runs counts, and a person's patterns are taken word by word", () => {
  expect(runIn("npm run build && npm test", PATTERNS)?.text).toBe("npm test");
  expect(runIn("bin/verify all", ["verify {all,some}"])?.text).toBe("bin/verify all");
  expect(runIn("bin/verify none", ["verify {all,some}"])).toBeUndefined();
});

test("a hostile command or pattern ends quickly", () => {
  const begun = performance.now();
  runIn(`${"a'".repeat(200_000)}`, PATTERNS);
  runIn(`${"x ".repeat(100_000)}`, ["*a*a*a*a*a*a*a*b"]);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test.each([
  ["echo 'a\\' && npm test", "npm test"], // a backslash means nothing between single quotes
  ['echo "a\\" && npm test"', undefined],
  ['echo "a" && npm test', "npm test"],
  ["echo a\\ && npm test", "npm test"],
])("quotes in %s", (command, run) => expect(runIn(command, ["usual"])?.text).toBe(run));
