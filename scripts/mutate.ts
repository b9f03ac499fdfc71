// `npm run mutate [-- FILE… --count N --seed S]`: breaks one line of the source at a time, in a copy of the project, and runs the tests
// that should notice. Without files: the stores and the lock. Prints each survivor and the share that was noticed, by domain.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { randomness } from "../test/support/random.ts";

const ROOT = join(import.meta.dirname ?? __dirname, "..");
const USUAL_FILES = [
  "lib/core/lock.ts",
  "lib/core/write-file.ts",
  "lib/core/json.ts",
  "lib/core/spool.ts",
  "lib/mail/store/inbox.ts",
  "lib/mail/store/mailbox-files.ts",
  "lib/tasks/store.ts",
  "lib/teams/store/config.ts",
  "lib/sessions/store/sessions.ts",
];
const LIMIT_MS = 180_000;

/** One way to break a line; nothing where it does not apply. */
type Mutation = (line: string) => string | undefined;

const swap =
  (from: string, to: string): Mutation =>
  (line) =>
    line.includes(from) ? line.replace(from, to) : undefined;

const MUTATIONS: Mutation[] = [
  swap(" === ", " !== "),
  swap(" !== ", " === "),
  swap(" && ", " || "),
  swap(" || ", " && "),
  swap(" < ", " >= "),
  swap(" > ", " <= "),
  swap(" >= ", " < "),
  swap(" + 1", " - 1"),
  swap(": true", ": false"),
  swap(": false", ": true"),
  swap("return true;", "return false;"),
  swap("return false;", "return true;"),
  (line) => (/^\s+if \(.*\)( |$)/.test(line) ? line.replace("if (", "if (!") : undefined),
  (line) => (/^\s+[\w.?]+\(.*\);$/.test(line) ? "" : undefined),
  (line) => (/^\s+throw .*;$/.test(line) ? "" : undefined),
];

interface Mutant {
  file: string;
  line: number;
  before: string;
  after: string;
}

const isCode = (line: string) =>
  !/^\s*(\/\/|\*|\/\*|import |export type|export interface|interface |type )/.test(line);

export function mutantsOf(file: string, text: string): Mutant[] {
  return text.split("\n").flatMap((before, at) =>
    isCode(before)
      ? MUTATIONS.flatMap((mutate) => {
          const after = mutate(before);
          return after === undefined ? [] : [{ file, line: at + 1, before, after }];
        })
      : [],
  );
}

/** The tests of the file's own domain first: most mutants end there. */
const testsFor = (file: string) => {
  const domain = file.split("/")[1] ?? "";
  return [
    [`test/${domain}/`],
    ["test/hooks/", "test/cli/", "test/durability.test.ts", "test/foreign-text.test.ts"],
  ];
};

/** False where the build or a test fails. */
function passes(copy: string, file: string): boolean {
  const run = (args: string[]) =>
    spawnSync(process.execPath, args, { cwd: copy, timeout: LIMIT_MS, stdio: "ignore" }).status === 0;
  return (
    run(["scripts/build.mjs"]) &&
    testsFor(file).every((tests) => run(["node_modules/vitest/vitest.mjs", "run", "--bail=1", ...tests]))
  );
}

function isNoticed(copy: string, { file, line, after }: Mutant): boolean {
  const path = join(copy, file);
  const original = readFileSync(path, "utf8");
  const lines = original.split("\n");
  lines[line - 1] = after;
  writeFileSync(path, lines.join("\n"));
  try {
    return !passes(copy, file);
  } finally {
    writeFileSync(path, original);
  }
}

function chosen(files: readonly string[], count: number, seed: number): Mutant[] {
  const random = randomness(seed);
  return files.flatMap((file) => {
    const all = mutantsOf(file, readFileSync(join(ROOT, file), "utf8"));
    while (all.length > count) all.splice(random.below(all.length), 1);
    return all;
  });
}

function aCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), "swarm-mutate-"));
  const skipped = ["node_modules", ".git"].map((name) => join(ROOT, name));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !skipped.includes(path) });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { count: { type: "string", default: "10" }, seed: { type: "string", default: "1" } },
    allowPositionals: true,
  });
  const files =
    positionals.length > 0
      ? positionals.map((file) => relative(ROOT, join(process.cwd(), file)))
      : USUAL_FILES;
  const copy = aCopy();
  const scores = new Map<string, { noticed: number; all: number }>();
  try {
    const failing = files.filter((file) => !passes(copy, file));
    if (failing.length > 0) throw new Error(`the tests fail already without a change: ${failing.join(", ")}`);
    for (const mutant of chosen(files, Number(values.count), Number(values.seed))) {
      const domain = mutant.file.split("/")[1] ?? "";
      const score = scores.get(domain) ?? { noticed: 0, all: 0 };
      scores.set(domain, score);
      score.all++;
      if (isNoticed(copy, mutant)) score.noticed++;
      else
        console.log(
          `survived  ${mutant.file}:${mutant.line}\n  - ${mutant.before.trim()}\n  + ${mutant.after.trim()}`,
        );
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  for (const [domain, { noticed, all }] of scores)
    console.log(`${domain.padEnd(10)} ${noticed} of ${all} noticed, ${Math.round((100 * noticed) / all)} %`);
}

if (require.main === module) main();
