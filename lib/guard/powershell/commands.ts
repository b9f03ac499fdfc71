// PowerShell's commands and their aliases, in terms of what they do to files, processes and the machine.
import { parentOf, resolvePath } from "../paths.ts";
import type { RuleId } from "../rules.ts";
import { deleteTree, readFile, writeFile } from "../shell/file-effects.ts";
import {
  DECODED,
  deeper,
  FETCHED,
  FOUND_PIDS,
  hasUnknown,
  report,
  type Shell,
  SOME_NAME,
  TEMP_PATH,
  taintOf,
  UNKNOWN,
} from "../shell/state.ts";
import {
  type Around,
  type Cmdlet,
  copyItem,
  fromHome,
  type Given,
  listItems,
  moveItem,
  newItem,
  param,
  pathsOf,
  removeItem,
  renameItem,
  setLocation,
  writeItem,
} from "./items.ts";
import { method, NOTHING, only, property, slashes, textOf, type Value } from "./values.ts";

const stopProcess: Cmdlet = (call, shell) => {
  if (param(call, "name") ?? param(call, "processname")) report(shell, "kill-by-name");
  const targets = [
    ...(param(call, "id") ?? []),
    ...(param(call, "inputobject", 2) ?? []),
    ...call.operands,
    ...call.input,
  ];
  if (targets.some((target) => target.includes(FOUND_PIDS))) report(shell, "kill-by-search");
  else for (const id of targets) shell.run.argv(["kill", "-9", "--", hasUnknown(id) ? UNKNOWN : id], shell);
};

