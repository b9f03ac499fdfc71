// Past a limit the answer is "could not be verified", never a hang and never a pass.
import { expect, test } from "vitest";
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
  ["old arithmetic", `echo ${"$[".repeat(65)}`],
  ["shells in shells", Array.from({ length: 70 }).reduce<string>((inner) => `env ${inner}`, "ls")],
  ["brace products", "rm -rf {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"],
])("too deep: %s", (_, command) => expect(ruleFor(command)).toBe("unverifiable"));

test.each([
  ["colours", `printf '${String.raw`\e[31mred\e[0m `.repeat(60)}'`],
  ["escaped brackets", `sed '${String.raw`s/\[//;`.repeat(100)}' x`],
])("not deep: %s", (_, command) => expectAllowed(command));

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

test("past the deadline nothing more is walked", () => {
  let asked = 0;
  judge("ls; ".repeat(2_000), aSituation({ clock: () => 1_000 * ++asked }));
  expect(asked).toBe(2);
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
])("PowerShell that names itself comes to an end: %s", (command) =>
  expect(() => judgePowerShell(command, aSituation())).not.toThrow(),
);

test("a forged unknown is only a strange character", () => expect(ruleFor("rm -rf \uE002")).toBeUndefined());
