// `/clear` gives the same client process a new session id. These follow one person through such changes.
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { readSession, type SessionRecord } from "./sessions.ts";

const LONGEST = 50;

/** The session itself, then those it had before, newest first. */
export const sessionsBefore = (paths: Paths, session: string): string[] =>
  follow(paths, session, (record) => record?.previous);

/** The session itself, then those that came after it, oldest first. */
export const sessionsAfter = (paths: Paths, session: string): string[] =>
  follow(paths, session, (record) => record?.next);

function follow(
  paths: Paths,
  from: string,
  step: (record: SessionRecord | undefined) => string | undefined,
): string[] {
  const found: string[] = [];
  let at: string | undefined = from;
  while (at && !whyNotSegment(at) && !found.includes(at) && found.length < LONGEST) {
    found.push(at);
    at = step(readSession(paths, { session: at }));
  }
  return found;
}
