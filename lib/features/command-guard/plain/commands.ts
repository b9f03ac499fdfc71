// Which calls of the programs the engine knows are harmless at a glance. The rest is left to the engine.
import { UNSEEN } from "./lexer.ts";

/** Whether a path may be written or deleted without a second look; absent where files are out of the question. */
export type SafePath = (path: string) => boolean;
type Check = (args: readonly string[], safe: SafePath) => boolean;

/** They print, test or wait, whatever they are given. */
const PURE = new Set(
  "ls cat head tail wc grep egrep fgrep rg echo printf pwd which whoami sleep true false : test [ type jobs wait ps lsof pgrep pidof ss netstat top htop pstree jps cut uniq nl fold column paste tr rev tac bat less more basename dirname realpath readlink dig nslookup read let".split(
    " ",
  ),
);

// A pattern is made when its program is met: to make them all would cost each call more than its own check.
const matching =
  (pattern: () => RegExp): Check =>
  (args) =>
    pattern().test(args.join(" "));
const only =
  (pattern: () => RegExp): Check =>
  (args) =>
    args.every((arg) => pattern().test(arg));

const GIT_READS = [
  "status",
  "log",
  "diff",
  "show",
  "add",
  "commit",
  "fetch",
  "pull",
  "rev-parse",
  "ls-files",
  "blame",
  "describe",
  "shortlog",
  "merge-base",
  "cherry-pick",
  "revert",
  "merge",
  "ls-remote",
];
/** Options by which git writes a file or runs a program. */
const isGitOdd = (arg: string) => /^(-o|-O|--ou|--up|--ex|--op|--rec|-x|-c$|-i$)|::/.test(arg);
const GIT_MORE: Record<string, () => RegExp> = {
  __proto__: null as never,
  branch: () => /^(-a|-v|-vv|-r|--list|--show-current|--merged|--no-merged|)( [\w./][\w./-]*)?$/,
  checkout: () => /^-b [\w./][\w./-]*( [\w./][\w./-]*)?$/,
  switch: () => /^(-c |--create )?[\w./][\w./-]*$/,
  stash: () => /^(|push|pop|list|show|apply|push -m [^-].*)$/,
  push: () => /^(?:(?:-u|--set-upstream|--tags|--force-with-lease|[\w./][\w./-]*)(?: |$))*$/,
  restore: () => /^--staged [^-].*$/,
  remote: () => /^(-v|get-url [\w-]+|)$/,
  tag: () => /^(|-l.*|v[\d.]+)$/,
  config: () => /^(--list|--get [\w.]+)$/,
  worktree: () => /^list$/,
  reflog: () => /^$/,
  rebase: () => /^([\w./][\w./-]*|--continue|--abort|--skip)$/,
};

function git(args: readonly string[]): boolean {
  const [verb = "", ...rest] =
    args[0] === "-C" ? args.slice(2) : args[0] === "--no-pager" ? args.slice(1) : args;
  if (rest.some((arg) => isGitOdd(arg) && verb !== "commit")) return false;
  return (
    GIT_READS.includes(verb) ||
    (Object.hasOwn(GIT_MORE, verb) && (GIT_MORE[verb] ?? NEVER)().test(rest.join(" ")))
  );
}
const NEVER = () => /(?!)/;

function sed(args: readonly string[]): boolean {
  const operands = args.filter((arg) => !/^-(n|E|r|e|u|s)+$/.test(arg));
  return (
    operands.every((arg) => !arg.startsWith("-")) &&
    /^(?:[\d,$]+[pd]|\/[^/]*\/[pd]|s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gI\d]*)$/.test(operands[0] ?? "")
  );
}

