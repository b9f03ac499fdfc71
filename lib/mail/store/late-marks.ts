// Marks that version 0.1.0 left beside an inbox whose lock it could not get (`<inbox>.shown`); today they are spooled.

import { readOwnText } from "../../core/files.ts";
import { removeFile } from "../../core/write-file.ts";
import type { MailChange } from "./changes.ts";

/** Under the inbox's lock. `.taken` is what a process that died was about to apply. */
export function takeLateMarks(inbox: string): { changes: MailChange[]; done: () => void } {
  const found = [`${inbox}.shown.taken`, `${inbox}.shown`].flatMap((path) => {
    const text = readOwnText(path);
    return text === undefined ? [] : { path, text };
  });
  return {
    changes: found.flatMap(({ text }) => text.split("\n").flatMap(asChange)),
    done: () => {
      for (const { path } of found) removeFile(path);
    },
  };
}

function asChange(line: string): MailChange[] {
  try {
    const { ids, at } = JSON.parse(line) as { ids?: unknown; at?: unknown };
    return Array.isArray(ids) && typeof at === "string" ? [{ shown: ids, at }] : [];
  } catch {
    return []; // torn
  }
}
