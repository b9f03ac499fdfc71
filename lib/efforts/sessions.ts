// The sessions of an effort, one for each context window: which effort an event or a command belongs to (by the window's link, else by the
// project and who is asking), and how a session is opened, linked to the one before, and closed.

import { contextUse, MAIN } from "../context/store/window.ts";
import { readTail, realPath } from "../core/files.ts";
import type { UpdateOptions } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import type { Base, Context, Identity } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { isNative } from "../teams/store/config.ts";
import {
  appendEffortMessage,
  type Effort,
  type EffortSession,
  type Injection,
  readActiveEfforts,
  readEffort,
  updateEffort,
  updateEffortSession,
  withInjections,
  writeEffortSession,
} from "./store/efforts.ts";
import {
  heartbeatOf,
  isMain,
  type Link,
  mainAgentOf,
  openWindow,
  readLink,
  readLoaded,
  type WindowAgent,
} from "./store/windows.ts";
import { asSection, injectionText } from "./text.ts";

/** A window and the effort it works on, in which `session` is the number of its session. */
export interface Current {
  effort: Effort;
  session: number;
  agent: WindowAgent;
}

/** A session that was just opened, and the one it follows or was started from. */
export type Opened = Current & { previous: number | null };

export const agentOf = ({ session_id, agent_id }: Base): WindowAgent => ({
  client: session_id,
  voice: agent_id || MAIN,
});

export const inWindow =
  <Input extends Base>(handle: (ctx: Context<Input>, current: Current) => Outcome | void) =>
  (ctx: Context<Input>): Outcome | void => {
    const current = currentOf(ctx);
    if (current) return handle(ctx, current);
  };

export function currentOf({ paths, input }: Context, agent = agentOf(input)): Current | undefined {
  const link = readLink(paths, agent);
  const effort = link && readEffort(paths, link.effort);
  return link && effort?.lifecycle === "active" ? { effort, session: link.session, agent } : undefined;
}

/** Of the main windows of a session and the one that `/clear` replaced by it. */
export const linksOf = (paths: Paths, ...sessions: (string | undefined)[]): Link[] =>
  sessions.flatMap((session) => (session && readLink(paths, mainAgentOf(session))) || []);

export function findEffort(
  asking: { paths: Paths; fleetId: string | undefined; readonly identity: Identity },
  links: Link[],
  directories: string[],
): Effort | undefined {
  const active = readActiveEfforts(asking.paths);
  const linked = links.flatMap((link) => active.filter((one) => one.id === link.effort));
  if (linked[0]) return linked[0];
  for (const project of directories.map((directory) => realPath(directory))) {
    const here = active.filter((one) => one.project === project);
    const found = here.length > 0 ? chooseEffort(here, ownerOf(asking.fleetId, asking.identity)) : undefined;
    if (found) return found;
  }
  return undefined;
}

type Owner = Effort["owner"];

/** Who owns an effort started here. A native team's name, and who leads it, change with its session: neither is stored. */
export function ownerOf(
  fleet: string | undefined,
  { team, agent, isLead }: Pick<Identity, "team" | "agent" | "isLead">,
): Owner {
  if (!team || !isNative(team)) return { fleet, team, agent };
  return { fleet, agent: isLead ? undefined : agent };
}

/** By `AGENT_ID`, then by team and name, then the latest. `efforts` are those of the project, newest first. */
export function chooseEffort(efforts: readonly Effort[], asking: Owner): Effort | undefined {
  const { fleet, team, agent } = asking;
  return (
    efforts.find(({ owner }) => fleet !== undefined && owner.fleet === fleet) ??
    efforts.find(({ owner }) => agent !== undefined && owner.agent === agent && owner.team === team) ??
    efforts.find(({ owner }) => !isAnothers(owner, asking))
  );
}

/** A named agent never gets the effort of an agent with another name. */
const isAnothers = (owner: Owner, asking: Owner) =>
  (["fleet", "agent", "team"] as const).some(
    (key) => owner[key] !== undefined && asking[key] !== undefined && owner[key] !== asking[key],
  );

export function noteMessage(ctx: Context, current: Current, kind: string, details: object): void {
  const { effort, session, agent } = current;
  const from = { session, voice: ctx.input.agent_type || agent.voice };
  appendEffortMessage(ctx.paths, effort.id, { at: ctx.now.toISOString(), kind, ...from, ...details });
}

/** In percent, of the main agent only: a subagent's window ends with its work, so nothing of it has to be written down. */
export const contextShareOf = (ctx: Context, { agent }: Current): number | undefined =>
  isMain(agent) ? contextUse(ctx, ctx.input)?.share : undefined;

const TRANSCRIPT_BYTES = 64 * 1024;

export const transcriptTail = ({ input }: Context): string =>
  readTail(input.transcript_path, TRANSCRIPT_BYTES)?.text ?? "";

const MOST_FILES = 200;

interface Opening {
  agent: WindowAgent;
  source: string;
  agentType?: string;
  /** The session it follows or was started from; without one, the newest of the effort. */
  after?: number;
  /** Why the session that the agent had until now ends. */
  ending?: string;
  now: Date;
}

