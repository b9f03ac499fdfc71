// `${name}` with its operators, computed where the value is known.
import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { globOf } from "../paths.ts";
import type { Shell } from "./state.ts";
import { hasUnknown, NON_EMPTY, UNKNOWN } from "./state.ts";
import { assign, lookUp } from "./variables.ts";

/** Expands an operand word to one string; handed in, since words and parameters hold each other. */
export type Expand = (word: Word) => string;

const number = (text: string) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined);

/** Of an unknown value the default is taken, save that `?` ends the shell where it is empty. */
function withDefault(
  list: readonly string[] | undefined,
  operator: string,
  operand: string,
  onAssign: (text: string) => void,
): readonly string[] {
  const isEmpty = list?.length === 0 || (operator.startsWith(":") && list?.join("") === "");
  const isSet = list !== undefined && !isEmpty;
  if (operator.endsWith("+")) return [isEmpty ? "" : operand];
  if (operator.endsWith("?"))
    return isSet
      ? list.map((one) => (one.startsWith(UNKNOWN) ? NON_EMPTY + one.slice(1) : one))
      : [NON_EMPTY];
  if (operator.endsWith("=") && !isSet) onAssign(operand);
  return isSet ? list : [operand];
}

function remove(value: string, operator: string, pattern: string): string {
  const longest = operator.length === 2;
  if (operator.startsWith("#")) return value.slice(globOf(pattern).prefix(value, longest) ?? 0);
  return value.slice(0, value.length - (globOf(pattern).suffix(value, longest) ?? 0));
}

function replace(value: string, operator: string, pattern: string, replacement: string): string {
  const glob = globOf(pattern);
  if (operator === "/#" || operator === "/%") {
    const length = operator === "/#" ? glob.prefix(value, true) : glob.suffix(value, true);
    if (length === undefined) return value;
    return operator === "/#"
      ? replacement + value.slice(length)
      : value.slice(0, value.length - length) + replacement;
  }
  return pattern === "" ? value : glob.replace(value, replacement, operator === "//");
}

function slice(value: string, offset: string, length: string | undefined): string {
  const from = number(offset);
  const count = length === undefined ? value.length : number(length);
  if (from === undefined || count === undefined) return UNKNOWN;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  return count < 0 ? value.slice(start, count) : value.slice(start, start + count);
}

function changeCase(value: string, operator: string): string {
  const isUpper = operator.startsWith("^");
  const change = (text: string) => (isUpper ? text.toUpperCase() : text.toLowerCase());
  return operator.length === 2 ? change(value) : change(value.charAt(0)) + value.slice(1);
}

function operate(value: string, operation: ParameterOperation, expand: Expand): string {
  switch (operation.type) {
    case "Remove":
      return remove(value, operation.operator, expand(operation.operand));
    case "Replace":
      return replace(value, operation.operator, expand(operation.pattern), expand(operation.replacement));
    case "Slice":
      return hasUnknown(value)
        ? value
        : slice(value, expand(operation.offset), operation.length && expand(operation.length));
    case "CaseModification":
      return changeCase(value, operation.operator);
    case "Transform":
      return value;
    default:
      return UNKNOWN;
  }
}

function elements(part: ParameterExpansionPart, shell: Shell, expand: Expand): readonly string[] | undefined {
  const list = lookUp(part.parameter, shell);
  if (!list || !part.index)
    return list && part.parameter !== "@" && part.parameter !== "*" ? list.slice(0, 1) : list;
  const index = expand(part.index);
  if (index === "@" || index === "*") return list;
  const at = number(index);
  const element = at === undefined ? undefined : list.at(at);
  if (element !== undefined) return [element];
  const unset = at === undefined ? list : [""]; // under an unknown key any of them, as in a loop
  return lookUp(`${part.parameter}[${index}]`, shell) ?? unset;
}

/** `${@:2}` and `${list[@]: -1}` take elements, not signs; of the arguments the first is number 1. */
function sliceList(
  part: ParameterExpansionPart,
  list: readonly string[],
  expand: Expand,
): readonly string[] | undefined {
  const { operation, parameter, index } = part;
  const isArguments = /^[@*]$/.test(parameter);
  if (operation?.type !== "Slice" || !(isArguments || /^[@*]$/.test(index?.text ?? ""))) return undefined;
  const from = number(expand(operation.offset));
  if (from === undefined) return undefined;
  const start = Math.max(0, from < 0 ? list.length + from : isArguments ? from - 1 : from);
  const count = operation.length && number(expand(operation.length));
  return list.slice(start, count === undefined ? undefined : start + count);
}

/** The words of an operation are expanded, whatever becomes of them. */
function expandOperands(operation: ParameterOperation, expand: Expand): void {
  const parts: (Word | string | number | undefined)[] = Object.values(operation);
  for (const part of parts) if (typeof part === "object") expand(part);
}

/** The fields `${…}` stands for. */
export function expandParameter(
  part: ParameterExpansionPart,
  shell: Shell,
  expand: Expand,
): readonly string[] {
  const list = elements(part, shell, expand);
  if (part.prefix === "#")
    return [list ? String(part.index ? list.length : (list[0] ?? "").length) : UNKNOWN];
  if (part.prefix === "!") return list?.[0] ? (lookUp(list[0], shell) ?? [UNKNOWN]) : [UNKNOWN];
  const { operation } = part;
  if (!operation) return list ?? [UNKNOWN];
  if (operation.type === "Default")
    return withDefault(list, operation.operator, expand(operation.operand), (text) =>
      assign(part.parameter, [text], shell),
    );
  if (!list?.every((value) => !hasUnknown(value))) expandOperands(operation, expand);
  if (list && operation.type === "Transform" && operation.operand?.text === "P")
    for (const value of list) shell.run.code(`: "${value}"`, shell);
  return list
    ? (sliceList(part, list, expand) ?? list.map((value) => operate(value, operation, expand)))
    : [UNKNOWN];
}
