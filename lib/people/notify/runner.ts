// The helper that calls the person: one at a time, started beside a hook. It looks, waits until a moment is due, checks that it still
// holds, says it, and ends when nothing waits any more.

import { setTimeout as sleep } from "node:timers/promises";
import { makeDirectory } from "../../core/files.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { type LoadedSettings, readSettings, type Settings } from "../../core/settings.ts";
import { firstOf, plainLine, shortened } from "../../core/text.ts";
import { type Environment, readEnvironment } from "../../hook/environment.ts";
import { appendMessage } from "../../mail/store/inbox.ts";
import { newMessage } from "../../mail/store/message.ts";
import { clientStateOf } from "../../sessions/store/client-state.ts";
import { lifeOfRecord, readSession, type SessionRecord } from "../../sessions/store/sessions.ts";
import { takeLongLock } from "../../system/long-lock.ts";
import { readTeam } from "../../teams/store/config.ts";
import { QUIET_HOURS } from "../settings.ts";
import {
  addMoment,
  LOOK,
  type Moment,
  markSent,
  noteOutcomes,
  notifyDir,
  readMoments,
  runnerPath,
  takeBack,
  WAKE,
} from "../store/moments.ts";
import { attempt, type Found, look } from "./look.ts";
import { type Desktop, type Message, sendToAll } from "./targets.ts";

/** Moments that come together are said together. */
const TOGETHER_MS = 300;
const SLEEP_MS = 1_000;
/** In the quiet hours there is no hurry. */
const FAR_MS = 60_000;
const LONG_SLEEP_MS = 5_000;
/** Found by a look, and so looked for again before they are said. */
const LOOKED_FOR: ReadonlySet<string> = new Set(["silent", "gone", "budget", "done", "idle"]);

/** What the helper goes by: the real clock, or a test's. */
interface Going {
  read: () => Environment;
  sleep: (ms: number) => Promise<unknown>;
}

const REALLY: Going = { read: () => readEnvironment(), sleep };

/** Every added moment starts a helper. One that finds another at work ends; the other looks once more after releasing the lock. */
export async function runNotifier(going: Going = REALLY): Promise<void> {
  const { paths } = going.read();
  makeDirectory(notifyDir(paths));
  while (readMoments(paths).length > 0) {
    const held = await holdRunner(runnerPath(paths));
    if (!held) return;
    try {
      await untilNothingWaits(going, held.isLost);
    } finally {
      await held.release().catch(() => {}); // lost
    }
  }
}

interface Held {
  release: () => Promise<void>;
  /** Another helper took over while the machine slept: both would say the same. */
  isLost: () => boolean;
}

async function holdRunner(path: string): Promise<Held | undefined> {
  let isLost = false;
  const release = await takeLongLock(path, () => {
    isLost = true;
  });
  return release && { release, isLost: () => isLost };
}

async function untilNothingWaits({ read, sleep }: Going, isLost: Held["isLost"]): Promise<void> {
  while (!isLost()) {
    const environment = read();
    const { paths, now } = environment;
    const loaded = readSettings(paths, paths.base, undefined);
    const settings = loaded.values;
    const waiting = readMoments(paths);
    if (waiting.length === 0) return;
    if (waiting.some(({ key }) => key === LOOK)) {
      takeBack(paths, LOOK);
      for (const found of look({ paths, now, loaded })) offer(environment, settings, found);
      continue;
    }
    const answered = waiting.filter((one) => !stillHolds(paths, one, now.getTime()));
    for (const { key } of answered) takeBack(paths, key);
    if (answered.length > 0) continue;
    const left = nextDue(waiting, settings, now.getTime()) - now.getTime();
    if (left > 0) await sleep(Math.min(left > FAR_MS ? LONG_SLEEP_MS : SLEEP_MS, left));
    else {
      await sleep(TOGETHER_MS);
      if (!isLost()) await sayDue(read(), loaded);
    }
  }
}

/** In the quiet hours nothing is said; a member is woken at any time. */
export function nextDue(
  waiting: readonly Moment[],
  { "notify.quiet": quiet }: Settings,
  now: number,
): number {
  const dues = waiting.map(({ due, event }) =>
    event === WAKE ? due : Math.max(due, quietUntil(quiet, now) ?? 0),
  );
  return Math.min(...dues);
}

function offer({ paths, now }: Environment, settings: Settings, found: Found): void {
  if (settings["notify.targets"].length === 0 || !settings["notify.events"].includes(found.event)) return;
  const at = now.getTime();
  addMoment(paths, { ...found, at, due: at + settings["notify.after_s"] * 1000 });
}

