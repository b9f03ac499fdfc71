import { expect, test } from "vitest";
import { hasHidden, plainJson, plainLine, plainLines, plainText } from "../../lib/core/text.ts";

/** By Unicode's own properties, not by the list under test. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
const LINE_ENDS = ["\n", "\r", "\u0085", "\u2028", "\u2029"];

test("of every character there is, exactly the hidden ones go", () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const sign = String.fromCodePoint(code);
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    const wanted = isHalf
      ? "\ufffd"
      : LINE_ENDS.includes(sign)
        ? "\n"
        : sign === "\t" || !HIDDEN.test(sign)
          ? sign
          : "";
    if (plainText(`a${sign}b`) !== `a${wanted}b`) wrong.push(code.toString(16));
    if (hasHidden(sign) !== (HIDDEN.test(sign) && sign !== "\n" && sign !== "\t"))
      wrong.push(`${code.toString(16)}?`);
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
