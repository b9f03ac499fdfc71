// PowerShell's commands and their aliases, told in terms of what they do to files, processes and the machine.
import { deleteFile, deleteTree, destinations, writeFile } from "./effects.ts";
import { hasHole, NAME, REMOTE, UNKNOWN } from "./holes.ts";
import { resolvePath } from "./paths.ts";
import { report, type Shell } from "./shell.ts";

type Call = {
  flags: ReadonlyMap<string, string>;
  operands: readonly string[];
  source: readonly string[];
  text: string;
};
type Cmdlet = (call: Call, shell: Shell) => void;

/** Parameters that stand alone; every other one is followed by its value. */
const SWITCHES =
  /^-(r\w*|fo\w*|wh\w*|conf\w*|asjob|wait|passthru|nonewline|append|noclobber|hidden|file|directory|verbose|rf|fr|v|y)$/i;

function readCall(args: readonly string[], source: readonly string[]): Call {
  const flags = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const [, name, inline] = /^-([A-Za-z]\w*)(?::(.*))?$/s.exec(arg) ?? [];
    if (/^\/[a-z]+$/i.test(arg)) flags.set(arg.slice(1).toLowerCase(), "");
    else if (name === undefined) operands.push(...arg.split(",").filter(Boolean));
    else if (SWITCHES.test(arg) || /^(-|\/)/.test(args[at + 1] ?? "-"))
      flags.set(name.toLowerCase(), inline ?? "");
    else flags.set(name.toLowerCase(), inline ?? args[++at] ?? "");
  }
  return { flags, operands, source, text: args.join(" ") };
}

/** PowerShell takes any unambiguous beginning of a parameter's name. */
const param = ({ flags }: Call, name: string, least = 1) => {
  for (const [flag, value] of flags) if (flag.length >= least && name.startsWith(flag)) return value;
  return undefined;
};

const slashes = (path: string) => path.replaceAll("\\", "/");

function pathsOf(call: Call): string[] {
  const named = param(call, "path", 2) ?? param(call, "literalpath", 2) ?? param(call, "filepath", 5);
  const given = named === undefined ? call.operands : named.split(",");
  return given.map(slashes).map((path) => path.replace(/^~(?=\/|$)/, "$HOME"));
}

/** What a pipe hands over: the names below the directory that was listed. */
function pipedPath({ source }: Call): string | undefined {
  if (!/^(get-childitem|gci|dir|ls|get-item|gi)$/i.test(source[0] ?? "")) return undefined;
  const list = readCall(source.slice(1), []);
  const [root = "."] = pathsOf(list);
  const filtered =
    /-(filter|include|name)\b|\b(where-object|where|\?)\b/i.test(source.join(" ")) || /[*?]\./.test(root);
  return filtered ? `${root}/${NAME}` : `${root}/*`;
}

const home = (path: string, shell: Shell) => path.replace(/^\$HOME(?=\/|$)/, shell.run.situation.home);

const removeItem: Cmdlet = (call, shell) => {
  if (param(call, "whatif", 2) !== undefined) return;
  const recursive =
    param(call, "recurse") !== undefined || ["rf", "fr", "s"].some((flag) => call.flags.has(flag));
  const piped = pipedPath(call);
  for (const path of [...pathsOf(call), ...(piped === undefined ? [] : [piped])].map((one) =>
    home(one, shell),
  )) {
    if (recursive) deleteTree(path, shell);
    else deleteFile(path, shell);
  }
};

const writeItem: Cmdlet = (call, shell) => {
  const [path] = pathsOf(call);
  if (path !== undefined) writeFile(home(path, shell), shell);
};

const copyItem: Cmdlet = (call, shell) => {
  const [source = "", second] = pathsOf(call);
  const target = param(call, "destination", 1) ?? second;
  if (target !== undefined)
    for (const path of destinations([source], home(slashes(target), shell), shell)) writeFile(path, shell);
};

const moveItem: Cmdlet = (call, shell) => {
  const [source = ""] = pathsOf(call);
  deleteFile(home(source, shell), shell);
  copyItem(call, shell);
};

const stopProcess: Cmdlet = (call, shell) => {
  const id = param(call, "id") ?? call.operands[0];
  if (param(call, "name", 1) !== undefined) report(shell, "kill-by-name");
  else if (
    /^(get-process|gps|ps|get-nettcpconnection|get-ciminstance|get-wmiobject|netstat)$/i.test(
      call.source[0] ?? "",
    )
  )
    report(shell, "kill-by-search");
  else if (id !== undefined) shell.run.argv(["kill", "-9", "--", hasHole(id) ? UNKNOWN : id], shell);
};

