// What an expression of another language stands for: constants, their joins, known paths; everything else is a hole.
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
type Parsed = { value: Value; next: number };

const FETCHERS =
  /^(urlopen|urlretrieve|fetch|request|get|get_response|getprint|read_url|download_string|DownloadString|curl_exec)$/;
const FETCH_OWNERS =
  /^(requests|httpx|urllib|urllib2|aiohttp|axios|http|https|got|needle|LWP|Net|URI|superagent|undici)\b|urlopen|^fetch$/;
const DECODERS =
  /^(b64decode|b32decode|b16decode|a85decode|b85decode|unhexlify|fromhex|decompress|inflate\w*|gunzip\w*|unzip\w*|atob|decode64|urlsafe_decode64|strict_decode64|base64_decode|decode_base64|gzinflate|str_rot13|unpack|loads)$/;
const SAME =
  /^(expanduser|expandvars|Path|PurePath|PosixPath|str|String|abspath|realpath|normpath|fspath|new|quote|strip|rstrip|lstrip|trim|chomp|decode|encode|toString|text|content|read|body|resolve|absolute|as_posix|glob|iglob|globSync|expand_path|to_s|freeze|bytes|bytearray|unwrap|call)$/;

export const lastName = (name: string) => name.replace(/^.*(\.|::|->)/s, "").replace(/[!?]$/, "");
const isMark = (token: Token | undefined, text: string) => token?.kind === "mark" && token.text === text;

function environment(name: string, shell: Shell): string {
  return name === "HOME" || name === "USERPROFILE"
    ? shell.run.situation.home
    : (shell.run.situation.env(name) ?? UNKNOWN);
}

const joinPath = (parts: readonly string[]) =>
  parts.reduce(
    (path, part) => (part.startsWith("/") || path === "" ? part : `${path.replace(/\/$/, "")}/${part}`),
    "",
  );

const character = (text: string) => {
  const code = Number(text);
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : UNKNOWN;
};

/** What calling a known function gives. */
function result(name: string, args: readonly Value[], scope: Scope): Value {
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
  if (/^(getcwd|cwd)$/.test(last)) return { text: scope.shell.cwd };
  if (/^(mkdtemp|mkdtempSync|mktemp|gettempdir|tmpdir|TemporaryDirectory)$/.test(last)) return { text: TEMP };
  if (/^shlex\.split$/.test(name)) return { text: first.text, list: first.text.split(/\s+/) };
  if (last === "list" && first.list) return first;
  if (SAME.test(last) || last === "from") return first;
  const printed = scope.run(name, args);
  return { text: printed ?? taintOf(texts.join("")) };
}

/** A method on a value already known: `" ".join(list)`, `"a b".split()`. */
function method(owner: Value, name: string, args: readonly Value[], scope: Scope): Value {
  const [first = { text: "" }] = args;
  if (name === "join" && first.list) return { text: first.list.join(owner.text) };
  if (name === "join" && owner.list) return { text: owner.list.join(args.length ? first.text : ",") };
  if (name === "split") return { text: owner.text, list: owner.text.split(first.text || /\s+/) };
  if (name === "replace" && args.length > 1)
    return { text: owner.text.split(first.text).join(args[1]?.text ?? "") };
  if (name === "format") return { text: owner.text.replace(/\{[^{}]*\}/g, () => first.text || UNKNOWN) };
  if (name === "concat") return { text: owner.text + args.map(({ text }) => text).join("") };
  if (name === "reverse" && owner.list) return { text: owner.text, list: [...owner.list].reverse() };
  if (name === "joinpath") return { text: joinPath([owner.text, ...args.map(({ text }) => text)]) };
  if (SAME.test(name))
    return DECODERS.test(name) || (name === "decode" && /^(base64|hex|rot)/.test(first.text))
      ? { text: DECODED }
      : owner;
  return { text: scope.run(name, [owner, ...args]) ?? taintOf(owner.text) };
}

/** The expressions between a bracket at `open` and its end. */
export function listAt(scope: Scope, open: number, depth: number): { items: Value[]; next: number } {
  const items: Value[] = [];
  let at = open + 1;
  while (at < scope.tokens.length && !/^[)\]}]$/.test(markAt(scope, at))) {
    if (markAt(scope, at) === "," || markAt(scope, at) === "\n") {
      at++;
      continue;
    }
    const start = at;
    const { value, next } = expression(scope, at, depth + 1);
    at = Math.max(next, start + 1);
    items.push({
      ...value,
      raw: scope.tokens
        .slice(start, at)
        .map(({ text }) => text)
        .join(" "),
    });
  }
  return { items, next: at + 1 };
}

const markAt = (scope: Scope, at: number) =>
  scope.tokens[at]?.kind === "mark" ? (scope.tokens[at]?.text ?? "") : "";

/** `name: value` and `name=value` inside a call: the value counts. */
const isLabel = (scope: Scope, at: number) =>
  (scope.tokens[at]?.kind === "name" || scope.tokens[at]?.kind === "string") &&
  /^[=:]$/.test(markAt(scope, at + 1)) &&
  !/^[=>]$/.test(markAt(scope, at + 2));

