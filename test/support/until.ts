// Waiting for what another process will do: ask often, give up loudly.
import { setTimeout as pause } from "node:timers/promises";

export type Patience = { what: string; ms?: number; everyMs?: number; onTimeout?: () => string };

/** The first truthy answer of `probe`. */
export async function until<T>(
  probe: () => T | Promise<T>,
  { what, ms = 30_000, everyMs = 50, onTimeout = () => "" }: Patience,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms;
  for (;;) {
    const answer = await probe();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms for ${what}\n${onTimeout()}`);
    await pause(everyMs);
  }
}
