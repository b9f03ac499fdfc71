// Taking a member's traces out of a team. Mail is moved, never deleted: it was accepted from somebody.
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { namesIn } from "./list-directory.ts";
import { moveInbox } from "./mail-removal.ts";
import {
  agentsDir,
  gatesPath,
  inboxesDir,
  type Places,
  removedInboxPath,
  sessionPath,
  spawnLedgerPath,
  whyNotSegment,
} from "./paths.ts";
import { makeDirectory } from "./write-file.ts";

/** The names for which there is an inbox, whether or not they are members. */
export function listInboxes(places: Places, team: string): string[] {
  return namesIn(inboxesDir(places, team)).flatMap((name) => {
    const agent = name.match(/^(.+)\.json$/)?.[1];
    return agent && !whyNotSegment(agent) ? agent : [];
  });
}

/** Returns where it is now. */
export function archiveInbox(places: Places, team: string, agent: string, now: Date): string {
  const to = removedInboxPath(places, team, agent, now.toISOString().replace(/[:.]/g, "-"));
  makeDirectory(dirname(to));
  moveInbox(places, team, agent, to);
  return to;
}

/** A session's record and what hangs on it; the journal keeps the story. */
export function removeSession(places: Places, session: string): void {
  const held = dirname(gatesPath(places, session, "main"));
  for (const path of [agentsDir(places, session), held]) rmSync(path, { recursive: true, force: true });
  for (const path of [spawnLedgerPath(places, session), sessionPath(places, session)])
    rmSync(path, { force: true });
}
