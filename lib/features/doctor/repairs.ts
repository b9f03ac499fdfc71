// `swarm doctor --fix`: what would be taken away is shown first; it is done, and written to the journal, only with --yes.
import type { Call } from "../../run/command.ts";
import { appendJournal, newId } from "../../store/journal.ts";
import { deleteFile, releaseLock } from "../../store/repair.ts";
import { readStateFiles, type StateFile } from "../../store/state-files.ts";
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
  const repairs = repairsOf(readStateFiles(call.places), call.now);
  if (repairs.length === 0) return { text: "there is nothing to repair", data: { repairs, done: [] } };
  if (!call.flags.yes) {
    const lines = repairs.map(({ what, path }) => `would ${what} ${path}`);
    return {
      text: [...lines, "nothing was done; `swarm doctor --fix --yes` does it"].join("\n"),
      data: { repairs, done: [] },
    };
  }
  const done = repairs.filter((repair) => repaired(call, repair));
  const lines = repairs.map((repair) =>
    done.includes(repair) ? `${repair.what}d ${repair.path}` : `left ${repair.path}: it is in use again`,
  );
  return { text: lines.join("\n"), data: { repairs, done } };
}

function repaired({ places, now, session }: DoctorCall, { what, path }: Repair): boolean {
  const isDone = what === "release" ? releaseLock(path) : deleteFile(path);
  if (isDone)
    appendJournal(places, now, {
      id: newId(now),
      at: now.toISOString(),
      event: "doctor",
      session: session ?? "",
      agent: "main",
      feature: "doctor",
      what: `${what}d`,
      path,
    });
  return isDone;
}
