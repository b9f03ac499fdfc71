// Commands that delete: rm and everything that does its work under another name.
import { isAt } from "../paths.ts";
import type { RuleId } from "../rules.ts";
import { deleteFile, deleteTree, destinations, locate, writeFile, writeInto } from "../shell/file-effects.ts";
import { has, optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { hasUnknown, report, type Shell } from "../shell/state.ts";

const rm: Handler = (args, shell) => {
  const options = readOptions(args);
  const recursive = has(options, "-r", "-R", "--recursive");
  if (has(options, "--no-preserve-root")) report(shell, "delete-root");
  for (const path of options.operands.filter(Boolean)) {
    if (recursive) deleteTree(path, shell);
    else deleteFile(path, shell);
  }
  return "";
};

/** Always recursive: rimraf, trash. */
const deleteAll: Handler = (args, shell) => {
  for (const path of readOptions(args).operands) deleteTree(path, shell);
  return "";
};

const shred: Handler = (args, shell) => {
  for (const path of readOptions(args, { short: "ns" }).operands) {
    deleteTree(path, shell);
    writeFile(path, shell);
  }
  return "";
};

/** Moving a tree away empties its place; a lone file may come from anywhere. */
function leave(source: string, target: string, shell: Shell): void {
  const before = shell.run.findings.length;
  deleteTree(source, shell);
  const { findings } = shell.run;
  const harmless: RuleId[] = ["delete-outside", "delete-unknown"];
  if (staysInProject(source, target, shell)) harmless.push("delete-project");
  const kept = findings.slice(before).filter(({ rule }) => !harmless.includes(rule));
  findings.splice(before, findings.length, ...kept);
}

/** `mv * app/`, and a loop that renames all files. Hidden files such as `.git` are not part of such a pattern. */
function staysInProject(source: string, target: string, shell: Shell): boolean {
  const { project } = shell.run.situation;
  const [from, to] = [locate(source, shell).path, locate(target, shell).path];
  const isVisible = isAt(from, project) && /^\/[^./][^/]*$/.test(from.slice(project.length));
  return isVisible && isAt(to, project) && !hasUnknown(to) && !to.split("/").includes(".git");
}

const mv: Handler = (args, shell) => {
  const options = readOptions(args, { short: "tS", long: ["target-directory", "suffix"] });
  const into = optionValue(options, "-t", "--target-directory");
  const target = (into ?? options.operands.at(-1) ?? "").replace(/^\/dev\/null\/$/, "/dev/null");
  const sources = (into === undefined ? options.operands.slice(0, -1) : options.operands).filter(Boolean);
  for (const source of sources) {
    if (target === "/dev/null") deleteTree(source, shell);
    else leave(source, target, shell);
  }
  if (sources.length === 0 || target === "/dev/null") return "";
  destinations(sources, into === undefined ? target : `${into}/`, shell).forEach((path, at) => {
    const text = shell.run.files.get(locate(sources[at] ?? "", shell).path);
    writeFile(path, shell, text);
  });
  return "";
};

/** `dst` is made equal to `src`: what is only in `dst` goes. */
const rsync: Handler = (args, shell) => {
  const options = readOptions(args, {
    short: "efTBM",
    long: "rsh exclude include filter files-from rsync-path temp-dir timeout bwlimit port log-file".split(
      " ",
    ),
  });
  const remoteShell = optionValue(options, "-e", "--rsh");
  if (remoteShell) shell.run.code(remoteShell, shell);
  const remoteProgram = optionValue(options, "--rsync-path");
  if (remoteProgram) shell.run.code(remoteProgram, shell);
  const target = options.operands.at(-1);
  if (target === undefined || options.operands.length < 2 || has(options, "-n", "--dry-run")) return "";
  const [, remote] = /^[^/]*:(.*)$/s.exec(target) ?? [];
  const deletes = options.flags.some((flag) => /^--del(ete|$)/.test(flag));
  if (has(options, "--remove-source-files"))
    for (const source of options.operands.slice(0, -1))
      if (!/^[^/]*:/.test(source)) deleteTree(source, shell);
  const place = remote === undefined ? shell : { ...shell, remote: { kind: "mirror" as const, mounts: [] } };
  if (deletes) deleteTree(remote ?? target, place);
  const sources = options.operands.slice(0, -1);
  if (sources.some((source) => source.endsWith("/"))) writeInto(remote ?? target, place);
  for (const path of destinations(sources, remote ?? target, place)) writeFile(path, place);
  return "";
};

const unlink: Handler = (args, shell) => {
  for (const path of args) deleteFile(path, shell);
  return "";
};

export const RM = programs([
  ["unlink", unlink],
  ["rm grm", rm],
  ["rimraf trash trash-put del-cli srm", deleteAll],
  ["shred wipe", shred],
  ["mv gmv", mv],
  ["rsync", rsync],
  [
    "gio",
    (args, shell, name) =>
      args[0] === "trash" || args[0] === "remove" ? deleteAll(args.slice(1), shell, name) : undefined,
  ],
]);
