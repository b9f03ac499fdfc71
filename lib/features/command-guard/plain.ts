// Most commands are harmless at a glance: plain words, known programs, nothing computed. They pass without the parser.
// Whatever this page is not sure of it leaves to the engine; a test holds the two to the same answer.
import { isHarmlessCall, type SafePath } from "./plain/commands.ts";
import { type Piece, piecesOf, UNSEEN } from "./plain/lexer.ts";
import { isKnown } from "./plain/names.ts";
import { withoutTexts } from "./plain/texts.ts";

/** Where the command would run, for the few that touch files. */
export type Ground = { cwd: string; realPath(path: string): string; protectsMore: boolean };

const LONGEST = 65_536;
const ODD_GROUND = /^\/(etc|usr|boot|s?bin|lib\w*|sys|proc|dev|var|System|Library|private|tmp$)(\/|$)|\/\./;
const PLAIN_PATH = /^(?:\.\/)?[\w@+-][\w.@+-]*(?:\/[\w@+-][\w.@+-]*)*$/;
const ODD_FILE = /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|authorized_keys|ssh_host_|_netrc)/;
const SINKS = /^\/dev\/(null|stdout|stderr|tty)$/;

/** Below the working directory, not hidden, no link on the way. */
function safePathOf(ground: Ground): SafePath {
  const { cwd, realPath, protectsMore } = ground;
  return (path) => {
    if (SINKS.test(path)) return true;
    if (protectsMore || ODD_GROUND.test(cwd) || !PLAIN_PATH.test(path) || ODD_FILE.test(path)) return false;
    return realPath(`${cwd}/${path}`) === `${cwd}/${path.replace(/^\.\//, "")}`;
  };
}

const KEYWORDS = /^(if|then|else|elif|do|while|time)$/;
const CLOSERS = /^(fi|done)$/;
const OTHER_KEYWORDS = /^(case|esac|select|until|function|coproc|in|\[\[|!)$/;
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;
const LOADED_NAME =
  /^(PAGER|\w*_PAGER|MANPAGER|EDITOR|VISUAL|GIT_\w+|\w*ASKPASS|PROMPT_COMMAND|LESSOPEN|BROWSER|RSYNC_RSH|PS4|HIST\w*|IFS|PATH)$/;
/** Programs that a wrapper nobody knows might run. */
const INNER = /^(.*\/)?(rm|dd|mkfs|bash|sh|chmod|find)$/;
const READS_CODE = /^(node|tsx|bun|python3?|deno)$|\//;

/** The words of the command itself; nothing when a keyword is in the way. */
function commandOf({ words }: Piece): readonly string[] | undefined {
  let at = 0;
  while (KEYWORDS.test(words[at] ?? "")) at++;
  const first = words[at] ?? "";
  if (CLOSERS.test(first)) return at === 0 && words.length === 1 ? [] : undefined;
  if (first === "for")
    return /^[A-Za-z_]\w*$/.test(words[at + 1] ?? "") && words[at + 2] === "in" ? [] : undefined;
  if (OTHER_KEYWORDS.test(first)) return undefined;
  for (
    let name = ASSIGNMENT.exec(words[at] ?? "")?.[1];
    name;
    name = ASSIGNMENT.exec(words[++at] ?? "")?.[1]
  ) {
    if (LOADED_NAME.test(name)) return undefined;
  }
  return words.slice(at);
}

const isWord = (name: string) => /^[\w.+@%,/:[-]+$/.test(name);

/** Without directory and version, as the engine knows it; a path of its own is no known program. */
const programOf = (name: string) => name.replace(/^.*\//s, "");

function isHarmless(argv: readonly string[], safe: SafePath): boolean {
  const [name = "", ...args] = argv;
  if (argv.length === 0) return true;
  if (name.includes(UNSEEN) || !isWord(name)) return false;
  const program = programOf(name);
  const bare = program.toLowerCase().replace(/\.exe$|-?\d[\d.]*$/g, "");
  if (
    isKnown(program) ||
    isKnown(program.toLowerCase()) ||
    isKnown(bare) ||
    /^(git-|mkfs|ld[-.])/.test(program)
  ) {
    return name === program && isHarmlessCall(program, args, safe);
  }
  return !args.some((arg) => INNER.test(arg) || arg.includes(UNSEEN));
}

/** A file of the project that no rule speaks about. */
export const isPlainPath = (path: string, ground: Ground): boolean =>
  safePathOf(ground)(path.startsWith(`${ground.cwd}/`) ? path.slice(ground.cwd.length + 1) : path);

export function isPlain(command: string, ground: Ground): boolean {
  if (command.length > LONGEST) return false;
  const pieces = piecesOf(withoutTexts(command));
  const commands = pieces?.map(commandOf);
  if (!pieces || !commands) return false;
  const moves = commands.some((argv) => argv?.[0] === "cd");
  const safe: SafePath = moves ? (path) => SINKS.test(path) : safePathOf(ground);
  const writes = pieces.flatMap((piece) => piece.writes).filter((path) => !SINKS.test(path));
  if (!writes.every(safe)) return false;
  if (writes.length && commands.some((argv) => READS_CODE.test(argv?.[0] ?? ""))) return false;
  return commands.every((argv) => argv !== undefined && isHarmless(argv, safe));
}
