// Backslash escapes as echo -e, printf and most programming languages read them.

const NAMED: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
};

function escaped(text: string): string {
  const code = /^(?:x([\da-f]{1,2})|u\{?([\da-f]{1,6})\}?|U([\da-f]{1,8})|(0?[0-7]{1,3}))/i.exec(text);
  if (!code) return NAMED[text] ?? text;
  const value =
    code[4] === undefined
      ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "0", 16)
      : Number.parseInt(code[4], 8);
  return value <= 0x10ffff ? String.fromCodePoint(value) : "";
}

export const unescapeText = (text: string) =>
  text.includes("\\")
    ? text.replace(
        /\\(x[\da-f]{1,2}|u\{[\da-f]{1,6}\}|u[\da-f]{1,4}|U[\da-f]{1,8}|0?[0-7]{1,3}|.)/gis,
        (_, code: string) => escaped(code),
      )
    : text;
