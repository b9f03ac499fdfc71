// The pass over a long task list: looks at the state of every file, reads those that changed, and writes the index. It takes as long
// as there are tasks, so hooks have it done beside the turn (`swarm task index`).
import { attempt, namesIn, readOwnText, writeWhole } from "../../core/files.ts";
import type { Paths } from "../../core/paths.ts";
import { elapsedMs, sleepSync } from "../../core/process.ts";
import { idsIn, taskPathIn, tasksDir } from "../store.ts";
import { exactOverview, fromIndex, grouped, type Overview, overviewOf, readKinds } from "./select.ts";
import {
  beginPass,
  dropIndex,
  indexPath,
  isSame,
  joinedNames,
  LONG_LIST,
  readIndex,
  SETTLED_MS,
  type TaskIndex,
  type TaskKind,
  type Trace,
  traceOf,
} from "./task-index.ts";

/** `undefined` for a list that is short, which needs none. */
export function indexTasks(paths: Paths, list: string): TaskIndex | undefined {
  const directory = tasksDir(paths, list);
  beginPass(paths, directory); // a reader from now on asks for another
  const takenAtMs = Date.now();
  const trace = traceOf(directory);
  const names = namesIn(directory);
  const ids = idsIn(paths, list, names);
  if (!trace || ids.length <= LONG_LIST) {
    dropIndex(paths, directory);
    return undefined;
  }
  const unlocked = names.filter((name) => !name.endsWith(".lock.lock") && !name.endsWith(".json.lock"));
  const { kinds, files } = kindsOf(paths, list, ids);
  const groups = grouped(kinds);
  const isSettled = ([, , mtimeMs, ctimeMs]: Trace) => takenAtMs - Math.max(mtimeMs, ctimeMs) >= SETTLED_MS;
  const index: TaskIndex = {
    version: 2,
    takenAtMs,
    ino: trace[0],
    ...(isSettled(trace) && unlocked.length === names.length ? { directory: trace } : {}),
    ...(kinds.size === ids.length ? { names: joinedNames(unlocked) } : {}),
    groups,
  };
  const groupOf = new Map(groups.flatMap(({ ids: members }, n) => members.map((id) => [String(id), n])));
  const settled: FileEntry[] = [...files].flatMap(([id, file]) =>
    isSettled(file) ? [[Number(id), groupOf.get(id) ?? -1, ...file]] : [],
  );
  const last = readIndex(paths, directory)?.takenAtMs ?? 0;
  const isLater = last > takenAtMs && last <= Date.now(); // a pass that began later has written already
  if (!isLater)
    writeWhole(indexPath(paths, directory), `${JSON.stringify(index)}\n${JSON.stringify(settled)}\n`);
  return index;
}

/** Exact, but for tasks rewritten in place since the last pass where nothing else has changed. Looks at every file where something has. */
export function freshOverview(paths: Paths, list: string): Overview {
  const known = exactOverview(paths, list);
  if (known) return known;
  const index = indexTasks(paths, list);
  return index ? fromIndex(list, index) : overviewOf(paths, list);
}

type FileEntry = [id: number, group: number, ...Trace];

/** A file with the trace it had at the last pass has the content it had then. The trace is taken before the content is read. */
function kindsOf(paths: Paths, list: string, ids: readonly string[]) {
  const directory = tasksDir(paths, list);
  const before = filesBefore(paths, directory);
  const kinds = new Map<string, TaskKind>();
  const files = new Map<string, Trace>();
  const changed = ids.filter((id) => {
    const trace = traceOf(taskPathIn(directory, id));
    if (!trace) return false; // deleted meanwhile
    files.set(id, trace);
    const known = before.get(id);
    if (!known || !isSame(known.trace, trace)) return true;
    kinds.set(id, known.kind);
    return false;
  });
  for (const [id, kind] of readKinds(paths, list, changed).kinds) kinds.set(id, kind);
  return { kinds, files };
}

function filesBefore(paths: Paths, directory: string): Map<string, { kind: TaskKind; trace: Trace }> {
  const { groups = [] } = readIndex(paths, directory) ?? {};
  const read = () => {
    const text = readOwnText(indexPath(paths, directory)) ?? "";
    const entries = JSON.parse(text.slice(text.indexOf("\n") + 1)) as FileEntry[];
    const known = entries.flatMap(([id, group, ...trace]) => {
      const kind = groups[group];
      return kind ? [[String(id), { kind, trace }] as const] : [];
    });
    return new Map(known);
  };
  return attempt(read) ?? new Map();
}

const BETWEEN_PASSES_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;

/** Until the directory has been quiet long enough to be relied on, and not right after another pass. */
export function awaitQuiet(paths: Paths, list: string): void {
  const directory = tasksDir(paths, list);
  const until = elapsedMs() + LONGEST_WAIT_MS;
  for (;;) {
    const [, , mtimeMs, ctimeMs] = traceOf(directory) ?? [0, 0, 0, 0];
    const last = readIndex(paths, directory)?.takenAtMs ?? 0;
    const quietAt = Math.max(mtimeMs + SETTLED_MS, ctimeMs + SETTLED_MS, last + BETWEEN_PASSES_MS);
    const waitMs = Math.min(quietAt - Date.now(), until - elapsedMs());
    if (waitMs <= 0) return;
    sleepSync(waitMs);
  }
}
