// One line in the error log. Reporting a trouble must never become one.
import { appendError } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import type { Context } from "./context.ts";

export interface Trouble {
  event: string;
  session?: string;
  feature?: string;
}

export function report(paths: Paths, trouble: Trouble, error: unknown): void {
  try {
    appendError(paths, { at: new Date().toISOString(), ...trouble, ...described(error) });
  } catch {
    // A home that cannot be written: nowhere to tell it, and no reason to stop the client.
  }
}

/** What breaks stops nothing else. */
export function attempt<T>(
  ctx: Pick<Context, "paths" | "event" | "input">,
  feature: string,
  work: () => T,
): T | undefined {
  try {
    return work();
  } catch (error) {
    report(ctx.paths, { event: ctx.event, session: ctx.input.session_id, feature }, error);
    return undefined;
  }
}

function described(error: unknown): { error: string; where?: string } {
  if (!(error instanceof Error)) return { error: String(error).slice(0, 500) };
  const where = error.stack
    ?.split("\n")
    .slice(1, 4)
    .map((line) => line.trim())
    .join(" < ");
  return { error: error.message.slice(0, 500), where };
}
