// Marks of ended members that could not be written into their team's config in time. Readers see them as if they were written.

import { newId } from "../../core/journal.ts";
import { type Paths, teamSpoolDir } from "../../core/paths.ts";
import { maybeNumber, maybeText, object, someText } from "../../core/shape.ts";
import { dropChange, readSpool, removeChanges, type Spooled } from "../../core/spool.ts";

const shape = object({ ended: someText, at: someText, pid: maybeNumber, session: maybeText });
/** `ended` is the member's name; `pid` and `session` are those it had then. */
export type EndMark = Pick<ReturnType<typeof shape>, "ended" | "at" | "pid" | "session">;

export const dropEndMark = (paths: Paths, team: string, mark: EndMark): void =>
  dropChange(teamSpoolDir(paths, team), newId(new Date(mark.at)), mark);

export const readEndMarks = (paths: Paths, team: string): Spooled<EndMark>[] =>
  readSpool(teamSpoolDir(paths, team), shape).changes;

export const removeEndMarks = (paths: Paths, team: string, marks: Spooled<EndMark>[]): void =>
  removeChanges(teamSpoolDir(paths, team), marks);

interface Marked {
  name: string;
  pid?: number;
  sessionId?: string;
  status?: string;
  lastSeen?: string;
}

/** A member that has started again since is another process by now, or was seen later, and stays as it is. */
export function withEndMarks<M extends Marked>(members: M[], marks: readonly Spooled<EndMark>[]): M[] {
  return members.map((member) => {
    const mark = marks.findLast(({ change }) => change.ended === member.name && isOf(change, member))?.change;
    return mark ? { ...member, status: "offline", lastSeen: mark.at } : member;
  });
}

/** Some times in a config are whole seconds. */
const TICK_MS = 1_000;

const isOf = (mark: EndMark, { pid, sessionId, lastSeen }: Marked): boolean =>
  pid === mark.pid &&
  sessionId === mark.session &&
  !(Date.parse(lastSeen ?? "") >= Date.parse(mark.at) + TICK_MS);
