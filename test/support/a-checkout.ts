// A real git repository in a test's home, with the person's identity in the environment only.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstCommitAt } from "./a-first-commit.ts";

export interface Checkout {
  path: string;
  git: (...args: string[]) => string;
  write: (name: string, content: string) => void;
  commit: (message: string, files?: Record<string, string>) => string;
}

const WHO = [
  "-c",
  "user.name=a",
  "-c",
  "user.email=a@b",
  "-c",
  "commit.gpgsign=false",
  "-c",
  "protocol.file.allow=always",
];

export function checkoutAt(path: string): Checkout {
  mkdirSync(path, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", [...WHO, ...args], {
      cwd: path,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  const commit = (message: string, files: Record<string, string> = {}) => {
    for (const [name, content] of Object.entries(files)) write(name, content);
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  return { path, git, write, commit };
}

/** A new repository with one commit. */
export function aCheckout(path: string, files: Record<string, string> = { "a.txt": "one\n" }): Checkout {
  firstCommitAt(path, files, (at, ...args) => void checkoutAt(at).git(...args));
  return checkoutAt(path);
}