function awk(args: readonly string[]): boolean {
  const [first = "", second = ""] = args;
  const program = /^-F.+/.test(first) ? second : first === "-F" ? (args[2] ?? "") : first;
  return !program.startsWith("-") && !/[|>]|system|getline/.test(program);
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
  (flags: () => RegExp): Check =>
  (args, safe) =>
    args.every((arg) => (arg.startsWith("-") ? flags().test(arg) : safe(arg)));

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

const script: Check = (args) => args[0] !== undefined && !args[0].startsWith("-");
const module: Check = (args) => /^(-m [\w.]+|[^-].*|--version|-V)/.test(args.join(" "));

const CHECKS: Record<string, Check> = {
  __proto__: null as never,
  git,
  gh: matching(() => /^(pr|issue|run|release|workflow|search|repo (view|list|clone)) /),
  npm: matching(
    () =>
      /^(test|t|run|run-script|ci|install|i|start|ls|view|outdated|audit|pack|version|--version|-v|root|prefix)( |$)/,
  ),
  pnpm: matching(
    () => /^(test|run|install|i|build|lint|typecheck|dev|start|add|-r|--filter [\w@/-]+)( (?!exec|dlx)|$)/,
  ),
  yarn: matching(() => /^(test|run|install|build|lint|add|dev|start)?( |$)/),
  npx: matching(
    () =>
      /^((--yes|-y|--no-install) )?(tsc|vitest|biome|eslint|prettier|jest|playwright|vite|next|turbo|knip|prisma|drizzle-kit|svelte-kit|astro|ng|nx)( |$)/,
  ),
  uv: matching(() => /^(sync|lock|add|pip|tree|run (pytest|ruff|mypy|python \S+))( |$)/),
  poetry: matching(() => /^(install|show|add|lock|run (pytest|ruff|mypy))( |$)/),
  bundle: matching(() => /^(install|exec (rspec|rubocop|rails|rake))( |$)/),
  make: only(() => /^(?!.*(=|--ev))/s),
  cmake: (args) => args[0] !== "-E",
  ...Object.fromEntries(["node", "tsx", "bun"].map((name) => [name, script])),
  ...Object.fromEntries(["python", "python3"].map((name) => [name, module])),
  go: (args) => !args.some((arg) => arg.endsWith(".go")) || args[0] !== "run",
  deno: matching(() => /^(test|fmt|lint|check|task|run) /),
  sed,
  awk,
  curl,
  sort: only(() => /^(?!-\w*o|--o)/),
  jq: () => true,
  find: only(() => /^(?!-(delete|exec|ok|fprint|fls))/),
  fd: only(() => /^(?!-[xX]|--exec)/),
  docker: matching(
    () =>
      /^(ps|images|logs|build|inspect|version|info|stats|compose (ps|logs|up|down|build|config|pull)|network ls|volume ls)( |$)/,
  ),
  kubectl: matching(() => /^(get|describe|logs|top|version|explain|config view|rollout status)( |$)/),
  rm: files(() => /^-[rRfv]+$/),
  touch: files(NEVER),
  cp: copies,
  mv: copies,
  tee: files(() => /^-a$/),
  chmod,
  cd: () => true,
  command: matching(() => /^-v /),
  export: only(
    () =>
      /^(?!PAGER|\w*_PAGER|MANPAGER|EDITOR|VISUAL|GIT_|\w*ASKPASS|PROMPT_COMMAND|LESSOPEN|BROWSER|RSYNC_RSH|PS4|HIST)/,
  ),
  set: only(() => /^[-+](\w+|o)$|^pipefail$/),
  base64: (args) => !args.some((arg) => /^-\w*[dD]|^--d/.test(arg)),
  systemctl: matching(() => /^(status|is-active|list-units|show) /),
  history: (args) => args.length === 0,
  aws: (args) => args[0] !== "s3",
  psql: only(() => /^(?!.*\\!)/s),
  sqlite3: only(() => /^(?!(.*\n)?\s*\.)/s),
};

const needsNames = (args: readonly string[]) => !args.some((arg) => arg.includes(UNSEEN));

/** Undefined for a program that only the engine can speak about. */
export function isHarmlessCall(program: string, args: readonly string[], safe: SafePath): boolean {
  if (PURE.has(program)) return true;
  const check = Object.hasOwn(CHECKS, program) ? CHECKS[program] : undefined;
  return check !== undefined && needsNames(args) && check(args, safe);
}
