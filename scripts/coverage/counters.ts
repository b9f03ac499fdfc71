// Counters in the source: `$c(id)` at every statement and at every way a decision can go. They count alike in the unit tests, in built scripts
// that run in a test's own process, and in processes that tests start.
import { asJavaScript, type Insert, isNode, type Node, parse, withInserts } from "../syntax.ts";

export interface Counter {
  id: string;
  file: string;
  line: number;
  kind: "statement" | "branch";
}

const isStatement = ({ type }: Node) =>
  /Statement$|^VariableDeclaration$/.test(type) && type !== "BlockStatement" && type !== "EmptyStatement";

const LISTS = ["Program", "BlockStatement", "SwitchCase", "StaticBlock"];
/** Where a statement is alone, as in `if (x) return;`. */
const ALONE = ["consequent", "alternate", "body"];

class Counting {
  readonly counters: Counter[] = [];
  readonly #inserts: Insert[] = [];
  readonly #file: string;
  readonly #lineOf: (at: number) => number;
  readonly #index: number;

  constructor(file: string, index: number, lineOf: (at: number) => number) {
    this.#file = file;
    this.#index = index;
    this.#lineOf = lineOf;
  }

  get inserts(): Insert[] {
    return this.#inserts;
  }

  #count(node: Node, kind: Counter["kind"]): string {
    const id = `${this.#index}.${this.counters.length}`;
    this.counters.push({ id, file: this.#file, line: this.#lineOf(node.start), kind });
    return `$c("${id}")`;
  }

  #around({ start, end }: Node, before: string, after: string): void {
    const size = end - start;
    this.#inserts.push({ at: start, text: before, isEnd: false, size });
    this.#inserts.push({ at: end, text: after, isEnd: true, size });
  }

  #value(node: Node, kind: Counter["kind"]): void {
    this.#around(node, `(${this.#count(node, kind)}, (`, "))");
  }

  walk(node: Node, parent?: Node, field = ""): void {
    if (isStatement(node)) this.#statement(node, parent?.type ?? "", field);
    this.#branches(node);
    for (const [name, value] of Object.entries(node))
      for (const child of [value].flat().filter(isNode)) this.walk(child, node, name);
  }

  #statement(node: Node, parent: string, field: string): void {
    if (LISTS.includes(parent)) this.#around(node, `${this.#count(node, "statement")};`, "");
    else if (ALONE.includes(field) && parent !== "LabeledStatement")
      this.#around(node, `{${this.#count(node, "statement")};`, "}");
  }

  #branches(node: Node): void {
    const at = (name: string) => node[name] as Node;
    switch (node.type) {
      case "ArrowFunctionExpression":
        if (at("body").type !== "BlockStatement") this.#value(at("body"), "statement");
        return;
      case "IfStatement":
        this.#way(at("consequent"));
        if (node["alternate"]) this.#way(at("alternate"));
        else {
          const text = ` else ${this.#count(node, "branch")};`;
          this.#inserts.push({ at: node.end, text, isEnd: true, size: node.end - node.start - 0.5 });
        }
        return;
      case "ConditionalExpression":
        this.#value(at("consequent"), "branch");
        this.#value(at("alternate"), "branch");
        return;
      case "LogicalExpression":
        for (const side of [at("left"), at("right")])
          if (side.type !== "LogicalExpression") this.#value(side, "branch");
        return;
      case "AssignmentPattern":
        this.#value(at("right"), "branch");
        return;
      default:
    }
  }

  /** A block counts as the way that leads into it. */
  #way(body: Node): void {
    const counter = this.#count(body, "branch");
    if (body.type === "BlockStatement")
      this.#inserts.push({ at: body.start + 1, text: `${counter};`, isEnd: false, size: 0 });
    else this.#around(body, `{${counter};`, "}");
  }
}

export function counted(
  file: string,
  index: number,
  source: string,
  folder: string,
): { code: string; counters: Counter[] } {
  const { code, lineOf } = asJavaScript(source);
  const counting = new Counting(file, index, lineOf);
  counting.walk(parse(code));
  return { code: PREAMBLE(folder) + withInserts(code, counting.inserts), counters: counting.counters };
}

/** Written when first seen: a process may be killed at any time. */
const PREAMBLE = (folder: string) => `globalThis.$c ??= (() => {
  const fs = process.getBuiltinModule("node:fs");
  const seen = new Set();
  let file;
  return (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    try {
      file ??= fs.openSync(${JSON.stringify(folder)} + "/" + process.pid, "a", 0o666);
      fs.writeSync(file, id + "\\n");
    } catch {}
  };
})();
`;
