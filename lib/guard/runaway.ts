// An endless loop that starts jobs and never waits for them is a fork bomb without a function.
import { type ArithmeticFor, forEachChild, type SyntaxNode, type While } from "unbash";

const PAUSES = new Set(["sleep", "wait", "read", "break", "exit", "return", "jobs", "inotifywait"]);

function survey(node: SyntaxNode, seen: { jobs: boolean; pauses: boolean }): void {
  if (node.type === "Statement" && node.background) {
    seen.jobs = true;
    return;
  }
  if (node.type === "Command" && PAUSES.has(node.name?.value ?? "")) seen.pauses = true;
  forEachChild(node, (child) => survey(child, seen));
}

function isEndless(loop: While | ArithmeticFor): boolean {
  if (loop.type === "ArithmeticFor") return loop.test === undefined;
  const [only, more] = loop.clause.commands;
  if (more || only?.command.type !== "Command") return false;
  const name = only.command.name?.value;
  return loop.kind === "until" ? name === "false" : name === "true" || name === ":";
}

export function isRunaway(loop: While | ArithmeticFor): boolean {
  if (!isEndless(loop)) return false;
  const seen = { jobs: false, pauses: false };
  survey(loop.body, seen);
  return seen.jobs && !seen.pauses;
}
