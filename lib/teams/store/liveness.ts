// Signs of life of a team's members: the heartbeat that one gives, the evidence whether one is alive, and what its lead was last
// notified of about it.

import { futimesSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { hasCode, isNoFile, withFile } from "../../core/files.ts";
import { readJson, updateJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { object, type Shape, someText, tableOf } from "../../core/shape.ts";
import { latestRecord, type SessionRecord } from "../../sessions/store/sessions.ts";
import { type Life, lifeOf } from "../../system/processes.ts";
import { readPanes } from "../../system/tmux.ts";
import type { Member, Team } from "./config.ts";

export const HEARTBEAT_FILES: readonly FileKind[] = [
  { name: "notices to the lead", path: "swarm/notices/<team>.json", ends: "age" },
  { name: "heartbeat marks", path: "tmp/swarm-heartbeat-<member>", ends: "age" },
];

// The throttle of the heartbeat: an empty file whose age says when a sign of life was last recorded.

type Beating = { team: string; agent: string };

/** How the names of these files begin in the temporary directory. */
export const HEARTBEAT_MARK = "swarm-heartbeat-";

/** Where the document Claude Swarm hooks puts it: a person who debugs a silent heartbeat looks there. */
export const heartbeatPath = (paths: Paths, team: string, agent: string) =>
  join(paths.tmp, `${HEARTBEAT_MARK}${segment(team)}-${segment(agent)}`);

/** True at most once in `throttleMs`. A throttled call is one `lstat`. */
export function takeBeat(paths: Paths, beating: Beating, now: Date, throttleMs: number): boolean {
  if (isThrottled(paths, beating, now, throttleMs)) return false;
  touch(heartbeatPath(paths, beating.team, beating.agent), now);
  return true;
}

/** By the marker, which a person may remove; nothing is known where it is not ours to write. */
export function isThrottled(paths: Paths, beating: Beating, now: Date, throttleMs: number): boolean {
  const mark = lstatSync(heartbeatPath(paths, beating.team, beating.agent), { throwIfNoEntry: false });
  const age = now.getTime() - (mark?.mtimeMs ?? 0);
  return !!mark && age >= 0 && age < throttleMs && mark.uid === (process.getuid?.() ?? mark.uid);
}

/** The next event of this member is a heartbeat, whenever the last one was. */
export const forgetBeat = (paths: Paths, beating: Beating): void =>
  touch(heartbeatPath(paths, beating.team, beating.agent), new Date(0));

/** The temp directory is shared: another user's file says nothing and is left alone, and the team's config throttles instead. */
function touch(path: string, now: Date): void {
  try {
    withFile(path, "write", (fd) => futimesSync(fd, now, now));
  } catch (error) {
    if (!isNoFile(error) && !hasCode(error, "EACCES", "EPERM", "ENOENT")) throw error;
  }
}

// Whether a session or a member is alive, by evidence: the end on its session's record, then its process, then its pane. `gone` only
// with proof; a session is followed through `/clear` to the id it has now.

export interface Liveness {
  life: Life;
  /** One line a person can check. */
  evidence: string;
}

export const lifeOfMember = (paths: Paths, member: Member): Liveness =>
  livenessOf(latestRecord(paths, member.sessionId), member);

/** Neither marked as ended nor proven gone. */
export const mayBeRunning = (paths: Paths, member: Member): boolean =>
  member.status !== "offline" && lifeOfMember(paths, member).life !== "gone";

/** By the record of its session, and its entry in the team's config. */
export function livenessOf(record: SessionRecord | undefined, member: Member | undefined): Liveness {
  const { life, pid } = examine(record, member);
  if (record?.endedAt) return { life, evidence: `its session ended at ${record.endedAt}` };
  if (life === "unknown" && member && isPaneClosed(member))
    return { life: "gone", evidence: `pane ${member.paneId} is closed` };
  if (!pid) return { life, evidence: "no process on record" };
  const now = { gone: "has ended", alive: "is running", unknown: "may be running" }[life];
  return { life, evidence: `process ${pid} ${now}` };
}

export function lifeOfSession(paths: Paths, session: string, team?: Team): Liveness {
  if (whyNotSegment(session)) return { life: "unknown", evidence: "its id is not a session id" };
  const member = team?.members.find(({ sessionId }) => sessionId === session);
  const record = latestRecord(paths, session);
  const { life, pid } = examine(record, member);
  const { session: current = session, endedAt, endReason = "no reason given" } = record ?? {};
  if (endedAt) return { life, evidence: `session ${current} ended at ${endedAt} (${endReason})` };
  if (!pid) return { life, evidence: `nothing is known about session ${current} but its id` };
  const unproven = "may be running; its start time cannot be compared";
  const now = { gone: "is gone", alive: "is running", unknown: unproven }[life];
  const source = record?.pid ? `last seen ${record.lastSeen}` : "from the team's config";
  return { life, evidence: `process ${pid} of session ${current} ${now} (${source})` };
}

/** A process that is not on record may be known to the team's config. */
function examine(record: SessionRecord | undefined, member: Member | undefined) {
  const { pid, pidStartedAt: startedAt } = (record?.pid ? record : member) ?? {};
  const life: Life = record?.endedAt ? "gone" : lifeOf({ pid, startedAt });
  return { life, pid };
}

/** A hook asks, too. */
const ASKED_MS = 1_000;

function isPaneClosed({ paneId, socket, backend }: Member): boolean {
  if (!paneId || !socket || backend === "kitty") return false;
  return readPanes({ socket }, ASKED_MS)?.every(({ id }) => id !== paneId) === true;
}

// What a team's lead was last notified of about each member, so that each change is notified once, by the first that notices it.

export const noticesPath = (paths: Paths, team: string) =>
  swarmPath(paths, "notices", `${segment(team)}.json`);

/** `sign` identifies the change: the same sign is the same change. */
type Notice = { state: string; sign: string };
type Notices = Record<string, Notice>;
const noticesShape: Shape<Notices> = (value, at) =>
  tableOf(object({ state: someText, sign: someText }))(value, at);

/** True for exactly one caller for each member, state and sign. */
export function claimNotice(paths: Paths, team: string, member: string, { state, sign }: Notice): boolean {
  const path = noticesPath(paths, team);
  const isNoticed = ({ [member]: last }: Notices = {}) => last?.state === state && last.sign === sign;
  if (isNoticed(readJson(path, noticesShape))) return false;
  const written = updateJson(path, noticesShape, (stored) =>
    isNoticed(stored) ? undefined : { ...stored, [member]: { state, sign } },
  );
  return written !== undefined;
}

/** What the lead could not be notified of is no longer taken for said. */
export function forgetNotice(paths: Paths, team: string, member: string): void {
  updateJson(noticesPath(paths, team), noticesShape, ({ [member]: _, ...others }: Notices = {}) => others);
}

/** Of a question that a member's client shows. */
export type PromptNotice = "waits" | "answered";

/** Members that the lead believes to wait for a person. One file, which most teams do not have. */
export const waitingMembers = (paths: Paths, team: string): string[] =>
  noticedMembers(paths, team, (state) => state === "waits");

/** Members of whom the last that the lead was notified of was no good news. */
export const troubledMembers = (paths: Paths, team: string): string[] =>
  noticedMembers(paths, team, (state) => state !== "answered");

const noticedMembers = (paths: Paths, team: string, isMeant: (state: string) => boolean): string[] =>
  Object.entries(readJson(noticesPath(paths, team), noticesShape) ?? {})
    .filter(([, { state }]) => isMeant(state))
    .map(([name]) => name);
