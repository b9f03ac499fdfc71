// A source file as JavaScript, its syntax tree, and text put into it: for what breaks the code (mutate) and what counts it (coverage).
import { SourceMap } from "node:module";
import { transformSync } from "esbuild";
import { parseAst } from "vite";

export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** `size` is that of the node it belongs to: at one place inner ones end before outer ones, and outer ones begin before inner ones. */
export interface Insert {
  at: number;
  text: string;
  isEnd: boolean;
  size: number;
}

export const isNode = (value: unknown): value is Node =>
  typeof (value as Node | null)?.type === "string" && typeof (value as Node).start === "number";

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

export const isFunction = ({ type }: Node) => /Function/.test(type);

export const parse = (code: string) => parseAst(code) as unknown as Node;

/** `lineOf`: the line in the source of a place in the code. */
export function asJavaScript(source: string): { code: string; lineOf: (at: number) => number } {
  const { code, map } = transformSync(source, { loader: "ts", target: "esnext", sourcemap: "external" });
  const lines = new SourceMap(JSON.parse(map));
  const lineOf = (at: number) => {
    const before = code.slice(0, at).split("\n");
    const entry = lines.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    return ("originalLine" in entry ? entry.originalLine : 0) + 1;
  };
  return { code, lineOf };
}

export function withInserts(code: string, inserts: Insert[]): string {
  inserts.sort(
    (a, b) =>
      a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? a.size - b.size : b.size - a.size),
  );
  let result = "";
  let done = 0;
  for (const { at, text } of inserts) {
    result += code.slice(done, at) + text;
    done = at;
  }
  return result + code.slice(done);
}
