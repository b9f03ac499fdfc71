// Which part of a shell command is a test or build run. A small splitter, not the guard's parser: a wrong guess costs a line of text.

import { alternatives, patternOf } from "../core/glob.ts";

/** What `usual` in the setting stands for. */
const USUAL_RUNS: readonly string[] = [
  "{npm,pnpm,yarn,bun} {test,t,build,lint,check,typecheck}",
  "{npm,pnpm,yarn,bun} {run,run-script} {test,build,lint,check,typecheck,verify,ci}*",
  "{vitest,jest,mocha,ava,playwright,cypress,tsc,eslint,biome,bats}",
  "node --test",
  "deno {test,check,lint}",
  "{pytest,py.test,tox,nox,mypy,ruff}",
  "python* -m {pytest,unittest,mypy}",
  "cargo {test,build,check,clippy,nextest}",
  "go {test,build,vet}",
  "{make,gmake,ninja,just,ctest,bazel,xcodebuild}",
  "cmake --build",
  "{mvn,mvnw,gradle,gradlew} {test,verify,package,install,build,check}*",
  "{dotnet,swift,mix} {test,build,compile}",
  "{rspec,rake,phpunit}",
];

export interface FoundRun {
  text: string;
  /** Nothing follows it but what depends on its success, so the exit code of the whole is its own. */
  isLast: boolean;
}

interface Part {
  words: string[];
  text: string;
  /** What stands behind it. */
  end: string;
}

/** The last one that matches: its result is what the agent reads. */
export function runIn(command: string, patterns: readonly string[]): FoundRun | undefined {
  const parts = partsOf(command.slice(0, LONGEST_COMMAND));
  const all = patterns.flatMap((pattern) => (pattern === "usual" ? USUAL_RUNS : pattern));
  const at = parts.findLastIndex(({ words }) => all.some((pattern) => matches(pattern, words)));
  const part = parts[at];
  if (!part) return undefined;
  const isLast = at === parts.length - 1 && (part.end === "" || part.end === ";" || part.end === "\n");
  return { text: part.text, isLast };
}

const LONGEST_COMMAND = 20_000;
/** Their signs separate nothing: `2>&1`, `&> file`, `>| file`. */
const REDIRECTIONS = [">&", "&>", ">|"];
const SEPARATORS = ["&&", "||", ";", "|", "&", "\n", "(", ")"];

/** Simple commands, with their quotes resolved. */
function partsOf(command: string): Part[] {
  const parts: Part[] = [];
  let [words, word, start, isWord]: [string[], string, number, boolean] = [[], "", 0, false];
  const endWord = () => {
    if (isWord) words.push(word);
    [word, isWord] = ["", false];
  };
  const endPart = (at: number, end: string) => {
    endWord();
    const text = command.slice(start, at).trim();
    if (words.length > 0) parts.push({ words: withoutWrappers(words), text, end });
    [words, start] = [[], at + end.length];
  };
  for (let at = 0; at < command.length; at++) {
    const sign = command.charAt(at);
    if (sign === "'" || sign === '"') {
      const close = closingQuote(command, at);
      word += command.slice(at + 1, close);
      isWord = true;
      at = close;
      continue;
    }
    if (sign === "\\") {
      if (command.charAt(at + 1) !== "\n") [word, isWord] = [word + command.charAt(at + 1), true];
      at++;
      continue;
    }
    const redirection = REDIRECTIONS.find((one) => command.startsWith(one, at));
    if (redirection) {
      if (redirection === "&>") endWord(); // the others may have a number before them: 2>&1
      [word, isWord] = [word + redirection, true];
      at += redirection.length - 1;
      continue;
    }
    const separator = SEPARATORS.find((one) => command.startsWith(one, at));
    if (separator) {
      endPart(at, separator);
      at += separator.length - 1;
    } else if (/\s/.test(sign)) endWord();
    else [word, isWord] = [word + sign, true];
  }
  endPart(command.length, "");
  return parts;
}

function closingQuote(command: string, open: number): number {
  const quote = command.charAt(open);
  for (let at = open + 1; at < command.length; at++) {
    if (command.charAt(at) === "\\" && quote === '"') at++;
    else if (command.charAt(at) === quote) return at;
  }
  return command.length;
}

const KEYWORDS = new Set([
  "do",
  "then",
  "else",
  "elif",
  "if",
  "while",
  "until",
  "!",
  "{",
  "time",
  "nohup",
  "exec",
  "command",
  "env",
  "nice",
  "ionice",
  "stdbuf",
  "sudo",
]);
const RUNNERS: readonly (readonly string[])[] = [
  ["npx"],
  ["bunx"],
  ["pnpm", "exec"],
  ["pnpm", "dlx"],
  ["yarn", "exec"],
  ["npm", "exec"],
  ["uv", "run"],
  ["poetry", "run"],
  ["pipenv", "run"],
  ["hatch", "run"],
  ["bundle", "exec"],
];

/** Without what only starts another program: `FOO=1 timeout 60 npx --yes vitest run` is `vitest run`. */
function withoutWrappers(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const [first = "", ...others] = rest;
    const runner = RUNNERS.find((names) => names.every((name, at) => rest[at] === name));
    if (/^[A-Za-z_]\w*=/.test(first) || KEYWORDS.has(first)) rest = withoutOptions(others);
    else if (first === "timeout") rest = behindDuration(others);
    else if (runner) rest = withoutOptions(rest.slice(runner.length));
    else return rest;
  }
}

function behindDuration(words: readonly string[]): string[] {
  const at = words.findIndex((word, n) => /^[\d.]+[smhd]?$/.test(word) && words[n - 1] !== "-k");
  return at < 0 ? [] : words.slice(at + 1);
}

const withoutOptions = (words: readonly string[]) => {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return at < 0 ? [] : words.slice(at);
};

/** Word by word; options and `+toolchain` between the words of a pattern are passed over. */
function matches(pattern: string, words: readonly string[]): boolean {
  let at = 0;
  for (const [n, wanted] of pattern.split(/\s+/).filter(Boolean).entries()) {
    while (n > 0 && /^[-+]/.test(words[at] ?? "") && !fits(wanted, words[at] ?? "")) at++;
    const word = n === 0 ? baseName(words[at]) : words[at];
    if (word === undefined || !fits(wanted, word)) return false;
    at++;
  }
  return at > 0;
}

const baseName = (word: string | undefined) => word?.slice(word.lastIndexOf("/") + 1);
const fits = (wanted: string, word: string) =>
  alternatives(wanted).some((one) => patternOf(one).matches(word));
