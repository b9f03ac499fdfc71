// The ways to break a source file, found in its syntax tree. All chosen ones are put into the code at once, each behind a question
// (`$m(id)`), so that one build serves all of them and a test can be tried with each.
import {
  asJavaScript,
  childrenOf,
  type Insert,
  isFunction,
  type Node,
  parse,
  withInserts,
} from "../syntax.ts";

export interface Mutant {
  id: number;
  isEscape: boolean;
  file: string;
  line: number;
  before: string;
  after: string;
}

/** What stands at `node` becomes `after`, or nothing where `isRemoved`: a statement that is then not run. */
interface Place {
  node: Node;
  after: string;
  isRemoved?: boolean;
  isEscape?: boolean;
}

const OTHER: Record<string, string> = {
  ...{ "===": "!==", "!==": "===", "<": ">=", ">": "<=", "<=": ">", ">=": "<" },
  ...{ "&&": "||", "||": "&&" },
};
/** Of lib/core/text.ts: without them foreign text is injected or printed as it came. */
const ESCAPES = new Set(["escapeXml", "escapeLine", "withoutTags", "plainText", "plainLine", "plainJson"]);
const IDS_OF_A_FILE = 10_000;

function placesAt(node: Node, text: (node: Node) => string): Place[] {
  const { operator, left, right } = node as { operator?: string; left?: Node; right?: Node };
  // A node's text is without the parentheses around it.
  const joined = (sign: string) => `(${text(left as Node)}) ${sign} (${text(right as Node)})`;
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
    case "CallExpression": {
      const [first] = node["arguments"] as Node[];
      const { name } = node["callee"] as { name?: string };
      return first && ESCAPES.has(name ?? "") ? [{ node, after: text(first), isEscape: true }] : [];
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
    if (/^(For|While|DoWhile)/.test(node.type) && body) loops.push(body);
    for (const child of childrenOf(node)) walk(child, isInside || isFunction(node));
  };
  walk(parse(code), false);
  return { places, loops };
}

export function mutantsOf(file: string, index: number, source: string): Mutant[] {
  const { code, lineOf } = asJavaScript(source);
  return placesIn(code).places.map(({ node, after, isEscape = false }, at) => {
    const short = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 160);
    return {
      id: (index + 1) * IDS_OF_A_FILE + at,
      isEscape,
      ...{ file, line: lineOf(node.start) },
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
  const inserts: Insert[] = [];
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
  for (const { type, start, end } of loops)
    if (type === "BlockStatement") inserts.push({ at: start + 1, text: "$l();", isEnd: false, size: 0 });
    else {
      const size = end - start + 1; // around a mutant of the whole body
      inserts.push(
        { at: start, text: "{ $l(); ", isEnd: false, size },
        { at: end, text: " }", isEnd: true, size },
      );
    }
  return PREAMBLE(states) + withInserts(code, inserts);
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
