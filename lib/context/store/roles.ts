// Role files: what a session in a role is given besides the core files. A person's own roles and a project's alike.
import { isAbsolute, join } from "node:path";
import { readHead } from "../../core/files.ts";
import { parseFrontmatter } from "../../core/frontmatter.ts";
import { type Paths, personalRolesDir, whyNotSegment } from "../../core/paths.ts";
import { realPathWithin } from "../../core/real-path.ts";

const LONGEST_FRONTMATTER_BYTES = 64 * 1024;

export interface Role {
  file: string;
  include: string[];
  /** Only a person's own role may name files outside the project. */
  isPersonal: boolean;
}

interface Where {
  paths: Paths;
  project: string;
  /** The setting, and whether the person made it. */
  rolesDir: string | undefined;
  isOwnSetting: boolean;
}

export function readRole(role: string, { paths, project, rolesDir, isOwnSetting }: Where): Role | undefined {
  if (whyNotSegment(role)) return undefined;
  const chosen = rolesDir ?? join(".claude", "roles");
  const directory = chosen.startsWith("~/")
    ? join(paths.home, chosen.slice(2))
    : join(isAbsolute(chosen) ? "" : project, chosen);
  const candidates = [
    { directory, isPersonal: rolesDir !== undefined && isOwnSetting, within: [project, paths.home] },
    { directory: personalRolesDir(paths), isPersonal: true, within: [paths.base, paths.home] },
  ];
  for (const { directory, isPersonal, within } of candidates)
    for (const name of [join(role, "role.md"), `${role}.md`]) {
      const real = realPathWithin(join(directory, name), isPersonal ? within : [project]);
      if (real) return { file: real, include: includesOf(real), isPersonal };
    }
  return undefined;
}

function includesOf(file: string): string[] {
  const { fields } = parseFrontmatter(readHead(file, LONGEST_FRONTMATTER_BYTES)?.text ?? "");
  const include = fields["auto_include"];
  const list = Array.isArray(include) ? include : include ? [include] : [];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}
