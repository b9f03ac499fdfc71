// PowerShell, as far as its commands matter here: a small tokenizer of our own, the same rules behind it.
import { runCmdlet } from "./cmdlets.ts";
import { writeFile } from "./effects.ts";
import { ELSEWHERE, TEMP, UNKNOWN } from "./holes.ts";
import { mayGoOn, report, type Shell, subshell } from "./shell.ts";
import { assign, lookUp } from "./variables.ts";

type Token = { text: string; kind: "word" | "quoted" | "break" | "pipe" | "redirect" };

const BREAKS = /[;\n(){}&]/;

function variable(name: string, shell: Shell): string {
  const { situation } = shell.run;
  const key = name.toLowerCase().replace(/^\{|\}$/g, "");
  if (/^(home|env:(userprofile|home|homepath))$/.test(key)) return situation.home;
  if (/^(env:(temp|tmp|tmpdir))$/.test(key)) return situation.temp;
  if (/^env:(systemroot|windir)$/.test(key)) return "C:/Windows";
  if (key === "env:systemdrive") return "C:";
  if (/^env:programfiles/.test(key)) return "C:/Program Files";
  if (key === "pwd") return shell.cwd;
  if (key === "pid") return UNKNOWN;
  if (key === "psscriptroot") return ELSEWHERE;
  return lookUp(`ps ${key}`, shell)?.[0] ?? UNKNOWN;
}

const withVariables = (text: string, shell: Shell) =>
  text
    .replace(/\$(\{[^}]*\}|[A-Za-z_][\w:]*)/g, (_, name: string) => variable(name, shell))
    .replace(/`(.)/gs, "$1");

/** A quoted text from `at` on: its value and where it ends. */
function quoted(text: string, at: number, shell: Shell): { value: string; next: number } {
  const here = /^@(['"])\r?\n/.exec(text.slice(at, at + 4));
  const mark = here?.[1] ?? text.charAt(at);
  const from = at + (here?.[0].length ?? 1);
  let end = from;
  if (here) end = (text.indexOf(`\n${mark}@`, from) + text.length + 1) % (text.length + 1) || text.length;
  else
    while (end < text.length && text.charAt(end) !== mark)
      end += mark === '"' && text.charAt(end) === "`" ? 2 : 1;
  const raw = text.slice(from, end);
  return { value: mark === '"' ? withVariables(raw, shell) : raw, next: end + (here ? 3 : 1) };
}

function tokenise(text: string, shell: Shell): Token[] {
  const tokens: Token[] = [];
  let word = "";
  const close = () => {
    if (word) tokens.push({ text: withVariables(word, shell), kind: "word" });
    word = "";
  };
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "`" && text.charAt(at + 1) === "\n") at++;
    else if (text.startsWith("<#", at))
      at = (text.indexOf("#>", at) + text.length + 1) % (text.length + 1) || text.length;
    else if (char === "#" && !word)
      at = (text.indexOf("\n", at) + text.length + 1) % (text.length + 1) || text.length;
    else if (char === "'" || char === '"' || /^@['"]\r?\n/.test(text.slice(at, at + 4))) {
      const { value, next } = quoted(text, at, shell);
      if (word) word += value;
      else tokens.push({ text: value, kind: "quoted" });
      at = next - 1;
    } else if (char === "|" && text.charAt(at + 1) !== "|") {
      close();
      tokens.push({ text: char, kind: "pipe" });
    } else if (char === ">") {
      word = word.replace(/^[\d*]$/, "");
      close();
      if (text.charAt(at + 1) === ">") at++;
      tokens.push({ text: ">", kind: "redirect" });
    } else if (BREAKS.test(char) || char === "|" || (char === "$" && text.charAt(at + 1) === "(")) {
      if (char === "&" && tokens.at(-1)?.kind === "redirect") continue;
      close();
      tokens.push({ text: char, kind: "break" });
    } else if (/\s/.test(char)) close();
    else word += char;
  }
  close();
  return tokens;
}

/** The statement a token stands in, as written, to see what feeds an Invoke-Expression. */
function statements(text: string): string[] {
  const out = [""];
  let quote = "";
  let depth = 0;
  for (const char of text) {
    if (quote) quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "(" || char === "{") depth++;
    else if (char === ")" || char === "}") depth--;
    if (!quote && depth <= 0 && (char === ";" || char === "\n")) out.push("");
    else out[out.length - 1] += char;
  }
  return out;
}

const RUNS_TEXT = /(^|[\s|(;&{])(iex|invoke-expression)\b|\[scriptblock\]::create|\binvoke-command\b/i;
const FETCHES =
  /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget|downloadstring|downloadfile|webclient|start-bitstransfer|httpclient)\b/i;
const DECODES =
  /frombase64string|\[convert\]::|-join\s*\(|\[char\[?\]?\]|gzipstream|deflatestream|-replace\s*'/i;

function checkStatement(text: string, shell: Shell): void {
  if (RUNS_TEXT.test(text) && FETCHES.test(text)) report(shell, "remote-code");
  else if (RUNS_TEXT.test(text) && DECODES.test(text)) report(shell, "encoded-payload");
  if (/get-process\b.*\.kill\(\)|\bgps\b.*\.kill\(\)/is.test(text)) report(shell, "kill-by-search");
  const [, name, value] =
    /^\s*\$(\w+)\s*=\s*(?:'([^']*)'|"([^"$]*)")\s*$/
      .exec(text)
      ?.map((part, at, all) => (at === 2 ? (part ?? all[3]) : part)) ?? [];
  if (name && value !== undefined) assign(`ps ${name.toLowerCase()}`, [value], shell);
  if (name === undefined && /^\s*\$(\w+)\s*=.*(New-TemporaryFile|GetTempPath|GetTempFileName)/i.test(text))
    assign(`ps ${/\$(\w+)/.exec(text)?.[1]?.toLowerCase()}`, [TEMP], shell);
}

/** One command after the other; what stands left of a pipe is remembered as its source. */
export function walkPowerShell(text: string, shell: Shell): void {
  for (const statement of statements(text)) {
    if (!mayGoOn(shell)) return;
    checkStatement(statement, shell);
    let words: string[] = [];
    let source: readonly string[] = [];
    const finish = (piped: boolean) => {
      if (words.length) runCmdlet(words, source, subshell(shell), shell);
      source = piped ? (words.length ? [...source, ...words] : source) : [];
      words = [];
    };
    const tokens = tokenise(statement, shell);
    tokens.forEach((token, at) => {
      if (token.kind === "pipe") finish(true);
      else if (token.kind === "break") finish(/[(){}]/.test(token.text));
      else if (tokens[at - 1]?.kind === "redirect") writeFile(token.text.replaceAll("\\", "/"), shell);
      else if (
        token.kind !== "redirect" &&
        !(
          words.length === 0 &&
          /^(=|if|else|elseif|while|foreach|for|try|catch|finally|return|function|param|in|do|until|\$.*|-\w+|\+|!)$/i.test(
            token.text,
          )
        )
      )
        words.push(token.text);
    });
    finish(false);
  }
}
