// A git that says what a test wants, in a repository of git's own files alone, without a process.
import programs from "node:child_process";
import { onTestFinished, vi } from "vitest";

export const HEAD = "1".repeat(40);

/** What it prints, or its exit code, `null` where it was killed, with what it prints on stderr. */
export type Answer = string | { status: number | null; stdout?: string; stderr?: string };
export type Answers = Record<string, Answer>;

export const fails = (status: number | null, stderr = ""): Answer => ({ status, stderr });

/** By the beginning of git's words; the longest that fits counts. */
const answerOf = (answers: Answers, words: string): Answer | undefined =>
  Object.entries(answers)
    .filter(([start]) => words.startsWith(start))
    .sort(([a], [b]) => b.length - a.length)[0]?.[1];

/** Every tree has one new file, a.txt, and any two of them conflict in it. */
const USUAL: Answers = {
  config: "",
  version: "git version 2.45.1\n",
  status: `# branch.oid ${HEAD}\0# branch.head main\0? a.txt\0`,
  "rev-list": "2\t1\n",
  "rev-parse --show-toplevel": "/top\n",
  "rev-parse --git-path index": "nowhere\n",
  "check-attr": "a.txt\0filter\0unspecified\0",
  "ls-tree": "",
  "update-index": "",
  "write-tree": "abc\n",
  "hash-object": "def\n",
  "merge-tree": { status: 1, stdout: "abc\0a.txt\0" },
};

const real = programs.spawnSync;

/** Until the end of the test, or until the next one. Returns what it is asked. */
export function scriptGit(answers: Answers = {}): string[] {
  const asked: string[] = [];
  const scripted = (file: string, words: string[], ...rest: unknown[]) => {
    if (file !== "git") return (real as (...all: unknown[]) => unknown)(file, words, ...rest);
    const said = words.slice(1).join(" "); // without --no-pager
    asked.push(said);
    const answer = answerOf({ ...USUAL, ...answers }, said) ?? fails(1);
    const given = typeof answer === "string" ? { status: 0, stdout: answer } : answer;
    return { pid: 0, stdout: "", stderr: "", ...given };
  };
  const spy = vi.spyOn(programs, "spawnSync").mockImplementation(scripted as never);
  onTestFinished(() => spy.mockRestore());
  return asked;
}
