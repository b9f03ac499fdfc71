// Events of a session with an effort, as its handlers meet them in a temporary home.
import * as effort from "../../lib/efforts/hooks.ts";
import { readEffortMessages, readEffortSession, updateEffort } from "../../lib/efforts/store/efforts.ts";
import * as events from "../../lib/hook/events.ts";
import type { Outcome, Section } from "../../lib/hook/outcome.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { aContext, NOON } from "./a-context.ts";
import type { Home } from "./a-home.ts";

type Input = Record<string, unknown>;

export const minutes = (count: number): Date => new Date(NOON.getTime() + count * 60_000);

export function words(outcome: unknown): string {
  const context = (outcome as Outcome | undefined)?.context;
  return typeof context === "string" ? context : ((context as Section | undefined)?.text ?? "");
}

export function effortEvents(home: Home) {
  /** Registers the session first, as the entry does; what follows the answer is done too. */
  function start(input: Input = {}, env = {}, now = NOON): string {
    const ctx = aContext(home, events.SessionStart, { source: "startup", ...input }, { env, now });
    sessions.sessionStart(ctx);
    return finished(effort.sessionStart(ctx));
  }
  function onResult(tool: string, input: Input = {}, more: Input = {}, now = NOON): string {
    const ctx = aContext(home, events.PostToolUse, { tool_name: tool, tool_input: input, ...more }, { now });
    return finished(effort.postToolUse(ctx));
  }
  const atCall = (tool: string, input: Input = {}, more: Input = {}) =>
    effort.preToolUse(aContext(home, events.PreToolUse, { tool_name: tool, tool_input: input, ...more }));
  const bash = (command: string, more: Input = {}) => atCall("Bash", { command }, more);
  return {
    start,
    /** Both alive: this process and its parent stand in for them. */
    startTwoClients() {
      start({ session_id: "s-1" }, { CLAUDE_PID: `${process.pid}` });
      start({ session_id: "s-2" }, { CLAUDE_PID: `${process.ppid}` });
    },
    atCall,
    onResult,
    bash,
    calls: (count: number, more: Input = {}) =>
      Array.from({ length: count }, () => (bash("ls", more) as Outcome | undefined)?.deny),
    messages: (kind?: string) =>
      readEffortMessages(home.paths, 1).filter((one) => !kind || one.kind === kind),
    session: (number: number) => readEffortSession(home.paths, 1, number),
    inject: (id: string, text: string, more = {}) =>
      updateEffort(home.paths, 1, (stored) => ({
        ...stored,
        metadata: {
          ...stored.metadata,
          pendingInjections: [
            ...stored.metadata.pendingInjections,
            { id, text, at: NOON.toISOString(), ...more },
          ],
        },
      })),
    dehydrated: (summary: string, nextSteps: string[] = [], at = NOON) =>
      updateEffort(home.paths, 1, (stored) => ({
        ...stored,
        dehydrated: { at: at.toISOString(), by: "agent", summary, nextSteps, requiredFiles: [] },
      })),
  };
}

function finished(outcome: unknown): string {
  (outcome as Outcome | undefined)?.after?.();
  return words(outcome);
}
