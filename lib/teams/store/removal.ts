// Taking a member's traces out of a team. Mail is moved, never deleted: it was accepted from somebody.
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { namesIn } from "../../core/list-directory.ts";
import {
  agentsDir,
  gatesPath,
  inboxesDir,
  type Paths,
  removedInboxPath,
  sessionPath,
  spawnLedgerPath,
  whyNotSegment,
} from "../../core/paths.ts";
import { makeDirectory } from "../../core/write-file.ts";
import { moveInbox } from "../../mail/store/removal.ts";

/** The names for which there is an inbox, whether or not they are members. */
export function listInboxes(paths: Paths, team: string): string[] {
  return namesIn(inboxesDir(paths, team)).flatMap((name) => {
    const agent = name.match(/^(.+)\.json$/)?.[1];
    return agent && !whyNotSegment(agent) ? agent : [];
  });
}

/** Returns where it is now. */
export function archiveInbox(paths: Paths, team: string, agent: string, now: Date): string {
  const to = removedInboxPath(paths, team, agent, now.toISOString().replace(/[:.]/g, "-"));
  makeDirectory(dirname(to));
  moveInbox(paths, team, agent, to);
  return to;
}

/** A session's record and what hangs on it; the journal keeps the story. */
export function removeSession(paths: Paths, session: string): void {
  const held = dirname(gatesPath(paths, session, "main"));
  for (const path of [agentsDir(paths, session), held]) rmSync(path, { recursive: true, force: true });
  for (const path of [spawnLedgerPath(paths, session), sessionPath(paths, session)])
    rmSync(path, { force: true });
}
