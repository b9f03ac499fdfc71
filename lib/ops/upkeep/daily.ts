// The daily look: ours alone, for a moment, and one line in the journal about it.

import { appendJournal, newId } from "../../core/journal.ts";
import type { Context } from "../../hook/context.ts";
import { prune } from "../store/repair.ts";
import { readHeartbeatMarks, readOwnFiles } from "../store/state-files.ts";
import { markUpkeep } from "../store/upkeep.ts";
import { leftovers } from "./leftovers.ts";
import { factsOf, placed } from "./looking.ts";

const LONGEST_MS = 300;

/** Marked first: of several sessions that start together one looks. What there is no time for waits until tomorrow. */
export function dailyUpkeep({ paths, now, settings, input }: Context): void {
  const until = Date.now() + LONGEST_MS;
  markUpkeep(paths);
  const files = placed(paths, [...readOwnFiles(paths), ...readHeartbeatMarks(paths)]);
  const facts = factsOf(paths, { now, keepDays: settings["gc.keep_days"], isAsked: false });
  let pruned = 0;
  for (const { path } of leftovers(files, facts)) {
    if (Date.now() > until) break;
    prune(path, paths.base);
    pruned++;
  }
  if (pruned > 0)
    appendJournal(paths, now, {
      id: newId(now),
      at: now.toISOString(),
      event: "SessionStart",
      session: input.session_id,
      agent: "main",
      feature: "upkeep",
      what: "pruned",
      files: pruned,
    });
}
