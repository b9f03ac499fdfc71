// Texts queued for the agent at work. Delivered at least once: claimed under the lock, shown, then removed; a claim whose process
// died in between is free again after half a minute.

import type { UpdateOptions } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { type Current, coordinatorOf, noteMessage } from "./sessions.ts";
import { type Injection, updateInjections } from "./store/efforts.ts";
import { isMain } from "./store/windows.ts";
import { asSection, injectionText } from "./text.ts";

const CLAIM_LOST_AFTER_MS = 30_000;
const MOST_PENDING = 50;

export const isFree = ({ claimedAt, for: whom }: Injection, session: string, now: Date): boolean =>
  (whom === undefined || whom === session) &&
  (claimedAt === undefined || Math.abs(now.getTime() - Date.parse(claimedAt)) > CLAIM_LOST_AFTER_MS);

/** What `textWith` makes of the pending ones, as an outcome; they are removed when the answer is out. */
export function deliver(
  ctx: Context,
  current: Current,
  textWith: (pending: string[]) => string,
): Outcome | undefined {
  const claimed = isMain(current.agent) ? claimInjections(ctx, current) : [];
  const text = textWith(claimed.map(injectionText));
  if (!text) return undefined;
  return { context: asSection(current.effort, text), after: () => removeDelivered(ctx, current, claimed) };
}

function claimInjections(ctx: Context, { effort, agent }: Current): Injection[] {
  const free = (one: Injection) => isFree(one, agent.session, ctx.now);
  if (!effort.metadata.pendingInjections.some(free)) return [];
  let claimed: Injection[] = [];
  updateInjections(ctx.paths, effort.id, (pending) => {
    claimed = pending.filter(free);
    return pending.map((one) => (free(one) ? { ...one, claimedAt: ctx.now.toISOString() } : one));
  });
  return claimed;
}

function removeDelivered(ctx: Context, current: Current, claimed: Injection[]): void {
  if (claimed.length === 0) return;
  const isDone = (one: Injection) => claimed.some(({ id, at }) => id === one.id && at === one.at);
  updateInjections(ctx.paths, current.effort.id, (pending) => pending.filter((one) => !isDone(one)));
  for (const { id, text } of claimed) noteMessage(ctx, current, "injection", { id, text });
}

/** Replaces a pending injection of the same id. */
export function addInjection(
  paths: Paths,
  effort: number,
  injection: Injection,
  options?: UpdateOptions,
): void {
  const added = (pending: Injection[]) => {
    const others = pending.filter((one) => one.id !== injection.id);
    if (others.length >= MOST_PENDING) throw new Error(`${MOST_PENDING} texts already wait for delivery`);
    return [...others, injection];
  };
  updateInjections(paths, effort, added, options);
}

/** The client gives all hooks at a session's end a second and a half. */
export const AT_SESSION_END: UpdateOptions = { waitMs: 250, durable: "content" };

/** Another client that leads the effort gets this with its next tool call. */
export function notifyCoordinator(ctx: Context, { effort, agent }: Current, id: string, text: string): void {
  const coordinator = coordinatorOf(ctx.paths, effort.id, agent.session);
  if (!coordinator) return;
  const injection = { id, text, at: ctx.now.toISOString(), for: coordinator };
  addInjection(ctx.paths, effort.id, injection, AT_SESSION_END);
}