const startProcess: Cmdlet = (call, shell) => {
  if (/^runas$/i.test(param(call, "verb", 1) ?? "")) report(shell, "elevate");
  const [program = ""] = pathsOf(call);
  const args = param(call, "argumentlist", 1) ?? "";
  if (program) shell.run.argv([program, ...args.split(/[\s,]+/).filter(Boolean)], shell);
};

const setLocation: Cmdlet = (call, shell) => {
  const [path] = pathsOf(call);
  if (path !== undefined) shell.cwd = resolvePath(home(path, shell), shell.cwd);
};

const permissions: Cmdlet = (call, shell) => {
  const opens = /everyone|\*S-1-1-0|users:\(?[^)]*f/i.test(call.text);
  const wide = /\/(t|r)\b/i.test(call.text);
  const [path = ""] = call.operands.map(slashes);
  const place = resolvePath(path, shell.cwd);
  if (wide && /^\/[a-z](\/(windows|users|program files)?)?$/i.test(place))
    report(shell, "permissions-system", place);
  else if (opens) report(shell, "permissions-open", place);
};

const power: Cmdlet = (_, shell) => report(shell, "power");
const disk: Cmdlet = (_, shell) => report(shell, "disk");

const table = (names: string, cmdlet: Cmdlet): [string, Cmdlet][] =>
  names.split(" ").map((name) => [name, cmdlet]);

const CMDLETS: ReadonlyMap<string, Cmdlet> = new Map([
  ...table("remove-item ri rm del erase rd rmdir", removeItem),
  ...table(
    "set-content sc add-content ac out-file clear-content clc new-item ni tee-object tee set-itemproperty export-csv export-clixml",
    writeItem,
  ),
  ...table("copy-item cpi cp copy", copyItem),
  ...table("move-item mi mv move rename-item rni ren", moveItem),
  ...table("stop-process spps kill", stopProcess),
  ...table("start-process saps start", startProcess),
  ...table("set-location sl cd chdir push-location pushd", setLocation),
  ...table("icacls takeown cacls", permissions),
  ...table("stop-computer restart-computer suspend-computer", power),
  ...table(
    "format-volume clear-disk initialize-disk remove-partition reset-physicaldisk set-disk diskpart clear-storage",
    disk,
  ),
  ["vssadmin", ({ text }, shell) => (/delete|resize/i.test(text) ? report(shell, "disk") : undefined)],
  ["wbadmin", ({ text }, shell) => (/delete/i.test(text) ? report(shell, "disk") : undefined)],
  ["cipher", ({ text }, shell) => (/\/w/i.test(text) ? report(shell, "disk") : undefined)],
  ["clear-history", (_, shell) => report(shell, "hide-traces")],
]);

const FETCHERS = /^(curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)(\.exe)?$/i;
const INVOKERS = /^(iex|invoke-expression)$/i;
/** Only words: whatever they say is not run. */
const TALKERS =
  /^(write-(host|output|verbose|warning|error|information|debug)|echo|select-string|sls|throw|findstr)$/i;

/** `around` is the shell whose directory a change of location moves. */
export function runCmdlet(
  words: readonly string[],
  source: readonly string[],
  shell: Shell,
  around: Shell,
): void {
  const [name = "", ...args] = words;
  shell.run.subject = words;
  const key = name
    .toLowerCase()
    .replace(/^.*[\\/]/, "")
    .replace(/\.exe$/, "");
  if (TALKERS.test(key)) return;
  if (INVOKERS.test(key)) runText(args.join(" "), shell);
  const cmdlet = CMDLETS.get(key);
  const call = readCall(args, source);
  cmdlet?.(call, cmdlet === setLocation ? around : shell);
  const isNative = (!cmdlet && !INVOKERS.test(key)) || /^(rm|kill|mv|cp|tee)$/.test(key);
  if (isNative && !/^[\w]+-[\w]+$/.test(key))
    shell.run.argv([name, ...args], { ...shell, stdin: FETCHERS.test(source[0] ?? "") ? REMOTE : "" });
}

/** A literal text given to Invoke-Expression is looked at as a command. */
function runText(text: string, shell: Shell): void {
  const [name = "", ...args] = text.split(/\s+/).filter(Boolean);
  if (name && !INVOKERS.test(name)) runCmdlet([name, ...args], [], shell, shell);
}
