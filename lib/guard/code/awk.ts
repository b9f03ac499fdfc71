// awk's own ways to run and to write: pipes and redirections inside its statements.
import { writeFile } from "../shell/file-effects.ts";
import { UNKNOWN } from "../shell/state.ts";
import type { Scope } from "./results.ts";
import { expression } from "./values.ts";

/** More tokens than a statement has. */
const STATEMENT = 200;

/** `print | "cmd"`, `"cmd" | getline`, `print > "file"`. */
export function awkStreams(scope: Scope, at: number, run: (code: string, stdin?: string) => void): void {
  const { tokens, shell } = scope;
  const mark = tokens[at];
  if (mark?.kind !== "mark") return;
  const isPrinted = tokens
    .slice(Math.max(0, at - STATEMENT), at)
    .some(({ text }) => ["print", "printf"].includes(text));
  const next = tokens[at + 1]?.text === ">" || tokens[at + 1]?.text === "&" ? at + 2 : at + 1;
  if (mark.text === ">" && isPrinted && tokens[at - 1]?.text !== ">")
    writeFile(expression(scope, next).value.text, shell);
  if (mark.text !== "|" || tokens[at + 1]?.text === "|" || tokens[at - 1]?.text === "|") return;
  const [before] = tokens.slice(at - 1, at);
  if (tokens[next]?.text === "getline" && before)
    run(before.kind === "string" ? before.text : (scope.names.get(before.text)?.text ?? UNKNOWN));
  else run(expression(scope, next).value.text, scope.printed.at(-1));
}

/** More than a statement prints. */
const MAX_PRINTED = 64;

/** What `print` prints, with an unknown for each field. */
export function awkPrints(scope: Scope, at: number): void {
  if (!["print", "printf"].includes(scope.tokens[at]?.text ?? "") || scope.tokens[at]?.kind !== "name")
    return;
  const items: string[] = [];
  const isBare = /^[|>;}\n]?$/.test(scope.tokens[at + 1]?.text ?? "");
  if (isBare) return void scope.printed.push(scope.shell.stdin);
  for (let from = at + 1; from < scope.tokens.length && items.length < MAX_PRINTED; ) {
    const { value, next } = expression(scope, from);
    items.push(value.text);
    if (scope.tokens[next]?.text !== ",") break;
    from = next + 1;
  }
  scope.printed.push(`${items.join(" ")}\n`);
}
