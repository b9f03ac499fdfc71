// Which paths must not be written: one answer for Write, Edit, redirections and every command that changes a file.
import { alternatives } from "../core/glob.ts";
import {
  baseName,
  fromHome,
  isAt,
  isGlob,
  isInside,
  matchesGlob,
  parentOf,
  resolvePath,
  withPlainPaths,
} from "./paths.ts";
import type { RuleId } from "./rules.ts";
import { hasUnknown, SOME_NAME, withoutForgedMarks } from "./shell/state.ts";
import type { Situation, Verdict } from "./situation.ts";
import { verdictOf } from "./verdict.ts" with { loading: "lazy" };
import { wordSet } from "./word-set.ts";

export type Change = "write" | "delete";

const SYSTEM = wordSet(
  "/etc /boot /bin /sbin /lib /lib32 /lib64 /usr/bin /usr/sbin /usr/lib /usr/lib64 /usr/libexec /usr/share /usr/include /sys /var/spool/cron /system /library /c/windows",
);
const SHARED = ["/usr/local", "/var/log"];
const KEY_STARTS = ["id_", "authorized_keys", "ssh_host_"];

// The patterns are inside the function: as constants of the module every call would compile all of them.
const isDisk = (path: string) =>
  path.startsWith("/dev/") &&
  /^\/dev\/(r?disk\d|disk\/|[shv]d[a-z?*[]|xvd[a-z]|nvme\d|mmcblk\d|md\d|dm-\d|mapper\/|nbd\d|loop\d|sr\d|k?mem$|port$)/.test(
    path,
  );
const isHistory = (path: string) =>
  path.endsWith("_history") &&
  /\/\.(bash|zsh|sh|python|node_repl|mysql|psql)_history$|\/fish_history$/.test(path);
const isGitFree = (path: string) =>
  /\/\.git\/(info\/(exclude|sparse-checkout)|[A-Z]+_(EDITMSG|MSG)(\.\w+)?|description)$/i.test(path);
const isKeyFile = (name: string) =>
  KEY_STARTS.some((start) => name.startsWith(start)) &&
  /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?(\.\w+)?|authorized_keys2?|ssh_host_\w+_key(\.pub)?)$/.test(name);
const isCredential = (path: string) =>
  /^[._]$/.test(path.charAt(0)) &&
  /^(\.aws|\.gnupg|\.azure|\.config\/gcloud)(\/|$)|^(\.netrc|_netrc|\.pgpass|\.git-credentials|\.pypirc|\.kube\/config|\.docker\/config\.json|\.config\/gh\/hosts\.yml)$/.test(
    path,
  );

/** What runs at the start of every shell of a person. */
const isStartup = (path: string) =>
  (path.startsWith(".") || path.startsWith("d")) &&
  (/^\.config\/((fish|zsh)(?!\/completions\/)|nushell|powershell|environment\.d)(\/|$)|^\.(bashrc|zshrc)\.d(\/|$)|^documents\/(windows)?powershell\/[^/]*profile\.ps1$/.test(
    path,
  ) ||
    STARTUP.words().some((name) => isNamed(path, name)));
const STARTUP = wordSet(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .xprofile .xinitrc .xsession .xsessionrc .pam_environment",
);

/** Also by a pattern: `.bash*`. A hidden file is met only by one that begins with its dot. */
const isNamed = (path: string, name: string) =>
  path === name || (isGlob(path) && path.startsWith(".") === name.startsWith(".") && matchesGlob(path, name));

const CLIENT_FILES = ["settings.json", "settings.local.json", ".claude.json"];
/** Its settings, and where its hooks and plugins are; `below` is what follows the client's directory. */
const isClientFile = (below: string) =>
  ["", "hooks", "plugins"].includes(below.split("/")[0] ?? "") ||
  CLIENT_FILES.some((name) => isNamed(below, name)) ||
  /^settings(?!\.(example|sample|template)\.)[^/]*\.json$/.test(below);

function isClient(path: string, { base, home }: Situation): boolean {
  const own = base.toLowerCase();
  if (isAt(path, own)) return isClientFile(path.slice(own.length + 1));
  if (!path.includes("/.claude")) return false;
  const parts = path.split("/");
  return (
    belowHome(path, home.toLowerCase()) === ".claude.json" ||
    parts.some((part, at) => part === ".claude" && isClientFile(parts.slice(at + 1, at + 3).join("/")))
  );
}

/** With the directory they are in: what moves or deletes it takes them along. */
function isSwarm(path: string, base: string): boolean {
  const own = `${base.toLowerCase()}/swarm`;
  if (isAt(path, own)) return path === own || isNamed(path.slice(own.length + 1), "settings.toml");
  return isNamed(baseName(path), ".atm.toml");
}

function isEnvFile(name: string): boolean {
  if (isGlob(name))
    return name.startsWith(".e") && [".env", ".env.local"].some((file) => matchesGlob(name, file));
  return (
    name === ".env" ||
    (name.startsWith(".env.") &&
      !/\.(example|sample|template|tmpl|tpl|defaults?|dist|schema|md|d\.ts)(\.|$)/.test(name))
  );
}

const isUnder = (path: string, tree: string) =>
  isGlob(path) && !hasUnknown(path)
    ? matchesGlob(path.split("/").slice(0, tree.split("/").length).join("/"), tree)
    : isAt(path, tree);

/** Where the project is the root, a system tree is still the system's. */
const isOfProject = (path: string, project: string) => project !== "/" && isAt(path, project.toLowerCase());

