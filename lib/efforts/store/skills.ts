// What an effort knows from outside itself: the definition of its skill, and the directive files that lie on the
// way to the files it touches. Both come with the project, so they name things and never run anything.
import { statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { readHead } from "../../core/files.ts";
import { type Fields, parseFrontmatter, type Value } from "../../core/frontmatter.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import type { SkillConfig } from "./efforts.ts";

const HEAD_BYTES = 16 * 1024;
const MOST_ENTRIES = 16;

/** The project's definition wins over the person's, as in the client. */
export function readSkillConfig(paths: Paths, project: string, skill: string): SkillConfig | undefined {
  const name = skill.split(":").at(-1) ?? skill;
  if (whyNotSegment(name)) return undefined;
  for (const root of [join(project, ".claude"), paths.base])
    for (const file of [join(root, "skills", name, "SKILL.md"), join(root, "commands", `${name}.md`)]) {
      const head = readHead(file, HEAD_BYTES);
      if (head) return { file, ...configOf(parseFrontmatter(head.text).fields) };
    }
  return undefined;
}

const configOf = (fields: Fields) => ({
  description: textOf(fields["description"]),
  phases: listOf(fields["phases"]),
  preload: listOf(fields["preload"]),
  logTemplate: textOf(fields["log-template"]),
});

const textOf = (value: Value | undefined) => (typeof value === "string" && value !== "" ? value : undefined);
const listOf = (value: Value | undefined): string[] =>
  Array.isArray(value)
    ? value.filter((item): item is string => typeof item === "string").slice(0, MOST_ENTRIES)
    : [];

/** `CLAUDE.md` is not among them: the client reads that one itself. */
const DIRECTIVE_NAMES = ["AGENTS.md", "INVARIANTS.md", "PITFALLS.md", "TESTING.md", "CHECKLIST.md"];
const DEEPEST = 12;

/** From the project's root down to the file's directory; nothing outside the project. */
export function findDirectives(project: string, file: string): string[] {
  const way = relative(project, resolve(project, file));
  if (way === "" || way.startsWith("..") || way.startsWith(sep)) return [];
  const steps = dirname(way)
    .split(sep)
    .filter((step) => step !== ".");
  const directories = steps.slice(0, DEEPEST).map((_, at) => join(project, ...steps.slice(0, at + 1)));
  return [project, ...directories].flatMap((directory) =>
    DIRECTIVE_NAMES.map((name) => join(directory, name)).filter(isFile),
  );
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
