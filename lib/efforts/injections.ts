// Texts queued for the agent at work, each delivered once: claimed under the lock, shown, then taken off. A claim whose
// process died before it could show anything is free again after half a minute: twice in a crash, never not at all.

import type { UpdateOptions } from "../core/json.ts";
import type { Paths } from "../core/paths.ts";
import { escapeLine, escapeXml } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { type Current, tell } from "./current.ts";
import { type Effort, type Injection, updateEffort } from "./store/efforts.ts";
import { MAIN } from "./store/windows.ts";
import { asSection } from "./text.ts";
import { coordinatorOf } from "./windows.ts";

const CLAIM_LOST_AFTER_MS = 30_000;
const MOST_PENDING = 50;

export const isFree = ({ claimedAt, for: whom }: Injection, session: string, now: Date): boolean =>
  (whom === undefined || whom === session) &&
  (claimedAt === undefined || now.getTime() - Date.parse(claimedAt) > CLAIM_LOST_AFTER_MS);

export function claimInjections(ctx: Context, { effort, speaker }: Current): Injection[] {
  const free = (one: Injection) => isFree(one, speaker.session, ctx.now);
  if (!effort.metadata.pendingInjections.some(free)) return [];
  let claimed: Injection[] = [];
  updateEffort(ctx.paths, effort.id, (stored) => {
    claimed = stored.metadata.pendingInjections.filter(free);
    return withPending(stored, (one) => (free(one) ? { ...one, claimedAt: ctx.now.toISOString() } : one));
  });
  return claimed;
}

/** To be called when the answer is out. */
export function settleInjections(ctx: Context, current: Current, claimed: Injection[]): void {
  if (claimed.length === 0) return;
  const isDone = (one: Injection) => claimed.some(({ id, at }) => id === one.id && at === one.at);
  updateEffort(ctx.paths, current.effort.id, (stored) =>
    withPending(stored, (one) => (isDone(one) ? undefined : one)),
  );
  for (const { id, text } of claimed) tell(ctx, current, "injection", { id, text });
}

function withPending(effort: Effort, change: (one: Injection) => Injection | undefined): Effort {
  const pendingInjections = effort.metadata.pendingInjections.flatMap((one) => change(one) ?? []);
  return { ...effort, metadata: { ...effort.metadata, pendingInjections } };
}

/** The same id again replaces what waits under it. */
export function addInjection(
  paths: Paths,
  effort: number,
  injection: Injection,
  options: UpdateOptions = {},
): Effort | undefined {
  const add = (stored: Effort): Effort => {
    const others = stored.metadata.pendingInjections.filter((one) => one.id !== injection.id);
    if (others.length >= MOST_PENDING) throw new Error(`${MOST_PENDING} texts already wait for delivery`);
    return { ...stored, metadata: { ...stored.metadata, pendingInjections: [...others, injection] } };
  };
  return updateEffort(paths, effort, add, options);
}

export const injectionText = ({ id, text }: Injection): string =>
  `[Directive: ${escapeLine(id)}]\n${escapeXml(text)}`;

/** The client gives all hooks at a session's end a second and a half. */
export const AT_THE_END: UpdateOptions = { waitMs: 250, durable: false };

/** Whoever leads the effort from another client learns of it with its next tool call. */
export function signal(ctx: Context, { effort, speaker }: Current, id: string, text: string): void {
  const coordinator = coordinatorOf(ctx.paths, effort.id, speaker.session);
  if (!coordinator) return;
  const injection = { id, text, at: ctx.now.toISOString(), for: coordinator };
  addInjection(ctx.paths, effort.id, injection, AT_THE_END);
}

/** Texts of this moment together with those that waited for one. */
export function deliver(ctx: Context, current: Current, texts: string[]): Outcome | undefined {
  const claimed = current.speaker.voice === MAIN ? claimInjections(ctx, current) : [];
  const said = [...texts, ...claimed.map(injectionText)];
  if (said.length === 0) return undefined;
  return {
    context: asSection(current.effort, said.join("\n\n")),
    after: () => settleInjections(ctx, current, claimed),
  };
}
