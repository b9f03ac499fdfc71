// What one session's hooks leave for each other and for the client's file watch. Several hooks of a session may run at once, so each
// fact is a small file of its own, changed in one step.
//
//   swarm/mail/<session>.json   what was seen and watched when: written by one hook at a time
//   swarm/seats/<session>/seat  the watch file: its change makes the client ask what to watch (hooks.json matches its name)
//                 …/listed      the count of changes of the watch file up to which the client got its list
//                 …/told.jsonl  mail that went out with tool calls, not yet confirmed
//                 …/turn        there while a turn runs
//                 …/wake        there from a wake-up until the next turn

import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import {
  createFile,
  ifThere,
  makeDirectory,
  readOwnText,
  removeFile,
  rewriteFile,
  writeJson,
} from "../../core/files.ts";
import { appendLines, appendText, parsedLines, readJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";
import { sleepSync } from "../../core/process.ts";
import { maybeNumber, maybeText, object } from "../../core/shape.ts";

export const MAIL_SESSION_FILES: readonly FileKind[] = [
  { name: "mail marks", path: "swarm/mail/<session>.json", ends: "session" },
  { name: "watch files", path: "swarm/seats/<session>/", ends: "session" },
];

export const mailMarkPath = (paths: Paths, session: string): string =>
  swarmPath(paths, "mail", `${segment(session)}.json`);

const markShape = object({
  /** The inbox the client watches for this session. */
  watched: maybeText,
  /** The inbox it was asked to watch, because the session got its mailbox after it had started. */
  asked: maybeText,
  /** The inbox's stamp when PreToolUse last looked at it. */
  looked: maybeText,
  /** The inbox's stamp when the client was last asked to renew its watch. */
  renewed: maybeText,
  /** How often in a row a Stop hook continued the turn. */
  stops: maybeNumber,
});
export type MailMark = ReturnType<typeof markShape>;

export const readMailMark = (paths: Paths, session: string): MailMark =>
  session ? (readJson(mailMarkPath(paths, session), markShape) ?? {}) : {};

export function writeMailMark(paths: Paths, session: string, mark: MailMark): void {
  if (session) writeJson(mailMarkPath(paths, session), mark);
}

type SessionFile = "seat" | "told.jsonl" | "turn" | "wake";

const sessionFile = (paths: Paths, session: string, name: SessionFile): string =>
  swarmPath(paths, "seats", segment(session), name);

export const watchFilePath = (paths: Paths, session: string): string => sessionFile(paths, session, "seat");

export const isWatchFile = (path: string): boolean => /[\\/]seat$/.test(path);

/**
 * Its change makes the client ask what to watch. Changed in place, since the client loses a file that is renamed over; and by one
 * more character each time, since a single character cannot be torn.
 */
export function renewWatch(paths: Paths, session: string): string {
  const path = watchFilePath(paths, session);
  appendText(path, "1");
  return path;
}

export const countRenewals = (watchFile: string): number => readOwnText(watchFile)?.length ?? 0;

const listedPath = (watchFile: string) => join(dirname(watchFile), "listed");

/** The client got its list as of the watch file's last change. */
export function markListed(watchFile: string): void {
  const renewals = String(countRenewals(watchFile));
  ifThere(() => rewriteFile(listedPath(watchFile), renewals)); // the session may have ended meanwhile
}

const LISTED_WITHIN_MS = 2_500;
const PAUSE_MS = 50;
/** The client reads a hook's answer only after the hook has ended. */
const ANSWER_READ_MS = 400;

/** Waits until the client watches by its new list. A change before that is lost together with the old list. */
export function awaitListed(watchFile: string): void {
  const isListed = () => Number(readOwnText(listedPath(watchFile)) ?? 0) >= countRenewals(watchFile);
  for (let waited = 0; waited < LISTED_WITHIN_MS && !isListed(); waited += PAUSE_MS) sleepSync(PAUSE_MS);
  sleepSync(ANSWER_READ_MS);
}

/** Mail that went out with a tool call: until the turn goes on nothing says whether the client has shown it. */
export interface Unconfirmed {
  call: string;
  ids: string[];
}

export function appendUnconfirmed(paths: Paths, session: string, unconfirmed: Unconfirmed): void {
  if (session) appendLines(sessionFile(paths, session, "told.jsonl"), [unconfirmed]);
}

/** Reads and removes: the caller confirms or requeues. */
export function takeUnconfirmed(paths: Paths, session: string): Unconfirmed[] {
  const path = session ? sessionFile(paths, session, "told.jsonl") : "";
  const text = path ? readOwnText(path) : undefined;
  if (text === undefined) return [];
  removeFile(path);
  return parsedLines<Unconfirmed>(text).filter(
    ({ call, ids }) => isText(call) && Array.isArray(ids) && ids.every(isText),
  );
}

const isText = (value: unknown) => typeof value === "string";

/** Returns whether a wake-up began this turn. */
export function beginTurn(paths: Paths, session: string): boolean {
  if (!session) return false;
  const turn = sessionFile(paths, session, "turn");
  makeDirectory(dirname(turn));
  rewriteFile(turn, "");
  const wake = sessionFile(paths, session, "wake");
  const isWoken = existsSync(wake);
  removeFile(wake);
  return isWoken;
}

export function endTurn(paths: Paths, session: string): void {
  if (!session) return;
  removeFile(sessionFile(paths, session, "turn"));
  removeFile(sessionFile(paths, session, "wake"));
}

export const isTurnOpen = (paths: Paths, session: string): boolean =>
  session !== "" && existsSync(sessionFile(paths, session, "turn"));

/** A wake-up that began no turn within this time was lost. */
const WAKE_LOST_MS = 10_000;

/** True for one caller until the next turn: two changed files must not wake a session twice. */
export function claimWake(paths: Paths, session: string): boolean {
  if (!session) return true;
  const path = sessionFile(paths, session, "wake");
  const claimed = statSync(path, { throwIfNoEntry: false });
  if (claimed && Math.abs(Date.now() - claimed.mtimeMs) > WAKE_LOST_MS) removeFile(path);
  makeDirectory(dirname(path));
  return createFile(path);
}

export function releaseWake(paths: Paths, session: string): void {
  if (session) removeFile(sessionFile(paths, session, "wake"));
}

export function removeSessionFiles(paths: Paths, session: string): void {
  if (!session) return;
  removeFile(mailMarkPath(paths, session));
  rmSync(dirname(watchFilePath(paths, session)), { recursive: true, force: true });
}
