// What known functions of other languages give: joined paths, decoded or fetched text, the home directory.
import type { Shell } from "../shell/state.ts";
import { DECODED, FETCHED, TEMP_PATH, taintOf, UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";
import type { Definition } from "./functions.ts";
import type { Language, Token } from "./tokens.ts";

/** `list` is there when the expression is a list; `raw` is what was written, to look for options in; `file` what was opened. */
export type Value = { text: string; list?: readonly string[]; raw?: string; file?: string };
export type Scope = {
  tokens: readonly Token[];
  /** The code as it was given. */
  text: string;
  language: Language;
  shell: Shell;
  names: Map<string, Value>;
  aliases: ReadonlyMap<string, string>;
  /** What the calls did together: ids were searched for, unknown ones killed, unknown paths deleted, directories listed. */
  seen: { pids: boolean; kills: boolean; deletes: boolean; listed: string[] };
  printed: string[];
  functions: ReadonlyMap<string, Definition>;
  /** How many tokens of functions may still be read again for the sake of a call. */
  rereads: { left: number; depth: number };
  /** Runs a command found in an expression, and gives what it prints. */
  run(name: string, args: readonly Value[]): string | undefined;
};

const FETCHERS = wordSet(
  "urlopen urlretrieve fetch request get get_response getprint read_url download_string DownloadString curl_exec",
);
const FETCH_OWNERS =
  /^(requests|httpx|urllib|urllib2|aiohttp|axios|http|https|got|needle|LWP|Net|URI|superagent|undici)\b|urlopen|^fetch$/;
const DECODERS = wordSet(
  "b64decode b32decode b16decode a85decode b85decode unhexlify fromhex decompress atob decode64 urlsafe_decode64 strict_decode64 base64_decode decode_base64 gzinflate str_rot13 unpack unpack1 pack loads",
);
const UNPACKERS = ["inflate", "gunzip", "unzip"];
const SAME = wordSet(
  "expanduser expandvars Path PurePath PosixPath str String abspath realpath normpath fspath new quote strip rstrip lstrip trim chomp decode encode toString text content read body resolve absolute as_posix glob iglob globSync expand_path to_s freeze bytes bytearray unwrap call",
);
const LISTERS = wordSet("listdir scandir iterdir readdirSync readdir children entries walk");
const READERS = wordSet("read readlines readline readFileSync file_get_contents slurp");
const TEMPORARY = wordSet("mkdtemp mkdtempSync mktemp gettempdir tmpdir TemporaryDirectory");
const JOINERS = ["path.join", "path.resolve", "File.join", "Path.join"];

/** Functions and methods that give what they were given. */
export const passesOn = (name: string) => SAME.has(name);

const decodes = (name: string) =>
  DECODERS.has(name) || UNPACKERS.some((unpacker) => name.startsWith(unpacker));

/** `os.path.join`, `fs::read`, `$x->kill!`: the name itself, without its owners. */
export function lastName(name: string): string {
  const after = (link: string) => (name.includes(link) ? name.lastIndexOf(link) + link.length : 0);
  const last = name.slice(Math.max(after("."), after("::"), after("->")));
  return last.endsWith("!") || last.endsWith("?") ? last.slice(0, -1) : last;
}

/** The owners in front of it: `os.path` of `os.path.join`. */
export const ownerName = (name: string) =>
  name.slice(0, name.lastIndexOf(lastName(name))).replace(/(\.|::|->)$/, "");

/** The function of that name, or of an owner's. */
const isCalled = (name: string, called: string) =>
  name === called || name.endsWith(`.${called}`) || name.endsWith(`::${called}`);

export function environment(name: string, shell: Shell): string {
  return name === "HOME" || name === "USERPROFILE" ? shell.run.situation.home : UNKNOWN;
}

const expandHome = (text: string, shell: Shell) =>
  text.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, shell.run.situation.home);

export const joinPath = (parts: readonly string[]) =>
  parts.reduce(
    (path, part) => (part.startsWith("/") || path === "" ? part : `${path.replace(/\/$/, "")}/${part}`),
    "",
  );

const character = (text: string) => {
  const code = Number(text);
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : UNKNOWN;
};

