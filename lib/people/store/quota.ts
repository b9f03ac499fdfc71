// Readings of the account's rate limits, pooled over all sessions: they come with the status line input and with the message that a limit is reached.

import { join } from "node:path";
import { type FileKind, MB } from "../../core/file-kind.ts";
import { readHead, readRotatedTail, readTail } from "../../core/files.ts";
import { appendLine, fieldsOf, parsedLine } from "../../core/json.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";
import { toText } from "../../core/text.ts";
import { HOUR_MS, localDay, localTime } from "../../core/time.ts";

export const QUOTA_FILE: FileKind = {
  name: "readings of rate limits",
  path: "swarm/quota/readings.jsonl",
  kept: "two of a size",
  maxBytes: MB,
};

const quotaPath = (paths: Paths) => swarmPath(paths, "quota", "readings.jsonl");
/** Where the client keeps the login; inside its own directory only when that is not the usual one. */
const clientAccountPaths = (paths: Paths) => [
  join(paths.base, ".claude.json"),
  join(paths.home, ".claude.json"),
];

type Window = "five_hour" | "seven_day";

export interface Reading {
  at: number;
  window: Window;
  /** In percent. */
  used: number;
  /** `undefined` where the message did not say it. */
  resetsAt?: number;
  session: string;
  /** Whose limit it is; empty where the login is not known. */
  account: string;
  /** True where a request was refused, and not only counted. */
  hit?: true;
}

const TAIL_BYTES = 256 * 1024;
/** A reading that says the same is written down again after so long: a pace needs times. */
const SAME_AFTER_MS = 60_000;
/** Earlier seconds of the same moment differ in rounding. */
const SAME_RESET_MS = 120_000;

function addReading(paths: Paths, reading: Reading): void {
  const last = readReadings(paths).findLast(
    ({ window, account, at }) => window === reading.window && account === reading.account && at <= reading.at,
  );
  const isSame =
    last !== undefined &&
    last.used === reading.used &&
    last.hit === reading.hit &&
    isSameWindow(last, reading) &&
    reading.at - last.at < SAME_AFTER_MS;
  if (!isSame) appendLine(quotaPath(paths), reading, QUOTA_FILE.maxBytes);
}

const isSameWindow = (a: Reading, b: Reading): boolean =>
  Math.abs((a.resetsAt ?? 0) - (b.resetsAt ?? 0)) < SAME_RESET_MS;

/** The newest ones, oldest first. */
export function readReadings(paths: Paths): Reading[] {
  return readRotatedTail(quotaPath(paths), TAIL_BYTES)
    .split("\n")
    .flatMap((line) => asReading(line))
    .sort((a, b) => a.at - b.at);
}

function asReading(line: string): Reading[] {
  try {
    const { at, window, used, resetsAt, session, account, hit } = JSON.parse(line);
    const isFine =
      Number.isFinite(at) && Number.isFinite(used) && (window === "five_hour" || window === "seven_day");
    if (!isFine) return [];
    const reading: Reading = {
      at,
      window,
      used,
      session: String(session ?? ""),
      account: String(account ?? ""),
    };
    return [
      { ...reading, ...(Number.isFinite(resetsAt) ? { resetsAt } : {}), ...(hit ? { hit: true } : {}) },
    ];
  } catch {
    return []; // torn, or cut by the tail
  }
}

const ACCOUNT_BYTES = 8 * 1024 * 1024;

/** By the login of this config directory; only looked for, never parsed: the file is large and holds much else. */
function accountOf(paths: Paths): string {
  for (const path of clientAccountPaths(paths)) {
    const found = readHead(path, ACCOUNT_BYTES)?.text.match(/"accountUuid"\s*:\s*"([\w-]{1,64})"/)?.[1];
    if (found) return found;
  }
  return "";
}

// What a status line input and a limit message say about the rate limits. Pure.
export type Said = Pick<Reading, "window" | "used" | "resetsAt" | "hit">;