const isSystem = (path: string, project: string) =>
  isUnder(path, "/etc") ||
  (!isOfProject(path, project) && SYSTEM.words().some((tree) => isUnder(path, tree)));

const HOMES = ["/home/", "/users/", "/c/users/", "/root/"];

/** The part of a path below anyone's home directory. */
const belowHome = (path: string, home: string) =>
  isAt(path, home)
    ? path.slice(home === "/" ? 1 : home.length + 1)
    : HOMES.some((homes) => path.startsWith(homes))
      ? path.replace(/^(\/(home|users|c\/users)\/[^/]+|\/root)\//, "")
      : path;

/** Some file right below the root, as a search of everything finds them. */
const isAnywhere = (path: string) =>
  path.lastIndexOf("/") === 0 && [SOME_NAME, "*", "?"].some((sign) => path.includes(sign));

/** /proc is written to only to steer the kernel, save for a process's own streams. */
const isKernel = (path: string) => path.startsWith("/proc/") && !/^\/proc\/[^/]+\/fd\//.test(path);

/** A directory whose name has signs of a pattern in it stands for itself. */
const asPattern = (directory: string) => directory.replace(/[*?[]/g, "[$&]");

/** `a/**` in front of a name is `a` too. */
const matchesTree = (pattern: string, path: string) =>
  matchesGlob(pattern, path) || matchesGlob(pattern.replaceAll("/**/", "/"), path);

function matchesAny(
  path: string,
  patterns: readonly string[],
  situation: Situation,
  change: Change = "write",
): boolean {
  return patterns.flatMap(alternatives).some((pattern) => {
    const expanded = fromHome(pattern, situation.home).replace(/\/+(\*\*)?$/, "");
    if (!pattern.includes("/") && isGlob(pattern)) return matchesGlob(pattern, baseName(path));
    if (isGlob(expanded)) return matchesTree(resolvePath(expanded, asPattern(situation.project)), path);
    const full = resolvePath(expanded, situation.project);
    return isAt(path, full) || (change === "delete" && isInside(full, path));
  });
}

function ruleForName(path: string, home: string, change: Change): RuleId | undefined {
  const name = baseName(path);
  if (path.split("/").includes(".ssh") || isKeyFile(name)) return "protect-keys";
  if (isEnvFile(name)) return "protect-env";
  if (isHistory(path)) return "hide-traces";
  const below = belowHome(path, home);
  if (isCredential(below)) return "protect-credentials";
  if (isStartup(below)) return "protect-startup";
  if (below === ".gitconfig" || below === ".config/git/config") return "git-hooks";
  const isLock = change === "delete" && name.endsWith(".lock");
  if (path.split("/").indexOf(".git") > 0 && !isGitFree(path) && !isLock) return "protect-git";
  return undefined;
}

function ruleForPath(path: string, situation: Situation, change: Change): RuleId | undefined {
  const lower = path.toLowerCase();
  if (isSwarm(lower, situation.base)) return "protect-swarm";
  if (isDisk(lower)) return "disk";
  if (matchesAny(path, situation.policy.unprotect, situation)) return undefined;
  if (matchesAny(path, situation.policy.protect, situation, change)) return "protect-custom";
  if (
    isInside(path, situation.project) &&
    matchesAny(path, situation.policy.protectInside, situation, change)
  )
    return "protect-custom";
  if (isClient(lower, situation)) return "protect-client";
  if (path === "/" || isSystem(lower, situation.project) || isKernel(lower) || isAnywhere(lower))
    return "protect-system";
  const named = ruleForName(lower, situation.home.toLowerCase(), change);
  const isShared = !isOfProject(lower, situation.project) && SHARED.some((tree) => isUnder(lower, tree));
  return named ?? (isShared ? "protect-shared" : undefined);
}

/** A .env file that is not there yet can be created where a person agrees, and so can a copy with a date in its name. */
function isNewEnv(rule: RuleId | undefined, path: string, situation: Situation, change: Change): boolean {
  if (rule !== "protect-env" || change !== "write") return false;
  const isCopy = /^\.env.*\.(bak|backup|old)/.test(baseName(path));
  return !hasUnknown(isCopy ? parentOf(path) : path) && !isGlob(path) && !situation.probe.exists(path);
}

/** `path` is resolved already. The real path behind links counts as much as the written one; deleting a link spares its target. */
export function whyProtected(path: string, situation: Situation, change: Change): RuleId | undefined {
  const { probe } = situation;
  const lexical = ruleForPath(path, situation, change);
  if (isNewEnv(lexical, path, situation, change)) {
    const real = resolvePath(probe.realPath(path), "/");
    if (ruleForPath(real, situation, change) === lexical) return "create-env";
  }
  if (lexical || hasUnknown(path) || isGlob(path)) return lexical;
  const written =
    change === "write" ? probe.realPath(path) : `${probe.realPath(parentOf(path))}/${baseName(path)}`;
  const real = resolvePath(written, "/");
  return real === path ? undefined : ruleForPath(real, situation, change);
}

/** Longer than any system takes. */
const LONGEST = 32_768;

/** The verdict on a path that a tool would write. Not in judge.ts: a file tool must not pay for the shell parser. */
export function judgeWrite(path: string, given: Situation): Verdict | undefined {
  if (path.length > LONGEST) return verdictOf([{ rule: "unverifiable", subject: path.slice(0, 60) }], given);
  const situation = withPlainPaths(given);
  const clean = fromHome(withoutForgedMarks(path), situation.home);
  const target = resolvePath(clean, situation.cwd);
  const rule = whyProtected(target, situation, "write");
  return rule && verdictOf([{ rule, subject: "", path: target }], situation);
}
