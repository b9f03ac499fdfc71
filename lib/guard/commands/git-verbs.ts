// The verbs of git that lose work, rewrite history or run other commands.
import { isGlob, resolvePath } from "../paths.ts";
import { deleteTree, makeDirectory, writeFile } from "../shell/file-effects.ts";
import { has, optionValue, readOptions, type Valued } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { report, type Shell } from "../shell/state.ts";
import { assign } from "../shell/variables.ts";

const SOURCE_FILE =
  /(^\.\.?\/|^(src|lib)\/|\/$|\.(tsx?|jsx?|[cm]js|json|md|py|rs|go|c|h|cc|cpp|hpp|java|kt|swift|rb|php|css|scss|html|vue|svelte|ya?ml|toml|txt|sh|lock|sql|xml|ini|cfg|env|proto|ipynb|csv|svg)$|^(Makefile|Dockerfile|README|LICENSE)$)/i;

/** `git checkout x`: a branch or a file? The disk knows best, the look of the name comes second. */
function isPath(operand: string, shell: Shell): boolean {
  if (operand === "." || isGlob(operand) || operand.startsWith(":")) return true;
  const { probe, project } = shell.run.situation;
  if (probe.exists(`${project}/.git/refs/heads/${operand}`)) return false;
  return (
    SOURCE_FILE.test(operand) || (!/[~^@]/.test(operand) && probe.exists(resolvePath(operand, shell.cwd)))
  );
}

const checkout: Handler = (args, shell) => {
  const end = args.indexOf("--");
  const options = readOptions(end < 0 ? args : args.slice(0, end), {
    short: "bBU",
    long: ["orphan", "conflict", "unified", "inter-hunk-context"],
  });
  if (has(options, "-p", "--patch", "--ours", "--theirs")) return "";
  const paths = end < 0 ? [] : args.slice(end + 1);
  const makesBranch = has(options, "-b", "-B", "--orphan", "--detach", "-t", "--track", "-d");
  const [first = "", second] = options.operands;
  const overwrites =
    paths.length > 0 ||
    has(options, "-f", "--force", "--pathspec-from-file") ||
    (!makesBranch && (second !== undefined || (first !== "" && isPath(first, shell))));
  if (overwrites) report(shell, "git-discard");
  return "";
};

const restore: Handler = (args, shell) => {
  const options = readOptions(args, { short: "sU", long: ["source", "pathspec-from-file", "conflict"] });
  if (has(options, "-p", "--patch")) return "";
  const onlyIndex =
    options.flags.includes("--no-worktree") ||
    (has(options, "-S", "--staged") && !has(options, "-W", "--worktree"));
  const named = options.operands.length > 0 || has(options, "--pathspec-from-file");
  if (named && !onlyIndex) report(shell, "git-discard");
  return "";
};

/** Losing work by a flag. */
const discardsWith =
  (...flags: string[]): Handler =>
  (args, shell) => {
    if (has(readOptions(args, { short: "cC" }), ...flags)) report(shell, "git-discard");
    return "";
  };

const clean: Handler = (args, shell) => {
  const options = readOptions(args, { short: "e", long: ["exclude"] });
  const force =
    has(options, "-f", "--force") ||
    ["false", "0", "no", "off"].includes(setting(shell, "clean.requireforce"));
  if (force && !has(options, "-n", "--dry-run", "-i", "--interactive")) report(shell, "git-clean");
  return "";
};

const push: Handler = (args, shell) => {
  const options = readOptions(args, { short: "o", long: ["push-option", "repo", "receive-pack", "exec"] });
  if (has(options, "-n", "--dry-run")) return "";
  const refspecs = options.operands.slice(1);
  if (has(options, "-f", "--force", "--mirror") || refspecs.some((one) => /^\+./.test(one)))
    report(shell, "git-force-push");
  if (has(options, "-d", "--delete", "--prune") || refspecs.some((one) => /^:./.test(one)))
    report(shell, "git-delete-remote");
  return "";
};

/** `git diff | git apply -R` undoes what was not committed. */
const apply: Handler = (args, shell) => {
  const options = readOptions(args, { short: "pC" });
  if (has(options, "-R", "--reverse") && options.operands.length === 0 && !has(options, "--check", "--stat"))
    report(shell, "git-discard");
  return undefined;
};

const branch: Handler = (args, shell) => {
  const options = readOptions(args, {
    short: "u",
    long: ["set-upstream-to", "format", "sort", "contains", "merged", "no-merged"],
  });
  if (has(options, "-D", "-f", "--force")) report(shell, "git-delete-branch");
  return undefined;
};

const stash: Handler = (args, shell) => {
  const [verb = ""] = readOptions(args, { short: "m", long: ["message"] }).operands;
  if (/^(drop|clear)$/.test(verb)) report(shell, "git-stash-drop");
  return "";
};

const rewrites =
  (when: (args: readonly string[], shell: Shell) => boolean): Handler =>
  (args, shell) => {
    if (when(args, shell)) report(shell, "git-rewrite");
    return undefined;
  };

const isDry = (args: readonly string[]) => has(readOptions(args), "-n", "--dry-run");

/** Without `--expire=now` git keeps what is younger than 90 days. */
const expiresReflog = (args: readonly string[]) =>
  !isDry(args) &&
  (/^(delete|drop)$/.test(args[0] ?? "") ||
    (args[0] === "expire" && /(^| )--expire(-unreachable)?[= ](now|all|0)( |$)/.test(args.join(" "))));

