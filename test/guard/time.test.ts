// Commands made to take long, with limits a tenth of the real ones; time.slow.test.ts has the real ones.
import { expect, test } from "vitest";
import { judge, judgePowerShell } from "../../lib/guard/judge.ts";
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

test.each([
  ["escapes in sed", `sed 's/${filled("\\.", 80)}home/x/g' notes.md`],
  ["escapes in what sed puts in front", `ls | sed 's/^/${filled("\\.", 80)}x/gI' > notes.md`],
  ["digits in an address of vi", `vim '+${filled("1,", 80)}' notes.md`],
  ["slashes for dirname", `echo $(dirname ${filled("/", 50_000)}x)`],
  ["colons in a makefile", `make -f - <<'E'\n${filled(":", 50_000)}\nE`],
  ["loops of code", `python3 -c '${filled("for ", 50_000)}'`],
])("many %s: no reason to doubt the command", (_, command) =>
  expect(judge(command, hasty(250))).toBeUndefined(),
);

test.each([
  ["blanks in sed", `sed 'e;${filled(" ", 50_000)}x' notes.md`],
  ["blank lines in sed", `sed 'e${filled("\n", 50_000)}x' notes.md`],
  ["digits in sed", `sed 'w${filled("1", 50_000)}x' notes.md`],
  ["zeros in printf", `printf '%${filled("0", 50_000)}'`],
  ["letters of an option of perl", `perl -${filled("i", 50_000)}. notes.md`],
  ["letters of an option of bash", `bash -${filled("n", 50_000)}1 notes.sh`],
  ["letters of a mode", `chmod -R u-${filled("w", 50_000)}, notes.md`],
  ["slashes in a mount", `docker run -v ${filled("/", 50_000)} alpine`],
  ["blanks behind fork", `python3 -c 'fork${filled(" ", 50_000)}x'`],
  ["blanks behind while", `php -r 'while(1)${filled(" ", 50_000)}x'`],
  ["letters of a method's owner", `python3 -c '${filled("a", 50_000)}.write(1)'`],
])("many %s, for one pattern: read in a small part of the time", (_, command) =>
  expect(judge(command, hasty(50))).toBeUndefined(),
);

test.each([
  ["a list", judge, `python3 -c 'a=[1]\n${filled("a=a+a\n", 180)}'`],
  ["a list that is appended to", judge, `node -e 'a=[1]\n${filled("a.push(...a)\n", 390)}'`],
  ["a text", judge, `python3 -c 'a="12345678"\n${filled("a=a+a\n", 180)}open(a)'`],
  ["a text that is replaced", judge, `python3 -c 'x="a"${filled('.replace("a","aaaaaaaa")', 375)}'`],
  ["a text that is filled in", judge, `python3 -c 'x=${filled('"%s%s"%', 210)}1'`],
  [
    "a text that is printed",
    judge,
    `python3 -c 'a="12345678"\n${filled("a=a+a\n", 84)}${filled("print(a)\n", 20_000)}' | tr -d x`,
  ],
  ["a file that is read", judge, `echo ${filled("a", 20_000)} > a; cat ${filled("a ", 20_000)} | tr -d x`],
  ["a list of PowerShell", judgePowerShell, `$a=1; ${filled("$a+=$a; ", 240)}`],
  ["a text of PowerShell", judgePowerShell, `$a="1"; ${filled("$a=$a+$a; ", 300)}ls $a`],
])("%s again and again does not fill the memory", (_, judgeIt, command) =>
  expect(judgeIt(command, hasty(250))).toBeUndefined(),
);

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