function primary(scope: Scope, at: number, depth: number): Parsed {
  const token = scope.tokens[at];
  if (!token) return { value: { text: UNKNOWN }, next: at + 1 };
  if (token.kind === "string") return { value: { text: token.text }, next: at + 1 };
  if (token.kind === "number") return { value: { text: token.text.replaceAll("_", "") }, next: at + 1 };
  if (token.kind === "mark" && /^[([{]$/.test(token.text)) {
    const { items, next } = listAt(scope, at, depth);
    if (token.text === "(" && items.length === 1) return { value: items[0] ?? { text: "" }, next };
    const nested = items.find(({ list }) => list)?.list;
    return {
      value: {
        text: taintOf(items.map(({ text }) => text).join("")),
        list: token.text === "{" ? (nested ?? []) : items.map(({ text }) => text),
      },
      next,
    };
  }
  if (token.kind !== "name") return { value: { text: UNKNOWN }, next: at + 1 };
  if (/^(new|await|return|my|our|local|const|let|var|not|lambda|async|throw|yield)$/.test(token.text))
    return primary(scope, at + 1, depth);
  if (isMark(scope.tokens[at + 1], "(") && depth < 24) {
    const { items, next } = listAt(scope, at + 1, depth);
    return { value: result(token.text, items, scope), next };
  }
  const key = scope.tokens[at + 2];
  if (
    /^(os\.environ|process\.env|ENV|\$?_?ENV|\$_SERVER)$/.test(token.text) &&
    /^[[{]$/.test(markAt(scope, at + 1)) &&
    key
  )
    return { value: { text: environment(key.text, scope.shell) }, next: at + 4 };
  const [, variable] = /^process\.env\.(\w+)$/.exec(token.text) ?? [];
  if (variable) return { value: { text: environment(variable, scope.shell) }, next: at + 1 };
  return { value: scope.names.get(token.text) ?? dottedName(token.text, scope), next: at + 1 };
}

/** `x.text` where x is known; `Path.home` and the like. */
function dottedName(name: string, scope: Scope): Value {
  const [, owner = "", last = ""] = /^(.*)(?:\.|::|->)(\w+)$/s.exec(name) ?? [];
  const known = scope.names.get(owner);
  if (!known)
    return /^(Dir\.home|Path\.home|os\.homedir)$/.test(name)
      ? { text: scope.shell.run.situation.home }
      : { text: UNKNOWN };
  return SAME.test(last) ? known : { text: taintOf(known.text) };
}

/** Chains behind a value: indexes, methods, properties. */
function postfix(scope: Scope, start: Parsed, depth: number): Parsed {
  let { value, next } = start;
  for (let guard = 0; guard < 16; guard++) {
    const mark = markAt(scope, next);
    if (
      mark === "[" &&
      scope.tokens
        .slice(next, next + 6)
        .map(({ text }) => text)
        .join("") === "[::-1]"
    ) {
      value = { text: [...value.text].reverse().join("") };
      next += 6;
    } else if (mark === "." && scope.tokens[next + 1]?.kind === "name") {
      const name = scope.tokens[next + 1]?.text ?? "";
      if (!isMark(scope.tokens[next + 2], "(")) {
        value = SAME.test(name) ? value : { text: taintOf(value.text) };
        next += 2;
      } else {
        const { items, next: after } = listAt(scope, next + 2, depth);
        value = method(value, name, items, scope);
        next = after;
      }
    } else break;
  }
  return { value, next };
}

export function expression(scope: Scope, from: number, depth = 0): Parsed {
  if (depth > 24) return { value: { text: UNKNOWN }, next: from + 1 };
  const start = isLabel(scope, from) ? from + 2 : from;
  let { value, next } = postfix(scope, primary(scope, start, depth), depth);
  while (next < scope.tokens.length) {
    const mark = markAt(scope, next);
    const adjacent = scope.tokens[next]?.kind === "string" && scope.tokens[next - 1]?.kind === "string";
    if (!adjacent && !/^[+./%~]$/.test(mark)) break;
    const right = postfix(
      scope,
      primary(
        scope,
        adjacent ? next : next + (mark === "." && markAt(scope, next + 1) === "." ? 2 : 1),
        depth + 1,
      ),
      depth + 1,
    );
    value = combine(value, mark, right.value);
    next = right.next;
  }
  while (
    next < scope.tokens.length &&
    !/^[,)\]};\n]$/.test(markAt(scope, next)) &&
    !isStatementStart(scope, next)
  )
    next++;
  return { value, next };
}

/** Without a separator in sight, a new call or keyword ends the expression. */
const isStatementStart = (scope: Scope, at: number) =>
  scope.tokens[at]?.kind === "name" &&
  /^(if|for|while|unless|and|or|do|then|end|foreach|in)$/.test(scope.tokens[at]?.text ?? "");

function combine(left: Value, mark: string, right: Value): Value {
  if (left.list && right.list && mark === "+")
    return { text: left.text, list: [...left.list, ...right.list] };
  if (mark === "/") return { text: joinPath([left.text, right.text]) };
  if (mark === "%")
    return { text: left.text.replace(/%[-\d.]*[sdrx]/g, () => right.list?.[0] ?? right.text) };
  return { text: left.text + right.text };
}