const startProcess: Cmdlet = (call, shell) => {
  if (/^runas$/i.test(param(call, "verb")?.[0] ?? "")) report(shell, "elevate");
  const [program, ...more] = pathsOf(call, shell);
  const args = (param(call, "argumentlist") ?? more).flatMap((arg) => arg.split(/\s+/).filter(Boolean));
  if (program)
    call.around.code(`& '${program}' ${args.map((arg) => `'${arg.replaceAll("'", "''")}'`).join(" ")}`);
};

const permissions: Cmdlet = (call, shell) => {
  const text = call.words.join(" ");
  const [path = ""] = call.operands.map(slashes);
  const place = resolvePath(path, shell.cwd);
  if (/\/(t|r)\b/i.test(text) && /^\/[a-z](\/(windows|users|program files)?)?$/i.test(place))
    report(shell, "permissions-system", place);
  else if (/everyone|\*S-1-1-0|users:(\([a-z,]*\))*\(?[a-z,]*f/i.test(text))
    report(shell, "permissions-open", place);
};

const fetch: Cmdlet = (call, shell) => {
  const [file] = param(call, "outfile", 2) ?? [];
  if (file === undefined) return only(FETCHED);
  writeFile(fromHome(file, shell), shell, FETCHED);
  return NOTHING;
};

/** Text becomes code: from elsewhere, decoded, or as written here. */
const invoke: Cmdlet = (call, shell) => {
  const { operands, input, blocks, around } = call;
  for (const block of blocks) around.block(block, UNKNOWN);
  for (const text of [...operands, ...(param(call, "command") ?? []), ...input]) {
    if (text.includes(FETCHED)) report(shell, "remote-code");
    else if (text.includes(DECODED)) report(shell, "encoded-payload");
    if (text !== UNKNOWN) around.code(text.replaceAll(DECODED, ""));
  }
};

const forEach: Cmdlet = (call, shell) => {
  const { input, blocks, around } = call;
  const [member] = param(call, "membername") ?? call.operands;
  if (blocks.length === 0 && member !== undefined) {
    method({ items: input }, member, [], shell); // `ForEach-Object Kill`
    return property({ items: input }, member);
  }
  const items = input.length ? input : [UNKNOWN];
  return { items: items.flatMap((item) => blocks.flatMap((block) => around.block(block, item).items)) };
};

/** Filters: what they keep is still below what was listed, but no longer all of it. */
const narrow: Cmdlet = ({ input, blocks, around }) => {
  for (const item of input) for (const block of blocks) around.block(block, item);
  return { items: input.map((item) => (item.endsWith("/*") ? `${item.slice(0, -1)}${SOME_NAME}` : item)) };
};

const mirror: Cmdlet = ({ words }, shell) => {
  const [, target] = words.filter((word) => !/^\/[a-z]+(:|$)/i.test(word));
  if (target !== undefined && words.some((word) => /^\/(mir|purge)$/i.test(word)))
    deleteTree(fromHome(target, shell), shell);
};

const setAlias: Cmdlet = (call, shell) => {
  const [first = "", second = ""] = call.operands;
  shell.aliases.set((param(call, "name")?.[0] ?? first).toLowerCase(), param(call, "value")?.[0] ?? second);
};

const cim: Cmdlet = ({ words }) => (/process/i.test(words.join(" ")) ? only(FOUND_PIDS) : only(UNKNOWN));
const terminate: Cmdlet = ({ input, words }, shell) => {
  if (/terminate/i.test(words.join(" ")) && input.some((item) => item.includes(FOUND_PIDS)))
    report(shell, "kill-by-search");
};

/** Where its words match, or always. */
const reports =
  (rule: RuleId, pattern = /(?:)/): Cmdlet =>
  ({ words }, shell) =>
    pattern.test(words.join(" ")) ? report(shell, rule) : undefined;

const CMDLETS: readonly [names: RegExp, cmdlet: Cmdlet][] = [
  [/^(remove-item|ri|rm|del|erase|rd|rmdir)$/, removeItem],
  [
    /^(set-content|sc|add-content|ac|out-file|clear-content|clc|tee-object|tee|set-itemproperty|export-csv|export-clixml)$/,
    writeItem,
  ],
  [/^(new-item|ni)$/, newItem],
  [/^(copy-item|cpi|cp|copy)$/, copyItem],
  [/^(move-item|mi|mv|move)$/, moveItem],
  [/^(rename-item|rni|ren)$/, renameItem],
  [/^(stop-process|spps|kill)$/, stopProcess],
  [/^(start-process|saps|start)$/, startProcess],
  [/^(set-location|sl|cd|chdir|push-location|pushd)$/, setLocation],
  [/^(pop-location|popd)$/, (_, shell) => void shell.run.argv(["popd"], shell)],
  [/^(icacls|takeown|cacls)$/, permissions],
  [/^(stop-computer|restart-computer|suspend-computer)$/, reports("power")],
  [
    /^(format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk|set-disk|diskpart|clear-storage)$/,
    reports("disk"),
  ],
  [/^robocopy$/, mirror],
  [/^wmic$/, reports("kill-by-search", /^(?=.*process).*(delete|terminate)/i)],
  [/^vssadmin$/, reports("disk", /delete|resize/i)],
  [/^wbadmin$/, reports("disk", /delete/i)],
  [/^cipher$/, reports("disk", /\/w/i)],
  [/^clear-history$/, reports("hide-traces")],
  [/^(iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)$/, fetch],
  [/^(iex|invoke-expression|invoke-command|icm)$/, invoke],
  [/^(foreach-object|foreach|%)$/, forEach],
  [/^(where-object|where|\?|select-object|select|sort-object|sort)$/, narrow],
  [/^(set-alias|sal|new-alias|nal)$/, setAlias],
  [/^(get-ciminstance|gcim|get-wmiobject|gwmi)$/, cim],
  [/^(invoke-cimmethod|invoke-wmimethod|remove-ciminstance)$/, terminate],
  [
    /^(get-process|gps|ps|get-nettcpconnection|netstat)$/,
    (call) => ({ items: param(call, "id") ?? [FOUND_PIDS] }),
  ],
  [/^(get-childitem|gci|dir|ls)$/, listItems],
  [/^(get-item|gi|resolve-path|rvpa|convert-path)$/, (call, shell) => ({ items: pathsOf(call, shell) })],
  [/^(get-location|gl|pwd)$/, (_, shell) => only(shell.cwd)],
  [
    /^(get-content|gc|type|cat)$/,
    (call, shell) => only(readFile(pathsOf(call, shell)[0] ?? "", shell) ?? UNKNOWN),
  ],
  [
    /^join-path$/,
    (call, shell) => only([...pathsOf(call, shell), ...(param(call, "childpath") ?? [])].join("/")),
  ],
  [/^split-path$/, (call, shell) => only(parentOf(pathsOf(call, shell)[0] ?? "."))],
  [/^new-temporaryfile$/, () => only(TEMP_PATH)],
  [
    /^(write-(output|host|verbose|warning|error|information|debug)|echo|throw)$/,
    ({ operands }) => ({ items: operands }),
  ],
  [/^(select-string|sls|findstr|get-help|help|man|get-command|gcm|test-path|get-date)$/, () => only(UNKNOWN)],
];

/** These are programs on other systems, and their options are not PowerShell's. */
const BOTH = /^(rm|kill|mv|cp|tee)$/;

/** `cmd` fills in `%SOME_NAME%` by itself, and parts commands with `&`. */
const asPowerShell = (text: string, shell: Shell) =>
  text
    .replace(/&+/g, ";")
    .replace(/%(userprofile|homepath)%/gi, () => shell.run.situation.home)
    .replace(/%(systemroot|windir)%/gi, "C:/Windows");

export function runCommand(name: string, given: Given, input: readonly string[], around: Around): Value {
  const { shell } = around;
  const key = name
    .toLowerCase()
    .replace(/^.*[\\/]/, "")
    .replace(/\.exe$/, "");
  shell.run.subject = [name, ...given.words];
  const alias = shell.aliases.get(key);
  if (alias !== undefined)
    return only(deeper(shell, `alias ${key}`, () => textOf(runCommand(alias, given, input, around))));
  if (/^\w+-\w+\s/.test(name)) return around.code(name);
  const [, cmdlet] = CMDLETS.find(([names]) => names.test(key)) ?? [];
  const native = [slashes(name), ...given.words];
  if (cmdlet) {
    const value = cmdlet({ ...given, input, around }, shell) ?? NOTHING;
    if (BOTH.test(key)) shell.run.argv(native, shell);
    return value;
  }
  for (const block of given.blocks) around.block(block, UNKNOWN);
  if (/^\w+-\w+$/.test(key)) return { items: [taintOf(input.join("") + given.words.join(""))] };
  if (key === "cmd") {
    const at = given.words.findIndex((word) => /^\/+[ck]$/i.test(word));
    return at < 0 ? NOTHING : around.code(asPowerShell(given.words.slice(at + 1).join(" "), shell));
  }
  return { items: shell.run.argv(native, { ...shell, stdin: input.join("\n") }).split("\n") };
}
