// Files of the project that an effort reads or writes.
//   artifacts    `1_BRAINSTORM_LOG.md` in the task's directory: named by the effort's number. They belong to the person: the log
//                is appended to, nothing is rewritten
//   skills       the definition of the effort's skill
//   directives   AGENTS.md and its like between the project's root and a file the effort touches
//   preloads     files to show to the agent, only inside the project or the home
import { existsSync, fsyncSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import {
  ifReadable,
  isBelow,
  isFile,
  namesIn,
  readHeadIfReadable,
  readTail,
  realPathWithin,
  withFile,
  writeWhole,
} from "../../core/files.ts";
import { parseFrontmatter } from "../../core/frontmatter.ts";
import { appendText, asText, asTexts } from "../../core/json.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { plainLine } from "../../core/text.ts";
import type { Effort } from "./efforts.ts";

const LOG_TAIL_BYTES = 16 * 1024;
const LOG_ENTRY = /^## (?=\d{4}-\d\d-\d\d)/m;

type Artifacts = Pick<Effort, "dir" | "ordinal" | "skill">;

const artifactPath = ({ dir, ordinal, skill }: Artifacts, kind: string): string =>
  join(dir, `${ordinal}_${skill.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase()}_${kind}.md`);

export const logPathOf = (effort: Artifacts): string => artifactPath(effort, "LOG");

export function startLog(effort: Artifacts, title: string): void {
  const path = logPathOf(effort);
  if (!existsSync(path)) writeWhole(path, `# ${title}\n`);
}

/** On disk when this returns. */
export function appendLogEntry(effort: Effort, heading: string, text: string): string {
  const path = logPathOf(effort);
  appendText(path, `\n## ${plainLine(heading)}\n\n${text.trim()}\n`);
  withFile(path, "read", fsyncSync);
  return path;
}

export function readLogEntries(effort: Effort, count: number): string[] {
  const path = logPathOf(effort);
  const { text, size } = ifReadable(() => readTail(path, LOG_TAIL_BYTES)) ?? { text: "", size: 0 };
  const [before = "", ...entries] = text.split(LOG_ENTRY);
  if (entries.length === 0 && size > LOG_TAIL_BYTES) return [`… ${before.trim()}`]; // the end of a giant one
  return entries.slice(-count).map((entry) => entry.trim());
}

export function writeDebrief(effort: Effort, text: string): void {
  const path = artifactPath(effort, "DEBRIEF");
  if (!existsSync(path)) writeWhole(path, `# ${effort.skill}: debrief\n\n${text}\n`, { durable: true });
}

export const listArtifacts = ({ dir, ordinal }: Effort): string[] =>
  namesIn(dir)
    .filter((name) => name.startsWith(`${ordinal}_`))
    .sort();

/** The highest number any artifact in the directory carries; there may be more files than a call takes arguments. */
export const highestOrdinal = (dir: string): number =>
  namesIn(dir).reduce((most, name) => Math.max(most, Number(name.match(/^(\d{1,6})_/)?.[1] ?? 0)), 0);

const SKILL_HEAD_BYTES = 16 * 1024;
const MOST_ENTRIES = 16;

const clientDir = (project: string) => join(project, ".claude");

/** Where work gathers that names no directory of its own. */
export const usualTaskDir = (project: string, name: string): string =>
  join(clientDir(project), "efforts", name);

/** The project's definition wins over the person's, as in the client. */
export function readSkillConfig(paths: Paths, project: string, skill: string) {
  const name = skill.split(":").at(-1) ?? skill;
  if (whyNotSegment(name)) return undefined;
  for (const root of [clientDir(project), paths.base])
    for (const file of [join(root, "skills", name, "SKILL.md"), join(root, "commands", `${name}.md`)]) {
      const head = readHeadIfReadable(file, SKILL_HEAD_BYTES);
      if (!head) continue;
      const fields = parseFrontmatter(head.text);
      return {
        file,
        description: asText(fields["description"]) || undefined,
        phases: asTexts(fields["phases"]).slice(0, MOST_ENTRIES),
        preload: asTexts(fields["preload"]).slice(0, MOST_ENTRIES),
        logTemplate: asText(fields["log-template"]) || undefined,
      };
    }
  return undefined;
}

/** Without `CLAUDE.md`, which the client reads itself. */
const DIRECTIVE_NAMES = ["AGENTS.md", "INVARIANTS.md", "PITFALLS.md", "TESTING.md", "CHECKLIST.md"];
const MOST_DIRECTORIES = 13;

/** From the project's root down to the file's directory; nothing outside the project. */
export function findDirectives(project: string, file: string): string[] {
  const full = resolve(project, file);
  if (full === resolve(project) || !isBelow(full, project)) return [];
  const steps = ["", ...relative(project, full).split(sep).slice(0, -1)].slice(0, MOST_DIRECTORIES);
  return steps.flatMap((_, at) => {
    const directory = join(project, ...steps.slice(0, at + 1));
    return DIRECTIVE_NAMES.map((name) => join(directory, name)).filter(isFile);
  });
}

/** A project is written by others: what only its definition of the skill lists must lie inside it. */
function rootsFor({ project, preloads, dehydrated, skillConfig }: Effort, path: string, home: string) {
  const isAgents = preloads.includes(path) || dehydrated?.requiredFiles.includes(path);
  const isOnlyProjects = !isAgents && skillConfig && isBelow(skillConfig.file, clientDir(project));
  return isOnlyProjects ? [project] : [project, home];
}

export type Preload = ReturnType<typeof readPreload>;

export function readPreload(home: string, effort: Effort, path: string, bytes: number) {
  const asked = resolve(effort.project, path);
  if (!existsSync(asked)) return { path, why: "there is no such file" };
  const file = realPathWithin(asked, rootsFor(effort, path, home));
  if (!file) return { path, why: "it lies outside the project and the home" };
  const head = readHeadIfReadable(file, bytes);
  if (!head) return { path, why: isFile(file) ? "it cannot be read" : "it is not a file" };
  if (head.text.includes("\0")) return { path, why: "it is not text" };
  const rest = head.size > bytes ? `\n[the first ${bytes} of ${head.size} bytes]` : "";
  return { path, text: `${head.text.trimEnd()}${rest}` };
}
