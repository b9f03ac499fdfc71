// Tells that something may have changed: by file events where the system has them, and every few seconds anyway.
import { type FSWatcher, watch } from "node:fs";
import { journalDir, type Paths, processesDir, swarmDir, whyNotSegment } from "../../core/paths.ts";
import { inboxesDir } from "../../mail/store/mailbox-files.ts";
import { sessionDir, sessionsDir } from "../../sessions/store/sessions.ts";
import { readProcesses } from "../../system/processes.ts";
import { tasksDir } from "../../tasks/store.ts";
import { listTeams, teamDir, teamsDir } from "../store/config.ts";

const EVERY_MS = 5_000;
/** Many files change together. */
const TOGETHER_MS = 150;

export function watchFiles(paths: Paths, changed: () => void): { end: () => void } {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      watchAll();
      changed();
    }, TOGETHER_MS);
  };
  const watchAll = () => {
    const wanted = new Set(directoriesOf(paths));
    for (const directory of watchers.keys()) if (!wanted.has(directory)) remove(directory);
    for (const directory of wanted) if (!watchers.has(directory)) add(directory);
  };
  const remove = (directory: string) => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };
  const add = (directory: string) => {
    try {
      const watcher = watch(directory, soon);
      watchers.set(directory, watcher);
      watcher.on("error", () => remove(directory));
    } catch {
      // not there yet, or no more watches to be had: the interval finds it
    }
  };
  watchAll();
  const interval = setInterval(soon, EVERY_MS);
  return {
    end: () => {
      clearInterval(interval);
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

const directoriesOf = (paths: Paths): string[] => [
  swarmDir(paths), // pauses
  sessionsDir(paths),
  processesDir(paths),
  ...readProcesses(paths).flatMap(({ session }) =>
    whyNotSegment(session) ? [] : sessionDir(paths, session),
  ),
  journalDir(paths),
  teamsDir(paths),
  ...listTeams(paths).flatMap((team) => [
    teamDir(paths, team),
    inboxesDir(paths, team),
    tasksDir(paths, team),
  ]),
];
