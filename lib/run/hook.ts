// A hook's run: stdin → schema → features in order → one reply. Both fail-open rings stand here and nowhere
// else: whatever breaks, the client goes on, and the error log has one line about it.
import { appendFired, appendJournal, newId } from "../store/journal.ts";
import { takeProblems } from "../store/problems.ts";
import { shared } from "../store/process-wide.ts";
import { elapsedMs } from "../store/stopwatch.ts";
import { type Base, type Context, makeContext } from "./context.ts";
import type { AnyEvent, InputOf } from "./events.ts";
import { hasWords, type Outcome, type Spoken } from "./outcome.ts";
import { report } from "./report.ts";
import { readStdin, writeAll } from "./stdio.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

export type Handler<E extends AnyEvent> = (ctx: Context<InputOf<E>>) => Outcome | void;
/** In the order in which they speak; the key is the feature's name. */
export type Steps<E extends AnyEvent> = Record<string, Handler<E>>;

export function runHook<E extends AnyEvent>(event: E, steps: Steps<E>): void {
  const around = surroundings();
  if (around.disabled.has("all")) return;
  try {
    const input: InputOf<E> & Base = event.parse(JSON.parse(readStdin()), "");
    const deadline = elapsedMs() + event.deadlineMs;
    shared().deadline = deadline;
    const ctx = makeContext(event.name, input, around, deadline);
    answer(event, steps, ctx);
  } catch (error) {
    report(around.places, { event: event.name }, error);
  }
  leaveStamp(event.name, around);
}

function answer<E extends AnyEvent>(event: E, steps: Steps<E>, ctx: Context<InputOf<E> & Base>): void {
  const spoken = runSteps(event, steps, ctx);
  if (spoken.some(hasWords)) say(event.name, spoken);
  if (spoken.length === 0) return;
  // A client that no longer waits (1.5 s at its end) asks us to stop: what was begun is finished first.
  if (spoken.some(({ after }) => after)) process.on("SIGTERM", () => {});
  for (const one of spoken) guarded(ctx, one.feature, () => one.after?.());
  guarded(ctx, "journal", () => writeJournal(ctx, spoken));
}

function say(event: string, spoken: Spoken[]): void {
  const { encode } = require("./wire.ts") as typeof import("./wire.ts");
  const reply = encode(event, spoken);
  if (reply.stdout) writeAll(1, reply.stdout);
  if (reply.stderr) writeAll(2, reply.stderr);
  process.exitCode = reply.exitCode;
}

/** Mail comes along with a denial: a gate may stop the agent, never what others have to say to it. */
const NEVER_HELD_BACK = "inbox";

export function runSteps<E extends AnyEvent>(
  event: E,
  steps: Steps<E>,
  ctx: Context<InputOf<E> & Base>,
): Spoken[] {
  const spoken: Spoken[] = [];
  let isClosed = false;
  for (const [feature, handle] of Object.entries(steps)) {
    if (isClosed && feature !== NEVER_HELD_BACK) continue;
    const outcome = guarded(ctx, feature, () => {
      if (isOff(feature, ctx)) return undefined;
      if (elapsedMs() > ctx.deadline)
        throw new Error(`skipped: ${event.name} is past its ${event.deadlineMs} ms`);
      return handle(ctx);
    });
    if (!outcome) continue;
    spoken.push({ ...outcome, feature });
    ctx.spoken.push(outcome);
    if (outcome.deny === undefined) continue;
    if (outcome.loud) break; // then the client reads the reason alone, and mail would be lost
    isClosed = true; // what is denied is not recorded as done
  }
  return spoken;
}

/** For a feature whose failure somebody must hear of: it still falls open, and says so. */
export const orElse =
  <E extends AnyEvent>(feature: string, handle: Handler<E>, fallen: Handler<E>): Handler<E> =>
  (ctx) => {
    try {
      return handle(ctx);
    } catch (error) {
      report(ctx.places, { event: ctx.event, session: (ctx.input as Base).session_id, feature }, error);
      return fallen(ctx);
    }
  };

const isOff = (feature: string, ctx: Context) =>
  ctx.disabled.has(feature) || ctx.settings.features[feature] === false;

function guarded<T>(ctx: Context, feature: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    report(ctx.places, { event: ctx.event, session: ctx.input.session_id, feature }, error);
    return undefined;
  }
}

function writeJournal(ctx: Context, spoken: Spoken[]): void {
  for (const { feature, deny, ask, rule, journal = [] } of spoken) {
    const verdict = deny !== undefined ? "deny" : ask !== undefined ? "ask" : undefined;
    const notes = verdict
      ? [{ what: verdict, rule, reason: deny ?? ask, ...subject(ctx) }, ...journal]
      : journal;
    for (const note of notes)
      appendJournal(ctx.places, ctx.now, {
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
function subject({ input }: Context): Record<string, unknown> {
  const { tool_name, tool_input } = input as { tool_name?: string; tool_input?: unknown };
  return tool_name ? { tool: tool_name, input: JSON.stringify(tool_input).slice(0, LONGEST_SUBJECT) } : {};
}

function leaveStamp(event: string, around: Surroundings): void {
  try {
    for (const problem of takeProblems()) report(around.places, { event }, problem);
    appendFired(around.places, event, process.uptime() * 1000);
  } catch (error) {
    report(around.places, { event }, error);
  }
}
