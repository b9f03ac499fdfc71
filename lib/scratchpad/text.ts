// The texts of the scratchpad protocol. The two reasons are those of the document (docs/origins.md), word for word.
import { escapeLine, withoutTags } from "../core/text.ts";
import type { Excerpt } from "./store.ts";

const LONGEST_LINE = 400;

export const reasonForPage = (path: string, sections: readonly string[]): string =>
  `Scratchpad missing or incomplete. Write to ${path} with all ${numbered(sections)} required sections before completing.`;

export const reasonForCoordinator = (path: string): string =>
  `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${path} before ending session.`;

const numbered = ({ length }: readonly string[]) => (length === 3 ? "three" : String(length));

export interface Oriented {
  coordinator: Excerpt | undefined;
  ego: Excerpt | undefined;
  commits: string[];
}

export function orientation({ coordinator, ego, commits }: Oriented): string | undefined {
  const parts = [
    ...excerpt("Latest coordinator scratchpad", coordinator),
    ...excerpt("Latest ego assessment", ego),
    ...(commits.length > 0 ? [`### Recent commits\n${quoted(commits)}`] : []),
  ];
  return parts.length > 0 ? ["## Session Orientation", ...parts].join("\n\n") : undefined;
}

function excerpt(title: string, found: Excerpt | undefined): string[] {
  if (!found) return [];
  const rest = found.more === 0 ? "" : `\n... (${found.more ?? "many"} more lines)`;
  return [`### ${title} (${found.path})\n${quoted(found.lines)}${rest}`];
}

export interface Duty {
  agent: string;
  day: string;
  path: string;
  /** Named where relative paths start somewhere else. */
  root: string | undefined;
  sections: readonly string[];
}

export function dutyText({ agent, day, path, root, sections }: Duty): string {
  return [
    "## Scratchpad protocol",
    `Date: ${day}`,
    `Agent: ${escapeLine(agent)}`,
    `Scratchpad: ${path}${root ? ` (in ${escapeLine(root)})` : ""}`,
    `The page has ${sections.length} required sections, each under a heading of its own:`,
    ...sections.map((section) => `- ${escapeLine(section)}`),
    "If the page exists already it is updated in place. It is checked when this agent completes.",
  ].join("\n");
}

export const tailText = (who: string, lines: string[]): string[] =>
  lines.length > 0 ? [`### Last lines of ${who}\n${quoted(lines)}`] : [];

const quoted = (lines: string[]) => lines.map((line) => withoutTags(line.slice(0, LONGEST_LINE))).join("\n");
