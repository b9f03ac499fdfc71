// A hook's run: stdin → event → context → handlers in order → one reply. Fails open in two places, the whole run and each handler:
// whatever breaks, the client goes on, and the error log gets one line.
import { appendError, appendFired, appendJournal, endGuarded } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import { elapsedMs, shared, takeProblems, withinTime } from "../core/process.ts";
import { type Base, type Context, makeContext, speaksAsTeammate } from "./context.ts";
import { BESIDE_TURN, type Environment, readEnvironment, readStdin, writeAll } from "./environment.ts";
import type { AnyEvent, InputOf } from "./events.ts";
import { encode, type NamedOutcome, type Outcome } from "./outcome.ts";

export type Handler<E extends AnyEvent> = (ctx: Context<InputOf<E>>) => Outcome | void;

/** A handler with conditions. A bare one runs for every call, until something is denied or it is far past the deadline: on a busy
 *  machine it is late before it begins, and past the deadline no lock is waited for. */
export interface Step<E extends AnyEvent> {
  handle: Handler<E>;
  /** Only for these tools. */
  tools?: readonly string[];
  /** Only where a teammate speaks: not for a lead, nor for a session without a team. */
  teammates?: true;
  /** Also after a denial, and however late it is. */
  always?: boolean;
  /** Runs when `handle` has thrown or could not be begun: for a feature whose failure a person must hear of. */
  onFailure?: Handler<E>;
}

/** In the order in which they run; the key is the feature's name. */
export type Steps<E extends AnyEvent> = Record<string, Handler<E> | Step<E>>;

export const forTools = <E extends AnyEvent>(tools: readonly string[], handle: Handler<E>): Step<E> => ({
  handle,
  tools,
});

export const forTeammates = <E extends AnyEvent>(handle: Handler<E>): Step<E> => ({
  handle,
  teammates: true,
});

/**
 * For what nobody else makes up for: mail that is not delivered now may find its reader asleep, and an end is recorded by nobody else.
 * These handlers do not wait for long: past the deadline a lock is tried once, and then the change is spooled.
 */
export const always = <E extends AnyEvent>(handle: Handler<E>): Step<E> => ({ handle, always: true });

/** `beside` are the handlers of the entry that the client does not wait for. */
export function runHook<E extends AnyEvent>(event: E, waited: Steps<E>, beside: Steps<E> = waited): void {
  const environment = readEnvironment();
  const steps = environment.entry === BESIDE_TURN ? beside : waited;
  if (environment.disabled.has("all")) return;
  try {
    const text = readStdin();
    if (text === "") throw new Error("no input: the client ended before it wrote the event");
    const input: InputOf<E> & Base = event.parse(JSON.parse(text));
    if (event.finishes) process.on("SIGTERM", () => {});
    const deadline = elapsedMs() + event.deadlineMs;
    shared().deadline = deadline;
    const ctx = makeContext(event.name, input, environment, deadline);
    answer(event, steps, ctx);
    endGuarded(environment.paths);
  } catch (error) {
    report(environment.paths, { event: event.name }, error);
  }
  leaveStamp(event.name, environment);
}

function answer<E extends AnyEvent>(event: E, steps: Steps<E>, ctx: Context<InputOf<E> & Base>): void {
  const outcomes = runInTime(event, steps, ctx);
  const isHeard = !outcomes.some(hasOutput) || say(event.name, outcomes);
  if (outcomes.length === 0) return;
  // The client sends SIGTERM when it no longer waits (1.5 s at its end): finish what was begun.
  if (outcomes.some(({ after }) => after)) process.on("SIGTERM", () => {});
  for (const one of outcomes) attempt(ctx, one.feature, () => one.after?.(isHeard));
  attempt(ctx, "journal", () => journalOutcomes(ctx, outcomes));
}

/** Something for the client, not only for the journal. */
export const hasOutput = ({ feature, journal, after, ...words }: NamedOutcome): boolean =>
  Object.values(words).some((word) => word !== undefined);

