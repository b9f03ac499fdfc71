// PowerShell's cmdlets for files and directories, and what all cmdlets share: their parameters.
import { parentOf, resolvePath } from "../paths.ts";
import { deleteFile, deleteTree, destinations, writeFile } from "../shell/file-effects.ts";
import type { Shell } from "../shell/state.ts";
import { SOME_NAME, UNKNOWN } from "../shell/state.ts";
import type { Token } from "./tokens.ts";
import { only, slashes, type Value } from "./values.ts";

export type Given = {
  named: Map<string, readonly string[]>;
  operands: string[];
  blocks: (readonly Token[])[];
  /** All of it in order, for programs that are no cmdlets. */
  words: string[];
};
/** `block` runs a piece of code for an item of the pipeline, `code` a text. */
export type Around = {
  shell: Shell;
  block(tokens: readonly Token[], item: string): Value;
  code(text: string): Value;
};
export type Call = Given & { input: readonly string[]; around: Around };
export type Cmdlet = (call: Call, shell: Shell) => Value | undefined | void;

/** Parameters that stand alone: what follows one of them is an operand. */
export const isSwitch = (name: string) =>
  /^(r\w*|fo(rce)?|wh\w*|conf\w*|asjob|wait|passthru|nonewline|app\w*|nocl\w*|hidden|file|directory|verbose|rf|fr|s|v|y|nonewwindow|usebasicparsing|raw|parent|leaf)$/.test(
    name,
  );

/** `-Recurse:$false` is as good as not given. */
export function giveNamed({ named }: Given, name: string, items: readonly string[]): void {
  if (!isSwitch(name) || items[0]?.toLowerCase() !== "false") named.set(name, items);
}

/** PowerShell takes any unambiguous beginning of a parameter's name. */
export const param = ({ named }: Call, name: string, least = 1): readonly string[] | undefined => {
  for (const [flag, value] of named) if (flag.length >= least && name.startsWith(flag)) return value;
  return undefined;
};

export const fromHome = (path: string, shell: Shell) =>
  slashes(path).replace(/^~(?=\/|$)/, () => shell.run.situation.home);

const namedPaths = (call: Call) =>
  param(call, "path", 2) ??
  param(call, "literalpath", 2) ??
  call.named.get("lp") ??
  call.named.get("pspath") ??
  param(call, "filepath", 5);

export const pathsOf = (call: Call, shell: Shell): string[] =>
  (namedPaths(call) ?? call.operands).map((path) => fromHome(path, shell));

/** `rd /s /q build`, as `cmd` takes it. */
const isCmdSwitch = (word: string) => /^\/[afpqs]$/i.test(word);

export const removeItem: Cmdlet = (call, shell) => {
  if (param(call, "whatif", 2)) return;
  const recursive =
    param(call, "recurse") !== undefined ||
    ["rf", "fr", "s"].some((flag) => call.named.has(flag)) ||
    call.operands.some((word) => word.toLowerCase() === "/s");
  for (const path of [...pathsOf(call, shell), ...call.input.map((one) => fromHome(one, shell))]) {
    if (isCmdSwitch(path)) continue;
    if (recursive) deleteTree(path, shell);
    else deleteFile(path, shell);
  }
};

/** Behind a path without a name stands the value. */
export const writeItem: Cmdlet = (call, shell) => {
  for (const path of namedPaths(call) ?? call.operands.slice(0, 1))
    writeFile(fromHome(path, shell), shell, call.input.join("\n") || UNKNOWN);
  return { items: call.input };
};

/** `-Name` is a name below the path, or below the current directory. */
export const newItem: Cmdlet = (call, shell) => {
  const [name] = param(call, "name") ?? [];
  const [path = "."] = pathsOf(call, shell);
  if (name === undefined) return writeItem(call, shell);
  writeFile(`${path}/${slashes(name)}`, shell, call.input.join("\n") || UNKNOWN);
};

/** What is copied, moved or renamed, and to what: the last operand, unless it is `named`. */
function sourcesAndTarget(call: Call, shell: Shell, named: string): [sources: string[], target: string] {
  const paths = [...call.input, ...(namedPaths(call) ?? []), ...call.operands];
  const [target = (paths.length > 1 && paths.pop()) || "."] = param(call, named) ?? [];
  return [paths.map((path) => fromHome(path, shell)), fromHome(target, shell)];
}

export const copyItem: Cmdlet = (call, shell) => {
  for (const path of destinations(...sourcesAndTarget(call, shell, "destination"), shell))
    writeFile(path, shell);
};

export const moveItem: Cmdlet = (call, shell) => {
  const [sources] = sourcesAndTarget(call, shell, "destination");
  for (const source of sources) deleteFile(source, shell);
  copyItem(call, shell);
};

/** Many that are listed get other names where they are; one that is named may be missed. */
export const renameItem: Cmdlet = (call, shell) => {
  const [sources, name] = sourcesAndTarget(call, shell, "newname");
  for (const source of sources) {
    if (call.input.length === 0) deleteFile(source, shell);
    writeFile(`${parentOf(resolvePath(source, shell.cwd))}/${name}`, shell);
  }
};

export const setLocation: Cmdlet = (call, shell) => {
  const [path] = pathsOf(call, shell);
  if (path !== undefined) shell.run.argv(["cd", path], shell);
};

/** Names below a directory, or all that is in it. */
export const listItems: Cmdlet = (call, shell) => {
  const [root = "."] = pathsOf(call, shell);
  const isNarrow =
    ["filter", "include", "exclude"].some((name) => param(call, name, 2)) || /[*?]\./.test(root);
  return only(isNarrow ? `${root}/${SOME_NAME}` : `${root}/*`);
};
