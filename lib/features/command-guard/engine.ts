// The guard's engine: a command in, a verdict out. Pure, save for what the situation lets it look at. It holds the parser
// and is a bundle of its own: only shell commands load it.

import { dispatch } from "./dispatch.ts";
import { withoutForgedHoles } from "./holes.ts";
import { verdictOf } from "./policy.ts";
import { walkPowerShell } from "./powershell/walk.ts" with { loading: "lazy" };
import { deeper, MAX_DEPTH, type Run, type Shell, subshell } from "./shell.ts";
import { type Finding, normalised, type Situation, type Verdict } from "./situation.ts";
import { walk, walkCode } from "./walk.ts";

const MAX_LENGTH = 65_536;

/** Deeper nesting than any command has, counted before the parser sees it. */
function isTooDeep(text: string): boolean {
  const depth: Record<string, number> = { "(": 0, "{": 0, "[": 0 };
  const opener: Record<string, string> = { ")": "(", "}": "{", "]": "[" };
  for (const char of text) {
    const open = opener[char];
    if (open) depth[open] = Math.max(0, (depth[open] ?? 0) - 1);
    else if (char in depth) {
      const now = (depth[char] ?? 0) + 1;
      if (now > MAX_DEPTH) return true;
      depth[char] = now;
    }
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
    argv: dispatch,
    code: walkCode,
    node: walk,
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

/** A function nobody called here may be called later, but what its arguments will be is no reason to ask. */
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
  const text = withoutForgedHoles(command);
  if (text.length > MAX_LENGTH || isTooDeep(text))
    return [{ rule: "unverifiable", subject: text.slice(0, 60) }];
  const shell = startShell(normalised(situation));
  walkIt(text, shell);
  for (let next = shell.run.later.shift(); next; next = shell.run.later.shift()) next();
  walkUncalled(shell.run);
  return shell.run.findings;
}

export const judge = (command: string, situation: Situation): Verdict | undefined =>
  verdictOf(findingsOf(command, situation, walkCode), situation);

export function judgePowerShell(command: string, situation: Situation): Verdict | undefined {
  return verdictOf(findingsOf(command, situation, walkPowerShell), situation);
}
