// Files that another live agent has changed since this agent last read or wrote them.
import { addTo } from "../core/lists.ts";
import { oncePer } from "../core/process.ts";
import type { Shared } from "./judge-shared.ts";
import { agentOfKey, currentKey, isAnywhere, type LiveAgent } from "./store/agents.ts";
import { changedAt, type Entry, entriesOf } from "./store/ledger.ts";
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
  const ownerOf = (by: string) => (isOwn(by) ? undefined : others(tree).withKey(by));
  let found: Collision | undefined;
  for (const [top, writes] of writesByTree(entries)) {
    const sinceOwn = writes.slice(writes.findLastIndex(({ by }) => isOwn(by)) + 1);
    const change = lastOfLive(sinceOwn, ownerOf);
    const isHere = top === tree.top;
    if (!change || change.at <= (isHere ? lastHere : lastWrite)) continue;
    if (!found || isHere || (!found.isHere && change.at > found.at))
      found = { ...change, file, isHere, hasRead: lastHere > 0 };
  }
  return found;
}

const latest = (entries: readonly Entry[]) => entries.reduce((at, one) => Math.max(at, one.at), 0);

function writesByTree(entries: readonly Entry[]): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const entry of entries) if (entry.how !== "read") addTo(found, entry.tree, entry);
  return found;
}

/** The last change by a live agent: a later call that failed, or that of an agent that is gone, does not hide it. */
function lastOfLive(
  writes: readonly Entry[],
  ownerOf: (by: string) => LiveAgent | undefined,
): Pick<Collision, "entry" | "owner" | "at"> | undefined {
  let isLast = true;
  for (const entry of writes.toReversed()) {
    const owner = ownerOf(entry.by);
    if (!owner && !isLast) continue; // spares a look at the file for each of many old entries
    const at = changedAt(entry);
    if (at === undefined) continue;
    // The file's own time is that of the last change.
    if (owner) return { entry, owner, at: isLast ? at : entry.at };
    isLast = false;
  }
  return undefined;
}
