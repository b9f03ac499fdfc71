// chmod, chown and their kin: opening what should stay closed, or changing whole trees that are not ours.
import { locationOf } from "../locations.ts";
import { whyProtected } from "../protected-paths.ts";
import type { RuleId } from "../rules.ts";
import { locate } from "../shell/file-effects.ts";
import { has, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { report, type Shell, SOME_NAME } from "../shell/state.ts";

/** World-writable, as a number or in letters. */
const opens = (mode: string) =>
  (/^0?[0-7]{2,3}[2367]$/.test(mode) && !/^0?1[0-7]{3}$/.test(mode)) ||
  mode.split(",").some((part) => /^[ug]*[oa][ugoa]*[+=][rxXst]*w/.test(part));
const setsId = (mode: string) => /^0?[4-7][0-7]{3}$/.test(mode) || /^(u|a|ug|ugo)?[+=][rwxX]*s/.test(mode);
/** No one may read any more: as destructive as a delete on a tree. */
const closes = (mode: string) => /^0+$/.test(mode) || /^(a|ugo|u)?(=|-(?=\w*[rwx])\w+)$/.test(mode);

function whole(path: string, shell: Shell): boolean {
  const target = locate(path, shell);
  const place = locationOf(target.path, shell.run.situation, true);
  const isTree = place === "root" || place === "home";
  if (isTree) report(shell, "permissions-system", target.path);
  return isTree;
}

/** The rule for a file whose mode or owner should stay as it is. */
function whyFixed(path: string, shell: Shell): RuleId | undefined {
  const target = locate(path, shell);
  const why = whyProtected(target.path, shell.run.situation, "write");
  const isFixed =
    why === "protect-system" || why === "protect-keys" || why === "disk" || why === "protect-credentials";
  return isFixed && !target.remote ? why : undefined;
}

const isOutside = (path: string, shell: Shell) => {
  const { path: target, remote } = locate(path, shell);
  return !remote && locationOf(target, shell.run.situation, true) === "outside";
};

/** `chmod` takes modes that look like options (`-x`, `-rwx`). */
function readChmod(args: readonly string[]) {
  const isMode = (arg: string) => /^-[rwxXst]+$/.test(arg);
  const options = readOptions(
    args.filter((arg) => !isMode(arg)),
    { long: ["reference"] },
  );
  const asOption = has(options, "--reference") ? "" : args.find(isMode);
  const [mode = "", ...paths] = asOption === undefined ? options.operands : [asOption, ...options.operands];
  return { options, mode, paths };
}

/** Inside a container it is the container's own business. */
function reportHere(path: string, shell: Shell): void {
  const target = locate(path, shell);
  if (target.remote?.kind !== "container") report(shell, "permissions-open", target.path);
}

const chmod: Handler = (args, shell) => {
  const { options, mode, paths } = readChmod(args);
  const recursive = has(options, "-R", "--recursive");
  for (const path of paths) {
    if ((recursive || opens(mode) || closes(mode)) && whole(path, shell)) continue;
    const fixed = whyFixed(path, shell);
    if (setsId(mode) || opens(mode)) reportHere(path, shell);
    else if (recursive && closes(mode) && shell.remote === undefined) closeTree(path, shell);
    else if (fixed && (fixed === "protect-system" || !tightens(mode))) report(shell, fixed, path);
    else if (mode.split(",").some(setsId)) reportHere(path, shell);
  }
  return "";
};

const tightens = (mode: string) =>
  /^0?[0-7][0-4]?[04]{1,2}$/.test(mode) ||
  mode.split(",").every((part) => /^(go|og|g|o|a|ugo)?[-=][rwx]*$/.test(part) || /^u[+=-]\w*$/.test(part));

/** Locking a tree is fine inside the project's own directories only. */
function closeTree(path: string, shell: Shell): void {
  const place = locationOf(locate(path, shell).path, shell.run.situation, true);
  if (place !== "inside" && place !== "temp") report(shell, "permissions-open", path);
}

const chown: Handler = (args, shell) => {
  const options = readOptions(args, { long: ["reference", "from"] });
  const paths = has(options, "--reference") ? options.operands : options.operands.slice(1);
  for (const path of paths) {
    const recursive = has(options, "-R", "--recursive") || path.includes(SOME_NAME);
    if (recursive && whole(path, shell)) continue;
    const fixed = whyFixed(path, shell);
    if (fixed) report(shell, fixed, path);
    else if (recursive && isOutside(path, shell)) report(shell, "permissions-open", path);
  }
  return "";
};

const setfacl: Handler = (args, shell) => {
  const options = readOptions(args, { short: "mxMX", long: ["modify", "remove"] });
  for (const path of options.operands) {
    if (has(options, "-R", "--recursive") && whole(path, shell)) continue;
    const fixed = whyFixed(path, shell);
    if (fixed) report(shell, fixed, path);
  }
  return "";
};

const chattr: Handler = (args, shell) => {
  const recursive = args.some((arg) => /^-[A-Z]*R/.test(arg));
  for (const path of args.filter((arg) => !/^[-+=]/.test(arg))) {
    if (recursive && whole(path, shell)) continue;
    if (recursive && args.some((arg) => /^\+\w*[ia]/.test(arg))) closeTree(path, shell);
    const fixed = whyFixed(path, shell);
    if (fixed) report(shell, fixed, path);
  }
  return "";
};

export const CHMOD = programs([
  ["chmod gchmod", chmod],
  ["chown chgrp gchown", chown],
  ["setfacl", setfacl],
  ["chattr chflags xattr", chattr],
  [
    "setcap",
    (args, shell) => {
      for (const path of args.slice(1)) reportHere(path, shell);
      return "";
    },
  ],
]);
