// Mail that was shown while somebody else held its inbox for too long: noted beside it without a lock, and marked by whoever has
// the lock next. Otherwise a reader would see it twice because a stranger died.
import { renameSync } from "node:fs";
import { appendLines } from "./append-line.ts";
import { isAbsence, readText } from "./read-text.ts";
import { removeFile } from "./write-file.ts";

const noteOf = (inbox: string) => `${inbox}.shown`;

export interface LateMark {
  ids: string[];
  at: string;
}

export function appendLateMark(inbox: string, mark: LateMark): void {
  appendLines(noteOf(inbox), [mark]);
}

/** Under the inbox's lock. Moved away first: what is noted from now on is for the next one. */
export function takeLateMarks(inbox: string): { marks: ReadonlyMap<string, string>; done: () => void } {
  const taken = `${noteOf(inbox)}.taken`;
  try {
    renameSync(noteOf(inbox), taken);
  } catch (error) {
    if (!isAbsence(error)) throw error;
    return { marks: new Map(), done: () => {} };
  }
  const lines = (readText(taken) ?? "").split("\n").flatMap(asMark);
  const marks = new Map(lines.flatMap(({ ids, at }) => ids.map((id) => [id, at] as const)));
  return { marks, done: () => removeFile(taken) };
}

function asMark(line: string): LateMark[] {
  try {
    const { ids, at } = JSON.parse(line) as Partial<LateMark>;
    return Array.isArray(ids) && typeof at === "string" ? [{ ids, at }] : [];
  } catch {
    return []; // torn
  }
}
