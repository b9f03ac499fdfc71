// Claims: files that one agent, or the owner of a task, has asked others to leave alone for a while. A claim ends with its time, with
// its task, or with the proven end of its owner; only claims that fit a file are examined.
import type { FileKind } from "../../core/file-kind.ts";
import { readJson, updateJson } from "../../core/json.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { listOf, maybe, maybeNumber, maybeText, object, someNumber, someText } from "../../core/shape.ts";
import { lifeOfRecord } from "../../sessions/store/sessions.ts";
import { isOpen, readTask } from "../../tasks/store.ts";
import { memberOf, readTeam } from "../../teams/store/config.ts";
import { lifeOfMember } from "../../teams/store/liveness.ts";
import { agentOfKey, currentKey, latestOf, shownName } from "./agents.ts";
import { claimsFile } from "./claims-file.ts";
import { covers, overlaps } from "./patterns.ts";
import type { Tree } from "./repository.ts";

export const CLAIM_FILES: FileKind = {
  name: "claims of files",
  path: "swarm/repositories/<repository>/claims.json",
  ends: "age",
};

/** A person's claims have no session that could end. */
export const BY_PERSON = "person";

const claimShape = object({
  /** The agent's key, `person`, or nothing where a task's owner holds it. */
  by: maybeText,
  patterns: listOf(someText),
  at: someNumber,
  until: maybeNumber,
  why: maybeText,
  task: maybe(object({ list: someText, id: someText })),
});
type Stored = ReturnType<typeof claimShape>;
const shape = object({ claims: listOf(claimShape) });

/** A claim that holds now. */
export interface Claim {
  /** The owner's key, where it is known. */
  by: string | undefined;
  name: string;
  team: string | undefined;
  patterns: readonly string[];
  at: Date;
  until: Date | undefined;
  why: string | undefined;
  task: { list: string; id: string } | undefined;
}

const stored = (paths: Paths, tree: Pick<Tree, "common">): Stored[] =>
  readJson(claimsFile(paths, tree), shape)?.claims ?? [];

/** All that hold, oldest first. */
export const activeClaims = (paths: Paths, tree: Pick<Tree, "common">, now: Date): Claim[] =>
  stored(paths, tree).flatMap((claim) => holding(paths, claim, now) ?? []);

export const claimsOn = (paths: Paths, tree: Pick<Tree, "common">, file: string, now: Date): Claim[] =>
  stored(paths, tree)
    .filter(({ patterns }) => patterns.some((pattern) => covers(pattern, file)))
    .flatMap((claim) => holding(paths, claim, now) ?? []);

function holding(paths: Paths, claim: Stored, now: Date): Claim | undefined {
  const { by, patterns, until, why, task } = claim;
  if (until !== undefined && until <= now.getTime()) return undefined;
  const owner = task ? ownerOfTask(paths, task) : ownerOf(paths, by);
  if (!owner) return undefined;
  return {
    ...owner,
    patterns,
    at: new Date(claim.at),
    until: until === undefined ? undefined : new Date(until),
    why,
    task,
  };
}

type Owner = Pick<Claim, "by" | "name" | "team">;

function ownerOf(paths: Paths, by: string | undefined): Owner | undefined {
  if (by === BY_PERSON) return { by, name: "person", team: undefined };
  const agent = by === undefined ? undefined : latestOf(paths, agentOfKey(by));
  if (!agent || lifeOfRecord(agent.record) === "gone") return undefined;
  const { session, agentId, record } = agent;
  const key = agentId === undefined ? session : `${session}+${agentId}`;
  return { by: key, name: shownName(record), team: record.team };
}

/** While somebody works on it who is not proven gone. */
function ownerOfTask(paths: Paths, { list, id }: { list: string; id: string }): Owner | undefined {
  const task = readTask(paths, list, id);
  if (!task?.owner || task.status !== "in_progress") return undefined;
  const team = whyNotSegment(list) ? undefined : readTeam(paths, list);
  const member = memberOf(team, task.owner);
  if (member && lifeOfMember(paths, member).life === "gone") return undefined;
  return { by: undefined, name: task.owner, team: list };
}

type Change = (claims: Stored[]) => Stored[];

const MOST_CLAIMS = 500;

/** Claims that have ended are dropped whenever the file is written. */
const update = (paths: Paths, tree: Pick<Tree, "common">, now: Date, change: Change): void =>
  void updateJson(claimsFile(paths, tree), shape, (before) => ({
    claims: change((before?.claims ?? []).filter((one) => mayHold(paths, one, now))).slice(-MOST_CLAIMS),
  }));

/** The files of a task that nobody works on yet are kept for its next owner. */
function mayHold(paths: Paths, claim: Stored, now: Date): boolean {
  if (!claim.task) return holding(paths, claim, now) !== undefined;
  const task = readTask(paths, claim.task.list, claim.task.id);
  return task !== undefined && isOpen(task);
}

export interface NewClaim {
  by: string;
  patterns: readonly string[];
  until: Date | undefined;
  why: string | undefined;
}

/** Others' claims that overlap are given back, and then nothing is written. */
export function addClaim(paths: Paths, tree: Pick<Tree, "common">, now: Date, made: NewClaim): Claim[] {
  let conflicts: Claim[] = [];
  update(paths, tree, now, (claims) => {
    conflicts = claims
      .flatMap((one) => holding(paths, one, now) ?? [])
      .filter((one) => one.by !== made.by && overlapping(one.patterns, made.patterns));
    if (conflicts.length > 0) return claims;
    const own = withoutPatterns(claims, heldBy(paths, made.by), made.patterns);
    const { by, why } = made;
    const until = made.until?.getTime();
    return [...own, { by, patterns: [...made.patterns], at: now.getTime(), until, why }];
  });
  return conflicts;
}

/** Which of one's own patterns were released; all of them when none is named. */
export function releaseClaims(
  paths: Paths,
  tree: Pick<Tree, "common">,
  now: Date,
  by: string,
  patterns: readonly string[],
): string[] {
  let released: string[] = [];
  update(paths, tree, now, (claims) => {
    const isOwn = heldBy(paths, by);
    const held = claims.filter(isOwn).flatMap((one) => one.patterns);
    released = patterns.length === 0 ? held : held.filter((one) => patterns.includes(one));
    return withoutPatterns(claims, isOwn, released);
  });
  return released;
}

/** Also under the key that the agent had before a `/clear`. */
const heldBy =
  (paths: Paths, key: string) =>
  ({ by }: Stored): boolean =>
    by !== undefined && (by === key || currentKey(paths, by) === key);

const withoutPatterns = (
  claims: Stored[],
  isOwn: (claim: Stored) => boolean,
  patterns: readonly string[],
): Stored[] =>
  claims
    .map((one) =>
      isOwn(one) ? { ...one, patterns: one.patterns.filter((own) => !patterns.includes(own)) } : one,
    )
    .filter((one) => one.patterns.length > 0);

export const overlapping = (a: readonly string[], b: readonly string[]): boolean =>
  a.some((one) => b.some((other) => overlaps(one, other)));

/** The files of a task, which its owner claims by working on it, whichever way it was taken. */
export const bindTask = (
  paths: Paths,
  tree: Pick<Tree, "common">,
  now: Date,
  task: { list: string; id: string },
  patterns: readonly string[],
): void =>
  update(paths, tree, now, (claims) => [
    ...claims.filter((one) => one.task?.list !== task.list || one.task.id !== task.id),
    ...(patterns.length > 0 ? [{ patterns: [...patterns], at: now.getTime(), task }] : []),
  ]);
