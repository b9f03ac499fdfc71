// What commands do to files, whatever their name: a tree goes, a file goes, a file is written.
import { isInTemp, type Location, locationOf } from "../locations.ts";
import { baseName, isAt, resolvePath } from "../paths.ts";
import { whyProtected } from "../protected-paths.ts";
import type { RuleId } from "../rules.ts";
import {
  clip,
  DECODED,
  hasUnknown,
  type Remote,
  report,
  type Shell,
  SOME_NAME,
  TEMP_PATH,
  UNKNOWN,
} from "./state.ts";

const RULE_OF: Record<Exclude<Location, "temp" | "inside">, RuleId> = {
  root: "delete-root",
  home: "delete-home",
  project: "delete-project",
  git: "delete-project",
  unknown: "delete-unknown",
  outside: "delete-outside",
};

type Target = { path: string; remote?: Remote };

/** The path as this machine knows it: links made a moment ago followed, container mounts mapped back. */
export function locate(path: string, shell: Shell): Target {
  let found = resolvePath(path.includes(DECODED) ? path.replaceAll(DECODED, "") : path, shell.cwd);
  for (const [link, target] of shell.run.links)
    if (isAt(found, link)) found = target + found.slice(link.length);
  if (!shell.remote) return { path: found };
  const mount = shell.remote.mounts.find(({ inside }) => isAt(found, inside));
  if (!mount) return { path: found, remote: shell.remote };
  return {
    path: resolvePath(mount.outside + found.slice(mount.inside === "/" ? 0 : mount.inside.length), "/"),
  };
}

/** For the handlers after the guard: which files of this machine change. */
function note(target: Target, shell: Shell, kind: "files" | "directories"): void {
  if (!target.remote && !hasUnknown(target.path)) shell.run.situation.effects?.[kind].add(target.path);
}

const endsInside = (path: string) => ["/", "/.", "*"].some((end) => path.endsWith(end));

export function deleteTree(path: string, shell: Shell): void {
  const target = locate(path, shell);
  note(target, shell, "directories");
  const place = locationOf(target.path, shell.run.situation, endsInside(path));
  if (place === "root" || place === "home") return void report(shell, RULE_OF[place], target.path);
  if (target.remote) {
    const isTemp = target.path.startsWith(TEMP_PATH) || isInTemp(target.path, "/tmp");
    if (target.remote.kind === "host" && !isTemp) report(shell, "remote-delete", target.path);
    return;
  }
  if (place !== "project" && place !== "git" && baseName(target.path) !== ".git")
    checkProtected(target, shell, "delete");
  if (place !== "temp" && place !== "inside") report(shell, RULE_OF[place], target.path);
}

/** All that a search found, or all that lies in a directory. */
const isMany = (path: string) =>
  !hasUnknown(path.charAt(0)) && (path.includes(SOME_NAME) || path.endsWith("/*"));

export function deleteFile(path: string, shell: Shell): void {
  if (isMany(path)) return void deleteTree(path, shell);
  const target = locate(path, shell);
  note(target, shell, "files");
  const place = locationOf(target.path, shell.run.situation, false);
  if (place === "root" || place === "home") report(shell, RULE_OF[place], target.path);
  else checkProtected(target, shell, "delete");
}

function checkProtected(target: Target, shell: Shell, change: "write" | "delete"): void {
  const why = whyProtected(target.path, shell.run.situation, change);
  if (!why || target.remote?.kind === "container") return;
  report(shell, why === "create-env" && target.remote ? "protect-env" : why, target.path);
}

const isStream = (path: string) =>
  path.startsWith("/dev/") && /^\/dev\/(null|std(out|err|in)|tty|fd\/|pts\/)/.test(path);

/** Checks a write and remembers the text, in case the same command runs or reads the file later. */
export function writeFile(path: string, shell: Shell, text = UNKNOWN, append = false): void {
  if (path === "" || path === "-") return;
  const target = locate(path, shell);
  if (isStream(target.path)) return;
  checkProtected(target, shell, "write");
  note(target, shell, "files");
  const { files } = shell.run;
  files.set(target.path, clip(append ? (files.get(target.path) ?? "") + text : text));
}

/** Most programs take the file they write as `-o file` or `--output=file`. */
export function writeOutputs(args: readonly string[], shell: Shell): void {
  args.forEach((arg, at) => {
    const [name, value] = arg.startsWith("--out") ? arg.split("=", 2) : [arg];
    const path =
      value ??
      (["-o", "-O", "--output", "--out", "--output-file"].includes(name ?? "") ? args[at + 1] : undefined);
    if (path) writeFile(path, shell);
  });
}

/** Many files land in a directory at once. */
export function writeInto(directory: string, shell: Shell): void {
  const target = locate(directory, shell);
  note(target, shell, "directories");
  if (target.path === "/" && !target.remote) report(shell, "protect-system", "/");
  else checkProtected(target, shell, "write");
}

/** An archive is unpacked: into a directory or the current one, some of its members named. */
export function unpack(directory: string | undefined, members: readonly string[], shell: Shell): void {
  writeInto(directory ?? ".", shell);
  for (const member of members) writeFile(`${directory ?? "."}/${member}`, shell);
}

/** A directory of one's own is harmless, except in system directories. */
export function makeDirectory(path: string, shell: Shell): void {
  const target = locate(path, shell);
  const why = whyProtected(target.path, shell.run.situation, "write");
  if (why === "protect-system" && target.remote?.kind !== "container") report(shell, why, target.path);
}

const isStdin = (path: string) => path === "/dev/stdin" || path === "/dev/fd/0";

/** The text of a file, if this command wrote it, or of what is read. */
export function readFile(path: string, shell: Shell): string | undefined {
  const found = locate(path, shell).path;
  const text = isStdin(found) ? shell.stdin : shell.run.files.get(found);
  if (text === undefined && !hasUnknown(found)) shell.run.situation.effects?.inputs.add(found);
  return text;
}

/** Where `cp src… dst` really writes; to an empty name nothing does. */
export function destinations(sources: readonly string[], target: string, shell: Shell): string[] {
  if (target === "") return [];
  const { probe } = shell.run.situation;
  const place = locate(target, shell).path;
  const isDirectory =
    sources.length > 1 ||
    ["", ".", ".."].includes(target.slice(target.lastIndexOf("/") + 1)) ||
    (!hasUnknown(place) && probe.isDirectory(place));
  return isDirectory ? sources.map((source) => `${target}/${baseName(source)}`) : [target];
}

/** A patch names the files it changes: for the handlers after the guard, which may read it. */
export function notePatch(files: readonly string[], shell: Shell, isGit: boolean): void {
  const named = files.filter((file) => !file.startsWith("-") && !hasUnknown(file));
  shell.run.situation.effects?.patches.push({
    cwd: shell.cwd,
    text: hasUnknown(shell.stdin) ? "" : shell.stdin,
    files: named.map((file) => resolvePath(file, shell.cwd)),
    isGit,
  });
}
