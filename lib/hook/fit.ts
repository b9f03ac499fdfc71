// The client cuts a text of more than 10,000 characters to a path and a preview. Ours stay below, and the
// last line names what was left out and where to read it.
import type { Section } from "./outcome.ts";
import { reminder } from "./outcome.ts";

export const LONGEST_TEXT = 9_000;
const USUAL_PRIORITY = 50;
const LEAST_WORTH_SHOWING = 200;

export function fitSections(sections: Section[], room = LONGEST_TEXT): string {
  const whole = assembled(sections);
  if (whole.length <= room) return whole;
  const kept = new Map<Section, string>();
  const cut: Section[] = [];
  let left = room - spaceForLastLine(sections) - spaceForHeadings(sections);
  for (const section of byImportance(sections)) {
    const text = section.text.length + 2 <= left ? section.text : headOf(section.text, left - 2);
    if (text !== section.text) cut.push(section);
    if (!text) continue;
    kept.set(section, text);
    left -= text.length + 2;
  }
  const shown = sections.map((section) => ({ ...section, text: kept.get(section) ?? "" }));
  return [assembled(shown.filter(({ text }) => text)), lastLine(sections.filter((one) => cut.includes(one)))]
    .filter(Boolean)
    .join("\n\n")
    .slice(0, room);
}

/** Those under one heading stand together where the first of them stands. */
function assembled(sections: Section[]): string {
  const together = (heading: string) =>
    sections.flatMap(({ under, text }) => (under === heading ? text : []));
  const isFirst = (section: Section) => sections.find(({ under }) => under === section.under) === section;
  return sections
    .flatMap((section) => {
      if (section.under === undefined) return section.text;
      return isFirst(section) ? reminder(section.under, together(section.under)) : [];
    })
    .join("\n\n");
}

const byImportance = (sections: Section[]) =>
  [...sections].sort((a, b) => (b.priority ?? USUAL_PRIORITY) - (a.priority ?? USUAL_PRIORITY));

/** Whole lines from the start, or nothing when too little would remain to be of use. */
function headOf(text: string, room: number): string {
  if (room < LEAST_WORTH_SHOWING) return "";
  const head = text.slice(0, room);
  const end = head.lastIndexOf("\n");
  return safeEnd(end > room / 2 ? head.slice(0, end) : head);
}

/** Never ends in half of a surrogate pair. */
const safeEnd = (text: string) => text.replace(/[\ud800-\udbff]$/, "");

const mention = (section: Section) => (section.where ? `${section.name} (${section.where})` : section.name);

const lastLine = (cut: Section[]) => `[swarm: cut for length: ${cut.map(mention).join(", ")}]`;

const spaceForLastLine = (sections: Section[]) => Math.min(lastLine(sections).length + 2, LONGEST_TEXT / 3);

function spaceForHeadings(sections: Section[]): number {
  const headings = new Set(sections.flatMap(({ under }) => under ?? []));
  return [...headings].reduce((sum, heading) => sum + reminder(heading, []).length, 0);
}
