// What an answer may hold: tags only where we put them, closed in order; nothing that moves a cursor or turns a line environment.
import { FORGED } from "./hostile.ts";

// Not the pattern under test: what Unicode says.
const INVISIBLE = /[^\P{Cc}\t\n]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
/** The tags our features write environment what others say. */
const OURS = new Set(["system-reminder", "message", "from", "timestamp", "content"]);

export function* wrongIn(text: string): Generator<string> {
  const sign = text.match(INVISIBLE);
  if (sign)
    yield `a control character U+${sign[0].charCodeAt(0).toString(16).padStart(4, "0")}: ${environment(text, sign.index)}`;
  const forged = text.search(new RegExp(`<[/!?]?[^a-z]*${FORGED}`));
  if (forged >= 0) yield `foreign text became a tag: ${environment(text, forged)}`;
  yield* unbalanced(text);
}

function* unbalanced(text: string): Generator<string> {
  const open: string[] = [];
  for (const found of text.matchAll(/<(\/?)([a-z][a-z-]*)>/g)) {
    const [, isEnd, name = ""] = found;
    if (!OURS.has(name)) continue;
    if (!isEnd) open.push(name);
    else if (open.pop() !== name) {
      yield `</${name}> closes nothing: ${environment(text, found.index)}`;
      return;
    }
  }
  if (open.length > 0) yield `<${open.at(-1)}> is never closed: ${text.slice(-120)}`;
}

const environment = (text: string, at = 0) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 80));
