// `swarm doctor --fix`: what would be taken away is shown first; it is done, and written to the journal, when somebody at the
// terminal says yes, or with --yes.

import type { Call } from "../../cli/command.ts";
import { appendJournal, newId } from "../../core/journal.ts";
import { plainLines } from "../../core/text.ts";
import { PERSON } from "../../hook/identity.ts";
import { askPerson } from "../../hook/stdio.ts";
import { deleteFile, releaseLock } from "../store/repair.ts";
import { readStateFiles, type StateFile } from "../store/state-files.ts";
import { isDamaged, isLeftLock, isLeftTemp } from "./files.ts";

export const DOCTOR_FLAGS = { fix: { type: "boolean" }, yes: { type: "boolean" } } as const;
export type DoctorCall = Call<typeof DOCTOR_FLAGS>;
/** What looking alone needs. */
export type Looking = Omit<DoctorCall, "flags">;

export interface Repair {
  what: "release" | "delete";
  path: string;
}

export function repairsOf(files: readonly StateFile[], now: Date): Repair[] {
  return files.flatMap((file): Repair[] => {
    if (isLeftLock(file, now)) return [{ what: "release", path: file.path }];
    const isLeft = !file.isDirectory && (isDamaged(file) || isLeftTemp(file, now));
    return isLeft ? [{ what: "delete", path: file.path }] : [];
  });
}

export function fix(call: DoctorCall) {
  const repairs = repairsOf(readStateFiles(call.paths), call.now);
  if (repairs.length === 0) return { text: "there is nothing to repair", data: { repairs, done: [] } };
  const lines = repairs.map(({ what, path }) => `would ${what} ${path}`);
  const answer = call.flags.yes ?? isWanted(call, lines);
  if (!answer) {
    const shown = answer === undefined ? lines : [];
    return {
      text: plainLines([...shown, "nothing was done; `swarm doctor --fix --yes` does it"]),
      data: { repairs, done: [] },
    };
  }
  const done = repairs.filter((repair) => repaired(call, repair));
  const told = repairs.map((repair) =>
    done.includes(repair) ? `${repair.what}d ${repair.path}` : `left ${repair.path}: it is in use again`,
  );
  return { text: plainLines(told), data: { repairs, done } };
}

const isWanted = ({ flags }: DoctorCall, lines: string[]) =>
  flags.json ? undefined : askPerson(`${plainLines(lines)}\nDo it?`);

function repaired({ paths, now, session }: DoctorCall, { what, path }: Repair): boolean {
  const isDone = what === "release" ? releaseLock(path) : deleteFile(path);
  if (isDone)
    appendJournal(paths, now, {
      id: newId(now),
      at: now.toISOString(),
      event: "doctor",
      session: session ?? "",
      agent: session ? "main" : PERSON,
      feature: "doctor",
      what: `${what}d`,
      path,
    });
  return isDone;
}