/** `rate_limits` of the status line: only with a login, after the first answer. */
export function saidByStatusLine(input: unknown): Said[] {
  const limits = fieldsOf(fieldsOf(input)["rate_limits"]);
  return (["five_hour", "seven_day"] as const).flatMap((window) => {
    const { used_percentage: used, resets_at } = fieldsOf(limits[window]);
    if (typeof used !== "number" || !(used >= 0)) return [];
    return [{ window, used, ...(typeof resets_at === "number" ? { resetsAt: resets_at * 1000 } : {}) }];
  });
}

/** A record of the transcript in which the client reports that the account's limit is reached. */
export function saidByRecord(record: unknown): Said[] {
  const given = fieldsOf(record);
  if (given["isApiErrorMessage"] !== true && given["apiError"] === undefined) return [];
  const limits = fieldsOf(given["quotaLimits"]);
  const text = textOf(fieldsOf(given["message"])["content"]);
  const at = Date.parse(toText(given["timestamp"]));
  const isReached =
    given["apiError"] === "usage_limit_reached" || /hit your .{0,40}limit|usage limit reached/i.test(text);
  if (!isReached) return [];
  const kind = `${toText(limits["rateLimitType"])} ${text}`;
  const window = /seven_day|7.day|week/i.test(kind) ? "seven_day" : "five_hour";
  const resetsAt = typeof limits["resetsAt"] === "number" ? limits["resetsAt"] * 1000 : resetIn(text, at);
  return [{ window, used: 100, hit: true, ...(resetsAt === undefined ? {} : { resetsAt }) }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => toText(fieldsOf(part)["text"])).join("\n");
}

/** `resets 6:34am (UTC)`, `resets 11pm (Europe/Berlin)`: the next such moment after the message. */
export function resetIn(text: string, at: number): number | undefined {
  const found = text.match(/resets (?:at )?(\d{1,2})(?::(\d\d))?\s*(am|pm)(?:\s*\(([\w/+-]+)\))?/i);
  if (!found || Number.isNaN(at)) return undefined;
  const hour = (Number(found[1]) % 12) + (found[3]?.toLowerCase() === "pm" ? 12 : 0);
  const wanted = hour * 60 + Number(found[2] ?? 0);
  const now = minuteOfDay(at, found[4]);
  if (now === undefined) return undefined;
  const minutes = (wanted - now + 24 * 60) % (24 * 60);
  return Math.floor(at / 60_000) * 60_000 + (minutes || 24 * 60) * 60_000;
}

function minuteOfDay(at: number, zone: string | undefined): number | undefined {
  try {
    const clock = new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(zone ? { timeZone: zone } : {}),
    }).format(at);
    const [hours = 0, minutes = 0] = clock.split(":").map(Number);
    return hours * 60 + minutes;
  } catch {
    return undefined; // a zone this machine does not know
  }
}

// From readings to what the board says: the used share, the reset, and at the present pace when the wall comes. Pure; where there
// is no reading nothing is said.
export interface Quota {
  window: Window;
  used: number;
  resetsAt?: number;
  /** When the newest reading was taken. */
  at: number;
  /** When nothing is left, where that is before the reset. */
  wallAt?: number;
  /** Percent an hour; `undefined` with too few readings. */
  pace?: number;
}

/** Two readings closer than this tell no pace. */
const LEAST_APART_MS = 5 * 60_000;

export function quotas(readings: readonly Reading[], account: string, now: number): Quota[] {
  const own = readings.filter((one) => one.at <= now && (one.account === account || one.account === ""));
  return (["five_hour", "seven_day"] as const).flatMap((window) => {
    const ofWindow = own.filter((one) => one.window === window);
    const newest = ofWindow.at(-1);
    if (!newest || isOver(newest, now)) return [];
    const present = ofWindow.filter((one) => isSameWindow(one, newest));
    return [forecast(present, newest, now)];
  });
}

const LONGEST_MS: Record<Window, number> = { five_hour: 5 * HOUR_MS, seven_day: 7 * 24 * HOUR_MS };

/** After its reset a reading says nothing any more. */
const isOver = ({ window, at, resetsAt }: Reading, now: number) =>
  now >= (resetsAt ?? at + LONGEST_MS[window]);

