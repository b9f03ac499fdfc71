// The trees of a repository for people: who works in each, on which branch, with how much uncommitted, and what is forecast. Taken
// from the last forecast and from git's small files; git itself is asked only for a fresh answer.

import type { Paths } from "../../core/paths.ts";
import { age } from "../../core/time.ts";
import type { GitCall } from "../../system/git.ts";
import { type LiveAgent, liveAgentsIn } from "./agents.ts";
import { type Git, line } from "./base.ts";
import { activeClaims } from "./claims.ts";
import { firstNames } from "./first-names.ts";
import { type Forecast, readForecast, type TreeReport } from "./forecast.ts";
import { branchOf, treeOf } from "./repository.ts";
import { fingerprintOf, plainGit, readState, type TreeState } from "./tree-state.ts";
import { readTrees } from "./trees.ts";

export interface BoardTree extends Omit<TreeReport, "changed"> {
  changed?: number;
  /** When changed, ahead and behind were counted; `undefined` where they were not. */
  at?: string;
  /** Patterns that its agents have claimed. */
  claims: string[];
  conflicts: { with: string[]; files: string[]; since: string }[];
}

export interface BoardCall {
  paths: Paths;
  env: GitCall["env"];
  now: Date;
  /** Ask git. */
  fresh: boolean;
}

/** Of the repositories around these directories, where more than one agent or a worktree of a teammate is. */
export function boardTrees(call: BoardCall, directories: readonly string[]): BoardTree[] {
  const commons = new Set([...new Set(directories)].flatMap((directory) => treeOf(directory)?.common ?? []));
  return [...commons].flatMap((common) => treesOf(call, common));
}

function treesOf(call: BoardCall, common: string): BoardTree[] {
  const { paths, now, env, fresh } = call;
  const agents = liveAgentsIn(paths, { common }, now);
  const made = readTrees(paths).filter((one) => one.commonDir === common);
  if (agents.length < 2 && made.length === 0) return [];
  const forecast = readForecast(paths, { common });
  const claims = activeClaims(paths, { common }, now);
  const tops = new Set([...agents.map(({ tree }) => tree), ...made.map(({ path }) => path)]);
  return [...tops].sort().map((top) => {
    const here = agents.filter(({ tree }) => tree === top);
    const names = [
      ...new Set(
        [...here, ...made.filter(({ path }) => path === top).map(({ agent }) => ({ name: agent }))].map(
          ({ name }) => name,
        ),
      ),
    ];
    const report = fresh
      ? { ...reportTree(env, top, names), at: now.toISOString() }
      : knownReport(forecast, top);
    return {
      ...report,
      agents: names,
      claims: claims.filter(({ name }) => names.includes(name)).flatMap(({ patterns }) => patterns),
      conflicts: conflictsOf(forecast, top, agents),
    };
  });
}

function knownReport(forecast: Forecast | undefined, top: string): Omit<BoardTree, "claims" | "conflicts"> {
  const tree = treeOf(top);
  const branch = tree?.top === top ? branchOf(tree) : undefined;
  const known = forecast?.trees.find((one) => one.top === top);
  return known ? { ...known, branch, at: forecast?.at } : { top, branch, agents: [] };
}

function conflictsOf(
  forecast: Forecast | undefined,
  top: string,
  agents: readonly LiveAgent[],
): BoardTree["conflicts"] {
  return (forecast?.conflicts ?? [])
    .filter(({ trees }) => trees.includes(top))
    .map(({ trees, files }) => ({
      with: agents.filter(({ tree }) => tree !== top && trees.includes(tree)).map(({ name }) => name),
      files: files.map(({ file }) => file),
      since: files.map(({ since }) => since).sort()[0] ?? "",
    }))
    .filter((conflict) => conflict.with.length > 0);
}

const reportTree = (env: GitCall["env"], top: string, agents: readonly string[]): TreeReport =>
  reportOf(plainGit(env, top), top, agents, readState(plainGit(env, top)));

export function reportOf(
  git: Git,
  top: string,
  agents: readonly string[],
  state: TreeState | { why: string },
): TreeReport {
  if ("why" in state) return { top, agents: [...agents], changed: 0, why: state.why };
  return {
    top,
    branch: state.branch,
    agents: [...agents],
    changed: state.paths.length + state.opaque.length,
    ...distance(git, top, state),
    fingerprint: fingerprintOf(top, state),
    ...(state.head ? {} : { why: "it has no commit yet" }),
  };
}

/** Against its upstream, where that is still there, or else against the branch of the main checkout. */
function distance(
  git: Git,
  top: string,
  { branch, upstream, ahead, behind }: TreeState,
): Pick<TreeReport, "ahead" | "behind" | "against"> {
  if (upstream !== undefined && ahead !== undefined) return { ahead, behind, against: upstream };
  const main = treeOf(top)?.common;
  const base = main === undefined ? undefined : branchOf({ gitDir: main });
  if (base === undefined || base === branch) return {};
  const counted = line(git(["rev-list", "--left-right", "--count", `HEAD...refs/heads/${base}`]));
  const [mine, theirs] = (counted ?? "").split("\t").map(Number);
  return Number.isInteger(mine) && Number.isInteger(theirs)
    ? { ahead: mine, behind: theirs, against: base }
    : {};
}

const MOST_NAMED = 3;

/** One line for each tree, and one for each conflict that is forecast for it. */
export function treeLines(trees: readonly BoardTree[], now: Date): string[] {
  if (trees.length === 0) return [];
  return ["trees:", ...trees.map((tree) => `  ${lineOf(tree, now)}`)];
}

function lineOf(
  { agents, branch, top, changed, ahead, behind, against, at, claims, conflicts, why }: BoardTree,
  now: Date,
): string {
  const counted =
    changed === undefined ? "" : `${changed === 0 ? "clean" : `${changed} changed`} (${age(at, now)} ago)`;
  const way = against === undefined ? "" : `${ahead} ahead of ${against}, ${behind} behind`;
  const parts = [
    `${agents.join(", ") || "nobody"}: ${branch ?? "no branch"}`,
    counted,
    way,
    claims.length > 0 ? `claims ${firstNames(claims, MOST_NAMED)}` : "",
    ...conflicts.map(
      (one) =>
        `would conflict with ${one.with.join(", ")} in ${firstNames(one.files, MOST_NAMED)} (since ${age(one.since, now)})`,
    ),
    why ?? "",
    top,
  ];
  return parts.filter(Boolean).join("; ");
}
