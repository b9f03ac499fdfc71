// Whose turn it is with a tree's index. All agents of a checkout share one index: what one stages between another's check and its
// commit would be committed with it. So a git command that uses the index has the turn from its check until its call is over.
import type { FileKind } from "../../core/file-kind.ts";
import { ignoring } from "../../core/files.ts";
import { readJson, updateJson, valueAt } from "../../core/json.ts";
import { isLocked, unlessLocked } from "../../core/lock.ts";
import type { Paths } from "../../core/paths.ts";
import { maybeFlag, maybeText, object, someNumber, someText, tableOf } from "../../core/shape.ts";
import { agentOfKey, latestOf } from "./agents.ts";
import { repositoryPath, type Tree } from "./repository.ts";

export const TURN_FILES: FileKind = {
  name: "turns with an index",
  path: "swarm/repositories/<repository>/index-turns.json",
  ends: "age",
};

const shape = tableOf(object({ by: someText, call: maybeText, at: someNumber, isWide: maybeFlag }));

/** Until the session's record names the call: it is written after the check, for which git is started and may be slow. */
const BEGINNING_MS = 20_000;
/** A command takes what it finds at its beginning; later it waits for hooks of the repository or for a person. */
const SWEEPING_MS = 20_000;
/** In place of a key: somebody else, and it is not known who. */
const SOMEBODY = "?";
/** No git command on an index takes longer; a hook of the repository that does has lost its turn. */
const LONGEST_MS = 120_000;

export interface Turn {
  by: string;
  /** The client's id of the call. */
  call: string | undefined;
  /** It takes whatever it finds: a file that is written meanwhile would be taken too. */
  isWide: boolean;
}

const fileOf = (paths: Paths, tree: Tree) => repositoryPath(paths, tree, "index-turns.json");

/** The agent whose turn it is, where that is somebody else; otherwise it is the caller's from now on. */
export function takeTurn(
  paths: Paths,
  tree: Tree,
  { by, call, isWide }: Turn,
  now: Date,
): string | undefined {
  const take = () => {
    let holder: string | undefined;
    updateJson(fileOf(paths, tree), shape, (turns = {}) => {
      const turn = valueAt(turns, tree.top);
      holder = turn && turn.by !== by && isRunning(paths, turn, now) ? turn.by : undefined;
      return holder ? undefined : { ...turns, [tree.top]: { by, call, at: now.getTime(), isWide } };
    });
    return holder;
  };
  return unlessLocked(take, () => SOMEBODY); // several want it at this very moment
}

/** The agent, other than the caller, whose command is taking all it finds in the tree at this moment. */
export function sweeperOf(paths: Paths, tree: Tree, by: string, now: Date): string | undefined {
  const turns = readJson(fileOf(paths, tree), shape) ?? {};
  const turn = valueAt(turns, tree.top);
  if (!turn?.isWide || turn.by === by || now.getTime() - turn.at > SWEEPING_MS) return undefined;
  return isRunning(paths, turn, now) ? turn.by : undefined;
}

/** For a command that is refused after all. On a busy lock it is left to end by itself: the refusal must not fail because of it. */
export function giveBackTurn(paths: Paths, tree: Tree, by: string): void {
  const giveBack = () =>
    updateJson(fileOf(paths, tree), shape, (turns = {}) => {
      if (valueAt(turns, tree.top)?.by !== by) return undefined;
      const { [tree.top]: _, ...others } = turns;
      return others;
    });
  ignoring(isLocked, giveBack);
}

function isRunning(paths: Paths, turn: { by: string; call?: string; at: number }, now: Date): boolean {
  const age = now.getTime() - turn.at;
  if (Math.abs(age) > LONGEST_MS) return false; // or the clock was set back
  const record = latestOf(paths, agentOfKey(turn.by))?.record;
  if (!record || record.endedAt) return false;
  const { tool, endedCall } = record;
  if (tool && tool.id === turn.call) return true;
  const taken = new Date(turn.at).toISOString();
  const isOver = endedCall?.id === turn.call || [tool, endedCall].some((call) => call && call.since > taken);
  return !isOver && age < BEGINNING_MS;
}