const rm: Handler = (args, shell) => {
  const options = readOptions(args);
  if (has(options, "--cached") || isDry(args)) return "";
  if (has(options, "-f", "--force")) report(shell, "git-discard");
  for (const path of options.operands) if (has(options, "-r")) deleteTree(path.replace(/^:\/?/, "./"), shell);
  return "";
};

const worktree: Handler = (args, shell) => {
  const options = readOptions(args);
  if (options.operands[0] === "remove" && has(options, "-f", "--force")) report(shell, "git-discard");
  return undefined;
};

const submodule: Handler = (args, shell) => {
  const [verb, ...rest] = args.filter((arg) => !/^(-q|--quiet|--recursive)$/.test(arg));
  if (verb === "foreach" && rest.length === 1) shell.run.code(rest[0] ?? "", shell);
  else if (verb === "foreach" && rest.length) shell.run.argv(rest, shell);
  if (verb === "deinit" && has(readOptions(rest), "-f", "--force")) report(shell, "git-discard");
  return undefined;
};

const config: Handler = (args, shell) => {
  const options = readOptions(args, { short: "f", long: ["file", "type", "get", "get-all", "blob"] });
  const words = options.operands.filter((word, at) => at > 0 || !/^(set|get|list|unset|edit)$/.test(word));
  const writes =
    words.length > 1 ||
    options.operands[0] === "unset" ||
    has(options, "--unset", "--unset-all", "--add", "--replace-all", "--remove-section");
  const file =
    optionValue(options, "-f", "--file") ?? (has(options, "--system") ? "/etc/gitconfig" : undefined);
  if (writes && file !== undefined) writeFile(file, shell);
  const [key = "", value = ""] = words;
  if (writes && /^(core\.hookspath|init\.templatedir)$/i.test(key)) report(shell, "git-hooks");
  if (writes && value) remember(key, value, shell);
  return undefined;
};

/** For the git calls that follow in the same command. */
export function remember(key: string, value: string, shell: Shell): void {
  assign(`git ${key.toLowerCase()}`, [value], shell);
  if (!key.startsWith("alias.") || value.startsWith("!")) runSetting(key, value, shell);
}

const RUNS =
  /^(core\.(pager|editor|sshcommand|fsmonitor|askpass)|sequence\.editor|diff\.external|.*\.(textconv|command|cmd|driver|clean|smudge|helper)|pager\.\w+)$/i;

/** Settings whose value git hands to a shell. */
function runSetting(key: string, value: string, shell: Shell): void {
  if (value.startsWith("!")) shell.run.code(value.slice(1), shell);
  else if (RUNS.test(key)) shell.run.code(value, shell);
}

/** What this command has set, by `git -c` or `git config`. */
export const setting = (shell: Shell, key: string): string => shell.vars.get(`git ${key}`)?.[0]?.[0] ?? "";

const runsOption =
  (valued: Valued, ...names: string[]): Handler =>
  (args, shell) => {
    const code = optionValue(readOptions(args, valued), ...names);
    if (code !== undefined) shell.run.code(code, shell);
    return undefined;
  };

const CLONE = { short: "ubocj", long: ["branch", "depth", "origin", "config", "upload-pack"] };

const clone: Handler = (args, shell, verb) => {
  runsOption(CLONE, "-u", "--upload-pack")(args, shell, verb);
  const { operands } = readOptions(args, CLONE);
  makeDirectory(operands[verb === "init" ? 0 : 1] ?? ".", shell);
  return undefined;
};

const patchDirectory: Handler = (args, shell) => {
  const path = optionValue(
    readOptions(args, { short: "o", long: ["output", "output-directory"] }),
    "-o",
    "--output",
    "--output-directory",
  );
  if (path !== undefined) writeFile(path, shell);
  return undefined;
};

export const GIT_VERBS = programs([
  ["checkout", checkout],
  ["restore", restore],
  ["reset", discardsWith("--hard", "--merge")],
  ["switch", discardsWith("-f", "--force", "--discard-changes")],
  ["checkout-index", discardsWith("-f", "--force")],
  ["read-tree", discardsWith("--reset")],
  ["clean", clean],
  ["push send-pack", push],
  ["apply", apply],
  ["branch", branch],
  ["stash", stash],
  ["rm", rm],
  ["worktree", worktree],
  ["submodule", submodule],
  ["rebase", runsOption({ short: "xsX", long: ["exec", "onto", "strategy"] }, "-x", "--exec")],
  ["config", config],
  ["difftool", runsOption({ short: "x", long: ["extcmd"] }, "-x", "--extcmd")],
  ["clone init", clone],
  ["archive format-patch diff log", patchDirectory],
  [
    "bisect",
    (args, shell) =>
      args[0] === "run" && args.length > 1 ? shell.run.argv(args.slice(1), shell) : undefined,
  ],
  ["filter-branch", rewrites(() => true)],
  ["lfs", rewrites((args) => args[0] === "migrate" && args[1] !== "info")],
  ["filter-repo", rewrites((args) => !isDry(args) && !args.includes("--analyze"))],
  ["reflog", rewrites(expiresReflog)],
  [
    "gc",
    rewrites(
      (args, shell) =>
        args.some((arg) => /^--pr\w*=(now|all)/.test(arg)) ||
        ["gc.pruneexpire", "gc.reflogexpire"].some((key) => ["now", "all"].includes(setting(shell, key))),
    ),
  ],
  ["prune", rewrites((args) => !isDry(args))],
  [
    "update-ref",
    rewrites(
      (args, shell) =>
        args.includes("-d") || (args.includes("--stdin") && /^(delete|update)\b/m.test(shell.stdin)),
    ),
  ],
]);
