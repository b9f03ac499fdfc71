// What a run has said and done, as lines of the journal.
import { appendJournal, newId } from "../core/journal.ts";
import type { Context } from "./context.ts";
import type { NamedOutcome } from "./outcome.ts";

type Said = Pick<Context, "paths" | "now" | "event" | "input">;

export function journalOutcomes(ctx: Said, outcomes: readonly NamedOutcome[]): void {
  for (const { feature, deny, ask, rule, journal = [] } of outcomes) {
    const verdict = deny !== undefined ? "deny" : ask !== undefined ? "ask" : undefined;
    const notes = verdict
      ? [{ what: verdict, rule, reason: deny ?? ask, ...subject(ctx) }, ...journal]
      : journal;
    for (const note of notes)
      appendJournal(ctx.paths, ctx.now, {
        id: newId(ctx.now),
        at: ctx.now.toISOString(),
        event: ctx.event,
        session: ctx.input.session_id,
        agent: ctx.input.agent_id ?? "main",
        feature,
        ...note,
      });
  }
}

const LONGEST_SUBJECT = 2_000;

/** What a decision was about, so that it can be explained later. */
function subject({ input }: Said): Record<string, unknown> {
  const { tool_name, tool_input } = input as { tool_name?: string; tool_input?: unknown };
  return tool_name ? { tool: tool_name, input: JSON.stringify(tool_input).slice(0, LONGEST_SUBJECT) } : {};
}