function forecast(present: readonly Reading[], newest: Reading, now: number): Quota {
  const { window, at, resetsAt } = newest;
  // Sessions read at different moments: the highest is the newest truth, since a share only grows until its reset.
  const used = usedAt(present, at);
  const quota = { window, used, at, ...(resetsAt === undefined ? {} : { resetsAt }) };
  const pace = paceOf(present, now);
  if (pace === undefined) return quota;
  const wallAt = pace > 0 && used < 100 ? at + ((100 - used) / pace) * HOUR_MS : undefined;
  const isBefore = wallAt !== undefined && (resetsAt === undefined || wallAt < resetsAt);
  return { ...quota, pace, ...(isBefore ? { wallAt } : {}) };
}

/** The present pace is that of the last hour. */
function paceOf(present: readonly Reading[], now: number): number | undefined {
  const late = present.filter((one) => now - one.at <= HOUR_MS);
  const [first, last] = [late[0], late.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_APART_MS) return undefined;
  return (usedAt(present, last.at) - usedAt(present, first.at)) / ((last.at - first.at) / HOUR_MS);
}

/** The highest so far: a session that has been idle since says again what it read long ago. */
const usedAt = (present: readonly Reading[], at: number): number =>
  Math.max(...present.filter((one) => one.at <= at).map(({ used }) => used));

const NAMES: Record<Window, string> = { five_hour: "5-hour limit", seven_day: "7-day limit" };

/** `5-hour limit: 62 % used, resets 14:30 (in 2 h 10 min), wall at this pace 13:05 (in 45 min)` */
function quotaText({ window, used, resetsAt, wallAt, pace, at }: Quota, now: number): string {
  const age = now - at;
  const parts = [
    `${Math.floor(used)} % used${age > 10 * 60_000 ? ` ${span(age)} ago` : ""}`,
    ...(resetsAt === undefined ? [] : [`resets ${clock(resetsAt, now)} (in ${span(resetsAt - now)})`]),
  ];
  if (used >= 100) parts[0] = "reached";
  else if (wallAt !== undefined)
    parts.push(
      wallAt <= now
        ? "at this pace it is reached by now"
        : `at this pace the wall comes ${clock(wallAt, now)} (in ${span(wallAt - now)})`,
    );
  else if (pace !== undefined) parts.push("at this pace it lasts until the reset");
  return `${NAMES[window]}: ${parts.join(", ")}`;
}

export function clock(at: number, now: number): string {
  const [day, time] = [localDay(new Date(at)), localTime(new Date(at))];
  return day === localDay(new Date(now)) ? time : `${day} ${time}`;
}

function span(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return minutes % 60 > 0 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

// The account's rate limits, for the board, the live view and the calls to the person.
/** From the input of a status line. */
export function noteStatusLine(paths: Paths, input: unknown, session: string, now: Date): void {
  const said = saidByStatusLine(input);
  if (said.length === 0) return;
  const account = accountOf(paths);
  for (const one of said) addReading(paths, { ...one, at: now.getTime(), session, account });
}

const TRANSCRIPT_TAIL_BYTES = 64 * 1024;

/** What the end of a transcript says about a limit that was reached. */
export function noteLimit(paths: Paths, transcript: string, session: string, now: Date): void {
  const tail = readTail(transcript, TRANSCRIPT_TAIL_BYTES)?.text ?? "";
  const said = tail
    .split("\n")
    .flatMap((line) => (line.includes('"assistant"') ? saidByRecord(parsedLine(line)) : []));
  const last = said.at(-1);
  // One that has been reset since is not what broke off this turn.
  if (last && (last.resetsAt ?? Number.POSITIVE_INFINITY) > now.getTime())
    addReading(paths, { ...last, at: now.getTime(), session, account: accountOf(paths) });
}

/** One line a limit; none where nothing was read. */
export const quotaLines = (paths: Paths, now: Date): string[] =>
  quotas(readReadings(paths), accountOf(paths), now.getTime()).map((quota) =>
    quotaText(quota, now.getTime()),
  );

/** When a session that was stopped by a limit may go on; `undefined` where it was not said or is over. */
export function resetOf(paths: Paths, session: string, now: Date): number | undefined {
  const hit = readReadings(paths).findLast((one) => one.hit && one.session === session);
  return hit?.resetsAt !== undefined && hit.resetsAt > now.getTime() ? hit.resetsAt : undefined;
}
