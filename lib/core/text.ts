// Text from other agents is data: escaped so that it can neither close its tag nor open another.

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export const escapeXml = (text: string): string =>
  plainText(text).replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);

/** For whole documents: no tag can be opened or closed, and quotes, code and arrows stay readable. */
export const withoutTags = (text: string): string => plainText(text).replace(/<(?=[/!?a-z])/gi, "&lt;");

/** For names and other text that must stay on its line. */
export const escapeLine = (text: string): string => escapeXml(text).replace(/\s+/g, " ").trim();

// The one place that decides which characters of foreign text reach a terminal, a page or a model. Removed are control
// characters (an escape sequence loses its beginning and shows as text), line and paragraph separators, everything Unicode calls
// Default_Ignorable_Code_Point (tag characters, variation selectors, joiners, fillers, direction marks) and interlinear
// annotation marks. Emoji keep their base: a variation selector goes, a joined sequence shows as its parts.
// Spelled out: `\p{DI}` would be compiled anew in each short-lived process. A test compares it with the property.
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant alone
  /[\u034f\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
const ASCII = /^[\t\n\u0020-\u007e]*$/;

/** Newline and tab stay; any other line end becomes a newline. */
export function plainText(text: string): string {
  if (ASCII.test(text)) return text;
  // A lone half of a surrogate pair would break the next encoder.
  const wellFormed = text.toWellFormed();
  return wellFormed.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n").replace(HIDDEN, "");
}

const onOneLine = (text: string) => plainText(text).replace(/[\t\n]+/g, " ");

export const plainLine = (text: string): string => onOneLine(text).trim();

/** One line for each, whatever they hold; leading spaces stay, for columns. */
export const plainLines = (lines: readonly string[]): string =>
  lines.map((line) => onOneLine(line).trimEnd()).join("\n");

/** For `JSON.stringify`: each text as a page may show it. */
export const withPlainTexts = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? plainText(value) : value;

/** JSON for a terminal or a page: the same data, with hidden characters as escapes. */
export const plainJson = (data: unknown, indent?: number): string =>
  (JSON.stringify(data, null, indent) ?? "null").replace(HIDDEN, escapedUnits);

const escapedUnits = (sign: string) =>
  [...Array(sign.length).keys()]
    .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");

export const hasHidden = (text: string): boolean => !ASCII.test(text) && text.search(HIDDEN) >= 0;

/** `1 member`, `2 members`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** `2.1.197` is older than `2.1.325`, and `20.9` than `20.12`. */
export function isOlderVersion(version: string, than: string): boolean {
  const [a, b] = [version.split(".").map(Number), than.split(".").map(Number)];
  const at = b.findIndex((part, n) => part !== (a[n] ?? 0));
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** One word for a POSIX shell, whatever it holds. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** In a command that is run as it stands: a name may hold spaces and signs of the shell. */
export const asWord = (name: string): string =>
  /[^\w.@\u0080-\uffff-]/.test(name) ? shellQuoted(name) : name;

/** `12 KB`, `3.4 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** The beginning of a text, never with half of a surrogate pair at its end. */
export const cutAt = (text: string, longest: number): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, "");

/** Not longer than `longest`; an ellipsis shows that something was cut. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${cutAt(text, longest - 1).trimEnd()}…` : text;

/** At most `most` lines, and how many more there are. */
export const firstOf = (lines: readonly string[], most: number): string[] =>
  lines.length <= most ? [...lines] : [...lines.slice(0, most), `and ${lines.length - most} more`];

// What others wrote, as text, whatever it is: `String` fails on an object that brings a `toString` of its own.
export const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
