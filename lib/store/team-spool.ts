// Marks of ended members that could not be written into their team's config in time. Readers see them as if they were written.
import { maybeNumber, maybeText, object, someText } from "../parse/shape.ts";
import { newId } from "./journal.ts";
import { type Places, teamSpoolDir } from "./paths.ts";
import { dropChange, readSpool, removeChanges, type Spooled } from "./spool.ts";

const shape = object({ ended: someText, at: someText, pid: maybeNumber, session: maybeText });
/** `ended` is the member's name; `pid` and `session` are those it had then. */
export type EndMark = Pick<ReturnType<typeof shape>, "ended" | "at" | "pid" | "session">;

export const dropEndMark = (places: Places, team: string, mark: EndMark): void =>
  dropChange(teamSpoolDir(places, team), newId(new Date(mark.at)), mark);

export const readEndMarks = (places: Places, team: string): Spooled<EndMark>[] =>
  readSpool(teamSpoolDir(places, team), shape).changes;

export const removeEndMarks = (places: Places, team: string, marks: Spooled<EndMark>[]): void =>
  removeChanges(teamSpoolDir(places, team), marks);

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
