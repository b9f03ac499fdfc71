// Context windows come and go, the effort stays: how a session of it is opened, linked to the one before, and closed.
import {
  type EffortSession,
  readEffortSessions,
  updateEffortSession,
  writeEffortSession,
} from "../../store/effort-sessions.ts";
import {
  beatsOf,
  closeWindow,
  type Link,
  MAIN,
  openWindow,
  readLink,
  readLoaded,
  type Speaker,
  voicesOf,
} from "../../store/effort-windows.ts";
import { type Effort, updateEffort } from "../../store/efforts.ts";
import type { Places } from "../../store/paths.ts";
import { lifeOf } from "../../store/processes.ts";
import { readSession } from "../../store/sessions.ts";
import type { UpdateOptions } from "../../store/update-json.ts";

const MOST_FILES = 200;

export interface Opening {
  speaker: Speaker;
  source: string;
  agentType?: string;
  /** The window it follows or speaks in; without one, the newest of the effort. */
  after?: number;
  now: Date;
}

/** The number is given out under the effort's lock, so two sessions that start at once never share one. */
export function openSession(places: Places, effort: number, opening: Opening): EffortSession | undefined {
  const { speaker, source, agentType, after, now } = opening;
  let previous: number | null = null;
  const changed = updateEffort(places, effort, (stored) => {
    if (stored.lifecycle !== "active") return undefined;
    const number = stored.sessions + 1;
    previous = after ?? stored.lastSession ?? null;
    return {
      ...stored,
      sessions: number,
      lastSession: speaker.voice === MAIN ? number : stored.lastSession,
    };
  });
  if (!changed) return undefined;
  const record: EffortSession = {
    effort,
    number: changed.sessions,
    client: speaker.session,
    voice: speaker.voice,
    agentType,
    source,
    previous,
    startedAt: now.toISOString(),
    contextUsage: null,
    loadedFiles: [],
    dehydration: null,
  };
  writeEffortSession(places, record);
  openWindow(places, speaker, { effort, session: record.number });
  return record;
}

export interface Closing {
  reason: string;
  now: Date;
  options?: UpdateOptions;
}

/** Ends the session's record once, and hands its files and its unread notes back to the effort. */
export function closeSession(places: Places, speaker: Speaker, link: Link, closing: Closing): void {
  const { reason, now, options } = closing;
  const loaded = readLoaded(places, speaker);
  const end = (stored: EffortSession) => ({
    ...stored,
    endedAt: now.toISOString(),
    endReason: reason,
    heartbeat: beatsOf(places, speaker),
    loadedFiles: joined(stored.loadedFiles, loaded),
  });
  const ended = updateEffortSession(
    places,
    link.effort,
    link.session,
    (stored) => (stored.endedAt ? undefined : end(stored)),
    options,
  );
  if (!ended) return;
  updateEffort(places, link.effort, (stored) => withFiles(withoutNotes(stored, speaker), loaded), options);
}

/** In-process teammates stop after every turn: their files come back, their session stays. */
export const mergeLoaded = (places: Places, speaker: Speaker, effort: number): void => {
  const loaded = readLoaded(places, speaker);
  if (loaded.length > 0) updateEffort(places, effort, (stored) => withFiles(stored, loaded));
};

const joined = (known: string[], more: string[]) =>
  [...known.filter((path) => !more.includes(path)), ...more].slice(-MOST_FILES);

const withFiles = (effort: Effort, loaded: string[]): Effort => ({
  ...effort,
  loadedFiles: joined(effort.loadedFiles, loaded),
});

const withoutNotes = (effort: Effort, { session, voice }: Speaker): Effort => ({
  ...effort,
  metadata: {
    ...effort.metadata,
    pendingInjections: effort.metadata.pendingInjections.filter(
      (one) => voice !== MAIN || one.for !== session,
    ),
  },
});

/** Everybody who speaks in a client's session. The main link stays: a resumed client finds its effort by it. */
export function closeAll(places: Places, session: string, closing: Closing): void {
  for (const voice of voicesOf(places, session)) {
    const speaker = { session, voice };
    const link = readLink(places, speaker);
    if (!link) continue;
    closeSession(places, speaker, link, closing);
    if (voice !== MAIN) closeWindow(places, speaker);
  }
}

/** Windows that went without a word: the one this client had, and those whose client is gone. */
export function closeForgotten(places: Places, effort: number, session: string, closing: Closing): void {
  const speaker = { session, voice: MAIN };
  const own = readLink(places, speaker);
  if (own) closeSession(places, speaker, own, closing);
  const gone = { ...closing, reason: "gone" };
  for (const { client, voice, number } of openElsewhere(places, effort, session))
    if (isOver(places, client))
      closeSession(places, { session: client, voice }, { effort, session: number }, gone);
}

const RECENT = 50;

/** Oldest first; only the newest are looked at, however long the effort has been going on. */
const openElsewhere = (places: Places, effort: number, session: string): EffortSession[] =>
  readEffortSessions(places, effort, RECENT).filter(
    (one) => one.voice === MAIN && !one.endedAt && one.client !== session,
  );

function isOver(places: Places, client: string): boolean {
  const record = readSession(places, { session: client });
  if (!record || record.endedAt || record.next) return true;
  return lifeOf({ pid: record.pid, startedAt: record.pidStartedAt }) === "gone";
}

/** A finished effort leaves no window behind that a later tool call would have to look at. */
export function closeWindowsOf(places: Places, effort: number, closing: Closing): void {
  for (const { client, voice, number, endedAt } of readEffortSessions(places, effort)) {
    const speaker = { session: client, voice };
    if (!endedAt) closeSession(places, speaker, { effort, session: number }, closing);
    if (readLink(places, speaker)?.effort === effort) closeWindow(places, speaker);
  }
}

/** Whoever leads the effort besides this client: the oldest main window still open. */
export const coordinatorOf = (places: Places, effort: number, session: string): string | undefined =>
  openElsewhere(places, effort, session).find((one) => !isOver(places, one.client))?.client;
