// The throttle of the heartbeat: an empty file whose age says when a sign of life was last recorded. And the notices to the lead.

import { futimesSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { hasCode, isNoFile, withFile } from "../../core/files.ts";
import { readJson, updateJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";
import { object, someText, tableOf } from "../../core/shape.ts";

export const HEARTBEAT_FILES: readonly FileKind[] = [
  { name: "notices to the lead", path: "swarm/notices/<team>.json", ends: "age" },
  { name: "heartbeat marks", path: "tmp/swarm-heartbeat-<member>", ends: "age" },
];

/** Where the document Claude Swarm hooks puts it: a person who debugs a silent heartbeat looks there. */
export const heartbeatPath = (paths: Paths, team: string, agent: string) =>
  join(paths.tmp, `swarm-heartbeat-${segment(team)}-${segment(agent)}`);
/** What a team's lead was last notified of, by member. */
export const noticesPath = (paths: Paths, team: string) =>
  swarmPath(paths, "notices", `${segment(team)}.json`);

/** True at most once in `throttleMs`. A throttled call is one `lstat`. */
export function takeBeat(paths: Paths, team: string, agent: string, now: Date, throttleMs: number): boolean {
  const path = heartbeatPath(paths, team, agent);
  const age = now.getTime() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age >= 0 && age < throttleMs) return false;
  touch(path, now);
  return true;
}

/** The next event of this member is a heartbeat, whenever the last one was. */
export const forgetBeat = (paths: Paths, team: string, agent: string): void =>
  touch(heartbeatPath(paths, team, agent), new Date(0));

/** The temp directory is shared: another user's file is left alone, and the team's config throttles instead. */
function touch(path: string, now: Date): void {
  try {
    withFile(path, "write", (fd) => futimesSync(fd, now, now));
  } catch (error) {
    if (!isNoFile(error) && !["EACCES", "EPERM", "ENOENT"].some((code) => hasCode(error, code))) throw error;
  }
}

// What a team's lead was last notified of about each member, so that each change is notified once, by the first that notices it.
const shape = tableOf(object({ state: someText, sign: someText }));

export interface Notice {
  state: string;
  /** Identifies the change: the same sign is the same change. */
  sign: string;
}

const isSame = (a: Notice | undefined, b: Notice) => a?.state === b.state && a.sign === b.sign;

/** True for exactly one caller for each member, state and sign. */
export function claimNotice(paths: Paths, team: string, member: string, notice: Notice): boolean {
  const path = noticesPath(paths, team);
  if (isSame(new Map(Object.entries(readJson(path, shape) ?? {})).get(member), notice)) return false;
  const { state, sign } = notice;
  const written = updateJson(path, shape, (stored = {}) =>
    isSame(new Map(Object.entries(stored)).get(member), notice)
      ? undefined
      : { ...stored, [member]: { state, sign } },
  );
  return written !== undefined;
}

/** Of a question that a member's client shows. */
export type PromptNotice = "waits" | "answered";
const WAITS: PromptNotice = "waits";
const ANSWERED: PromptNotice = "answered";

/** Members that the lead believes to wait for a person. One file, which most teams do not have. */
export const waitingMembers = (paths: Paths, team: string): string[] =>
  noticedMembers(paths, team, (state) => state === WAITS);

/** Members of whom the last that the lead was notified of was no good news. */
export const troubledMembers = (paths: Paths, team: string): string[] =>
  noticedMembers(paths, team, (state) => state !== ANSWERED);

const noticedMembers = (paths: Paths, team: string, isMeant: (state: string) => boolean): string[] =>
  Object.entries(readJson(noticesPath(paths, team), shape) ?? {})
    .filter(([, { state }]) => isMeant(state))
    .map(([name]) => name);
