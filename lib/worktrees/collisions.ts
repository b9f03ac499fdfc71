// Files that another live agent has changed since this agent last read or wrote them.
import { statIfThere } from "../core/files.ts";
import { oncePer } from "../core/process.ts";
import type { Shared } from "./judge-shared.ts";
import { agentOfKey, currentKey, isAnywhere, type LiveAgent } from "./store/agents.ts";
import { type Entry, entriesOf } from "./store/ledger.ts";
import type { Located } from "./store/repository.ts";

export interface Collision {
  file: string;
  owner: LiveAgent;
  entry: Entry;
  /** When the change was made, in milliseconds since 1970. */
  at: number;
  /** In the tree that is written to, not in another worktree. */
  isHere: boolean;
  hasRead: boolean;
}

export const collisionsOf = (shared: Shared): Collision[] =>
  shared.files.flatMap((located) => collisionOn(located, shared) ?? []);

function collisionOn({ tree, file }: Located, { ctx, key, others, namesIn }: Shared): Collision | undefined {
  const entries = entriesOf(ctx.paths, tree, file);
  if (entries.every(({ by }) => by === key)) return undefined;
  const names = namesIn(tree.common);
  const isOwn = oncePer(
    (by: string) => by === key || (!isAnywhere(names, agentOfKey(by)) && currentKey(ctx.paths, by) === key),
  );
  const own = entries.filter(({ by }) => isOwn(by));
  const lastHere = latest(own.filter((one) => one.tree === tree.top));
  const lastWrite = latest(own.filter(({ how }) => how !== "read"));
  let found: Collision | undefined;
  for (const entry of latestPerTree(entries.filter(({ how }) => how !== "read"))) {
    const owner = isOwn(entry.by) ? undefined : others(tree).withKey(entry.by);
    const isHere = entry.tree === tree.top;
    const at = owner ? changedAt(entry) : undefined;
    if (!owner || at === undefined || at <= (isHere ? lastHere : lastWrite)) continue;
    if (!found || isHere || (!found.isHere && at > found.at))
      found = { file, owner, entry, at, isHere, hasRead: lastHere > 0 };
  }
  return found;
}

const latest = (entries: readonly Entry[]) => entries.reduce((at, one) => Math.max(at, one.at), 0);

/** The last writer in each tree. */
const latestPerTree = (entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [entry.tree, entry])).values(),
];

/** An entry is made before its call runs. */
const CLOCK_SLACK_MS = 2_000;
const LONGEST_CALL_MS = 10 * 60_000;

/** When the file really changed; nothing where the call failed, was refused or has not run. */
export function changedAt({ tree, file, at }: Entry): number | undefined {
  const stat = statIfThere(`${tree}/${file}`);
  if (!stat) return at; // deleted
  if (stat.ctimeMs < at - CLOCK_SLACK_MS) return undefined;
  return stat.ctimeMs - at < LONGEST_CALL_MS ? Math.max(at, stat.ctimeMs) : at;
}
