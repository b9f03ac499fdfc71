// PowerShell's cmdlets for files and directories, and what all cmdlets share: their parameters.
import { parentOf, resolvePath } from "../paths.ts";
import { deleteFile, deleteTree, destinations, writeFile } from "../shell/file-effects.ts";
import type { Shell } from "../shell/state.ts";
import { SOME_NAME, UNKNOWN } from "../shell/state.ts";
import type { Token } from "./tokens.ts";
import { only, type Value } from "./values.ts";

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
const SWITCHES =
  /^(r\w*|fo(rce)?|wh\w*|conf\w*|asjob|wait|passthru|nonewline|app\w*|nocl\w*|hidden|file|directory|verbose|rf|fr|s|v|y|nonewwindow|usebasicparsing|raw|parent|leaf)$/;

/** A switch swallowed the operand behind it; it is given back. */
export function settle({ named, operands }: Given): void {
  for (const [name, items] of named)
    if (SWITCHES.test(name) && items.length) {
      const isSet = /^\$?(true|false)$/i.exec(items[0] ?? "")?.[1]?.toLowerCase(); // `-Recurse:$true`
      if (isSet === undefined) operands.push(...items);
      if (isSet === "false") named.delete(name);
      else named.set(name, []);
    }
}

/** PowerShell takes any unambiguous beginning of a parameter's name. */
export const param = ({ named }: Call, name: string, least = 1): readonly string[] | undefined => {
  for (const [flag, value] of named) if (flag.length >= least && name.startsWith(flag)) return value;
  return undefined;
};

export const slashes = (path: string) => path.replaceAll("\\", "/");
export const fromHome = (path: string, shell: Shell) =>
  slashes(path).replace(/^~(?=\/|$)/, () => shell.run.situation.home);

export function pathsOf(call: Call, shell: Shell): string[] {
  const named =
    param(call, "path", 2) ??
    param(call, "literalpath", 2) ??
    call.named.get("lp") ??
    call.named.get("pspath") ??
    param(call, "filepath", 5);
  return (named ?? call.operands).map((path) => fromHome(path, shell));
}

export const removeItem: Cmdlet = (call, shell) => {
  if (param(call, "whatif", 2)) return;
  const recursive =
    param(call, "recurse") !== undefined || ["rf", "fr", "s"].some((flag) => call.named.has(flag));
  for (const path of [...pathsOf(call, shell), ...call.input.map((one) => fromHome(one, shell))]) {
    if (recursive) deleteTree(path, shell);
    else deleteFile(path, shell);
  }
};

export const writeItem: Cmdlet = (call, shell) => {
  const [path] = pathsOf(call, shell);
  if (path !== undefined) writeFile(path, shell, call.input.join("\n") || UNKNOWN);
  return { items: call.input };
};

/** `-Name` is a name below the path, or below the current directory. */
export const newItem: Cmdlet = (call, shell) => {
  const [name] = param(call, "name") ?? [];
  const [path = "."] = pathsOf(call, shell);
  if (name === undefined) return writeItem(call, shell);
  writeFile(`${path}/${slashes(name)}`, shell, call.input.join("\n") || UNKNOWN);
};

export const copyItem: Cmdlet = (call, shell) => {
  const [first, second] = pathsOf(call, shell);
  const sources = call.input.length ? call.input : [first ?? ""];
  const [target = call.input.length ? first : second] = param(call, "destination") ?? [];
  if (target !== undefined)
    for (const path of destinations(sources, fromHome(target, shell), shell)) writeFile(path, shell);
};

export const moveItem: Cmdlet = (call, shell) => {
  const [source = ""] = call.input.length ? call.input : pathsOf(call, shell);
  deleteFile(fromHome(source, shell), shell);
  copyItem(call, shell);
};

export const renameItem: Cmdlet = (call, shell) => {
  const [source = "", second = ""] = pathsOf(call, shell);
  const [name = second] = param(call, "newname") ?? [];
  writeFile(`${parentOf(resolvePath(source, shell.cwd))}/${name}`, shell);
};

export const setLocation: Cmdlet = (call, shell) => {
  const [path] = pathsOf(call, shell);
  if (path !== undefined) shell.cwd = resolvePath(path, shell.cwd);
};

/** Names below a directory, or all that is in it. */
export const listItems: Cmdlet = (call, shell) => {
  const [root = "."] = pathsOf(call, shell);
  const isNarrow =
    ["filter", "include", "exclude"].some((name) => param(call, name, 2)) || /[*?]\./.test(root);
  return only(isNarrow ? `${root}/${SOME_NAME}` : `${root}/*`);
};
