// Stands in for lib/hook/run.ts while the entries are loaded: notes what each would run.
import type { AnyEvent } from "../../lib/hook/events.ts";
import type { Steps } from "../../lib/hook/run.ts";

export { always } from "../../lib/hook/run.ts";

export function runHook(event: AnyEvent, steps: Steps<AnyEvent>): void {
  (globalThis as unknown as { swarmNoted: object[] }).swarmNoted.push({ event, steps });
}
