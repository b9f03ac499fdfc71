// What belongs to a teammate besides its entry in the team's config: its first prompt, its output, and the definition of its agent type.

import { join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { readHeadIfReadable, writeWhole } from "../../core/files.ts";
import { type Fields, parseFrontmatter } from "../../core/frontmatter.ts";
import { type Paths, segment, teamPath, whyNotSegment } from "../../core/paths.ts";

export const MEMBER_FILES: readonly FileKind[] = [
  { name: "output of headless teammates", path: "teams/<team>/logs/<agent>.jsonl", ends: "person" },
  { name: "first prompts", path: "teams/<team>/prompts/<agent>/", kept: "one a member" },
];

/** Alone in its directory, which the teammate is allowed to read. */
export const promptPath = (paths: Paths, team: string, agent: string) =>
  teamPath(paths, team, "prompts", segment(agent), "first-prompt.md");

/** What a headless teammate prints: one JSON line per event. */
export const memberLogPath = (paths: Paths, team: string, agent: string) =>
  teamPath(paths, team, "logs", `${segment(agent)}.jsonl`);

export const writeFirstPrompt = (paths: Paths, team: string, agent: string, prompt: string): void =>
  writeWhole(promptPath(paths, team, agent), prompt, { durable: true });

const HEAD_BYTES = 64 * 1024;

/** The frontmatter of `.claude/agents/<type>.md` of the project, or of the person; `undefined` where neither can be read. */
export function readAgentDefinition(paths: Paths, project: string, type: string): Fields | undefined {
  if (whyNotSegment(type)) return undefined;
  const name = join("agents", `${type}.md`);
  const head = headOf(join(project, ".claude", name)) ?? headOf(join(paths.base, name));
  return head === undefined ? undefined : parseFrontmatter(head);
}

const headOf = (path: string) => readHeadIfReadable(path, HEAD_BYTES)?.text;
