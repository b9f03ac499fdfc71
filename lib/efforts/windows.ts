// How a session of an effort is opened, linked to the one before, and closed.

import type { UpdateOptions } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import { lifeOfRecord, readSession } from "../sessions/store/sessions.ts";
import {
  type Effort,
  type EffortSession,
  readEffortSessions,
  updateEffort,
  updateEffortSession,
  writeEffortSession,
} from "./store/efforts.ts";
import {
  closeWindow,
  heartbeatOf,
  isMain,
  type Link,
  mainAgentOf,
  openWindow,
  readLink,
  readLoaded,
  type WindowAgent,
  windowAgents,
} from "./store/windows.ts";

const MOST_FILES = 200;

export interface Opening {
  agent: WindowAgent;
  source: string;
  agentType?: string;
  /** The session it follows or was started from; without one, the newest of the effort. */
  after?: number;
  now: Date;
}

/** The number is given out under the effort's lock, so two sessions that start at once never share one. */
export function openSession(paths: Paths, effort: number, opening: Opening): EffortSession | undefined {
  const { agent, source, agentType, after, now } = opening;
  let previous: number | null = null;
  const changed = updateEffort(paths, effort, (stored) => {
    if (stored.lifecycle !== "active") return undefined;
    const number = stored.sessions + 1;
    previous = after ?? stored.lastSession ?? null;
    return { ...stored, sessions: number, lastSession: isMain(agent) ? number : stored.lastSession };
  });
  if (!changed) return undefined;
  const record: EffortSession = {
    effort,
    number: changed.sessions,
    client: agent.session,
    voice: agent.id,
    agentType,
    source,
    previous,
    startedAt: now.toISOString(),
    contextUsage: null,
    loadedFiles: [],
    dehydration: null,
  };
  writeEffortSession(paths, record);
  openWindow(paths, agent, { effort, session: record.number });
  return record;
}

export interface Closing {
  reason: string;
  now: Date;
  options?: UpdateOptions;
}

/** Ends the session's record once; its files go to the effort, and injections meant for it alone are dropped. */
export function closeSession(paths: Paths, agent: WindowAgent, link: Link, closing: Closing): void {
  const { reason, now, options } = closing;
  const loaded = readLoaded(paths, agent);
  const end = (stored: EffortSession) => ({
    ...stored,
    endedAt: now.toISOString(),
    endReason: reason,
    heartbeat: heartbeatOf(paths, agent),
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
  updateEffort(
    paths,
    link.effort,
    (stored) => withFiles(withoutInjectionsFor(stored, agent), loaded),
    options,
  );
}

/** In-process teammates stop after every turn: their files go to the effort, their session stays open. */
export const mergeLoaded = (paths: Paths, agent: WindowAgent, effort: number): void => {
  const loaded = readLoaded(paths, agent);
  if (loaded.length > 0) updateEffort(paths, effort, (stored) => withFiles(stored, loaded));
};

const joined = (known: string[], more: string[]) =>
  [...known.filter((path) => !more.includes(path)), ...more].slice(-MOST_FILES);

const withFiles = (effort: Effort, loaded: string[]): Effort => ({
  ...effort,
  loadedFiles: joined(effort.loadedFiles, loaded),
});

function withoutInjectionsFor(effort: Effort, agent: WindowAgent): Effort {
  const isFor = (whom: string | undefined) => isMain(agent) && whom === agent.session;
  const pendingInjections = effort.metadata.pendingInjections.filter((one) => !isFor(one.for));
  return { ...effort, metadata: { ...effort.metadata, pendingInjections } };
}

/** All agents of a client's session. The main link stays: a resumed client finds its effort by it. */
export function closeAll(paths: Paths, session: string, closing: Closing): void {
  for (const agent of windowAgents(paths, session)) {
    const link = readLink(paths, agent);
    if (!link) continue;
    closeSession(paths, agent, link, closing);
    if (!isMain(agent)) closeWindow(paths, agent);
  }
}

/** Windows that ended without an event: the one this client had, and those whose client is gone. */
export function closeForgotten(paths: Paths, effort: number, session: string, closing: Closing): void {
  const main = mainAgentOf(session);
  const own = readLink(paths, main);
  if (own) closeSession(paths, main, own, closing);
  const gone = { ...closing, reason: "gone" };
  for (const one of openElsewhere(paths, effort, session))
    if (isOver(paths, one.client))
      closeSession(paths, windowAgentOf(one), { effort, session: one.number }, gone);
}

export const windowAgentOf = ({ client, voice }: EffortSession): WindowAgent => ({
  session: client,
  id: voice,
});

const RECENT = 50;

/** Open main windows of other clients, oldest first. Of a long effort only the newest sessions are read. */
const openElsewhere = (paths: Paths, effort: number, session: string): EffortSession[] =>
  readEffortSessions(paths, effort, RECENT).filter(
    (one) => isMain(windowAgentOf(one)) && !one.endedAt && one.client !== session,
  );

function isOver(paths: Paths, client: string): boolean {
  const record = readSession(paths, { session: client });
  return !record || record.next !== undefined || lifeOfRecord(record) === "gone";
}

/** A finished effort leaves no window behind that a later tool call would have to read. */
export function closeWindowsOf(paths: Paths, effort: number, closing: Closing): void {
  for (const one of readEffortSessions(paths, effort)) {
    const agent = windowAgentOf(one);
    if (!one.endedAt) closeSession(paths, agent, { effort, session: one.number }, closing);
    if (readLink(paths, agent)?.effort === effort) closeWindow(paths, agent);
  }
}

/** The other client that leads the effort: that of the oldest main window still open. */
export const coordinatorOf = (paths: Paths, effort: number, session: string): string | undefined =>
  openElsewhere(paths, effort, session).find((one) => !isOver(paths, one.client))?.client;
