// The files that a shell command changes, from its effects and what is on the disk.
import { expect, test } from "vitest";
import { type Effects, noEffects } from "../../lib/hook/context.ts";
import { writtenFiles } from "../../lib/worktrees/targets.ts";
import { aBareTree } from "../support/a-bare-tree.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { ownMs } from "../support/own-time.ts";

const PATCH = "--- a/src/b.ts\t2026\n+++ b/src/b.ts\n@@ -1 +1 @@\n-a\n+z\n";
const LUA =
  "--- a/src/b.ts\n+++ b/src/b.ts\n@@ -1,2 +1,2 @@\n--- a comment\n x\n@@ -9 +9 @@\n--- other\n+-- another\n";
const NEW = "--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+z\n";
const PLAIN = "--- src/b.ts\n+++ src/b.ts\n";
const RENAME = "rename from a.ts\nrename to z.ts\n";
const QUOTED = '--- "a/\\303\\274"\n+++ "b/\\303\\274"\n';

type Given = Partial<Record<"files" | "directories" | "inputs", string[]>> & {
  patch?: Partial<Effects["patches"][number]>;
  git?: string;
  at?: string;
};

function effectsOf(
  home: Home,
  { files = [], directories = [], inputs = [], patch, git, at = "" }: Given,
): Effects {
  const full = (path: string) => (path.startsWith("/") ? path : `${home.project}/${path}`);
  const [verb = "", ...args] = (git ?? "").split(" ");
  const cwd = full(at);
  return {
    ...noEffects(),
    files: new Set(files.map(full)),
    directories: new Set(directories.map(full)),
    inputs: new Set(inputs.map(full)),
    patches: patch ? [{ text: "", isGit: false, cwd, ...patch, files: (patch.files ?? []).map(full) }] : [],
    git: git ? [{ verb, args, cwd } as Effects["git"][number]] : [],
  };
}

test.each<[string, Given, string]>([
  ["a file, whether or not it is there", { files: ["a.ts", "none.ts"] }, "a.ts none.ts"],
  ["one file twice", { files: ["a.ts"], directories: ["a.ts"] }, "a.ts"],
  ["outside a repository", { files: ["/tmp/x"] }, ""],
  ["a pattern", { files: ["*.ts"] }, "a.ts b.ts"],
  ["a pattern that fits nothing is a name", { files: ["*.md"] }, "*.md"],
  ["a pattern below", { files: ["src/*.ts"] }, "src/b.ts src/c.ts"],
  ["a directory", { directories: ["src"] }, "src/b.ts src/c.ts src/deep/d.ts"],
  ["a directory that may be a file", { directories: ["a.ts"] }, "a.ts"],
  ["a directory that is not there", { directories: ["none"] }, ""],
  ["without what is others'", { directories: ["."] }, "a.ts b.ts p.patch src/b.ts src/c.ts src/deep/d.ts"],
  ["git rm", { git: "rm -r src" }, "src/b.ts src/c.ts src/deep/d.ts"],
  ["git rm with a pattern", { git: "rm *.ts", at: "src" }, "src/b.ts src/c.ts"],
  ["git rm --cached", { git: "rm --cached a.ts" }, ""],
  ["git mv", { git: "mv a.ts z.ts" }, "a.ts z.ts"],
  ["git mv into a directory", { git: "mv -f a.ts b.ts src" }, "a.ts b.ts src/a.ts src/b.ts"],
  ["git mv with a pattern", { git: "mv *.ts src" }, "a.ts b.ts src/a.ts src/b.ts"],
  ["git mv below what is a file", { git: "mv a.ts b.ts/x.ts" }, "a.ts b.ts/x.ts"],
  ["git mv of nothing", { git: "mv" }, ""],
  ["git add", { git: "add a.ts" }, ""],
  ["a patch in the command", { patch: { text: PATCH } }, "src/b.ts"],
  ["lines of it that look like names", { patch: { text: LUA } }, "src/b.ts"],
  ["a new file", { patch: { text: NEW } }, "new.ts"],
  ["without a/ and b/", { patch: { text: PLAIN } }, "src/b.ts"],
  ["below its directory", { patch: { text: PLAIN }, at: "src" }, "src/src/b.ts"],
  ["git's from the top level", { patch: { text: PATCH, isGit: true }, at: "src" }, "src/b.ts"],
  ["a rename", { patch: { text: RENAME } }, "a.ts z.ts"],
  ["names in quotes are not guessed", { patch: { text: QUOTED } }, ""],
  ["a patch by name", { patch: { files: ["p.patch"] }, inputs: ["a.ts"] }, "src/c.ts"],
  ["a patch by redirection", { patch: {}, inputs: ["p.patch"] }, "src/c.ts"],
  ["a text goes before the input", { patch: { text: PATCH }, inputs: ["p.patch"] }, "src/b.ts"],
  ["a patch that is not there", { patch: { files: ["none.patch"] } }, ""],
])("%s", (_, given, expected) => {
  const home = aHome();
  aBareTree(home);
  for (const file of ["a.ts", "b.ts", "src/b.ts", "src/c.ts", "src/deep/d.ts", "node_modules/x.js"])
    home.write(`project/${file}`, "x\n");
  home.write("project/p.patch", "--- a/src/c.ts\n+++ b/src/c.ts\n");
  const found = writtenFiles(effectsOf(home, given)).map(({ file }) => file);
  expect(found.sort().join(" ")).toBe(expected);
});

test("no more than 200 are named", () => {
  const home = aHome();
  aBareTree(home);
  for (let n = 0; n < 205; n++) home.write(`project/many/f${n}.ts`, "");
  expect(writtenFiles(effectsOf(home, { directories: ["many"] }))).toHaveLength(200);
});

test("a long line that begins like a name is read in time", () => {
  const home = aHome();
  aBareTree(home);
  const text = `${PATCH}--- ${"x".repeat(30_000)}\n+z\n`;
  let found: string[] = [];
  const took = ownMs(() => {
    found = writtenFiles(effectsOf(home, { patch: { text } })).map(({ file }) => file);
  });
  expect(found).toEqual(["src/b.ts"]);
  expect(took).toBeLessThan(1_000);
});
