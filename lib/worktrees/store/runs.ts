// Test and build runs of agents: what ran, on which state of the tree, how it ended, and whether others changed files meanwhile.

import { KB, type LogKind } from "../../core/file-kind.ts";
import { namesIn, readRotatedTail } from "../../core/files.ts";
import { appendLine, parsedLines } from "../../core/json.ts";
import type { Paths } from "../../core/paths.ts";
import { counted } from "../../core/text.ts";
import { type Agent, agentOfKey, currentKey, keyOf, latestOf, shownName } from "./agents.ts";
import { firstNames } from "./first-names.ts";
import { changedAt, writesSince } from "./ledger.ts";
import { repositoriesDir, repositoryPath, type Tree, treeOf } from "./repository.ts";

export const RUNS: LogKind = {
  name: "test and build runs",
  path: "swarm/repositories/<repository>/runs.jsonl",
  ends: "age",
  maxBytes: 256 * KB,
};

/** Files that one other agent changed. */
export interface Interference {
  by: string;
  files: string[];
}

export interface Run {
  /** `r-…`, for `swarm task done --evidence`. */
  id: string;
  began: string;
  ended: string;
  command: string;
  /** `undefined` where it is not known: interrupted, or still running in the background. */
  exitCode?: number;
  /** The exit code is that of a longer command or a pipe, not of the run alone. */
  isWhole?: boolean;
  isBackground?: boolean;
  tree: string;
  branch?: string;
  fingerprint?: string;
  agent: string;
  team?: string;
  session: string;
  /** None: the result belongs to the tree. */
  others: Interference[];
}

export type Verdict = "clean" | "void" | "unknown";

export const verdictOf = ({ others, isBackground }: Pick<Run, "others" | "isBackground">): Verdict =>
  others.length > 0 ? "void" : isBackground ? "unknown" : "clean";

const fileOf = (paths: Paths, tree: Pick<Tree, "common">) => repositoryPath(paths, tree, "runs.jsonl");

export const appendRun = (paths: Paths, tree: Pick<Tree, "common">, run: Run): void =>
  appendLine(fileOf(paths, tree), run, RUNS.maxBytes);

/** Oldest first. */
export const readRuns = (paths: Paths, tree: Pick<Tree, "common">): Run[] => runsIn(fileOf(paths, tree));

/** Of every repository, oldest first. */
export function readAllRuns(paths: Paths): Run[] {
  const directory = repositoriesDir(paths);
  return namesIn(directory)
    .flatMap((name) => runsIn(`${directory}/${name}/runs.jsonl`))
    .sort((a, b) => a.ended.localeCompare(b.ended));
}

export const findRun = (paths: Paths, id: string): Run | undefined =>
  readAllRuns(paths).findLast((run) => run.id === id);

const runsIn = (path: string): Run[] =>
  parsedLines<Run>(readRotatedTail(path, 2 * RUNS.maxBytes)).filter((run) => {
    const texts = [run.id, run.began, run.ended, run.command, run.tree, run.agent, run.session];
    return (
      texts.every((one) => typeof one === "string") && Array.isArray(run.others) && run.others.every(isOther)
    );
  });

const isOther = (one: Partial<Interference> | null): boolean =>
  typeof one?.by === "string" && Array.isArray(one.files);

/** What others than `own` wrote into this tree since then, by the ledger. */
export function changesByOthers(paths: Paths, tree: Tree, since: Date, own: string): Interference[] {
  const self = currentKey(paths, own);
  const files = new Map<string, Set<string>>();
  for (const entry of writesSince(paths, tree, since, tree.top)) {
    const { by, file } = entry;
    const agent = by === own ? undefined : latestOf(paths, agentOfKey(by));
    // A session has a new id after `/clear` and is still the same agent.
    if (by === own || (agent && keyOf(agent) === self) || changedAt(entry) === undefined) continue;
    const name = agent ? shownName(agent.record) : by.slice(0, 13);
    files.set(name, (files.get(name) ?? new Set()).add(file));
  }
  return [...files].map(([by, changed]) => ({ by, files: [...changed] }));
}

const MOST_NAMED = 3;

/** `3 files changed during this run by bob: a, b, c`; the names are as they were written and must be escaped. */
export function interferenceText(others: readonly Interference[], during: string): string {
  const all = others.reduce((sum, { files }) => sum + files.length, 0);
  const parts = others.map(({ by, files }) => `by ${by}: ${firstNames(files, MOST_NAMED)}`);
  return `${counted(all, "file")} changed during ${during} ${parts.join("; ")}`;
}

/** What others changed in the tree around `cwd` since then; none outside a repository. */
export function changesAround(paths: Paths, cwd: string, since: Date, agent: Agent): Interference[] {
  const tree = treeOf(cwd);
  return tree ? changesByOthers(paths, tree, since, keyOf(agent)) : [];
}

/** One line when an agent says that it is done, and its last run here does not stand for the tree as it is. */
export function lastRunNote(paths: Paths, cwd: string, agent: Agent): string | undefined {
  const tree = treeOf(cwd);
  if (!tree) return undefined;
  const run = readRuns(paths, tree).findLast(
    ({ session, tree: top }) => session === agent.session && top === tree.top,
  );
  if (!run) return undefined;
  const which = `\`${run.command}\` (run ${run.id})`;
  if (run.others.length > 0)
    return `Your last run is void: ${interferenceText(run.others, which)}; run again before trusting it.`;
  const since = changesByOthers(paths, tree, new Date(run.ended), keyOf(agent));
  return since.length > 0
    ? `Your last run, ${which}, is older than the tree: ${interferenceText(since, "the time after it")}; run again before trusting it.`
    : undefined;
}
