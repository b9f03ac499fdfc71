// Most commands are harmless at a glance: plain words, known programs, nothing computed. They pass without the parser.
// Whatever this page is not sure of it leaves to the engine; a test holds the two to the same answer.
import { isWord, nameLength, withoutVersion } from "../../parse/among.ts";
import { isHarmlessCall, type SafePath } from "./plain/commands.ts";
import { type Piece, piecesOf, UNSEEN } from "./plain/lexer.ts";
import { isKnown } from "./plain/names.ts";
import { withoutTexts } from "./plain/texts.ts";

/** Where the command would run, for the few that touch files. */
export type Ground = { cwd: string; realPath(path: string): string; protectsMore: boolean };

const LONGEST = 65_536;
const SINKS = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];

// A regular expression is made where it is needed: each costs a call as much as a page of code.
const isOddGround = (cwd: string) =>
  /^\/(etc|usr|boot|s?bin|lib\w*|sys|proc|dev|var|System|Library|private|tmp$)(\/|$)|\/\./.test(cwd);
const isPlainName = (path: string) =>
  /^(?:\.\/)?[\w@+-][\w.@+-]*(?:\/[\w@+-][\w.@+-]*)*$/.test(path) &&
  !/(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|authorized_keys|ssh_host_|_netrc)/.test(path);

/** Below the working directory, not hidden, no link on the way. */
function safePathOf(ground: Ground): SafePath {
  const { cwd, realPath, protectsMore } = ground;
  return (path) => {
    if (SINKS.includes(path)) return true;
    if (protectsMore || isOddGround(cwd) || !isPlainName(path)) return false;
    return realPath(`${cwd}/${path}`) === `${cwd}/${path.replace(/^\.\//, "")}`;
  };
}

const KEYWORDS = ["if", "then", "else", "elif", "do", "while", "time"];
const CLOSERS = ["fi", "done"];
const OTHER_KEYWORDS = ["case", "esac", "select", "until", "function", "coproc", "in", "[[", "!"];
const INTERPRETERS = [
  "node",
  "tsx",
  "bun",
  "python",
  "python3",
  "deno",
  "make",
  "gcc",
  "cc",
  "g++",
  "clang",
  "clang++",
];
/** Programs that a wrapper nobody knows might run. */
const INNER = ["rm", "dd", "mkfs", "bash", "sh", "chmod", "find"];

/** `~rm` is the home of somebody called so. */
const isInner = (arg: string) => INNER.includes(programOf(arg.startsWith("~") ? arg.slice(1) : arg));

/** Most programs take the file they write so, and some of those files are nobody's to write. */
const namesOutput = (arg: string) => arg === "-o" || arg === "-O" || arg.startsWith("--out");

const isName = (word: string) => word !== "" && nameLength(word) === word.length;
const assignedIn = (word: string) => (word.includes("=") ? /^([A-Za-z_]\w*)=/.exec(word)?.[1] : undefined);
const isLoadedName = (name: string) =>
  /^(PAGER|\w*_PAGER|MANPAGER|EDITOR|VISUAL|GIT_\w+|\w*ASKPASS|PROMPT_COMMAND|LESSOPEN|BROWSER|RSYNC_RSH|PS\d|HIST\w*|IFS|PATH|HOME|CDPATH|BASH_ENV|ENV|KUBE_EDITOR|CARGO_\w+)$/.test(
    name,
  );
const readsCode = (name: string) => INTERPRETERS.includes(name) || name.includes("/");

/** The words of the command itself; nothing when a keyword is in the way. */
function commandOf({ words, writes, reads }: Piece): readonly string[] | undefined {
  let at = 0;
  while (KEYWORDS.includes(words[at] ?? "")) at++;
  const first = words[at] ?? "";
  if (CLOSERS.includes(first)) return at === 0 && words.length === 1 ? [] : undefined;
  if (first === "for")
    return isName(words[at + 1] ?? "") && words[at + 2] === "in" && writes.length + reads.length === 0
      ? []
      : undefined;
  if (OTHER_KEYWORDS.includes(first)) return undefined;
  for (let name = assignedIn(words[at] ?? ""); name; name = assignedIn(words[++at] ?? ""))
    if (isLoadedName(name)) return undefined;
  return words.slice(at);
}

const STRUCTURE = [...KEYWORDS, ...CLOSERS, "for"];

/** The words of loops and conditions that a command begins with. */
function structureOf({ words }: Piece): readonly string[] {
  const end = words.findIndex((word) => !STRUCTURE.includes(word));
  return end === 0 ? [] : words.slice(0, end < 0 ? words.length : end);
}

/** Every loop and condition has its parts; what bash would refuse, another shell may read otherwise. */
function isBalanced(pieces: readonly Piece[]): boolean {
  const parts = pieces.flatMap(structureOf);
  const count = (word: string) => parts.filter((part) => part === word).length;
  if (parts.length === 0) return true;
  const loops = count("for") + count("while");
  return (
    loops === count("do") &&
    loops === count("done") &&
    count("if") === count("fi") &&
    count("if") <= count("then")
  );
}

/** Without directory and version, as the engine knows it; a path of its own is no known program. */
const programOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);
const bareOf = (program: string) => {
  const lower = program.toLowerCase();
  return withoutVersion(lower.endsWith(".exe") ? lower.slice(0, -4) : lower);
};
const ODD_STARTS = ["git-", "mkfs", "ld-", "ld."];

function isHarmless(argv: readonly string[], safe: SafePath): boolean {
  const [name = "", ...args] = argv;
  if (argv.length === 0) return true;
  if (
    name.includes(UNSEEN) ||
    name.startsWith("-") ||
    name.startsWith("/dev/") ||
    !(name === "[" || isWord(name, ".+@%,/:-"))
  )
    return false;
  const program = programOf(name);
  if (
    program === "" ||
    isKnown(program) ||
    isKnown(program.toLowerCase()) ||
    isKnown(bareOf(program)) ||
    ODD_STARTS.some((start) => program.startsWith(start))
  ) {
    return name === program && isHarmlessCall(program, args, safe);
  }
  return !args.some((arg) => isInner(arg) || namesOutput(arg) || arg.includes(UNSEEN));
}

/** A file of the project that no rule speaks about. */
export const isPlainPath = (path: string, ground: Ground): boolean =>
  path.length <= LONGEST &&
  safePathOf(ground)(path.startsWith(`${ground.cwd}/`) ? path.slice(ground.cwd.length + 1) : path);

export function isPlain(command: string, ground: Ground): boolean {
  if (command.length > LONGEST || command.includes("[$(") || command.includes("\0")) return false;
  const pieces = piecesOf(withoutTexts(command));
  const commands = pieces?.map(commandOf);
  if (!pieces || !commands || !isBalanced(pieces)) return false;
  const moves = commands.some((argv) => argv?.[0] === "cd");
  const safe: SafePath = moves ? (path) => SINKS.includes(path) : safePathOf(ground);
  const writes = pieces.flatMap((piece) => piece.writes).filter((path) => !SINKS.includes(path));
  if (!writes.every(safe)) return false;
  const isWriting = writes.length > 0 || commands.some((argv) => argv?.[0] === "tee");
  if (writes.some((path) => path.endsWith("package.json"))) return false;
  if (isWriting && commands.some((argv) => readsCode(argv?.[0] ?? ""))) return false;
  return commands.every((argv) => argv !== undefined && isHarmless(argv, safe));
}
