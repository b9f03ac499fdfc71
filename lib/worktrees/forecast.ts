// The merge forecast: the state of every live tree, uncommitted changes included, merged pairwise. All of it happens in a temporary
// index and a temporary object directory; the repository does not change and no program of it runs.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Paths } from "../core/paths.ts";
import { elapsedMs } from "../core/process.ts";
import type { GitCall } from "../system/git.ts";
import { type LiveAgent, liveAgentsIn } from "./store/agents.ts";
import { type Git, line } from "./store/base.ts";
import type { Conflict, Forecast } from "./store/forecast.ts";
import { type Tree, treeOf } from "./store/repository.ts";
import { writeSnapshot } from "./store/snapshot.ts";
import { reportOf } from "./store/tree-board.ts";
import { plainGit, readState, type TreeState } from "./store/tree-state.ts";

export interface ForecastCall {
  paths: Paths;
  env: GitCall["env"];
  now: Date;
}

/** Pairs beyond this time wait for the next forecast. */
const WITHIN_MS = 60_000;
const MERGE_WITHIN_MS = 20_000;
const LISTING_BYTES = 4 * 1024 * 1024;

/** `before` is the last one, from which pairs that did not change are taken. */
export function computeForecast(
  call: ForecastCall,
  repository: Pick<Tree, "common">,
  before: Forecast | undefined,
): Forecast {
  const agents = liveAgentsIn(call.paths, repository, call.now);
  const tops = [...new Set(agents.map(({ tree }) => tree))]
    .filter((top) => treeOf(top)?.common === repository.common)
    .sort();
  const forecast: Forecast = { at: call.now.toISOString(), trees: [], conflicts: [], leftOut: [] };
  const begun = elapsedMs();
  const states = tops.map((top): Known => ({ top, state: readState(plainGit(call.env, top)) }));
  const statusMs = elapsedMs() - begun;
  forecast.trees = states.map(({ top, state }) =>
    reportOf(plainGit(call.env, top), top, namesIn(agents, top), state),
  );
  if (tops.length < 2) return forecast;
  const why = whyUnable(plainGit(call.env, tops[0] ?? ""));
  if (why) return { ...forecast, why };
  const directory = mkdtempSync(join(call.paths.tmp, "swarm-forecast-"));
  try {
    merge(call, repository, { directory, states, forecast, before, until: begun + WITHIN_MS });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  forecast.ratio = Math.round((10 * (elapsedMs() - begun)) / Math.max(1, statusMs)) / 10;
  return forecast;
}

interface Known {
  top: string;
  state: TreeState | { why: string };
}

const namesIn = (agents: readonly LiveAgent[], top: string) =>
  agents.filter(({ tree }) => tree === top).map(({ name }) => name);

const FIRST_ABLE = [2, 38] as const;

function whyUnable(git: Git): string | undefined {
  const version = line(git(["version"])) ?? "";
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const isAble =
    Number(major) > FIRST_ABLE[0] || (Number(major) === FIRST_ABLE[0] && Number(minor) >= FIRST_ABLE[1]);
  return isAble
    ? undefined
    : `${version || "this git"} cannot merge without a working tree; 2.38 and later can`;
}

interface Work {
  directory: string;
  states: Known[];
  forecast: Forecast;
  before: Forecast | undefined;
  until: number;
}

function merge(call: ForecastCall, repository: Pick<Tree, "common">, work: Work): void {
  const { directory, states, forecast, before } = work;
  const objects = { to: join(directory, "objects"), from: join(repository.common, "objects") };
  mkdirSync(objects.to);
  const tops = states.flatMap(({ top, state }) => ("why" in state || state.head ? top : []));
  const pairs = tops.flatMap((one, at) => tops.slice(at + 1).map((other): Pair => [one, other]));
  const known = pairs.filter((pair) => isUnchanged(forecast, before, pair));
  forecast.conflicts.push(...known.flatMap((pair) => conflictOf(before, pair)));
  if (known.length > 0) forecast.leftOut.push(...(before?.leftOut ?? []));
  const due = pairs.filter((pair) => !known.includes(pair));
  const commits = new Map<string, string>();
  for (const [at, { top, state }] of states.entries()) {
    if ("why" in state || !due.some((pair) => pair.includes(top))) continue;
    const taken = commitOf(plainGit(call.env, top), state, {
      index: join(directory, `index-${at}`),
      objects,
    });
    const report = forecast.trees.find((tree) => tree.top === top);
    if ("why" in taken && report) report.why = taken.why;
    if ("why" in taken) continue;
    commits.set(top, taken.commit);
    forecast.leftOut.push(...taken.leftOut);
  }
  for (const pair of due) {
    const isReady = pair.every((top) => commits.has(top));
    if (isReady && elapsedMs() < work.until && mergeOne(call, work, pair, commits, objects)) continue;
    // What was found before stands; it would be reported as new otherwise when git answers again.
    forecast.conflicts.push(...conflictOf(before, pair));
    if (isReady) forgetState(forecast, pair[0]); // a tree without a commit has no state to go by already
  }
  forecast.leftOut = [...new Set(forecast.leftOut)].sort();
}

/** Without a fingerprint its pairs count as changed, and are merged the next time. */
function forgetState(forecast: Forecast, top: string): void {
  forecast.trees = forecast.trees.map((tree) =>
    tree.top === top ? { ...tree, fingerprint: undefined } : tree,
  );
}

type Pair = readonly [string, string];

/** `[]` for a pair that went well. */
const conflictOf = (forecast: Forecast | undefined, pair: readonly string[]): Conflict[] =>
  forecast?.conflicts.filter(({ trees }) => pair.every((top) => trees.includes(top))) ?? [];

const isUnchanged = (now: Forecast, before: Forecast | undefined, pair: readonly string[]) =>
  pair.every((top) => {
    const print = before?.trees.find((tree) => tree.top === top && !tree.why)?.fingerprint;
    return print !== undefined && print === now.trees.find((tree) => tree.top === top)?.fingerprint;
  });

interface Place {
  index: string;
  objects: NonNullable<GitCall["objects"]>;
}

/** A commit object of our own, written by hand: `git commit-tree` wants to know who commits. */
function commitOf(
  git: Git,
  state: TreeState,
  place: Place,
): { commit: string; leftOut: string[] } | { why: string } {
  if (state.paths.length === 0) return { commit: state.head ?? "", leftOut: [] };
  const snapshot = writeSnapshot(git, {
    ...place,
    state,
    leaveOut: (paths) => needingProgram(git, paths, ["filter"]),
  });
  if ("why" in snapshot) return snapshot;
  const who = "swarm <swarm@localhost> 0 +0000";
  const text = `tree ${snapshot.tree}\nparent ${state.head}\nauthor ${who}\ncommitter ${who}\n\nuncommitted\n`;
  const commit = line(
    git(["hash-object", "-t", "commit", "-w", "--stdin"], { objects: place.objects, input: text }),
  );
  return commit ? { commit, leftOut: snapshot.leftOut } : { why: "its state could not be written" };
}

/** False where git did not answer in time. `merge-tree` answers 0 for a clean merge and 1 for conflicts; anything else, as for unrelated histories, is no answer. */
function mergeOne(
  call: ForecastCall,
  { forecast, before }: Work,
  pair: Pair,
  commits: ReadonlyMap<string, string>,
  objects: Place["objects"],
): boolean {
  const git = plainGit(call.env, pair[0]);
  const sides = pair.map((top) => commits.get(top) ?? "");
  const { code, stdout } = git(
    ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ...sides],
    {
      objects,
      limitMs: MERGE_WITHIN_MS,
      longestBytes: LISTING_BYTES,
    },
  );
  if (code !== 1) return code !== undefined;
  const all = [...new Set(stdout.split("\0").slice(1).filter(Boolean))];
  const opaque = new Set(needingProgram(git, all, ["filter", "merge"]));
  forecast.leftOut.push(...opaque);
  const since = new Map(
    conflictOf(before, pair).flatMap(({ files }) => files.map((one) => [one.file, one.since])),
  );
  const files = all
    .filter((file) => !opaque.has(file))
    .map((file) => ({ file, since: since.get(file) ?? forecast.at }));
  if (files.length > 0) forecast.conflicts.push({ trees: [...pair], files });
  return true;
}

/** Values of an attribute that git itself understands. */
const BUILT_IN = new Set(["unspecified", "unset", "set", "text", "binary", "union"]);

/** Paths whose content or merge is made by a program that some configuration names: none of ours to run. */
function needingProgram(git: Git, paths: readonly string[], attributes: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const { ok, stdout } = git(["check-attr", "-z", "--stdin", ...attributes], {
    input: paths.map((path) => `${path}\0`).join(""),
    longestBytes: 4 * LISTING_BYTES,
  });
  if (!ok) return [...paths];
  const fields = stdout.split("\0");
  const found = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (!BUILT_IN.has(fields[at + 2] ?? "")) found.add(fields[at] ?? "");
  return [...found];
}
