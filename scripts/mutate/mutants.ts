// The ways to break a source file, found in its syntax tree. All chosen ones are put into the code at once, each behind a question
// (`$m(id)`), so that one build serves all of them and a test can be tried with each.
import { SourceMap } from "node:module";
import { type TransformResult, transformSync } from "esbuild";
import { parseAst } from "vite";

export interface Mutant {
  id: number;
  file: string;
  line: number;
  before: string;
  after: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** What stands at `node` becomes `after`, or nothing where `isRemoved`: a statement that is then not run. */
interface Place {
  node: Node;
  after: string;
  isRemoved?: boolean;
}

const OTHER: Record<string, string> = {
  ...{ "===": "!==", "!==": "===", "<": ">=", ">": "<=", "<=": ">", ">=": "<" },
  ...{ "&&": "||", "||": "&&" },
};
const IDS_OF_A_FILE = 10_000;

const isNode = (value: unknown): value is Node =>
  typeof (value as Node | null)?.type === "string" && typeof (value as Node).start === "number";

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const isFunction = ({ type }: Node) => /Function/.test(type);

function placesAt(node: Node, text: (node: Node) => string): Place[] {
  const { operator, left, right } = node as { operator?: string; left?: Node; right?: Node };
  const joined = (sign: string) => `${text(left as Node)} ${sign} ${text(right as Node)}`;
  const negated = (test: Node): Place[] =>
    ["BinaryExpression", "LogicalExpression"].includes(test.type)
      ? []
      : [{ node: test, after: `!(${text(test)})` }];
  switch (node.type) {
    case "BinaryExpression":
      if (
        (operator === "+" || operator === "-") &&
        (right as Node).type === "Literal" &&
        typeof (right as Node)["value"] === "number"
      )
        return [{ node, after: joined(operator === "+" ? "-" : "+") }];
      return operator && OTHER[operator] ? [{ node, after: joined(OTHER[operator]) }] : [];
    case "LogicalExpression":
      return [
        { node, after: operator === "??" ? text(right as Node) : joined(OTHER[operator ?? ""] ?? "&&") },
      ];
    case "IfStatement":
    case "ConditionalExpression":
      return negated(node["test"] as Node);
    case "Literal":
      return typeof node["value"] === "boolean" ? [{ node, after: String(!node["value"]) }] : [];
    case "ExpressionStatement": {
      const expression = node["expression"] as Node;
      return ["CallExpression", "AwaitExpression"].includes(expression.type)
        ? [{ node: expression, after: "void 0" }]
        : [];
    }
    case "ThrowStatement":
      return [{ node, after: "", isRemoved: true }];
    default:
      return [];
  }
}

/** Only inside functions: what runs once, when a file is loaded, cannot be switched. */
function placesIn(code: string): { places: Place[]; loops: Node[] } {
  const places: Place[] = [];
  const loops: Node[] = [];
  const text = ({ start, end }: Node) => code.slice(start, end);
  const walk = (node: Node, isInside: boolean): void => {
    if (isInside) places.push(...placesAt(node, text));
    const body = node["body"] as Node | undefined;
    if (/^(For|While|DoWhile)/.test(node.type) && body?.type === "BlockStatement") loops.push(body);
    for (const child of childrenOf(node)) walk(child, isInside || isFunction(node));
  };
  walk(parseAst(code) as unknown as Node, false);
  return { places, loops };
}

const asJavaScript = (source: string): TransformResult =>
  transformSync(source, { loader: "ts", target: "esnext", sourcemap: "external" });

export function mutantsOf(file: string, index: number, source: string): Mutant[] {
  const { code, map } = asJavaScript(source);
  const lines = new SourceMap(JSON.parse(map));
  return placesIn(code).places.map(({ node, after }, at) => {
    const before = code.slice(0, node.start).split("\n");
    const { originalLine = 0 } = lines.findEntry(before.length - 1, before.at(-1)?.length ?? 0) as {
      originalLine?: number;
    };
    const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 160);
    return {
      id: (index + 1) * IDS_OF_A_FILE + at,
      ...{ file, line: originalLine + 1 },
      ...{ before: short(code.slice(node.start, node.end)), after: short(after) },
    };
  });
}

/** The file with the chosen mutants behind their questions. `states` is a folder in which a process without `$m` finds its own. */
export function instrumented(
  source: string,
  index: number,
  chosen: ReadonlySet<number>,
  states: string,
): string {
  const { code } = asJavaScript(source);
  const { places, loops } = placesIn(code);
  const inserts: { at: number; text: string; isEnd: boolean; size: number }[] = [];
  places.forEach(({ node, after, isRemoved }, at) => {
    const id = (index + 1) * IDS_OF_A_FILE + at;
    if (!chosen.has(id)) return;
    const [start, end] = isRemoved ? [`if (!$m(${id})) `, ""] : [`($m(${id}) ? (${after}) : (`, "))"];
    const size = node.end - node.start;
    inserts.push(
      { at: node.start, text: start, isEnd: false, size },
      { at: node.end, text: end, isEnd: true, size },
    );
  });
  for (const body of loops) inserts.push({ at: body.start + 1, text: "$l();", isEnd: false, size: 0 });
  // At one place inner ones end before outer ones, and outer ones begin before inner ones.
  inserts.sort(
    (a, b) =>
      a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? a.size - b.size : b.size - a.size),
  );
  let result = PREAMBLE(states);
  let done = 0;
  for (const { at, text } of inserts) {
    result += code.slice(done, at) + text;
    done = at;
  }
  return result + code.slice(done);
}

/** In a test's own process the runner defines `$m`. A process that a test starts reads which mutant is on, and notes what it passed. */
const PREAMBLE = (states: string) => `globalThis.$m ??= (() => {
  const fs = process.getBuiltinModule("node:fs");
  const active = Number(fs.readFileSync(${JSON.stringify(`${states}/active`)}, "utf8"));
  const passed = new Set();
  process.on("exit", () => fs.appendFileSync(${JSON.stringify(`${states}/passed`)}, [...passed].join("\\n") + "\\n"));
  return (id) => (passed.add(id), id === active);
})();
globalThis.$l ??= () => {};
`;
