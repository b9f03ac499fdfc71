// Which calls of the programs the engine knows are harmless at a glance. The rest is left to the engine.
import { isAmong } from "../../../parse/among.ts";
import { UNSEEN } from "./lexer.ts";

/** Whether a path may be written or deleted without a second look; absent where files are out of the question. */
export type SafePath = (path: string) => boolean;
type Check = (args: readonly string[], safe: SafePath) => boolean;

/** They print, test or wait, whatever they are given. */
const PURE =
  "ls cat head tail wc grep egrep fgrep rg echo printf pwd which whoami sleep true false : test [ type jobs wait ps lsof pgrep pidof ss netstat top htop pstree jps cut nl fold column paste tr rev tac bat more basename dirname realpath readlink dig nslookup read seq yes";

const matching =
  (pattern: RegExp): Check =>
  (args) =>
    pattern.test(args.join(" "));
const only =
  (pattern: RegExp): Check =>
  (args) =>
    args.every((arg) => pattern.test(arg));

const GIT_READS =
  "status log diff show add commit fetch pull rev-parse ls-files blame describe shortlog merge-base cherry-pick revert merge ls-remote";
/** Options by which git writes a file or runs a program. */
const GIT_ODD = ["-o", "-O", "--ou", "--up", "--ex", "--op", "--rec", "-x"];
const isGitOdd = (arg: string) =>
  arg === "-c" || arg === "-i" || arg.includes("::") || GIT_ODD.some((odd) => arg.startsWith(odd));
const gitPattern = (is: (verb: string) => boolean): RegExp | undefined => {
  if (is("branch")) return /^(-a|-v|-vv|-r|--list|--show-current|--merged|--no-merged|)( [\w./][\w./-]*)?$/;
  if (is("checkout")) return /^-b [\w./][\w./-]*( [\w./][\w./-]*)?$/;
  if (is("switch")) return /^(-c |--create )?[\w./][\w./-]*$/;
  if (is("stash")) return /^(|push|pop|list|show|apply|push -m [^-].*)$/;
  if (is("push")) return /^(?:(?:-u|--set-upstream|--tags|--force-with-lease|[\w./][\w./-]*)(?: |$))*$/;
  if (is("restore")) return /^--staged [^-].*$/;
  if (is("remote")) return /^(-v|get-url [\w-]+|)$/;
  if (is("tag")) return /^(|-l.*|v[\d.]+)$/;
  if (is("config")) return /^(--list|--get [\w.]+)$/;
  if (is("worktree")) return /^list$/;
  if (is("reflog")) return /^$/;
  if (is("rebase")) return /^([\w./][\w./-]*|--continue|--abort|--skip)$/;
  return undefined;
};

function git(args: readonly string[]): boolean {
  const [verb = "", ...rest] =
    args[0] === "-C" ? args.slice(2) : args[0] === "--no-pager" ? args.slice(1) : args;
  if (rest.some((arg) => isGitOdd(arg) && verb !== "commit")) return false;
  return isAmong(verb, GIT_READS) || gitPattern((one) => one === verb)?.test(rest.join(" ")) === true;
}

function sed(args: readonly string[]): boolean {
  if (args.filter((arg) => arg.startsWith("-") && arg.endsWith("e")).length > 1) return false;
  const operands = args.filter((arg) => !/^-(n|E|r|e|u|s)+$/.test(arg));
  return (
    operands.every((arg) => !arg.startsWith("-")) &&
    /^(?:[\d,$]+[pd]|\/[^/]*\/[pd]|s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gI\d]*)$/.test(operands[0] ?? "")
  );
}

const AWK_CALLS =
  "if for while print printf sprintf length substr split sub gsub gensub match index tolower toupper int strftime systime";

