// `swarm runs`: the last test and build runs, and whether their results can be trusted.

import { type Call, countOf } from "../cli/command.ts";
import { plainLine, plainLines } from "../core/text.ts";
import { age } from "../core/time.ts";
import type { RUNS_FLAGS } from "./commands.ts";
import { treeOf } from "./store/repository.ts";
import { interferenceText, type Run, readAllRuns, readRuns, verdictOf } from "./store/runs.ts";

type RunsCall = Call<typeof RUNS_FLAGS>;

const USUALLY_SHOWN = 20;

export function runsVerb(call: RunsCall) {
  const last = countOf(call.flags.last ?? USUALLY_SHOWN, "--last is a number of runs, 1 or more");
  const tree = call.flags.all ? undefined : treeOf(call.cwd);
  const known = tree ? readRuns(call.paths, tree) : readAllRuns(call.paths);
  const runs = known.slice(-last).map((run) => ({ ...run, verdict: verdictOf(run) }));
  if (runs.length === 0)
    return {
      text: `No test or build run of an agent is on record${tree ? " for this repository" : ""} (setting: worktrees.runs).`,
      data: runs,
    };
  return { text: plainLines(runs.flatMap((run) => linesOf(run, call.now))), data: runs };
}

function linesOf(run: Run, now: Date): string[] {
  const { id, ended, agent, fingerprint = "unknown state", command, others } = run;
  const verdict = verdictOf(run);
  const head = [id, `${age(ended, now)} ago`, agent, exitText(run), fingerprint, verdict, plainLine(command)];
  return [head.join("  "), ...(others.length > 0 ? [`  ${interferenceText(others, "it")}`] : [])];
}

function exitText({ exitCode, isWhole, isBackground }: Run): string {
  if (isBackground) return "in the background";
  if (exitCode === undefined) return "interrupted";
  return `exit ${exitCode}${isWhole ? " (of the whole command)" : ""}`;
}