/** The number is given out under the effort's lock, so two sessions that start at once never share one. */
export function openSession(paths: Paths, effort: number, opening: Opening): Opened | undefined {
  const { agent, source, agentType, after, ending = "switched", now } = opening;
  const before = readLink(paths, agent);
  if (before) closeSession(paths, before, ending, now);
  let previous: number | null = null;
  const changed = updateEffort(paths, effort, (stored) => {
    if (stored.lifecycle !== "active") return undefined;
    const sessions = stored.sessions + 1;
    previous = after ?? stored.lastSession ?? null;
    return { ...stored, sessions, lastSession: isMain(agent) ? sessions : stored.lastSession };
  });
  if (!changed) return undefined;
  const session = changed.sessions;
  writeEffortSession(paths, {
    effort,
    number: session,
    ...agent,
    agentType,
    source,
    previous,
    startedAt: now.toISOString(),
    contextUsage: null,
    loadedFiles: [],
    dehydration: null,
  });
  openWindow(paths, agent, { effort, session });
  return { effort: changed, session, agent, previous };
}

/** Ends the session's record once; its files go to the effort, and injections meant for it alone are dropped. */
export function closeSession(
  paths: Paths,
  link: Link,
  endReason: string,
  now: Date,
  options?: UpdateOptions,
) {
  const end = (stored: EffortSession) => {
    if (stored.endedAt) return undefined;
    const loadedFiles = joined(stored.loadedFiles, readLoaded(paths, stored));
    const heartbeat = heartbeatOf(paths, stored);
    return { ...stored, endedAt: now.toISOString(), endReason, heartbeat, loadedFiles };
  };
  const ended = updateEffortSession(paths, link, end, options);
  if (!ended) return;
  const isOnlyForIt = (one: Injection) => isMain(ended) && one.for === ended.client;
  const merge = (stored: Effort) =>
    withInjections(withFiles(stored, ended.loadedFiles), (all) => all.filter((one) => !isOnlyForIt(one)));
  updateEffort(paths, link.effort, merge, options);
}

const joined = (known: string[], more: string[]) =>
  [...known.filter((path) => !more.includes(path)), ...more].slice(-MOST_FILES);

export const withFiles = (effort: Effort, loaded: string[]): Effort => ({
  ...effort,
  loadedFiles: joined(effort.loadedFiles, loaded),
});

// Texts queued for the agent at work. Delivered at least once: claimed under the lock, shown, then removed; a claim whose process
// died in between, or that was not shown, is free again after half a minute.

const CLAIM_LOST_AFTER_MS = 30_000;
const MOST_PENDING = 50;
const ROOM_CHARS = 6_500;

export const isFree = ({ claimedAt, for: whom }: Injection, session: string, now: Date): boolean =>
  (whom === undefined || whom === session) &&
  (claimedAt === undefined || Math.abs(now.getTime() - Date.parse(claimedAt)) > CLAIM_LOST_AFTER_MS);

/** What `textWith` makes of the pending ones, as an outcome. When the answer is out, those that are still in the text are removed. */
export function deliver(ctx: Context, current: Current, textWith: (pending: string[]) => string) {
  const claimed = isMain(current.agent) ? claimInjections(ctx, current) : [];
  const text = textWith(claimed.map(injectionText));
  if (!text) return undefined;
  const shown = claimed.filter((one) => text.includes(injectionText(one)));
  const after = (isHeard = true) => {
    if (isHeard && shown.length > 0) removeDelivered(ctx, current, shown);
  };
  return { context: asSection(current.effort, text), after };
}

function claimInjections(ctx: Context, { effort, agent }: Current): Injection[] {
  const free = (one: Injection) => isFree(one, agent.client, ctx.now);
  if (!effort.metadata.pendingInjections.some(free)) return [];
  let claimed: Injection[] = [];
  const claim = (pending: Injection[]) => {
    claimed = fitting(pending.filter(free));
    return pending.map((one) => (claimed.includes(one) ? { ...one, claimedAt: ctx.now.toISOString() } : one));
  };
  updateEffort(ctx.paths, effort.id, (stored) => withInjections(stored, claim));
  return claimed;
}

function fitting(injections: Injection[]): Injection[] {
  let length = 0;
  return injections.filter((one, at) => {
    length += injectionText(one).length;
    return at === 0 || length <= ROOM_CHARS;
  });
}

function removeDelivered(ctx: Context, current: Current, shown: Injection[]): void {
  const isDone = (one: Injection) => shown.some(({ id, at }) => id === one.id && at === one.at);
  const left = (pending: Injection[]) => pending.filter((one) => !isDone(one));
  updateEffort(ctx.paths, current.effort.id, (stored) => withInjections(stored, left));
  for (const { id, text } of shown) noteMessage(ctx, current, "injection", { id, text });
}

export function addInjection(paths: Paths, effort: number, injection: Injection, options?: UpdateOptions) {
  const added = (pending: Injection[]) => {
    const others = pending.filter((one) => one.id !== injection.id);
    if (others.length >= MOST_PENDING) throw new Error(`${MOST_PENDING} texts already wait for delivery`);
    return [...others, injection];
  };
  updateEffort(paths, effort, (stored) => withInjections(stored, added), options);
}