/** What calling a known function gives. */
export function result(name: string, args: readonly Value[], scope: Scope): Value {
  const last = lastName(name);
  const texts = args.map(({ text }) => text);
  const first = args[0] ?? { text: UNKNOWN };
  if (
    decodes(last) ||
    (last === "from" && ["base64", "hex"].includes(texts[1] ?? "")) ||
    (last === "decode" && ["base64", "hex", "rot13", "rot_13"].includes(texts.at(-1) ?? ""))
  )
    return { text: DECODED };
  if (FETCHERS.has(last) && FETCH_OWNERS.test(name)) return { text: FETCHED };
  if (["file_get_contents", "open", "read", "get"].includes(last) && /^https?:/.test(first.text))
    return { text: FETCHED };
  if (READERS.has(last) && (/stdin/i.test(name) || ["0", "/dev/stdin", "php://stdin"].includes(first.text)))
    return { text: scope.shell.stdin };
  if (
    last === "joinpath" ||
    (last === "join" && args.length > 1) ||
    JOINERS.some((joiner) => isCalled(name, joiner))
  )
    return { text: joinPath(texts) };
  if (["home", "homedir"].includes(last)) return { text: scope.shell.run.situation.home };
  if (["getenv", "fetch"].includes(last) || name.endsWith("environ.get"))
    return { text: environment(first.text, scope.shell) };
  if (["chr", "fromCharCode", "fromCodePoint"].includes(last))
    return { text: (first.list ?? texts).map(character).join("") };
  if (["expanduser", "expand_path", "expandvars"].includes(last))
    return { text: expandHome(first.text, scope.shell) };
  if (["glob", "iglob", "globSync"].includes(last)) scope.seen.listed.push(first.text);
  if (LISTERS.has(last)) {
    scope.seen.listed.push(`${first.text}/*`);
    return { text: `${first.text}/*` };
  }
  if (["tolower", "lower", "toLowerCase", "downcase"].includes(last))
    return { text: first.text.toLowerCase() };
  if (["getcwd", "cwd"].includes(last)) return { text: scope.shell.cwd };
  if (TEMPORARY.has(last)) return { text: TEMP_PATH };
  if (name === "shlex.split") return { text: first.text, list: first.text.split(/\s+/) };
  if (last === "list" && first.list) return first;
  if (passesOn(last) || last === "from") return first;
  const printed = scope.run(name, args) ?? taintOf(texts.join(""));
  return last === "open" ? { text: printed, file: first.text } : { text: printed };
}

/** `{}` takes the next argument, `{1}` the one at that place. */
function filledIn(template: string, args: readonly Value[]): string {
  let used = 0;
  return template.replace(/\{(\d*)[^{}]*\}/g, (_, place) => args[Number(place || used++)]?.text || UNKNOWN);
}

/** A method on a value already known: `" ".join(list)`, `"a b".split()`. */
export function method(owner: Value, name: string, args: readonly Value[], scope: Scope): Value {
  const [first = { text: "" }] = args;
  if (decodes(name) || (name === "decode" && /^(base64|hex|rot)/.test(first.text))) return { text: DECODED };
  if (name === "join" && first.list) return { text: first.list.join(owner.text) };
  if (name === "join" && args.length > 1) return { text: joinPath(args.map(({ text }) => text)) };
  if (name === "join" && owner.list) return { text: owner.list.join(args.length ? first.text : ",") };
  if (name === "split") return { text: owner.text, list: owner.text.split(first.text || /\s+/) };
  if (name === "replace" && args.length > 1)
    return { text: owner.text.split(first.text).join(args[1]?.text ?? "") };
  if (name === "format") return { text: filledIn(owner.text, args) };
  if (name === "concat") return { text: owner.text + args.map(({ text }) => text).join("") };
  if (name === "joinpath") return { text: joinPath([owner.text, ...args.map(({ text }) => text)]) };
  if (["home", "homedir"].includes(name)) return { text: scope.shell.run.situation.home };
  if (["rglob", "glob", "iterdir", "walk"].includes(name)) {
    const path = joinPath([owner.text, name === "glob" ? first.text : "*"]);
    scope.seen.listed.push(path);
    return { text: path };
  }
  if (READERS.has(name) && ["0", "/dev/stdin"].includes(first.text)) return { text: scope.shell.stdin };
  if (passesOn(name)) return owner;
  return { text: scope.run(name, [owner, ...args]) ?? taintOf(owner.text) };
}
