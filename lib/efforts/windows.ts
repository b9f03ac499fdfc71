// Context windows come and go, the effort stays: how a session of it is opened, linked to the one before, and closed.

import type { UpdateOptions } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { lifeOf } from "../system/processes.ts";
import { type Effort, updateEffort } from "./store/efforts.ts";
import {
  type EffortSession,
  readEffortSessions,
  updateEffortSession,
  writeEffortSession,
} from "./store/sessions.ts";
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
} from "./store/windows.ts";

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
export function openSession(paths: Paths, effort: number, opening: Opening): EffortSession | undefined {
  const { speaker, source, agentType, after, now } = opening;
  let previous: number | null = null;
  const changed = updateEffort(paths, effort, (stored) => {
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
  writeEffortSession(paths, record);
  openWindow(paths, speaker, { effort, session: record.number });
  return record;
}

export interface Closing {
  reason: string;
  now: Date;
  options?: UpdateOptions;
}

/** Ends the session's record once, and hands its files and its unread notes back to the effort. */
export function closeSession(paths: Paths, speaker: Speaker, link: Link, closing: Closing): void {
  const { reason, now, options } = closing;
  const loaded = readLoaded(paths, speaker);
  const end = (stored: EffortSession) => ({
    ...stored,
    endedAt: now.toISOString(),
    endReason: reason,
    heartbeat: beatsOf(paths, speaker),
    loadedFiles: joined(stored.loadedFiles, loaded),
  });
  const ended = updateEffortSession(
    paths,
    link.effort,
    link.session,
    (stored) => (stored.endedAt ? undefined : end(stored)),
    options,
  );
  if (!ended) return;
  updateEffort(paths, link.effort, (stored) => withFiles(withoutNotes(stored, speaker), loaded), options);
}

/** In-process teammates stop after every turn: their files come back, their session stays. */
export const mergeLoaded = (paths: Paths, speaker: Speaker, effort: number): void => {
  const loaded = readLoaded(paths, speaker);
  if (loaded.length > 0) updateEffort(paths, effort, (stored) => withFiles(stored, loaded));
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
export function closeAll(paths: Paths, session: string, closing: Closing): void {
  for (const voice of voicesOf(paths, session)) {
    const speaker = { session, voice };
    const link = readLink(paths, speaker);
    if (!link) continue;
    closeSession(paths, speaker, link, closing);
    if (voice !== MAIN) closeWindow(paths, speaker);
  }
}

/** Windows that went without a word: the one this client had, and those whose client is gone. */
export function closeForgotten(paths: Paths, effort: number, session: string, closing: Closing): void {
  const speaker = { session, voice: MAIN };
  const own = readLink(paths, speaker);
  if (own) closeSession(paths, speaker, own, closing);
  const gone = { ...closing, reason: "gone" };
  for (const { client, voice, number } of openElsewhere(paths, effort, session))
    if (isOver(paths, client))
      closeSession(paths, { session: client, voice }, { effort, session: number }, gone);
}

const RECENT = 50;

/** Oldest first; only the newest are looked at, however long the effort has been going on. */
const openElsewhere = (paths: Paths, effort: number, session: string): EffortSession[] =>
  readEffortSessions(paths, effort, RECENT).filter(
    (one) => one.voice === MAIN && !one.endedAt && one.client !== session,
  );

function isOver(paths: Paths, client: string): boolean {
  const record = readSession(paths, { session: client });
  if (!record || record.endedAt || record.next) return true;
  return lifeOf({ pid: record.pid, startedAt: record.pidStartedAt }) === "gone";
}

/** A finished effort leaves no window behind that a later tool call would have to look at. */
export function closeWindowsOf(paths: Paths, effort: number, closing: Closing): void {
  for (const { client, voice, number, endedAt } of readEffortSessions(paths, effort)) {
    const speaker = { session: client, voice };
    if (!endedAt) closeSession(paths, speaker, { effort, session: number }, closing);
    if (readLink(paths, speaker)?.effort === effort) closeWindow(paths, speaker);
  }
}

/** Whoever leads the effort besides this client: the oldest main window still open. */
export const coordinatorOf = (paths: Paths, effort: number, session: string): string | undefined =>
  openElsewhere(paths, effort, session).find((one) => !isOver(paths, one.client))?.client;
