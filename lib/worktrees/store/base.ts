// Which commit a new worktree begins at. A stale base silently reverts what others merged meanwhile, so the branch's remote is asked
// first; commits that exist only here are never left out for it.

import { counted } from "../../core/text.ts";
import { age } from "../../core/time.ts";
import type { GitAnswer, GitCall } from "../../system/git.ts";

export type Git = (args: readonly string[], more?: Partial<GitCall>) => GitAnswer;

export interface Base {
  commit: string;
  /** As a person would name it: `origin/main`, `HEAD`. */
  name: string;
  /** `1a2b3c4 (3h old, fetched now)`. */
  text: string;
}

const REMOTE_ANSWERS_WITHIN_MS = 3_000;
/** For the fetch itself, once the remote has answered. */
const FETCH_WITHIN_MS = 60_000;

export function chooseBase(git: Git, asked: string | undefined, now: Date): Base {
  const wanted = asked ?? "HEAD";
  const local = commitOf(git, wanted);
  const tracked = trackedBy(git, wanted);
  if (!local && !tracked)
    throw new Error(
      asked === undefined
        ? "this repository has no commit yet, and a worktree begins at one: commit something first"
        : `there is no commit ${JSON.stringify(asked)} in this repository`,
    );
  const news = tracked ? refresh(git, tracked) : undefined;
  const remote = tracked && commitOf(git, tracked.ref);
  const takesRemote = remote !== undefined && (!local || tracked?.isAsked || isAncestor(git, local, remote));
  const commit = takesRemote ? remote : (local as string);
  const name = takesRemote ? tracked?.name : asked;
  const notes = [
    `${ageOf(git, commit, now)} old`,
    ...(news ? [news] : []),
    ...(remote && !takesRemote ? [behind(git, commit, remote, tracked?.name ?? "")] : []),
  ].filter(Boolean);
  return { commit, name: name ?? "HEAD", text: `${commit.slice(0, 7)} (${notes.join(", ")})` };
}

interface Tracked {
  /** Named itself: what it was before the fetch does not count, as where it was rewritten. */
  isAsked: boolean;
  ref: string;
  name: string;
  remote: string;
  branch: string;
}

/** The remote branch behind `ref`: itself, its upstream, or the branch of the same name on `origin`. */
function trackedBy(git: Git, ref: string): Tracked | undefined {
  const full = (name: string) =>
    line(git(["rev-parse", "--symbolic-full-name", "--verify", "--quiet", name]));
  const own = full(ref);
  const sameName = own?.startsWith("refs/heads/")
    ? `refs/remotes/origin/${own.slice("refs/heads/".length)}`
    : undefined;
  const found = own?.startsWith("refs/remotes/")
    ? own
    : ((own && full(`${ref === "HEAD" ? "" : ref}@{upstream}`)) ?? (sameName && full(sameName)));
  if (!found?.startsWith("refs/remotes/")) return undefined;
  const name = found.slice("refs/remotes/".length);
  const remotes = git(["remote"]).stdout.split("\n").filter(Boolean);
  const remote = remotes.filter((one) => name.startsWith(`${one}/`)).sort((a, b) => b.length - a.length)[0];
  return remote === undefined
    ? undefined
    : { isAsked: found === own, ref: found, name, remote, branch: name.slice(remote.length + 1) };
}

/** Asks with a short limit and fetches only what is new: a fetch that is killed half-way would leave its locks behind. */
function refresh(git: Git, { ref, name, remote, branch }: Tracked): string {
  const source = `refs/heads/${branch}`;
  const asked = git(["ls-remote", "--exit-code", "--", remote, source], {
    network: true,
    limitMs: REMOTE_ANSWERS_WITHIN_MS,
  });
  const there = /^([0-9a-f]{40,64})\t/.exec(asked.stdout)?.[1];
  if (!asked.ok || !there) return `${remote} did not answer, so ${name} may be old`;
  if (there === commitOf(git, ref)) return `${name} is up to date`;
  const fetched = git(
    ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", remote, `+${source}:${ref}`],
    {
      network: true,
      limitMs: FETCH_WITHIN_MS,
    },
  );
  return fetched.ok ? `${name} fetched now` : `${name} could not be fetched and may be old`;
}

export const commitOf = (git: Git, ref: string): string | undefined =>
  line(git(["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`]));

const isAncestor = (git: Git, older: string, newer: string) =>
  git(["merge-base", "--is-ancestor", older, newer]).ok;

function behind(git: Git, commit: string, remote: string, name: string): string {
  const missing = Number(line(git(["rev-list", "--count", `${commit}..${remote}`])) ?? 0);
  return missing > 0 ? `${counted(missing, "commit")} behind ${name}` : "";
}

function ageOf(git: Git, commit: string, now: Date): string {
  const seconds = Number(line(git(["log", "-1", "--format=%ct", commit])));
  return Number.isFinite(seconds) ? age(new Date(seconds * 1_000).toISOString(), now) : "";
}

export const line = ({ ok, stdout }: GitAnswer): string | undefined =>
  ok ? stdout.trim().split("\n")[0] || undefined : undefined;

export const whyFailed = ({ why, stderr }: { why?: string; stderr: string }): string =>
  why ??
  (stderr
    .trim()
    .split("\n")
    .at(-1)
    ?.replace(/^fatal: /, "") ||
    "it did not say why");