function awk(args: readonly string[]): boolean {
  const [first = "", second = ""] = args;
  const program = /^-F.+/.test(first) ? second : first === "-F" ? (args[2] ?? "") : first;
  const calls = [...program.matchAll(/(\w+)\s*\(/g)].map(([, name = ""]) => name);
  const isOdd = program.startsWith("-") || /[|>]|system|getline|exec/.test(program);
  return !isOdd && calls.every((name) => isAmong(name, AWK_CALLS));
}

function curl(args: readonly string[]): boolean {
  const flag = /^(-[sSfLkivIG#46]+|--(silent|show-error|fail|location|head|include|compressed|get))$/;
  const valued =
    /^(-[XHduAmwb]|--(request|header|data|data-raw|user|user-agent|max-time|write-out|connect-timeout|retry))$/;
  return args.every(
    (arg, at) =>
      flag.test(arg) ||
      valued.test(arg) ||
      valued.test(args[at - 1] ?? "") ||
      /^(https?:\/\/|localhost)/.test(arg),
  );
}

const files =
  (flags?: RegExp): Check =>
  (args, safe) =>
    args.every((arg) => (arg.startsWith("-") ? flags?.test(arg) === true : safe(arg)));

const copies: Check = (args, safe) => {
  const operands = args.filter((arg) => !arg.startsWith("-"));
  return (
    operands.length === 2 &&
    operands.every(safe) &&
    args.every((arg) => !arg.startsWith("-") || /^-[rRafpnv]+$/.test(arg))
  );
};

const chmod: Check = ([mode = "", ...paths], safe) =>
  /^(\+x|[ua]\+x|755|644|700|600)$/.test(mode) && paths.every(safe);

const compiler: Check = (args, safe) =>
  args.every((arg, at) => !isAmong(arg, "- -wrapper") && (args[at - 1] !== "-o" || safe(arg)));

const script: Check = (args) => args[0] !== undefined && !args[0].startsWith("-");
/** Modules that run code, unpack or decode. */
const CODE_MODULES = "base64 git_filter_repo timeit pdb tarfile zipfile";
const module: Check = ([first = "", second = ""]) =>
  first === "-m"
    ? /^[\w.]/.test(second) && !isAmong(second, CODE_MODULES)
    : (first !== "" && !first.startsWith("-")) || first.startsWith("--version") || first.startsWith("-V");

const checkOf = (is: (names: string) => boolean): Check | undefined => {
  if (is("git")) return git;
  if (is("java")) return (args) => !args.some((arg) => arg.includes("bfg"));
  if (is("gh"))
    return matching(/^(pr|issue|run|release (?!download)|workflow|search|repo (view|list|clone)) /);
  if (is("npm"))
    return matching(
      /^(?!.*--script-shell)(test|t|run|run-script|ci|install|i|start|ls|view|outdated|audit|pack|version|--version|-v|root|prefix)( |$)/,
    );
  if (is("pnpm"))
    return matching(
      /^(test|run|install|i|build|lint|typecheck|dev|start|add|-r|--filter [\w@/-]+)( (?!exec|dlx)|$)/,
    );
  if (is("yarn")) return matching(/^(test|run|install|build|lint|add|dev|start)?( |$)/);
  if (is("npx"))
    return matching(
      /^((--yes|-y|--no-install) )?(tsc|vitest|biome|eslint|prettier|jest|playwright|vite|next|turbo|knip|prisma|drizzle-kit|svelte-kit|astro|ng|nx)( |$)/,
    );
  if (is("uv")) return matching(/^(sync|lock|add|pip|tree|run (pytest|ruff|mypy|python [^-\s]\S*))( |$)/);
  if (is("poetry")) return matching(/^(install|show|add|lock|run (pytest|ruff|mypy))( |$)/);
  if (is("brew")) return (args) => args[0] !== "bundle";
  if (is("bundle")) return matching(/^(install|exec (rspec|rubocop|rails|rake))( |$)/);
  if (is("make")) return only(/^(?!.*(=|--ev)|-\w*[fE]|--[fm])/s);
  if (is("cmake")) return (args) => args[0] !== "-E";
  if (is("node tsx")) return script;
  if (is("bun")) return (args, safe) => script(args, safe) && !isAmong(args[0] ?? "", "x exec");
  if (is("rails")) return ([verb = ""]) => !isAmong(verb, "runner r");
  if (is("gcc cc g++ clang clang++")) return compiler;
  if (is("python python3")) return module;
  if (is("go"))
    return (args) =>
      !args.some((arg) => arg === "-o" || arg.includes("exec") || (arg.endsWith(".go") && args[0] === "run"));
  if (is("cargo")) return only(/^(?!-s$|--(config|shell))/);
  if (is("apt apt-get")) return only(/^(?!-o|--option)/);
  if (is("deno")) return matching(/^(test|fmt|lint|check|task|run) (?!.*(^| )-( |$))/);
  if (is("sed")) return sed;
  if (is("awk")) return awk;
  if (is("curl")) return curl;
  if (is("sort")) return only(/^(?!-(?!-).*o|--o)/);
  if (is("jq")) return () => true;
  if (is("less")) return only(/^[^+]/);
  if (is("uniq")) return (args) => args.filter((arg) => !arg.startsWith("-")).length < 2;
  if (is("find")) return only(/^(?!-(delete|exec|ok|fprint|fls))/);
  if (is("fd")) return only(/^(?!-[xX]|--exec)/);
  if (is("docker"))
    return matching(
      /^(ps|images|logs|build|inspect|version|info|stats|compose (ps|logs|up|down|build|config|pull)|network ls|volume ls)( |$)/,
    );
  if (is("kubectl"))
    return matching(/^(get|describe|logs|top|version|explain|config view|rollout status)( |$)/);
  if (is("rm")) return files(/^-[rRfv]+$/);
  if (is("touch")) return files();
  if (is("mkdir")) return files(/^-[pv]+$/);
  if (is("cp")) return copies;
  if (is("mv")) return copies;
  if (is("tee")) return files(/^-a$/);
  if (is("chmod")) return chmod;
  if (is("cd")) return () => true;
  if (is("command")) return matching(/^-v /);
  if (is("export"))
    return only(
      /^(?!PAGER|\w*_PAGER|MANPAGER|EDITOR|VISUAL|GIT_|\w*ASKPASS|PROMPT_COMMAND|LESSOPEN|BROWSER|RSYNC_RSH|PS\d|HIST|HOME|CDPATH|BASH_ENV|ENV|KUBE_EDITOR|CARGO_)/,
    );
  if (is("set")) return only(/^[-+](\w+|o)$|^pipefail$/);
  if (is("base64")) return (args) => !args.some((arg) => /^-\w*[dD]|^--d/.test(arg));
  if (is("systemctl")) return matching(/^(status|is-active|list-units|show) /);
  if (is("history")) return (args) => args.length === 0;
  if (is("aws")) return (args) => args[0] !== "s3";
  return undefined;
};

const needsNames = (args: readonly string[]) => !args.some((arg) => arg.includes(UNSEEN));

/** Undefined for a program that only the engine can speak about. */
export function isHarmlessCall(program: string, args: readonly string[], safe: SafePath): boolean {
  if (isAmong(program, PURE)) return true;
  const check = checkOf((names) => isAmong(program, names));
  return check !== undefined && needsNames(args) && check(args, safe);
}
