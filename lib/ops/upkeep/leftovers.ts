// Which files may go, and why: by their kind, their age and whether anybody who needs them lives. Pure.
import type { StateFile } from "../store/state-files.ts";
import { type Kind, kindOf } from "../store/state-kinds.ts";

const DAY_MS = 86_400_000;
/** What a killed process left half-written is nobody's after an hour. */
const HALF_WRITTEN_MS = 3_600_000;

export interface Facts {
  now: Date;
  keepDays: number;
  /** Also what somebody may want back; only a person may say so. */
  isAsked: boolean;
  /** The session lives, or a team is going to wake it. */
  isNeeded: (session: string) => boolean;
  isAlive: (pid: number) => boolean;
}

export interface Leftover {
  kind: string;
  path: string;
  bytes: number;
}

/** `place` is the file's path below the client's directory, with `/` between the parts. */
export interface Placed extends StateFile {
  place: string;
}

export const leftovers = (files: readonly Placed[], facts: Facts): Leftover[] =>
  files.flatMap((file) => {
    const kind = kindOf(file.place);
    return kind && mayGo(file, kind, facts) ? { kind: kind.name, path: file.path, bytes: file.size } : [];
  });

function mayGo(file: Placed, kind: Kind, facts: Facts): boolean {
  const isOld = facts.now.getTime() - file.changed.getTime() > oldAfterMs(kind, facts);
  if (kind.end === "person") return facts.isAsked && isOld;
  if (file.isDirectory || kind.end === "kept") return false;
  const owner = file.place.match(kind.where)?.[1] ?? "";
  if (kind.end === "process") return !facts.isAlive(Number(owner));
  return isOld && (kind.end === "age" || !facts.isNeeded(owner));
}

const oldAfterMs = ({ name }: Kind, { keepDays }: Facts) =>
  name === "half-written files" ? HALF_WRITTEN_MS : keepDays * DAY_MS;