/** A decision made before the time was over still counts: the guard comes first. */
export function runInTime<E extends AnyEvent>(
  event: E,
  steps: Steps<E>,
  ctx: Context<InputOf<E> & Base>,
): NamedOutcome[] {
  const { stoppedAfterMs = Number.POSITIVE_INFINITY } = event;
  const outcomes: NamedOutcome[] = [];
  if (!withinTime(stoppedAfterMs, () => runSteps(event, steps, ctx, outcomes)))
    report(
      ctx.paths,
      { event: event.name, session: ctx.input.session_id },
      `stopped after ${stoppedAfterMs} ms`,
    );
  return outcomes;
}

export function runSteps<E extends AnyEvent>(
  event: E,
  steps: Steps<E>,
  ctx: Context<InputOf<E> & Base>,
  outcomes: NamedOutcome[] = [],
): NamedOutcome[] {
  let isDenied = false;
  for (const [feature, given] of Object.entries(steps)) {
    const step: Step<E> = typeof given === "function" ? { handle: given } : given;
    if ((isDenied && !step.always) || !concerns(step, ctx)) continue;
    const run = () => {
      if (isOff(feature, ctx) || (step.teammates && !speaksAsTeammate(ctx))) return undefined;
      if (!step.always && elapsedMs() > latestBegin(event, ctx))
        throw new Error(`skipped: ${event.name} is far past its ${event.deadlineMs} ms`);
      return step.handle(ctx);
    };
    const outcome = attempt(ctx, feature, () => attempt(ctx, feature, run, step.onFailure));
    if (!outcome) continue;
    outcomes.push({ ...outcome, feature });
    ctx.outcomes.push(outcome);
    if (outcome.deny === undefined) continue;
    if (outcome.loud) break; // exit code 2: the client reads the reason alone, and anything else would be lost
    isDenied = true; // later handlers record a tool call that will not happen
  }
  return outcomes;
}

/** Twice the deadline, or half of the time after which all handlers are stopped. */
const latestBegin = (
  { deadlineMs, stoppedAfterMs }: AnyEvent,
  { deadline }: Pick<Context, "deadline">,
): number => deadline - deadlineMs + (stoppedAfterMs === undefined ? 2 * deadlineMs : stoppedAfterMs / 2);

const concerns = <E extends AnyEvent>({ tools }: Step<E>, { input }: Context<Base>) =>
  tools === undefined || tools.includes((input as { tool_name?: string }).tool_name ?? "");

const isOff = (feature: string, ctx: Context) =>
  ctx.disabled.has(feature) || ctx.settings.features[feature] === false;

function leaveStamp(event: string, environment: Environment): void {
  try {
    for (const problem of takeProblems()) report(environment.paths, { event }, problem);
    appendFired(environment.paths, event, process.uptime() * 1000);
  } catch (error) {
    report(environment.paths, { event }, error);
  }
}

/** One line in the error log; never throws. */
function report(
  paths: Paths,
  where: { event: string; session?: string; feature?: string },
  error: unknown,
): void {
  try {
    appendError(paths, { at: new Date().toISOString(), ...where, ...described(error) });
  } catch {
    // A home that cannot be written: nowhere to tell it, and no reason to stop the client.
  }
}

/** A handler that throws stops nothing else. */
function attempt<C extends Context, T>(
  ctx: C,
  feature: string,
  work: () => T,
  onFailure?: (ctx: C) => T,
): T | undefined {
  try {
    return work();
  } catch (error) {
    report(ctx.paths, { event: ctx.event, session: ctx.input.session_id, feature }, error);
    return onFailure?.(ctx);
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

type Said = Pick<Context, "paths" | "now" | "event" | "input">;

/** Every decision, and what handlers note besides, as lines of the journal. */
function journalOutcomes(ctx: Said, outcomes: readonly NamedOutcome[]): void {
  for (const { feature, deny, ask, rule, journal = [] } of outcomes) {
    const verdict = deny !== undefined ? "deny" : ask !== undefined ? "ask" : undefined;
    const notes = verdict
      ? [{ what: verdict, rule, reason: deny ?? ask, ...subject(ctx) }, ...journal]
      : journal;
    for (const note of notes)
      appendJournal(ctx.paths, ctx.now, {
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

/** False where the client ended meanwhile. */
function say(event: string, outcomes: NamedOutcome[]): boolean {
  const { stdout, stderr, exitCode } = encode(event, outcomes);
  const isOut = writeAll(1, stdout);
  process.exitCode = exitCode;
  return writeAll(2, stderr) && isOut;
}
