// `swarm status set`: what the session that calls it is working on.

import { badCall, type Call } from "../../cli/command.ts";
import { plainLine } from "../../core/text.ts";
import { updateSession } from "../../sessions/store/sessions.ts";

const LONGEST_STATUS = 200;

type Flags = { "session-id": { type: "string" } };

/** An empty text takes the status away. */
export function setStatus({ words, session, paths }: Call<Flags>) {
  const text = plainLine(words.slice(1).join(" ")).replace(/\s+/g, " ").slice(0, LONGEST_STATUS);
  if (words.length < 2)
    throw badCall('what is the status? for example: swarm status set "fixing the parser"');
  if (!session) throw badCall("a status is what a session says of itself: call this in the session");
  const record = updateSession(paths, { session }, (stored) =>
    stored ? { ...stored, statusText: text || undefined } : undefined,
  );
  if (!record) throw new Error(`there is no session ${session}`);
  return { text: text ? `status: ${text}` : "status taken away", data: { session, status: text || null } };
}
