// What a started teammate needs besides its entry in the team's config: its first prompt and its output.
import type { FileKind } from "../../core/file-kind.ts";
import { writeWhole } from "../../core/files.ts";
import { type Paths, segment, teamPath } from "../../core/paths.ts";

export const MEMBER_FILES: readonly FileKind[] = [
  { name: "output of headless teammates", path: "teams/<team>/logs/<agent>.jsonl", ends: "person" },
  { name: "first prompts", path: "teams/<team>/prompts/<agent>/", ends: "kept", because: "one a member" },
];

/** Alone in its directory, which the teammate is allowed to read. */
export const promptPath = (paths: Paths, team: string, agent: string) =>
  teamPath(paths, team, "prompts", segment(agent), "first-prompt.md");

/** What a headless teammate prints: one JSON line per event. */
export const memberLogPath = (paths: Paths, team: string, agent: string) =>
  teamPath(paths, team, "logs", `${segment(agent)}.jsonl`);

/** Returns its path. */
export function writeFirstPrompt(paths: Paths, team: string, agent: string, prompt: string): string {
  const path = promptPath(paths, team, agent);
  writeWhole(path, prompt, { durable: true });
  return path;
}
