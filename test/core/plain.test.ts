import { expect, test } from "vitest";
import { hasHidden, plainJson, plainLine, plainLines, plainText } from "../../lib/core/text.ts";

/** By Unicode's own properties, not by the list under test. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
const LINE_ENDS = ["\n", "\r", "\u0085", "\u2028", "\u2029"];

const asHex = (sign: string) => sign.codePointAt(0)?.toString(16) ?? "";
const isHalf = (sign: string) => sign >= "\ud800" && sign <= "\udfff" && sign.length === 1;

function shownAs(sign: string): string {
  if (isHalf(sign)) return "\ufffd";
  if (LINE_ENDS.includes(sign)) return "\n";
  return sign === "\t" || !HIDDEN.test(sign) ? sign : "";
}

test("of every character there is, exactly the hidden ones go", () => {
  const wrong: string[] = [];
  for (let from = 0; from <= 0x10ffff; from += 256) {
    const signs = Array.from({ length: 256 }, (_, at) => String.fromCodePoint(from + at));
    const all = signs.join(" ");
    const isPlain = !HIDDEN.test(all) && !isHalf(signs[0] ?? "");
    if (isPlain && plainText(all) === all && !hasHidden(all)) continue;
    for (const sign of signs) {
      if (plainText(`a${sign}b`) !== `a${shownAs(sign)}b`) wrong.push(asHex(sign));
      if (hasHidden(sign) !== (HIDDEN.test(sign) && sign !== "\n" && sign !== "\t"))
        wrong.push(`${asHex(sign)}?`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ["an escape sequence shows as text", "\u001b[31mred\u001b[0m", "[31mred[0m"],
  ["a title sequence swallows nothing", "\u001b]0;a\u0007 b", "]0;a b"],
  ["one byte that begins a sequence goes", "\u009b2J", "2J"],
  ["a hidden message goes", "hi\u{e0048}\u{e0049}", "hi"],
  ["an emoji keeps its base", "\u2764\ufe0f", "\u2764"],
  ["a joined emoji shows as its parts", "\u{1f468}\u200d\u{1f469}", "\u{1f468}\u{1f469}"],
  ["a soft hyphen goes", "bo\u00adb", "bob"],
  ["an overwritten line stays two", "a\rb", "a\nb"],
])("%s", (_, text, plain) => expect(plainText(text)).toBe(plain));

test("a line stays one", () => {
  expect(plainLine(" a\r\n\tb\u2028c ")).toBe("a b c");
  expect(plainLines(["  a\nb ", "c\u0007"])).toBe("  a b\nc");
});

test("JSON keeps its data and hides nothing", () => {
  const data = { "k\u00ad": ["\u{e0041}", "\u009b", "\u2028", "\ud83d\ude00", "\n"] };
  const text = plainJson(data, 2);
  expect(JSON.parse(text)).toEqual(data);
  expect(text.replaceAll("\n", "")).not.toMatch(HIDDEN);
});
