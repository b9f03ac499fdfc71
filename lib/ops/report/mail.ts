// A team's messages of a stretch of time, read or unread, from its inboxes and archives.

import { archiveDir, inboxesDir, type Paths, whyNotSegment } from "../../core/paths.ts";
import { namesIn } from "../../core/read-file.ts";
import { readArchive } from "../../mail/store/archive.ts";
import { readInbox } from "../../mail/store/inbox.ts";
import { messageEntry, shortened } from "./entries.ts";
import type { Entry } from "./story.ts";

export function mailOf(
  { paths, now }: { paths: Paths; now: Date },
  team: string,
  from: number,
  isOneTeam: boolean,
): Entry[] {
  const at = (name: string) => (isOneTeam ? name : `${name}@${shortened(team, 60)}`);
  return readersOf(paths, team).flatMap((reader) => {
    const to = at(shortened(reader, 60));
    const mail = [...readArchive(paths, team, reader), ...readInbox(paths, team, reader)];
    return onceEach(mail)
      .map((message) => messageEntry(message, to, now))
      .map((entry) => ({ ...entry, agent: at(entry.agent) }))
      .filter((entry) => entry.at >= from && entry.at <= now.getTime());
  });
}

function readersOf(paths: Paths, team: string): string[] {
  const inboxes = namesIn(inboxesDir(paths, team)).flatMap((name) => stem(name, ".json"));
  const archives = namesIn(archiveDir(paths, team)).flatMap((name) => stem(name, ".jsonl"));
  return [...new Set([...inboxes, ...archives])].filter((name) => !whyNotSegment(name)).sort();
}

const stem = (name: string, ending: string) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []);

/** A message may stand in both while it moves. Without an id there is nothing to compare. */
function onceEach<M extends { id: string }>(mail: readonly M[]): M[] {
  const byId = new Map(mail.map((message, n) => [message.id || `no id ${n}`, message]));
  return [...byId.values()];
}
