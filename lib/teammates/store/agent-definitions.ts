// Agent definitions: `.claude/agents/<type>.md` of the project, or of the person.
import { statSync } from "node:fs";
import { join } from "node:path";
import { hasCode, isAbsence, readHead } from "../../core/files.ts";
import { type Fields, parseFrontmatter } from "../../core/frontmatter.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";

const HEAD_BYTES = 64 * 1024;

/** The definition's frontmatter; `undefined` when there is no such file or it cannot be read. */
export function readAgentDefinition(paths: Paths, project: string, type: string): Fields | undefined {
  if (whyNotSegment(type)) return undefined;
  const name = join("agents", `${type}.md`);
  const head = headOf(join(project, ".claude", name)) ?? headOf(join(paths.base, name));
  return head === undefined ? undefined : parseFrontmatter(head).fields;
}

function headOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readHead(path, HEAD_BYTES)?.text : undefined;
  } catch (error) {
    if (isAbsence(error) || ["EACCES", "EPERM", "ELOOP"].some((code) => hasCode(error, code)))
      return undefined;
    throw error;
  }
}
