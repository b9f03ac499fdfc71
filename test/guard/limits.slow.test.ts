// Long hostile input: a verdict soon, whatever it says.
import { describe, expect, test } from "vitest";
import { judge, judgePowerShell } from "../../lib/guard/judge.ts";
import { aSituation } from "./a-situation.ts";

describe("hostile input ends soon, whatever it says", () => {
  const COMMANDS: Record<string, string> = {
    words: "a ".repeat(32_000),
    commands: "a;".repeat(32_000),
    pipes: "a|".repeat(32_000),
    backticks: "`".repeat(65_000),
    quotes: '"'.repeat(65_000),
    "escaped backticks": "`\\`".repeat(20_000),
    variables: "$a".repeat(30_000),
    heredocs: "cat <<A\n".repeat(8_000),
    backslashes: "\\".repeat(65_000),
    deletes: "rm -rf /tmp/x;".repeat(4_500),
    "a word of braces": "{a,b}".repeat(12_000),
    "braces before a substitution without an end": "echo {a,b,c}{1,2}$(",
    "many braces before one": `echo ${"{a,b}".repeat(8)}$(`,
    "braces before a long word": `echo {a,b}{c,d}{e,f}${"x".repeat(60_000)}`,
    "a brace of many": `echo {${"a,".repeat(30_000)}b}`,
    "products of counts": "echo {1..1000}{1..1000}{1..1000}",
    "loops in loops": `${"for a in {1..50}; do ".repeat(10)}ls;${"done;".repeat(10)}`,
    "growing values": `x=aaaaaaaaaa;${"x=$x$x$x$x$x$x$x$x$x$x;".repeat(10)}rm -rf $x`,
    "calls in calls":
      "f(){ g;g;g;g; }; g(){ h;h;h;h; }; h(){ i;i;i;i;}; i(){ j;j;j;j;}; j(){ f;f;f; ls; }; f",
    "stars in a path": `rm -rf /${"*".repeat(5000)}a`,
    "stars in a pattern": `echo \${x//${"*".repeat(2000)}/y}`,
    python: `python3 - <<'EOF'\n${"print('hello', os.path.join('a','b'))\n".repeat(1600)}EOF`,
    "open calls": `python3 -c '${"a(".repeat(60)}'`,
    "NUL and private characters": "rm -rf \u0000/tmp/\uE000\uE002x",
  };
  test.each(Object.entries(COMMANDS))("%s", (_, command) => {
    const start = process.cpuUsage();
    const clock = () => process.cpuUsage(start).user / 1000;
    judge(command.slice(0, 65_536), aSituation({ clock, deadlineMs: 250 }));
    expect(clock()).toBeLessThan(2_000);
  });
});

test.each([`${"[a]".repeat(20_000)}`, `"${"$(a)".repeat(15_000)}"`])(
  "PowerShell that repeats itself comes to an end: %.40s",
  (command) => expect(() => judgePowerShell(command, aSituation())).not.toThrow(),
);
