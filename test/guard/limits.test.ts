// Past a limit the answer is "could not be verified", never a hang and never a pass.
import { describe, expect, test } from "vitest";
import { judge, judgePowerShell } from "../../lib/guard/judge.ts";
import { aSituation, expectAllowed, ruleFor } from "./a-situation.ts";

test("a long file written by a heredoc passes up to the limit", () => {
  const text = "some line of (text) with {brackets} and 'quotes'\n";
  expectAllowed(`cat > x.txt <<'EOF'\n${text.repeat(1300)}EOF`);
  expect(ruleFor(`cat > x.txt <<'EOF'\n${text.repeat(1400)}EOF`)).toBe("unverifiable");
});

test.each([
  ["parentheses", `${"(".repeat(65)}ls${")".repeat(65)}`],
  ["substitutions", `${"$(".repeat(65)}ls${")".repeat(65)}`],
  ["braces", "{a,".repeat(65)],
  ["shells in shells", Array.from({ length: 70 }).reduce<string>((inner) => `env ${inner}`, "ls")],
  ["brace products", "rm -rf {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"],
])("too deep: %s", (_, command) => expect(ruleFor(command)).toBe("unverifiable"));

test("shells in shells are still read", () => {
  const nested = Array.from({ length: 6 }).reduce<string>(
    (inner) => `env bash -c ${quote(inner)}`,
    "rm -rf /",
  );
  expect(ruleFor(nested)).toBe("delete-root");
});
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

test("many commands in a row are all read", () => {
  const many = Array.from({ length: 300 }, (_, n) => `echo ${n}`).join("\n");
  expectAllowed(many);
  expect(ruleFor(`${many}\nrm -rf /`)).toBe("delete-root");
});

test("the deadline is a decision, by the clock that was handed in", () => {
  let spent = 0;
  const situation = aSituation({ clock: () => (spent += 100) });
  expect(judge(`${"ls; ".repeat(200)}ls`, situation)).toMatchObject({
    rule: "unverifiable",
    decision: "deny",
  });
});

test("what was found before the limit counts more than the limit", () =>
  expect(ruleFor(`rm -rf /; ${"ls; ".repeat(20_000)}`.slice(0, 65_000))).toBe("delete-root"));

test.each([
  "ln -s y/y y; ./y",
  "declare -n a=b; declare -n b=a; echo $a",
  "git config alias.x x; git x",
  "npm pkg set scripts.x='npm run x' && npm run x",
])("what names itself comes to an end: %s", (command) => expect(() => ruleFor(command)).not.toThrow());

test.each([
  "Set-Alias a b; Set-Alias b a; a",
  "$x = '$x.Invoke()'; $x.Invoke()",
  "$x = 'iex $x'; iex $x",
  "function a { b }; function b { a }; a",
  `${"[a]".repeat(20_000)}`,
  `"${"$(a)".repeat(15_000)}"`,
])("PowerShell that names itself or repeats itself comes to an end: %.40s", (command) =>
  expect(() => judgePowerShell(command, aSituation())).not.toThrow(),
);

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

test("a forged unknown is only a strange character", () => expect(ruleFor("rm -rf \uE002")).toBeUndefined());
