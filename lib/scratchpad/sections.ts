// Which of the required sections a page has. Headings may be decorated: only their words count.
import type { Settings } from "../core/settings.ts";

interface Heading {
  at: number;
  text: string;
  /** By a mark of its own: `#`, bold, or a line of `=` or `-` below. A plain line counts only if it is nothing but the title. */
  marked: boolean;
}

const FENCE = /^\s{0,3}(```|~~~)/;
const UNDERLINE = /^\s{0,3}(=+|-+)\s*$/;

/** With `emptyIsMissing` a section without text counts as missing. */
export function missingSections(
  page: string,
  sections: readonly string[],
  emptyIsMissing: boolean,
): string[] {
  const lines = outsideFences(page);
  const headings = lines.flatMap((line, at) => headingAt(lines, line, at));
  const counts = (heading: Heading) => !emptyIsMissing || hasText(lines, headings, heading);
  return sections.filter(
    (section) => !headings.some((heading) => isTitled(heading, section) && counts(heading)),
  );
}

/** Lines in a code fence are no headings; an unclosed fence hides nothing. */
function outsideFences(page: string): string[] {
  const lines = page.replace(/^\ufeff/, "").split(/\r?\n/);
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? at : []));
  const hidden = new Set<number>();
  for (let open = 0; open + 1 < fences.length; open += 2)
    for (let at = fences[open] ?? 0; at <= (fences[open + 1] ?? 0); at++) hidden.add(at);
  return lines.map((line, at) => (hidden.has(at) ? "(code)" : line));
}

function headingAt(lines: string[], line: string, at: number): Heading[] {
  const text = bare(line);
  if (text === "") return [];
  const hashed = /^\s*(>\s*)*([-*+]\s+)?#{1,6}/.test(line);
  const bold = /^\s*(>\s*)*([-*+]\s+|\d+[.)]\s+)?(\*\*|__).+(\*\*|__)\s*:?\s*$/.test(line);
  return [{ at, text, marked: hashed || bold || UNDERLINE.test(lines[at + 1] ?? "") }];
}

/** From its first letter to its last: no quote marks, bullets, hashes, numbers, emphasis, emoji or colon. */
const bare = (line: string): string =>
  line
    .replace(/^[^\p{L}]+|[^\p{L}\p{N}?!)]+$/gu, "")
    .replace(/[\u2010-\u2015]/g, "-")
    .replace(/\s+/g, " ")
    .toLowerCase();

function isTitled({ text, marked }: Heading, section: string): boolean {
  const title = bare(section);
  if (text === title) return true;
  return marked && text.startsWith(title) && !/^[\p{L}\p{N}]/u.test(text.slice(title.length));
}

function hasText(lines: string[], headings: Heading[], heading: Heading): boolean {
  const next = headings.find(({ at, marked }) => at > heading.at && marked);
  const body = lines.slice(heading.at + 1, next?.at).join("\n");
  return (
    body
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/^[\s=*_+-]+$/gm, "")
      .trim() !== ""
  );
}

export const template = (agent: string, day: string, sections: readonly string[]): string =>
  [`# ${agent}, ${day}`, ...sections.map((section) => `## ${section}\n\n<!-- to be written -->`)].join(
    "\n\n",
  );

export interface PageRules {
  folder: string;
  day: string;
  settings: Settings;
}

/** A blank page that was only opened is not written yet. */
export const isWritten = (page: string | undefined, { folder, day, settings }: PageRules): page is string =>
  page !== undefined && page.trim() !== template(folder, day, settings["scratchpad.sections"]).trim();

/** The required sections that are missing. Pages of the coordinator and other excluded folders need none. */
export function missingFrom(page: string | undefined, rules: PageRules): readonly string[] {
  const { folder, settings } = rules;
  const sections = settings["scratchpad.sections"];
  if (!isWritten(page, rules)) return sections;
  if (settings["scratchpad.exclude"].includes(folder)) return [];
  return missingSections(page, sections, settings["scratchpad.empty_is_missing"]);
}
