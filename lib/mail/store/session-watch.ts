// What one session tells its own later hooks and the client's watch: a directory of small files, each changed in one step,
// since several hooks of a session may run at once.
import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFile, isAbsence, readOwnText, rewriteFile } from "../../core/files.ts";
import { appendLines, appendText } from "../../core/jsonl.ts";
import { type Paths, sessionWatchPath } from "../../core/paths.ts";
import { listOf, object, someText } from "../../core/shape.ts";
import { sleepSync } from "../../core/time.ts";
import { makeDirectory } from "../../core/write-file.ts";

const beside = (paths: Paths, session: string, name: string) =>
  join(dirname(sessionWatchPath(paths, session)), name);

/**
 * Its change tells the client what to watch from now on. In place, since the client would lose a file renamed over; and by one
 * stroke more each time, of which none can be torn.
 */
export function renewWatch(paths: Paths, session: string): string {
  const path = sessionWatchPath(paths, session);
  appendText(path, "1");
  return path;
}

/** How often that was: the client looks anew at a list of files only when the list differs from the last. */
export const renewals = (path: string): number => readOwnText(path)?.length ?? 0;

/** Mail that went along with a tool call: until the turn goes on nobody knows whether the client has shown it. */
export interface Unconfirmed {
  call: string;
  ids: string[];
}

const toldShape = object({ call: someText, ids: listOf(someText) });
const toldPath = (paths: Paths, session: string) => beside(paths, session, "told.jsonl");

export function appendUnconfirmed(paths: Paths, session: string, told: Unconfirmed): void {
  if (session) appendLines(toldPath(paths, session), [told]);
}

/** Whoever takes it settles it. */
export function takeUnconfirmed(paths: Paths, session: string): Unconfirmed[] {
  const path = session ? toldPath(paths, session) : "";
  const text = path ? readOwnText(path) : undefined;
  if (text === undefined) return [];
  rmSync(path, { force: true });
  return text.split("\n").flatMap(asTold);
}

function asTold(line: string): Unconfirmed[] {
  try {
    return [toldShape(JSON.parse(line), "")];
  } catch {
    return []; // the end of the file, or torn
  }
}

const LISTED_BY_MS = 2_500;
const PAUSE_MS = 50;
/** The client reads an answer when its hook has ended. */
const TAKEN_IN_MS = 400;

/** The client has been told what to watch, as of the mailbox's last change. */
export function markListed(mailbox: string): void {
  try {
    rewriteFile(join(dirname(mailbox), "listed"), String(renewals(mailbox)));
  } catch (error) {
    if (!isAbsence(error)) throw error; // the session ended meanwhile
  }
}

/** Waits until the client watches by its new list. What changes before is lost with its old one. */
export function awaitListed(mailbox: string): void {
  const listed = join(dirname(mailbox), "listed");
  const isListed = () => Number(readOwnText(listed) ?? 0) >= renewals(mailbox);
  for (let waited = 0; waited < LISTED_BY_MS && !isListed(); waited += PAUSE_MS) sleepSync(PAUSE_MS);
  sleepSync(TAKEN_IN_MS);
}

const turnPath = (paths: Paths, session: string) => beside(paths, session, "turn");
const wakePath = (paths: Paths, session: string) => beside(paths, session, "wake");

/** A turn has begun: whatever was to wake the session has done so. Returns whether something was. */
export function beginTurn(paths: Paths, session: string): boolean {
  if (!session) return false;
  makeDirectory(dirname(turnPath(paths, session)));
  rewriteFile(turnPath(paths, session), "");
  const wake = wakePath(paths, session);
  const woken = statSync(wake, { throwIfNoEntry: false }) !== undefined;
  rmSync(wake, { force: true });
  return woken;
}

export function endTurn(paths: Paths, session: string): void {
  if (!session) return;
  rmSync(turnPath(paths, session), { force: true });
  rmSync(wakePath(paths, session), { force: true });
}

export const isTurnOpen = (paths: Paths, session: string): boolean =>
  session !== "" && statSync(turnPath(paths, session), { throwIfNoEntry: false }) !== undefined;

/** A wake-up that began no turn within this time was lost on its way. */
const WAKE_LOST_MS = 10_000;

/** True for one caller until the next turn: two changed files must not wake a session twice. */
export function takeWake(paths: Paths, session: string): boolean {
  if (!session) return true;
  const path = wakePath(paths, session);
  const taken = statSync(path, { throwIfNoEntry: false });
  if (taken && Math.abs(Date.now() - taken.mtimeMs) > WAKE_LOST_MS) rmSync(path, { force: true });
  makeDirectory(dirname(path));
  return createFile(path);
}

export const dropWake = (paths: Paths, session: string): void => {
  if (session) rmSync(wakePath(paths, session), { force: true });
};

export function removeWatch(paths: Paths, session: string): void {
  if (session) rmSync(dirname(sessionWatchPath(paths, session)), { recursive: true, force: true });
}
