// Moments at which a person is needed: one file each while they wait to be said, so that hooks can add and a helper can take them
// without a lock; then a list of what was said, and how each target did.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { FileKind } from "../../core/file-kind.ts";
import { removeFile, stemsIn, writeJson } from "../../core/files.ts";
import { readJson, updateJson, valueAt } from "../../core/json.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import type { Settings } from "../../core/settings.ts";
import { maybeNumber, maybeText, object, someNumber, someText, tableOf } from "../../core/shape.ts";

export const NOTIFY_FILES: readonly FileKind[] = [
  { name: "calls that wait", path: "swarm/notify/pending/<key>.json", ends: "age" },
  {
    name: "calls made, and how each target did",
    path: "swarm/notify/{sent.json,targets.json,runner}",
    kept: "one of each",
  },
];

export const notifyDir = (paths: Paths) => swarmPath(paths, "notify");
export const runnerPath = (paths: Paths) => swarmPath(paths, "notify", "runner");
const pendingDir = (paths: Paths) => swarmPath(paths, "notify", "pending");
const pendingPath = (paths: Paths, key: string) =>
  swarmPath(paths, "notify", "pending", `${segment(key)}.json`);
const sentPath = (paths: Paths) => swarmPath(paths, "notify", "sent.json");
const targetsPath = (paths: Paths) => swarmPath(paths, "notify", "targets.json");

const momentShape = object({
  key: someText,
  event: someText,
  /** One line for the person, without anybody's words. */
  text: someText,
  /** What was asked, in its own words; said only where the person allows it. */
  detail: maybeText,
  at: someNumber,
  due: someNumber,
  session: maybeText,
  agentId: maybeText,
  /** The client's process, and the tmux server it runs in. */
  pid: maybeNumber,
  tmux: maybeText,
  team: maybeText,
  agent: maybeText,
});
export type Moment = ReturnType<typeof momentShape>;

/** Not a moment to be said: asks the helper to look at the teams. */
export const LOOK = "look";

/** Not said to the person either: a member that a rate limit stopped goes on after its reset. */
export const WAKE = "wake";

/** The same event, subject and sign are the same moment. */
export const momentKey = (event: string, subject: string, sign: string): string =>
  createHash("sha256")
    .update(JSON.stringify([event, subject, sign]))
    .digest("hex")
    .slice(0, 24);

/** False where it waits or was said already. */
export function addMoment(paths: Paths, moment: Moment): boolean {
  if (existsSync(pendingPath(paths, moment.key)) || wasSent(paths, moment.key)) return false;
  writeJson(pendingPath(paths, moment.key), moment);
  return true;
}

export const askForLook = (paths: Paths, now: Date): void =>
  writeJson(pendingPath(paths, LOOK), {
    key: LOOK,
    event: LOOK,
    text: "",
    at: now.getTime(),
    due: now.getTime(),
  });

export const takeBack = (paths: Paths, key: string): void => removeFile(pendingPath(paths, key));

/**
 * Oldest first; one that cannot be read is set aside by the reader. A copy under another name, as tools that sync files make, is
 * passed over: a moment is taken back by its key, so it would be said for ever.
 */
export const readMoments = (paths: Paths): Moment[] =>
  stemsIn(pendingDir(paths), ".json")
    .flatMap((key) => {
      const moment = reported(() => readJson(pendingPath(paths, key), momentShape));
      return moment?.key === key ? [moment] : [];
    })
    .sort((a, b) => a.at - b.at);

const sentShape = tableOf(someNumber);
const MOST_SENT = 1_000;

const wasSent = (paths: Paths, key: string): boolean =>
  valueAt(readJson(sentPath(paths), sentShape), key) !== undefined;

/** Marked before it is sent: twice is worse than a call that a crash swallowed, which the board still shows. */
export function markSent(paths: Paths, moments: readonly Moment[], now: number): void {
  const keys = moments.flatMap(({ key, event, session }) =>
    event === "waiting" && session ? [key, waitingKey(session)] : [key],
  );
  updateJson(sentPath(paths), sentShape, (stored = {}) => {
    const all = { ...stored, ...Object.fromEntries(keys.map((key) => [key, now])) };
    const newest = Object.entries(all)
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_SENT);
    return Object.fromEntries(newest);
  });
  for (const { key } of moments) takeBack(paths, key);
}

const waitingKey = (session: string) => `waiting ${session}`;

/** When the person was last called because a session waits; 0 for never. */
export const waitingSaidAt = (paths: Paths, session: string): number =>
  valueAt(readJson(sentPath(paths), sentShape), waitingKey(session)) ?? 0;

export type Target = Settings["notify.targets"][number];

/** A topic or a webhook's path is a secret: only the host is ever written down. */
export function labelOf(target: Target): string {
  if (typeof target !== "string") return target[0] ?? "";
  if (target === "desktop") return target;
  const at = target.indexOf(":");
  try {
    return `${target.slice(0, at)}:${new URL(target.slice(at + 1)).host}`;
  } catch {
    return target.slice(0, at);
  }
}

const targetShape = object({ ok: maybeText, failed: maybeText, error: maybeText });
export type TargetState = ReturnType<typeof targetShape>;

/** Since it worked last. */
export const hasFailed = ({ ok, failed }: TargetState): boolean => Boolean(failed && (!ok || failed > ok));

export const readTargets = (paths: Paths): Record<string, TargetState> =>
  readJson(targetsPath(paths), tableOf(targetShape)) ?? {};

export interface Outcome {
  /** Without the secret part of an address. */
  target: string;
  error?: string;
}

export function noteOutcomes(paths: Paths, outcomes: readonly Outcome[], now: Date): void {
  const at = now.toISOString();
  updateJson(targetsPath(paths), tableOf(targetShape), (stored = {}) => {
    // Of two targets on one host, which share a name here, the one that failed is remembered.
    const failedLast = [...outcomes].sort(
      (a, b) => Number(a.error !== undefined) - Number(b.error !== undefined),
    );
    const news = failedLast.map(({ target, error }) => [
      target,
      error === undefined ? { ok: at } : { ...stored[target], failed: at, error: error.slice(0, 300) },
    ]);
    return { ...stored, ...Object.fromEntries(news) };
  });
}

// What the doctor says about calls to the person: a target that failed is reported until it works again.
export interface NotifyState {
  targets: string[];
  /** One line each: when, and why. */
  failing: string[];
}

export function notifyState(paths: Paths, { values }: { values: Settings }): NotifyState {
  const targets = [...new Set(values["notify.targets"].map(labelOf))];
  const states = new Map(Object.entries(readTargets(paths)));
  const failing = targets.flatMap((target) => {
    const state = states.get(target);
    return state && hasFailed(state) ? [`${target}: ${state.error ?? "failed"} (${state.failed})`] : [];
  });
  return { targets, failing };
}
