// `swarm worktree`: the worktrees of teammates, where they are, and their removal.

import { badCall, byAction, type Call } from "../cli/command.ts";
import { plainLines } from "../core/text.ts";
import { age } from "../core/time.ts";
import { memberOf, readTeam } from "../teams/store/config.ts";
import { lifeOfMember } from "../teams/store/liveness.ts";
import type { WORKTREE_VERB_FLAGS } from "./commands.ts";
import { renewForecast } from "./forecast-news.ts";
import { liveAgentsIn } from "./store/agents.ts";
import { claimForecast, type Forecast } from "./store/forecast.ts";
import { treeOf } from "./store/repository.ts";
import { removeTree, type TreeWork, whatWouldBeLost, workIn } from "./store/tree-work.ts";
import { isTreeThere, readTrees, type TreeRecord } from "./store/trees.ts";

type WorktreeCall = Call<typeof WORKTREE_VERB_FLAGS>;

export const worktreeVerb = (call: WorktreeCall) => byAction({ list, path, remove, forecast })(call);

function path(call: WorktreeCall) {
  const record = requireTree(call);
  return { text: record.path, data: record };
}

/** In a repository its own, elsewhere or with --all those of every repository. */
function list(call: WorktreeCall) {
  const here = call.flags.all ? undefined : treeOf(call.cwd)?.common;
  const records = readTrees(call.paths, call.flags.team).filter(
    ({ commonDir }) => here === undefined || commonDir === here,
  );
  if (records.length === 0) {
    const where = here === undefined ? "" : " of this repository; --all lists those of others";
    return { text: `There is no worktree of a teammate${where}.`, data: [] };
  }
  const rows = records.map((record) => ({
    ...record,
    life: lifeOf(call, record),
    work: workIn(call.env, record),
  }));
  return { text: plainLines(rows.flatMap((row) => linesOf(row, call.now))), data: rows };
}

interface Row extends TreeRecord {
  life: string;
  work: TreeWork;
}

function linesOf(row: Row, now: Date): string[] {
  const { team, agent, branch, path, at, life, work } = row;
  const moved = work.isThere && work.branch !== branch ? ` (now on ${work.branch ?? "no branch"})` : "";
  const lost = whatWouldBeLost(work);
  return [
    `${agent}@${team}  ${life}  ${branch}${moved}, ${age(at, now)} old`,
    `  ${path}${work.isThere ? "" : " (gone)"}`,
    ...(lost.length > 0 ? lost : ["holds nothing that is not elsewhere"]).map((text) => `  ${text}`),
  ];
}

function lifeOf({ paths }: WorktreeCall, { team, agent }: TreeRecord): string {
  const roster = readTeam(paths, team);
  const member = roster && memberOf(roster, agent);
  if (!member) return "no member any more";
  const { life } = lifeOfMember(paths, member);
  return life === "alive" ? "running" : life === "gone" ? "not running" : "perhaps running";
}

function requireTree(call: WorktreeCall): TreeRecord {
  const [action, name] = call.words;
  if (!name) throw badCall(`whose worktree? swarm worktree ${action} NAME`);
  const [agent = "", team = call.flags.team ?? call.identity.team] = name.split("@");
  const known = readTrees(call.paths, team).filter((one) => one.agent === agent);
  if (known.length > 1)
    throw badCall(`${agent} has a worktree in ${known.map((one) => one.team).join(" and ")}: give --team`);
  const [found] = known;
  if (found) return found;
  throw new Error(`there is no worktree of ${name}; \`swarm worktree list --all\` lists them all`);
}

function remove(call: WorktreeCall) {
  const record = requireTree(call);
  const { team, agent, path, branch } = record;
  if (call.identity.team === team && call.identity.agent === agent)
    throw new Error("you work in this worktree: ask your lead to remove it");
  if (isTreeThere(record) && lifeOf(call, record) === "running")
    throw new Error(`${agent} is running in it: \`swarm kill ${agent} --team ${team}\` first`);
  const live = liveAgentsIn(call.paths, { common: record.commonDir }, call.now);
  const inside = live.find(({ tree }) => tree === path);
  if (inside && isTreeThere(record))
    throw new Error(`${inside.name} works in it: that session has to end, or to go elsewhere, first`);
  const { patch, keptBranch } = removeTree(call, record, { force: call.flags.force === true });
  const lines = [
    `Removed ${path}${keptBranch || !record.isOurBranch ? `; the branch ${branch} stays` : ` and the branch ${branch}`}.`,
    ...(patch ? [`Its work since ${record.base.slice(0, 7)} is saved in ${patch}`] : []),
  ];
  return { text: plainLines(lines), data: { ...record, patch, keptBranch } };
}

/** `--if-due`: after a turn, by the hook, at most every two minutes. */
function forecast(call: WorktreeCall) {
  const tree = treeOf(call.cwd);
  if (!tree) throw new Error(`${call.cwd} is not in a git repository with a working tree`);
  if (!claimForecast(call.paths, tree, call.now) && call.flags["if-due"])
    return { text: "The last forecast is younger than two minutes.", data: null };
  const { forecast: made, notified } = renewForecast(call, tree);
  return { text: plainLines(forecastLines(made, call.now)), data: { ...made, notified } };
}

function forecastLines({ trees, conflicts, leftOut, ratio, why }: Forecast, now: Date): string[] {
  if (why) return [`No forecast: ${why}.`];
  if (trees.length < 2) return ["No forecast: live agents work in fewer than two trees of this repository."];
  const nameOf = (top: string) => trees.find((tree) => tree.top === top)?.agents.join(" and ") || top;
  return [
    `${trees.length} trees: ${trees.map(({ top, branch }) => `${nameOf(top)} (${branch ?? "no branch"})`).join(", ")}`,
    ...conflicts.map(
      ({ trees: pair, files }) =>
        `${pair.map(nameOf).join(" and ")} would conflict in ${files.map(({ file, since }) => `${file} (since ${age(since, now)})`).join(", ")}`,
    ),
    ...(conflicts.length === 0 ? ["No two of them would conflict."] : []),
    ...trees.flatMap((tree) => (tree.why ? [`left out: the tree of ${nameOf(tree.top)}: ${tree.why}`] : [])),
    ...(leftOut.length > 0
      ? [`not looked at, because a filter or merge program makes them: ${leftOut.join(", ")}`]
      : []),
    ...(ratio === undefined ? [] : [`It took ${ratio} times as long as git status in these trees.`]),
  ];
}
