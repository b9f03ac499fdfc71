// Where a walk through PowerShell stands: the tokens, what was set so far, and the shell it happens in.
import type { Shell } from "../shell.ts";
import type { Token } from "./tokens.ts";
import type { Value } from "./values.ts";

/** What a text has set so far. */
export type Scope = {
  values: Map<string, Value>;
  functions: Map<string, { parameters: readonly string[]; body: readonly Token[] }>;
};
export type Cursor = {
  tokens: readonly Token[];
  at: number;
  shell: Shell;
  scope: Scope;
  /** Runs the statements of a group or a block. */
  walk(cursor: Cursor): Value;
};

export const peek = ({ tokens, at }: Cursor) => tokens[at];
export const isMark = (token: Token | undefined, text: string) =>
  token?.kind === "mark" && token.text === text;
export const isOpen = (token: Token | undefined, text: string) =>
  token?.kind === "open" && token.text === text;
export const isEnd = (token: Token | undefined) =>
  token === undefined ||
  token.kind === "close" ||
  (token.kind === "mark" && /^(;|\||\|\||&&)$/.test(token.text));

/** The tokens between an opener at the cursor and its end; the cursor moves behind it. */
export function group(cursor: Cursor): readonly Token[] {
  const start = ++cursor.at;
  for (let depth = 1; cursor.at < cursor.tokens.length; cursor.at++) {
    const kind = peek(cursor)?.kind;
    if (kind === "open") depth++;
    if (kind === "close" && --depth === 0) break;
  }
  return cursor.tokens.slice(start, cursor.at++);
}

export const inside = (cursor: Cursor, tokens: readonly Token[]): Cursor => ({ ...cursor, tokens, at: 0 });
