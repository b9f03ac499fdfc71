// What PowerShell's variables, methods and types give, as far as the guard can tell.
import { deleteTree, writeFile } from "../shell/file-effects.ts";
import {
  DECODED,
  FETCHED,
  FOUND_PIDS,
  report,
  type Shell,
  TEMP_PATH,
  taintOf,
  UNKNOWN,
  UNKNOWN_DIRECTORY,
} from "../shell/state.ts";
import type { Token } from "./tokens.ts";

/** A list of texts; `table` is a hashtable, `block` a piece of code in braces. */
export type Value = {
  items: readonly string[];
  table?: ReadonlyMap<string, readonly string[]>;
  block?: readonly Token[];
};

export const NOTHING: Value = { items: [] };
export const only = (text: string): Value => ({ items: [text] });
export const textOf = ({ items }: Value) => items.join(" ");

/** A variable that is not set here. */
export function variable(name: string, shell: Shell): string {
  const { situation } = shell.run;
  if (/^(home|env:(userprofile|home|homepath))$/.test(name)) return situation.home;
  if (/^(env:(temp|tmp|tmpdir))$/.test(name)) return situation.temp;
  if (/^env:(systemroot|windir)$/.test(name)) return "C:/Windows";
  if (name === "env:systemdrive") return "C:";
  if (/^env:programfiles/.test(name)) return "C:/Program Files";
  if (name === "pwd") return shell.cwd;
  if (name === "profile") return `${situation.home}/Documents/PowerShell/Microsoft.PowerShell_profile.ps1`;
  if (name === "true" || name === "false") return name;
  return name === "psscriptroot" ? UNKNOWN_DIRECTORY : UNKNOWN;
}

export const slashes = (path: string) => path.replaceAll("\\", "/");

/** `$p.Id`, `$file.FullName`. */
export const property = (owner: Value, name: string): Value =>
  /^(count|length)$/i.test(name)
    ? only(UNKNOWN)
    : /^(fullname|path|name|value|content|rawcontent|id|owningprocess|processid)$/i.test(name)
      ? owner
      : { items: owner.items.map((item) => taintOf(item)) };

export function method(owner: Value, name: string, args: readonly Value[], shell: Shell): Value {
  const key = name.toLowerCase();
  const text = textOf(owner);
  if (/^(kill|terminate|closemainwindow)$/.test(key) && text.includes(FOUND_PIDS))
    report(shell, "kill-by-search");
  if (key === "delete") for (const item of owner.items) deleteTree(slashes(item), shell);
  if (/^(downloadstring|downloaddata|getstringasync|getasync)$/.test(key)) return only(FETCHED);
  if (key === "downloadfile") writeFile(slashes(textOf(args[1] ?? NOTHING)), shell, FETCHED);
  if (/^invoke/.test(key) && text.includes(FETCHED)) report(shell, "remote-code");
  if (/^invoke/.test(key) && text.includes(DECODED)) report(shell, "encoded-payload");
  if (/^(tostring|trim|trimend|invoke|create|result|invokereturnasis)$/.test(key)) return owner;
  return only(taintOf(text + args.map(textOf).join("")));
}

const WRITERS = /^(writeall|appendall)|^(create|createtext|appendtext|openwrite|replace)$/;

/** `[IO.File]::WriteAllText(…)` and its kin. */
export function staticMember(type: string, name: string, args: readonly Value[], shell: Shell): Value {
  const [first = NOTHING, second = NOTHING] = args;
  const kind = type.replace(/^(system\.)?(io\.)?/, "");
  const member = name.toLowerCase();
  const path = slashes(textOf(first));
  if (kind === "file" && WRITERS.test(member)) writeFile(path, shell, textOf(second));
  if (kind === "file" && /^(copy|move)$/.test(member))
    shell.run.argv([member === "copy" ? "cp" : "mv", path, slashes(textOf(second))], shell);
  if (/process$/.test(kind) && member === "start")
    shell.run.argv([path, ...textOf(second).split(/\s+/).filter(Boolean)], shell);
  if (kind === "file" && member === "delete") shell.run.argv(["rm", "--", path], shell);
  if (kind === "directory" && member === "delete") deleteTree(path, shell);
  if (/process$/.test(kind) && /^getprocess/.test(member)) return only(FOUND_PIDS);
  if (kind === "environment" && /^(getfolderpath|getenvironmentvariable)$/.test(member))
    return only(/userprofile|home/i.test(path) ? shell.run.situation.home : UNKNOWN);
  if (kind === "convert") return only(member === "frombase64string" ? DECODED : UNKNOWN);
  if (kind === "path" && member === "combine") return only(args.map(textOf).join("/"));
  if (kind === "path" && /^gettemp/.test(member)) return only(TEMP_PATH);
  if (member === "new" || kind === "scriptblock") return first;
  return only(taintOf(args.map(textOf).join("")));
}