async function sayDue(environment: Environment, loaded: LoadedSettings): Promise<void> {
  const { paths, now } = environment;
  const settings = loaded.values;
  const isQuiet = quietUntil(settings["notify.quiet"], now.getTime()) !== undefined;
  const all = readMoments(paths).filter((one) => one.key !== LOOK && one.due <= now.getTime());
  for (const one of all) if (one.event === WAKE) attempt(environment, () => wake(paths, one, now));
  const due = isQuiet ? [] : all.filter(({ event }) => event !== WAKE);
  const isLookedFor = due.some(({ event }) => LOOKED_FOR.has(event));
  const present = new Set(isLookedFor ? look({ paths, now, loaded }).map(({ key }) => key) : []);
  const holding = due.filter((one) =>
    LOOKED_FOR.has(one.event) ? present.has(one.key) : stillHolds(paths, one, now.getTime()),
  );
  for (const one of due) if (!holding.includes(one)) takeBack(paths, one.key);
  if (holding.length === 0) return;
  markSent(paths, holding, now.getTime());
  const message = messageOf(holding, settings["notify.texts"]);
  const outcomes = await sendToAll(settings["notify.targets"], message, desktopOf(environment, holding));
  noteOutcomes(paths, outcomes, now);
}

/** By mail, which wakes its reader. */
function wake(paths: Paths, moment: Moment, now: Date): void {
  takeBack(paths, moment.key);
  const { team, agent } = moment;
  if (!team || !agent || !readTeam(paths, team) || !stillHolds(paths, moment, now.getTime())) return;
  const message = newMessage({
    from: "swarm",
    text: "The rate limit that stopped your last turn has been reset. Go on where you were.",
    summary: "the rate limit is reset",
    at: now,
    kind: "system",
  });
  appendMessage(paths, team, agent, message);
}

export function desktopOf(
  { env, path }: Environment,
  moments: readonly Pick<Moment, "tmux" | "pid">[],
): Desktop {
  const has = (name: string) => Boolean(env[name]);
  return {
    path,
    platform: process.platform,
    hasScreen: has("DISPLAY") || has("WAYLAND_DISPLAY") || has("DBUS_SESSION_BUS_ADDRESS"),
    tmux: moments.flatMap(({ tmux }) => tmux ?? []),
    pids: moments.flatMap(({ pid }) => pid ?? []),
  };
}

export const TEST: Message = { title: "swarm", body: "This is a test: swarm can reach you here." };

// Whether a moment still holds when it is to be said: what was answered meanwhile is taken back.
/** The client writes down that it waits a moment after it has asked. */
const CLIENT_SAYS_AFTER_MS = 1_000;

/** By the session's own records; what a look at the teams finds is looked for again instead. */
function stillHolds(paths: Paths, moment: Moment, now: number): boolean {
  const { event, session, agentId } = moment;
  if (!session || whyNotSegment(session) || (agentId && whyNotSegment(agentId))) return true;
  const record = reported(() => readSession(paths, { session, agentId }));
  if (event === "waiting") return isWaiting(paths, { ...moment, session }, record, now);
  if (event === "failed" || event === "rate-limited" || event === WAKE)
    return (
      record === undefined || (record.state === "idle" && record.failure !== undefined && !record.endedAt)
    );
  return true;
}

/** Answered with yes, the next event moves the record on; with no or Esc no event comes, and only the client's own file says it. */
function isWaiting(
  paths: Paths,
  { session, pid, at }: Moment & { session: string },
  record: SessionRecord | undefined,
  now: number,
): boolean {
  if (record && (record.status !== "attention" || record.endedAt)) return false;
  const process = record?.agentId ? reported(() => readSession(paths, { session })) : record;
  if (process && lifeOfRecord(process) === "gone") return false;
  if (!pid || now - at < CLIENT_SAYS_AFTER_MS) return true;
  const client = clientStateOf(paths, { session, pid });
  return client === undefined || client.status === "waiting";
}

// What a call to the person says, and when it may be said. Pure.
const MOST_LINES = 10;
const LONGEST_LINE = 200;
const LONGEST_DETAIL = 400;

const short = (text: string, longest: number) => shortened(plainLine(text), longest);

/** Several moments are one call. */
export function messageOf(moments: readonly Moment[], withTexts: boolean): Message {
  const lines = moments.map(({ text, detail }) => {
    const said = withTexts && detail ? `: ${short(detail, LONGEST_DETAIL)}` : "";
    return short(text, LONGEST_LINE) + said;
  });
  const title = moments.length === 1 ? "swarm" : `swarm: ${moments.length} things need you`;
  return { title, body: firstOf(lines, MOST_LINES).join("\n") };
}

const MINUTE_MS = 60_000;

/** When the quiet hours that hold at a moment end; `undefined` where none hold. */
export function quietUntil(quiet: string | undefined, at: number): number | undefined {
  const found = quiet?.match(QUIET_HOURS);
  if (!found) return undefined;
  const [from, to] = [minutes(found[1], found[2]), minutes(found[3], found[4])];
  const date = new Date(at);
  const now = date.getHours() * 60 + date.getMinutes();
  const isQuiet = from <= to ? from <= now && now < to : now >= from || now < to;
  if (!isQuiet) return undefined;
  const left = (to - now + 24 * 60) % (24 * 60);
  return Math.floor(at / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

const minutes = (hour = "0", minute = "0") => Number(hour) * 60 + Number(minute);
