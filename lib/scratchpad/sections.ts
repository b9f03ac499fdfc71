// Which of the required sections a page has. Headings may be decorated: only their words count.
import type { Settings } from "../core/settings.ts";

interface Heading {
  at: number;
  text: string;
  /** By a mark of its own: `#`, bold, or a line of `=` or `-` below. A plain line counts only if it is nothing but the title. */
  marked: boolean;
  /** As in Markdown; a mark that may also be found inside a section is below all others. */
  level: number;
}

const LOWEST = 7;
/** A line with code between backticks opens none. */
const FENCE = /^\s{0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const FENCE_END = /^\s{0,3}(`{3,}|~{3,})\s*$/;
const UNDERLINE = /^\s{0,3}(=+|-+)\s*$/;

export function missingSections(
  page: string,
  sections: readonly string[],
  emptyIsMissing: boolean,
): string[] {
  const lines = outsideFences(page);
  const headings = lines.flatMap(headingAt);
  /** Headings of a lower level belong to the section, and so does a line in bold or one above a rule. */
  const bodyOf = ({ at, level }: Heading) => {
    const ends = (one: Heading) => one.level <= level || sections.some((section) => isTitled(one, section));
    const next = headings.find((one) => one.at > at && one.marked && ends(one));
    return lines.slice(at + 1, next?.at).join("\n");
  };
  const counts = (heading: Heading) => !emptyIsMissing || hasText(bodyOf(heading));
  return sections.filter(
    (section) => !headings.some((heading) => isTitled(heading, section) && counts(heading)),
  );
}

/** Lines in a code fence are no headings; an unclosed fence hides nothing. */
function outsideFences(page: string): string[] {
  const lines = page.replace(/^\ufeff/, "").split(/\r?\n/);
  let open: { at: number; fence: string } | undefined;
  for (const [at, line] of lines.entries()) {
    const [, ticks, tildes] = FENCE.exec(line) ?? [];
    const fence = ticks ?? tildes;
    if (!open) open = fence === undefined ? undefined : { at, fence };
    else if (FENCE_END.exec(line)?.[1]?.startsWith(open.fence)) {
      lines.fill("(code)", open.at, at + 1);
      open = undefined;
    }
  }
  return lines;
}

function headingAt(line: string, at: number, lines: string[]): Heading[] {
  const text = bare(line);
  if (text === "") return [];
  const hashes = /^\s*(?:>\s*)*(?:[-*+]\s+)?(#{1,6})/.exec(line)?.[1];
  const bold = /^\s*(>\s*)*([-*+]\s+|\d+[.)]\s+)?(\*\*|__).+(\*\*|__)\s*:?$/.test(line.trimEnd());
  const underline = UNDERLINE.exec(lines[at + 1] ?? "")?.[1];
  const marked = hashes !== undefined || bold || underline !== undefined;
  return [{ at, text, marked, level: hashes?.length ?? (underline?.startsWith("=") ? 1 : LOWEST) }];
}

/** Removes a match at the end. A pattern with `$` would be tried anew from each sign of a long row. */
const atEndOnly = (signs: string, at: number, whole: string) =>
  at + signs.length < whole.length ? signs : "";

/** From its first letter to its last: no quote marks, bullets, hashes, numbers, emphasis, emoji or colon. */
const bare = (line: string): string =>
  line
    .replace(/^[^\p{L}]+/u, "")
    .replace(/[^\p{L}\p{N}?!)]+/gu, atEndOnly)
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/\s+/g, " ")
    .toLowerCase();

function isTitled({ text, marked }: Heading, section: string): boolean {
  const title = bare(section);
  if (text === title) return true;
  return marked && text.startsWith(title) && !/^[\p{L}\p{N}]/u.test(text.slice(title.length));
}

/** Beside comments, headings and rules. */
const hasText = (body: string): boolean =>
  body
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^[ \t>]*#.*$/gm, "")
    .replace(/^[\s=*_+-]+$/gm, "")
    .trim() !== "";

export const template = (agent: string, day: string, sections: readonly string[]): string =>
  [`# ${agent}, ${day}`, ...sections.map((section) => `## ${section}\n\n<!-- to be written -->`)].join(
    "\n\n",
  );

type Expected = { folder: string; day: string; settings: Settings };

/** A blank page that was only opened is not written yet. */
export const isWritten = (page: string | undefined, { folder, day, settings }: Expected): page is string =>
  page !== undefined && page.trim() !== template(folder, day, settings["scratchpad.sections"]).trim();

/** Pages of the coordinator and other excluded folders need none. */
export function missingFrom(page: string | undefined, expected: Expected): readonly string[] {
  const { folder, settings } = expected;
  const sections = settings["scratchpad.sections"];
  if (!isWritten(page, expected)) return sections;
  if (settings["scratchpad.exclude"].includes(folder)) return [];
  return missingSections(page, sections, settings["scratchpad.empty_is_missing"]);
}
