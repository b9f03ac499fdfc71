// Stands in for lib/run/hook.ts while the entries are loaded: notes what each would run.
import type { AnyEvent } from "../../lib/run/events.ts";
import type { Steps } from "../../lib/run/hook.ts";

export { orElse } from "../../lib/run/hook.ts";

export function runHook(event: AnyEvent, steps: Steps<AnyEvent>): void {
  (globalThis as unknown as { swarmNoted: object[] }).swarmNoted.push({ event, steps });
}
