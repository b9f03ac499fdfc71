// Worktrees of teammates: those whose directory is gone, those with work that nobody is at, and a git too old for the forecast.

import type { Paths } from "../../core/paths.ts";
import { counted } from "../../core/text.ts";
import type { GitCall } from "../../system/git.ts";
import { memberOf, readTeam } from "../../teams/store/config.ts";
import { lifeOfMember } from "../../teams/store/liveness.ts";
import { liveAgentsEverywhere } from "../../worktrees/store/agents.ts";
import { readForecast } from "../../worktrees/store/forecast.ts";
import { whatWouldBeLost, workIn } from "../../worktrees/store/tree-work.ts";
import { isTreeThere, readTrees, type TreeRecord } from "../../worktrees/store/trees.ts";
import { type Finding, ok, some, warn, warnIfAny } from "./finding.ts";

/** Says nothing where there is no worktree. */
export function treeFindings(paths: Paths, env: GitCall["env"]): Finding[] {
  const trees = readTrees(paths);
  if (trees.length === 0) return [];
  const missing = trees.filter((tree) => !isTreeThere(tree));
  const left = trees.filter((tree) => isTreeThere(tree) && !isRunning(paths, tree));
  const holding = left.flatMap((tree) => {
    // Without the names: a bug report carries this.
    const lost = whatWouldBeLost(workIn(env, tree)).map((text) => text.replace(/: .*/s, ""));
    return lost.length > 0 ? `${tree.agent}@${tree.team}, ${tree.path}: ${lost.join("; ")}` : [];
  });
  const found = [
    ...warnIfAny(
      missing.map(({ agent, team, path }) => `${agent}@${team}: ${path}`),
      `${counted(missing.length, "worktree")} of teammates: the directory is gone`,
      "`swarm resume` makes it again from its branch; `swarm worktree remove NAME` forgets it",
    ),
    ...warnIfAny(
      holding,
      `${counted(holding.length, "worktree")} with work that is nowhere else, and its teammate does not run`,
      "merge or push it, then `swarm worktree remove NAME`; `swarm resume` continues it",
    ),
    ...oldGit(paths, trees),
  ];
  return found.length > 0 ? found : ok(`${counted(trees.length, "worktree")} of teammates`);
}

/** Says nothing for an agent alone. Without the guard's parser the shell's writes are unknown. */
export function sharedFindings(paths: Paths, now: Date, isGuardOn: boolean): Finding[] {
  const shared = liveAgentsEverywhere(paths, now).filter((agents) => agents.length > 1);
  if (shared.length === 0) return [];
  const what = `${counted(shared.length, "repository", "repositories")} shared by live agents`;
  const evidence = shared.map(
    (agents) => `${agents.map(({ name }) => name).join(", ")}: ${agents[0]?.tree ?? ""}`,
  );
  if (isGuardOn) return ok(what, ...some(evidence));
  return warnIfAny(
    evidence,
    `${what}, and writes by the shell are not seen`,
    "they are read by the command guard: guard.enabled = true",
  );
}

function isRunning(paths: Paths, { team, agent }: TreeRecord): boolean {
  const member = memberOf(readTeam(paths, team), agent);
  return member !== undefined && lifeOfMember(paths, member).life === "alive";
}

function oldGit(paths: Paths, trees: readonly TreeRecord[]): Finding[] {
  const why = trees.map(({ commonDir }) => readForecast(paths, { common: commonDir })?.why).find(Boolean);
  return why ? warn("there is no merge forecast", [why], "a newer git makes it possible") : [];
}
