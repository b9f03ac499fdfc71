// Other names under which code calls what does harm: `{ execSync: run }`, `import system as run`, `run = os.system`.
import { lastName } from "./results.ts";
import { sinkOf } from "./sinks.ts";
import type { Language, Token } from "./tokens.ts";

const isSink = (name: string) => sinkOf(lastName(name)) !== undefined;

const MAX_WORDS = 12;

/** What is between `=` and the end of the statement, when it names a sink without calling it. */
function namedSink(tokens: readonly Token[], from: number, takesText: boolean): string | undefined {
  const words = tokens.slice(from, from + MAX_WORDS);
  const first = words[0]?.text ?? "";
  const isWrapped = ["promisify", "getattr"].includes(lastName(first)) && words[1]?.text === "(";
  const end = words.findIndex(
    ({ kind, text }) => kind === "mark" && (isWrapped ? /^[;\n]$/ : /^[;\n,]$/).test(text),
  );
  const last = words.slice(0, end < 0 ? MAX_WORDS : end).at(isWrapped ? -2 : -1);
  const canName = last?.kind === "name" || ((isWrapped || takesText) && last?.kind === "string");
  return last && canName && isSink(last.text) ? last.text : undefined;
}

export function aliasesIn(tokens: readonly Token[], language: Language): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  tokens.forEach((token, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (after?.kind !== "name" && !(token.kind === "mark" && token.text === "=")) return;
    if (
      (token.text === ":" || token.text === "as") &&
      before?.kind === "name" &&
      isSink(before.text) &&
      after
    )
      aliases.set(after.text, before.text);
    if (token.text !== "=" || before?.kind !== "name") return;
    const sink = namedSink(tokens, at + 1, language === "php");
    if (sink !== undefined) aliases.set(before.text, sink);
  });
  return aliases;
}
