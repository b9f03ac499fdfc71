// A repository with one commit is made once in this process for the same files, and copied: git is started twice instead of six times.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const made = new Map<string, string>();

export function firstCommitAt(
  path: string,
  files: Record<string, string>,
  git: (at: string, ...args: string[]) => void,
): void {
  const key = JSON.stringify(files);
  const original = made.get(key) ?? firstCommit(files, git);
  made.set(key, original);
  mkdirSync(path, { recursive: true });
  cpSync(original, path, { recursive: true });
  git(path, "update-index", "-q", "--refresh"); // other inodes, other times
}

function firstCommit(files: Record<string, string>, git: (at: string, ...args: string[]) => void): string {
  const path = mkdtempSync(join(tmpdir(), "first-commit-"));
  git(path, "init", "-q", "-b", "main", "--template=");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "first");
  return path;
}
