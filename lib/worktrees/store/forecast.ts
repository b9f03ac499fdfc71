// The merge forecast of a repository: which trees of live agents would conflict if they were merged now, as last computed beside a
// turn. Readers take it as it is, with its age; nobody waits for git.

import type { FileKind } from "../../core/file-kind.ts";
import { statIfThere, writeJson } from "../../core/files.ts";
import { readJson, updateJson } from "../../core/json.ts";
import type { Paths } from "../../core/paths.ts";
import { listOf, maybeNumber, maybeText, object, someNumber, someText } from "../../core/shape.ts";
import { repositoryPath, type Tree } from "./repository.ts";

export const FORECAST: FileKind = {
  name: "merge forecasts",
  path: "swarm/repositories/<repository>/forecast.json",
  ends: "age",
};

const treeShape = object({
  top: someText,
  branch: maybeText,
  agents: listOf(someText),
  changed: someNumber,
  ahead: maybeNumber,
  behind: maybeNumber,
  /** What ahead and behind are counted against. */
  against: maybeText,
  fingerprint: maybeText,
  /** Why this tree is not part of the forecast. */
  why: maybeText,
});

const conflictShape = object({
  trees: listOf(someText),
  files: listOf(object({ file: someText, since: someText })),
});

const shape = object({
  at: someText,
  /** When somebody began to make the next one. */
  claimedAt: maybeText,
  trees: listOf(treeShape),
  conflicts: listOf(conflictShape),
  /** Paths that need a program of the repository, and were not looked at. */
  leftOut: listOf(someText),
  /** Its whole time as a multiple of `git status` in the same trees. */
  ratio: maybeNumber,
  /** Why there is none. */
  why: maybeText,
});

export interface TreeReport {
  top: string;
  branch?: string;
  agents: string[];
  changed: number;
  ahead?: number;
  behind?: number;
  against?: string;
  fingerprint?: string;
  why?: string;
}

export interface Conflict {
  /** The top levels of the two. */
  trees: string[];
  files: { file: string; since: string }[];
}

export interface Forecast {
  at: string;
  claimedAt?: string;
  trees: TreeReport[];
  conflicts: Conflict[];
  leftOut: string[];
  ratio?: number;
  why?: string;
}

type Repository = Pick<Tree, "common">;

const fileOf = (paths: Paths, repository: Repository) => repositoryPath(paths, repository, "forecast.json");

export const readForecast = (paths: Paths, repository: Repository): Forecast | undefined =>
  readJson(fileOf(paths, repository), shape);

export const writeForecast = (paths: Paths, repository: Repository, forecast: Forecast): void =>
  writeJson(fileOf(paths, repository), forecast);

const EVERY_MS = 120_000;

/** Also where the clock was set back since. */
const isOver = (since: number, now: Date): boolean => Math.abs(now.getTime() - since) >= EVERY_MS;

/** By the file's own time: one stat for each turn that ends. */
export const isForecastDue = (paths: Paths, repository: Repository, now: Date): boolean =>
  isOver(statIfThere(fileOf(paths, repository))?.mtimeMs ?? 0, now);

/** True for one caller in two minutes. What was found before stays readable until the new one is written. */
export function claimForecast(paths: Paths, repository: Repository, now: Date): boolean {
  const at = now.toISOString();
  const claimed = updateJson<Forecast>(fileOf(paths, repository), shape, (stored) =>
    stored && !isOver(Date.parse(stored.claimedAt ?? stored.at), now)
      ? undefined
      : { ...(stored ?? { at, trees: [], conflicts: [], leftOut: [] }), claimedAt: at },
  );
  return claimed !== undefined;
}
