// Agent definitions: `.claude/agents/<type>.md` of the project, or of the person.
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Fields, parseFrontmatter } from "../parse/frontmatter.ts";
import { type Places, whyNotSegment } from "./paths.ts";
import { hasCode, isAbsence, readHead } from "./read-text.ts";

const HEAD_BYTES = 64 * 1024;

/** The definition's frontmatter; `undefined` when there is no such file or it cannot be read. */
export function readAgentDefinition(places: Places, project: string, type: string): Fields | undefined {
  if (whyNotSegment(type)) return undefined;
  const name = join("agents", `${type}.md`);
  const head = headOf(join(project, ".claude", name)) ?? headOf(join(places.base, name));
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
