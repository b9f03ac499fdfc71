// Texts queued for the agent at work, each delivered once: claimed under the lock, shown, then taken off. A claim whose
// process died before it could show anything is free again after half a minute: twice in a crash, never not at all.
import { escapeLine, escapeXml } from "../../parse/xml.ts";
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import { MAIN } from "../../store/effort-windows.ts";
import { type Effort, type Injection, updateEffort } from "../../store/efforts.ts";
import type { Places } from "../../store/paths.ts";
import type { UpdateOptions } from "../../store/update-json.ts";
import { type Current, tell } from "./current.ts";
import { coordinatorOf } from "./windows.ts";
import { asSection } from "./words.ts";

const CLAIM_LOST_AFTER_MS = 30_000;
const MOST_PENDING = 50;

export const isFree = ({ claimedAt, for: whom }: Injection, session: string, now: Date): boolean =>
  (whom === undefined || whom === session) &&
  (claimedAt === undefined || now.getTime() - Date.parse(claimedAt) > CLAIM_LOST_AFTER_MS);

export function claimInjections(ctx: Context, { effort, speaker }: Current): Injection[] {
  const free = (one: Injection) => isFree(one, speaker.session, ctx.now);
  if (!effort.metadata.pendingInjections.some(free)) return [];
  let claimed: Injection[] = [];
  updateEffort(ctx.places, effort.id, (stored) => {
    claimed = stored.metadata.pendingInjections.filter(free);
    return withPending(stored, (one) => (free(one) ? { ...one, claimedAt: ctx.now.toISOString() } : one));
  });
  return claimed;
}

/** To be called when the answer is out. */
export function settleInjections(ctx: Context, current: Current, claimed: Injection[]): void {
  if (claimed.length === 0) return;
  const isDone = (one: Injection) => claimed.some(({ id, at }) => id === one.id && at === one.at);
  updateEffort(ctx.places, current.effort.id, (stored) =>
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
  places: Places,
  effort: number,
  injection: Injection,
  options: UpdateOptions = {},
): Effort | undefined {
  const add = (stored: Effort): Effort => {
    const others = stored.metadata.pendingInjections.filter((one) => one.id !== injection.id);
    if (others.length >= MOST_PENDING) throw new Error(`${MOST_PENDING} texts already wait for delivery`);
    return { ...stored, metadata: { ...stored.metadata, pendingInjections: [...others, injection] } };
  };
  return updateEffort(places, effort, add, options);
}

export const injectionText = ({ id, text }: Injection): string =>
  `[Directive: ${escapeLine(id)}]\n${escapeXml(text)}`;

/** The client gives all hooks at a session's end a second and a half. */
export const AT_THE_END: UpdateOptions = { waitMs: 250, durable: false };

/** Whoever leads the effort from another client learns of it with its next tool call. */
export function signal(ctx: Context, { effort, speaker }: Current, id: string, text: string): void {
  const coordinator = coordinatorOf(ctx.places, effort.id, speaker.session);
  if (!coordinator) return;
  const injection = { id, text, at: ctx.now.toISOString(), for: coordinator };
  addInjection(ctx.places, effort.id, injection, AT_THE_END);
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
