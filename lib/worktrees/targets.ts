// The files of repositories that a shell command changes, written out: patterns and directories by what is on the disk, patches by
// what they say.
import { lstatSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { ifThere, readHead } from "../core/files.ts";
import { isGlob, matchingFiles } from "../core/glob.ts";
import type { Effects, GitCall } from "../hook/context.ts";
import { type Located, locate, treeOf } from "./store/repository.ts";

/** More are not noted one by one. */
const MOST_FILES = 200;
const LONGEST_PATCH = 1024 * 1024;
const NOT_ENTERED = new Set([".git", "node_modules"]);

export function writtenFiles(effects: Effects): Located[] {
  const paths = [
    ...[...effects.files].flatMap(expanded),
    ...[...effects.directories].flatMap((path) => expanded(path).flatMap(filesBelow)),
    ...effects.git.flatMap(movedFiles),
    ...effects.patches.flatMap((patch) => patchedFiles(patch, effects.inputs)),
  ];
  return [...new Set(paths)].slice(0, MOST_FILES).flatMap((path) => locate(path) ?? []);
}

function expanded(path: string): string[] {
  if (!isGlob(path)) return [path];
  const parts = path.split("/");
  const at = parts.findIndex((part) => isGlob(part));
  const { paths } = matchingFiles(parts.slice(0, at).join("/") || "/", parts.slice(at).join("/"), MOST_FILES);
  return paths.length > 0 ? paths : [path];
}

/** A path that is moved or removed may be a file as well. */
function filesBelow(path: string): string[] {
  const found: string[] = [];
  const look = (at: string) => {
    if (found.length >= MOST_FILES) return;
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (!stat?.isDirectory()) return void (stat && found.push(at));
    for (const name of readdirSync(at)) if (!NOT_ENTERED.has(name)) look(join(at, name));
  };
  try {
    look(path);
  } catch {
    // a directory that we may not read
  }
  return found;
}

/** `git rm` and `git mv` are writes like any other. */
function movedFiles({ verb, args, cwd }: GitCall): string[] {
  const words = args.filter((word) => !word.startsWith("-")).map((word) => resolve(cwd, word));
  if (verb === "rm" && !args.includes("--cached")) return words.flatMap(expanded).flatMap(filesBelow);
  const target = words.at(-1);
  if (verb !== "mv" || target === undefined) return [];
  const sources = words.slice(0, -1).flatMap(expanded).flatMap(filesBelow);
  const isDirectory = ifThere(() => lstatSync(target).isDirectory()) === true;
  return [...sources, ...(isDirectory ? sources.map((path) => join(target, basename(path))) : [target])];
}

type Patch = Effects["patches"][number];

function patchedFiles({ cwd, text, files, isGit }: Patch, inputs: ReadonlySet<string>): string[] {
  const sources = files.length > 0 ? files : text === "" ? [...inputs] : [];
  const texts = [text, ...sources.map((path) => readHead(path, LONGEST_PATCH)?.text ?? "")];
  const base = (isGit ? treeOf(cwd)?.top : undefined) ?? cwd;
  return texts.flatMap(namesInPatch).map((name) => resolve(base, name));
}

/** Of both sides; git writes them behind `a/` and `b/`. */
function namesInPatch(text: string): string[] {
  // Both lines together: alone, `--- x` may be a line `-- x` that goes. Such a line may be long, so nothing here is matched twice.
  const heads = text.matchAll(/^--- ([^\t\n]+)(?:\t[^\n]*)?\n\+\+\+ ([^\t\n]+)/gm);
  const names = [...heads]
    .flatMap(([, before = "", after = ""]) => [before.trimEnd(), after.trimEnd()])
    .filter((name) => name !== "/dev/null" && !name.startsWith('"'));
  const isPrefixed = names.length > 0 && names.every((name) => /^[ab]\//.test(name));
  const renames = [...text.matchAll(/^rename (?:from|to) ([^\n]+)/gm)].map(([, name = ""]) => name);
  return [...names.map((name) => (isPrefixed ? name.slice(2) : name)), ...renames];
}
