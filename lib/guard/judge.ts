// The guard's engine: a command in, a verdict out. Pure, save for what the situation lets it look at. It holds the parser
// and is a bundle of its own: only shell commands load it.
import { isPatternLimit } from "../core/glob.ts";
import { withinTime } from "../core/process.ts";
import { withPlainPaths } from "./paths.ts";
import { walkPowerShell } from "./powershell/walk.ts" with { loading: "lazy" };
import { isProgram, runProgram } from "./shell/run-program.ts";
import { deeper, MAX_DEPTH, type Run, type Shell, subshell, withoutForgedMarks } from "./shell/state.ts";
import { substitute, walk, walkCode } from "./shell/walk.ts";
import type { Finding, Situation, Verdict } from "./situation.ts";
import { verdictOf } from "./verdict.ts" with { loading: "lazy" };

const MAX_LENGTH = 65_536;

/** Deeper nesting than any command has, counted before the parser sees it. Of brackets only `$[` nests; colours (`\e[31m`) and
 * patterns leave any number of others open. */
function isTooDeep(text: string): boolean {
  const depth: Record<string, number> = { "(": 0, "{": 0, "[": 0 };
  const opener: Record<string, string> = { ")": "(", "}": "{", "]": "[" };
  let before = "";
  for (const char of text) {
    const open = opener[char];
    if (open) depth[open] = Math.max(0, (depth[open] ?? 0) - 1);
    else if (char in depth && (char !== "[" || before === "$")) {
      const now = (depth[char] ?? 0) + 1;
      if (now > MAX_DEPTH) return true;
      depth[char] = now;
    }
    before = char;
  }
  return false;
}

function startShell(situation: Situation): Shell {
  const run: Run = {
    situation,
    findings: [],
    files: new Map(),
    links: new Map(),
    active: new Set(),
    uncalled: new Map(),
    later: [],
    expanding: false,
    pick: 0,
    alternatives: 1,
    steps: 0,
    startedAt: undefined,
    depth: 0,
    subject: [],
    isProgram,
    argv: runProgram,
    code: walkCode,
    node: walk,
    substitute,
  };
  return {
    run,
    cwd: situation.cwd,
    previous: situation.cwd,
    vars: new Map(),
    functions: new Map(),
    aliases: new Map(),
    args: [],
    stdin: "",
    forks: false,
  };
}

/** A function that is not called here may be called later, but what its arguments will be is no reason to ask. */
function walkUncalled(run: Run): void {
  for (const [body, shell] of run.uncalled) {
    const before = run.findings.length;
    deeper(shell, body, () => run.node(body, subshell(shell, { args: undefined })));
    const kept = run.findings.slice(before).filter(({ rule }) => rule !== "delete-unknown");
    run.findings.splice(before, run.findings.length, ...kept);
  }
}

function findingsOf(
  command: string,
  situation: Situation,
  walkIt: (text: string, shell: Shell) => void,
): Finding[] {
  const tooMuch: Finding = { rule: "unverifiable", subject: command.slice(0, 60) };
  if (command.length > MAX_LENGTH) return [tooMuch];
  const { run, ...start } = startShell(withPlainPaths(situation));
  const { findings } = run;
  const isDone = isWithinLimits(situation, () => {
    const text = withoutForgedMarks(command);
    if (isTooDeep(text)) return void findings.push(tooMuch);
    walkIt(text, { run, ...start });
    for (let next = run.later.shift(); next; next = run.later.shift()) next();
    walkUncalled(run);
  });
  // Stopped in the middle of a look ahead, the run holds what was found there apart.
  return isDone ? run.findings : [...new Set([...findings, ...run.findings, tooMuch])];
}

/** By the wall clock, for what neither counts steps nor looks at the time: the parser, a regular expression. */
export const hardLimitMs = ({ deadlineMs }: Pick<Situation, "deadlineMs">) => 20 * deadlineMs;

/** A limit is a decision, a bug is an accident: only limits are taken for an answer. */
function isWithinLimits(situation: Situation, work: () => void): boolean {
  try {
    return withinTime(hardLimitMs(situation), work);
  } catch (error) {
    if (isPatternLimit(error) || error instanceof RangeError) return false; // RangeError: the budget, the stack or a string
    throw error;
  }
}

export const findingsInShell = (command: string, situation: Situation): Finding[] =>
  findingsOf(command, situation, walkCode);

export const findingsInPowerShell = (command: string, situation: Situation): Finding[] =>
  findingsOf(command, situation, walkPowerShell);

export const judge = (command: string, situation: Situation): Verdict | undefined =>
  judged(findingsInShell(command, situation), situation);

export const judgePowerShell = (command: string, situation: Situation): Verdict | undefined =>
  judged(findingsInPowerShell(command, situation), situation);

const judged = (findings: Finding[], situation: Situation): Verdict | undefined =>
  findings.length > 0 ? verdictOf(findings, situation) : undefined;
