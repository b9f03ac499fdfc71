// What one session tells its own later hooks and the client's watch: a directory of small files, each changed in one step,
// since several hooks of a session may run at once.
import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { listOf, object, someText } from "../parse/shape.ts";
import { appendLines, appendText } from "./append-line.ts";
import { createFile, rewriteFile } from "./open-file.ts";
import { type Places, seatPath } from "./paths.ts";
import { isAbsence, readOwnText } from "./read-text.ts";
import { sleepSync } from "./sleep.ts";
import { makeDirectory } from "./write-file.ts";

const beside = (places: Places, session: string, name: string) =>
  join(dirname(seatPath(places, session)), name);

/**
 * Its change tells the client what to watch from now on. In place, since the client would lose a file renamed over; and by one
 * stroke more each time, of which none can be torn.
 */
export function renewSeat(places: Places, session: string): string {
  const path = seatPath(places, session);
  appendText(path, "1");
  return path;
}

/** How often that was: the client looks anew at a list of files only when the list differs from the last. */
export const renewals = (path: string): number => readOwnText(path)?.length ?? 0;

/** Mail that went along with a tool call: until the turn goes on nobody knows whether the client has shown it. */
export interface Told {
  call: string;
  ids: string[];
}

const toldShape = object({ call: someText, ids: listOf(someText) });
const toldPath = (places: Places, session: string) => beside(places, session, "told.jsonl");

export function appendTold(places: Places, session: string, told: Told): void {
  if (session) appendLines(toldPath(places, session), [told]);
}

/** Whoever takes it settles it. */
export function takeTold(places: Places, session: string): Told[] {
  const path = session ? toldPath(places, session) : "";
  const text = path ? readOwnText(path) : undefined;
  if (text === undefined) return [];
  rmSync(path, { force: true });
  return text.split("\n").flatMap(asTold);
}

function asTold(line: string): Told[] {
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

/** The client has been told what to watch, as of the seat's last change. */
export function markListed(seat: string): void {
  try {
    rewriteFile(join(dirname(seat), "listed"), String(renewals(seat)));
  } catch (error) {
    if (!isAbsence(error)) throw error; // the session ended meanwhile
  }
}

/** Waits until the client watches by its new list. What changes before is lost with its old one. */
export function awaitListed(seat: string): void {
  const listed = join(dirname(seat), "listed");
  const isListed = () => Number(readOwnText(listed) ?? 0) >= renewals(seat);
  for (let waited = 0; waited < LISTED_BY_MS && !isListed(); waited += PAUSE_MS) sleepSync(PAUSE_MS);
  sleepSync(TAKEN_IN_MS);
}

const turnPath = (places: Places, session: string) => beside(places, session, "turn");
const wakePath = (places: Places, session: string) => beside(places, session, "wake");

/** A turn has begun: whatever was to wake the session has done so. Returns whether something was. */
export function beginTurn(places: Places, session: string): boolean {
  if (!session) return false;
  makeDirectory(dirname(turnPath(places, session)));
  rewriteFile(turnPath(places, session), "");
  const wake = wakePath(places, session);
  const woken = statSync(wake, { throwIfNoEntry: false }) !== undefined;
  rmSync(wake, { force: true });
  return woken;
}

export function endTurn(places: Places, session: string): void {
  if (!session) return;
  rmSync(turnPath(places, session), { force: true });
  rmSync(wakePath(places, session), { force: true });
}

export const isTurnOpen = (places: Places, session: string): boolean =>
  session !== "" && statSync(turnPath(places, session), { throwIfNoEntry: false }) !== undefined;

/** A wake-up that began no turn within this time was lost on its way. */
const WAKE_LOST_MS = 10_000;

/** True for one caller until the next turn: two changed files must not wake a session twice. */
export function takeWake(places: Places, session: string): boolean {
  if (!session) return true;
  const path = wakePath(places, session);
  const taken = statSync(path, { throwIfNoEntry: false });
  if (taken && Math.abs(Date.now() - taken.mtimeMs) > WAKE_LOST_MS) rmSync(path, { force: true });
  makeDirectory(dirname(path));
  return createFile(path);
}

export const dropWake = (places: Places, session: string): void => {
  if (session) rmSync(wakePath(places, session), { force: true });
};

export function removeSeat(places: Places, session: string): void {
  if (session) rmSync(dirname(seatPath(places, session)), { recursive: true, force: true });
}
