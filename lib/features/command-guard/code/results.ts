// What known functions of other languages give: joined paths, decoded or fetched text, the home directory.
import { DECODED, REMOTE, TEMP, taintOf, UNKNOWN } from "../holes.ts";
import type { Shell } from "../shell.ts";
import type { Language, Token } from "./tokens.ts";

/** `list` is there when the expression is a list; `raw` is what was written, to look for options in. */
export type Value = { text: string; list?: readonly string[]; raw?: string };
export type Scope = {
  tokens: readonly Token[];
  /** The code as it was given. */
  text: string;
  language: Language;
  shell: Shell;
  names: Map<string, Value>;
  /** Runs a command found in an expression, and gives what it prints. */
  run(name: string, args: readonly Value[]): string | undefined;
};

const FETCHERS =
  /^(urlopen|urlretrieve|fetch|request|get|get_response|getprint|read_url|download_string|DownloadString|curl_exec)$/;
const FETCH_OWNERS =
  /^(requests|httpx|urllib|urllib2|aiohttp|axios|http|https|got|needle|LWP|Net|URI|superagent|undici)\b|urlopen|^fetch$/;
const DECODERS =
  /^(b64decode|b32decode|b16decode|a85decode|b85decode|unhexlify|fromhex|decompress|inflate\w*|gunzip\w*|unzip\w*|atob|decode64|urlsafe_decode64|strict_decode64|base64_decode|decode_base64|gzinflate|str_rot13|unpack|loads)$/;
const SAME =
  /^(expanduser|expandvars|Path|PurePath|PosixPath|str|String|abspath|realpath|normpath|fspath|new|quote|strip|rstrip|lstrip|trim|chomp|decode|encode|toString|text|content|read|body|resolve|absolute|as_posix|glob|iglob|globSync|expand_path|to_s|freeze|bytes|bytearray|unwrap|call)$/;

/** Functions and methods that give what they were given. */
export const passesOn = (name: string) => SAME.test(name);

export const lastName = (name: string) => name.replace(/^.*(\.|::|->)/s, "").replace(/[!?]$/, "");

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
    DECODERS.test(last) ||
    (last === "from" && /^(base64|hex)$/.test(texts[1] ?? "")) ||
    (last === "decode" && /^(base64|hex|rot_?13)$/.test(texts.at(-1) ?? ""))
  )
    return { text: DECODED };
  if (FETCHERS.test(last) && FETCH_OWNERS.test(name)) return { text: REMOTE };
  if (/^(file_get_contents|open|read)$/.test(last) && /^https?:/.test(first.text)) return { text: REMOTE };
  if (/(^|\.|::)(path\.join|path\.resolve|File\.join|Path\.join)$/.test(name) || last === "joinpath")
    return { text: joinPath(texts) };
  if (/^(home|homedir)$/.test(last)) return { text: scope.shell.run.situation.home };
  if (/^(getenv|environ\.get|fetch)$/.test(last) || /environ\.get$/.test(name))
    return { text: environment(first.text, scope.shell) };
  if (/^(chr|fromCharCode|fromCodePoint)$/.test(last))
    return { text: (first.list ?? texts).map(character).join("") };
  if (/^(expanduser|expand_path|expandvars)$/.test(last))
    return { text: expandHome(first.text, scope.shell) };
  if (/^(listdir|scandir|iterdir|readdirSync|readdir|children|entries)$/.test(last))
    return { text: `${first.text}/*` };
  if (/^(getcwd|cwd)$/.test(last)) return { text: scope.shell.cwd };
  if (/^(mkdtemp|mkdtempSync|mktemp|gettempdir|tmpdir|TemporaryDirectory)$/.test(last)) return { text: TEMP };
  if (/^shlex\.split$/.test(name)) return { text: first.text, list: first.text.split(/\s+/) };
  if (last === "list" && first.list) return first;
  if (SAME.test(last) || last === "from") return first;
  const printed = scope.run(name, args);
  return { text: printed ?? taintOf(texts.join("")) };
}

/** A method on a value already known: `" ".join(list)`, `"a b".split()`. */
export function method(owner: Value, name: string, args: readonly Value[], scope: Scope): Value {
  const [first = { text: "" }] = args;
  if (name === "join" && first.list) return { text: first.list.join(owner.text) };
  if (name === "join" && owner.list) return { text: owner.list.join(args.length ? first.text : ",") };
  if (name === "split") return { text: owner.text, list: owner.text.split(first.text || /\s+/) };
  if (name === "replace" && args.length > 1)
    return { text: owner.text.split(first.text).join(args[1]?.text ?? "") };
  if (name === "format") return { text: owner.text.replace(/\{[^{}]*\}/g, () => first.text || UNKNOWN) };
  if (name === "concat") return { text: owner.text + args.map(({ text }) => text).join("") };
  if (name === "reverse" && owner.list) return { text: owner.text, list: [...owner.list].reverse() };
  if (/^(home|homedir)$/.test(name)) return { text: scope.shell.run.situation.home };
  if (name === "expanduser") return { text: expandHome(owner.text, scope.shell) };
  if (name === "joinpath") return { text: joinPath([owner.text, ...args.map(({ text }) => text)]) };
  if (SAME.test(name))
    return DECODERS.test(name) || (name === "decode" && /^(base64|hex|rot)/.test(first.text))
      ? { text: DECODED }
      : owner;
  return { text: scope.run(name, [owner, ...args]) ?? taintOf(owner.text) };
}
