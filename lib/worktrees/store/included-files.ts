// Files that git ignores but a worktree needs: a project lists them in `.worktreeinclude`, in the form of a .gitignore. What may hold
// a secret is copied only where the person's own settings name it.

import { chmodSync, lstatSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyNewFile, hasCode, makeDirectory, realPath, writeWhole } from "../../core/files.ts";
import { type Git, whyFailed } from "./base.ts";

export interface Copied {
  copied: string[];
  /** With the reason. */
  leftOut: string[];
}

const LIST = ".worktreeinclude";
const MOST_FILES = 2_000;
const LARGEST_BYTES = 64 * 1024 * 1024;
const LISTING_BYTES = 4 * 1024 * 1024;

const HOLDS_SECRETS =
  /^(\.env(\..*)?|.*\.env|\.?npmrc|\.netrc|\.pgpass|\.pypirc|id_[a-z0-9]+|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|tfvars)|.*(secret|credential|password|token).*|\.envrc|.*service-?account.*\.json)$/i;

export const mayHoldSecret = (path: string): boolean =>
  path.split("/").some((part) => HOLDS_SECRETS.test(part)) ||
  /(^|\/)\.(aws|ssh|gnupg|kube|docker)\//.test(path);

/** `git` runs in `from`, the checkout's top level; `own` are the person's patterns. */
export function copyIncluded(
  git: Git,
  from: string,
  to: string,
  own: readonly string[],
  tmp: string,
): Copied {
  const done: Copied = { copied: [], leftOut: [] };
  const listed = (file: string, name: string): string[] => {
    const answer = git(["ls-files", "-z", "--others", "--ignored", `--exclude-from=${file}`], {
      longestBytes: LISTING_BYTES,
    });
    if (!answer.ok) done.leftOut.push(`what ${name} names: ${whyFailed(answer)}`);
    return namesOf(answer);
  };
  const byProject = isPlainFile(join(from, LIST)) ? listed(join(from, LIST), LIST) : [];
  const byPerson = new Set(
    own.length > 0 ? withPatternFile(own, tmp, (file) => listed(file, "teammates.worktree_include")) : [],
  );
  const wanted = [...new Set([...byProject, ...byPerson])];
  for (const path of ignoredOf(git, wanted)) {
    const why =
      done.copied.length >= MOST_FILES
        ? `more than ${MOST_FILES} files`
        : mayHoldSecret(path) && !byPerson.has(path)
          ? "may hold a secret; teammates.worktree_include copies it"
          : whyNotCopied(from, to, path);
    if (why) done.leftOut.push(`${path}: ${why}`);
    else done.copied.push(path);
  }
  return done;
}

/** Not by listing all that is ignored, which may be a million files. */
const ignoredOf = (git: Git, paths: readonly string[]): string[] =>
  paths.length === 0
    ? []
    : namesOf(
        git(["check-ignore", "-z", "--stdin"], {
          input: paths.map((path) => `${path}\0`).join(""),
          longestBytes: 2 * LISTING_BYTES,
        }),
      );
const namesOf = ({ ok, stdout }: ReturnType<Git>) => (ok ? stdout.split("\0").filter(Boolean) : []);

function withPatternFile<T>(patterns: readonly string[], tmp: string, work: (file: string) => T): T {
  const directory = mkdtempSync(join(tmp, "swarm-include-"));
  try {
    const file = join(directory, "patterns");
    writeWhole(file, `${patterns.join("\n")}\n`);
    return work(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Both ends are inside their tree after all links: the list and the tree come from the repository. */
function whyNotCopied(from: string, to: string, path: string): string | undefined {
  const [source, target] = [join(from, path), join(to, path)];
  if (!isPlainFile(source)) return "no regular file";
  if (realPath(dirname(source)) !== join(realPath(from), dirname(path))) return "behind a link";
  if (realPath(dirname(target)) !== join(realPath(to), dirname(path))) return "behind a link in the worktree";
  try {
    const { size, mode } = statSync(source);
    if (size > LARGEST_BYTES) return `larger than ${LARGEST_BYTES / 1024 / 1024} MB`;
    makeDirectory(dirname(target));
    copyNewFile(source, target);
    chmodSync(target, mode & 0o777);
    return undefined;
  } catch (error) {
    return hasCode(error, "EEXIST") ? `${basename(path)} is there already` : (error as Error).message;
  }
}

function isPlainFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
