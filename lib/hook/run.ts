// A hook's run: stdin → event → context → handlers in order → one reply. Fails open in two places, the whole run and each handler:
// whatever breaks, the client goes on, and the error log gets one line.
import { appendError, appendFired, appendJournal, endGuarded } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import { elapsedMs, shared, takeProblems, withinTime } from "../core/process.ts";
import { type Base, type Context, makeContext, speaksAsTeammate } from "./context.ts";
import { BESIDE_TURN, readEnvironment, readStdin, writeAll } from "./environment.ts";
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

/**
 * For what nobody else makes up for: mail that is not delivered now may find its reader asleep, and an end is recorded by nobody else.
 * These handlers do not wait for long: past the deadline a lock is tried once, and then the change is spooled.
 */
export const always = <E extends AnyEvent>(handle: Handler<E>): Step<E> => ({ handle, always: true });

type ContextOf<E extends AnyEvent> = Context<InputOf<E> & Base>;

/** `beside` are the handlers of the entry that the client does not wait for. */
export function runHook<E extends AnyEvent>(event: E, waited: Steps<E>, beside: Steps<E> = waited): void {
  const environment = readEnvironment();
  const { paths, disabled, entry } = environment;
  if (disabled.has("all")) return;
  const where = { event: event.name };
  attempt(paths, where, () => {
    const text = readStdin();
    if (text === "") throw new Error("no input: the client ended before it wrote the event");
    const input: InputOf<E> & Base = event.parse(JSON.parse(text));
    if (event.finishes) process.on("SIGTERM", () => {});
    const deadline = elapsedMs() + event.deadlineMs;
    shared().deadline = deadline;
    const ctx = makeContext(event.name, input, environment, deadline);
    answer(event, entry === BESIDE_TURN ? beside : waited, ctx);
    endGuarded(paths);
  });
  attempt(paths, where, () => {
    for (const problem of takeProblems()) report(paths, where, problem);
    appendFired(paths, event.name, process.uptime() * 1000);
  });
}

function answer<E extends AnyEvent>(event: E, steps: Steps<E>, ctx: ContextOf<E>): void {
  const outcomes = runInTime(event, steps, ctx);
  const isHeard = !outcomes.some(hasOutput) || say(event.name, outcomes);
  // The client sends SIGTERM when it no longer waits (1.5 s at its end): finish what was begun.
  if (outcomes.some(({ after }) => after)) process.on("SIGTERM", () => {});
  for (const one of outcomes) attempt(ctx.paths, placeIn(ctx, one.feature), () => one.after?.(isHeard));
  attempt(ctx.paths, placeIn(ctx, "journal"), () => journalOutcomes(ctx));
}

/** Something for the client, not only for the journal. */
export const hasOutput = ({ feature, journal, after, ...words }: NamedOutcome): boolean =>
  Object.values(words).some((word) => word !== undefined);

/** A decision made before the time was over still counts: the guard comes first. */
export function runInTime<E extends AnyEvent>(event: E, steps: Steps<E>, ctx: ContextOf<E>): NamedOutcome[] {
  const { stoppedAfterMs = Number.POSITIVE_INFINITY } = event;
  if (!withinTime(stoppedAfterMs, () => void runSteps(event, steps, ctx)))
    report(ctx.paths, placeIn(ctx), `stopped after ${stoppedAfterMs} ms`);
  return ctx.outcomes;
}

export function runSteps<E extends AnyEvent>(event: E, steps: Steps<E>, ctx: ContextOf<E>): NamedOutcome[] {
  const { tool_name = "" } = ctx.input as { tool_name?: string };
  let isDenied = false;
  for (const [feature, given] of Object.entries(steps)) {
    const step: Step<E> = typeof given === "function" ? { handle: given } : given;
    if ((isDenied && !step.always) || step.tools?.includes(tool_name) === false) continue;
    const run = () => {
      if (isOff(feature, ctx) || (step.teammates && !speaksAsTeammate(ctx))) return undefined;
      if (!step.always && elapsedMs() > latestBegin(event, ctx.deadline))
        throw new Error(`skipped: ${event.name} is far past its ${event.deadlineMs} ms`);
      return step.handle(ctx);
    };
    const where = placeIn(ctx, feature);
    const onFailure = () => attempt(ctx.paths, where, () => step.onFailure?.(ctx));
    const outcome = attempt(ctx.paths, where, run, onFailure);
    if (!outcome) continue;
    ctx.outcomes.push({ ...outcome, feature });
    if (outcome.deny === undefined) continue;
    if (outcome.loud) break; // exit code 2: the client reads the reason alone, and anything else would be lost
    isDenied = true; // later handlers record a tool call that will not happen
  }
  return ctx.outcomes;
}

/** Twice the deadline, or half of the time after which all handlers are stopped. */
const latestBegin = ({ deadlineMs, stoppedAfterMs }: AnyEvent, deadline: number): number =>
  deadline - deadlineMs + (stoppedAfterMs === undefined ? 2 * deadlineMs : stoppedAfterMs / 2);

const isOff = (feature: string, ctx: Context) =>
  ctx.disabled.has(feature) || ctx.settings.features[feature] === false;

interface Place {
  event: string;
  session?: string;
  feature?: string;
}

const placeIn = ({ event, input }: Context, feature?: string): Place => ({
  event,
  session: input.session_id,
  feature,
});

/** One line in the error log; never throws. */
function report(paths: Paths, where: Place, error: unknown): void {
  try {
    appendError(paths, { at: new Date().toISOString(), ...where, ...described(error) });
  } catch {
    // A home that cannot be written: nowhere to tell it, and no reason to stop the client.
  }
}

/** What throws stops nothing else. */
function attempt<T>(paths: Paths, where: Place, work: () => T, onFailure?: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    report(paths, where, error);
    return onFailure?.();
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

/** Every decision, and what handlers note besides, as lines of the journal. */
function journalOutcomes({ paths, now, event, input, outcomes }: Context): void {
  for (const { feature, deny, ask, rule, journal = [] } of outcomes) {
    const reason = deny ?? ask;
    const what = deny === undefined ? "ask" : "deny";
    const notes = reason === undefined ? journal : [{ what, rule, reason, ...subject(input) }, ...journal];
    for (const note of notes)
      appendJournal(paths, now, {
        event,
        session: input.session_id,
        agent: input.agent_id ?? "main",
        feature,
        ...note,
      });
  }
}

const LONGEST_SUBJECT = 2_000;

/** What a decision was about, so that it can be explained later. */
function subject(input: Base): Record<string, unknown> {
  const { tool_name: tool, tool_input } = input as { tool_name?: string; tool_input?: unknown };
  return tool ? { tool, input: JSON.stringify(tool_input).slice(0, LONGEST_SUBJECT) } : {};
}

/** False where the client ended meanwhile. */
function say(event: string, outcomes: NamedOutcome[]): boolean {
  const { stdout, stderr, exitCode } = encode(event, outcomes);
  const isOut = writeAll(1, stdout);
  process.exitCode = exitCode;
  return writeAll(2, stderr) && isOut;
}
