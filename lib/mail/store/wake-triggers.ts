// Wake triggers: two files beside each inbox for the client to watch. It loses its watch of a file that is renamed over twice within
// milliseconds, as inboxes are; a trigger is only ever written in place. Two, used in turns of a second, because the client reports
// a change only after the file has been quiet for half a second.

import { existsSync, writeSync } from "node:fs";
import type { FileKind } from "../../core/file-kind.ts";
import { hasCode, isAbsence, isNoFile, makeDirectory, withFile } from "../../core/files.ts";
import { type Paths, segment, teamPath } from "../../core/paths.ts";
import { noteProblem } from "../../core/process.ts";

export const WAKE_TRIGGERS: FileKind = {
  name: "wake triggers",
  path: "teams/<team>/bells/<agent>",
  kept: "two a member, a character each",
};

export const wakeTriggerPath = (paths: Paths, team: string, agent: string, which: number): string =>
  teamPath(paths, team, "bells", `${segment(agent)}.${which}`);

/** A file whose change may mean new mail: an inbox or a wake trigger. */
export const isWatchedMail = (path: string): boolean =>
  /[\\/](inboxes[\\/][^\\/]+\.json|bells[\\/][^\\/]+)$/.test(path);

/** Returns the triggers of a mailbox, made where they are missing. */
export function ensureTriggers(paths: Paths, team: string, agent: string): string[] {
  const triggers = [0, 1].map((which) => wakeTriggerPath(paths, team, agent, which));
  const missing = triggers.filter((trigger) => !existsSync(trigger));
  if (missing.length > 0) makeDirectory(teamPath(paths, team, "bells"));
  for (const trigger of missing) writeTrigger(trigger, "create");
  return triggers;
}

/** Fires the client's FileChanged hook of a session that watches this mailbox. Without a trigger file nothing watches. */
export function touchTrigger(paths: Paths, team: string, agent: string): void {
  const trigger = wakeTriggerPath(paths, team, agent, Math.floor(Date.now() / 1000) % 2);
  if (existsSync(trigger)) writeTrigger(trigger, "change");
}

/** The mail is on disk by now: a trigger that cannot be written must not make its sender send again. */
function writeTrigger(trigger: string, purpose: "change" | "create"): void {
  try {
    withFile(trigger, purpose, (fd) => writeSync(fd, "!", 0));
  } catch (error) {
    if (isAbsence(error) || hasCode(error, "EEXIST", "EACCES")) return;
    if (!isNoFile(error) && !hasCode(error, "ENOSPC", "EDQUOT", "EROFS")) throw error;
    noteProblem(`${trigger} wakes nobody: ${(error as Error).message}`);
  }
}
