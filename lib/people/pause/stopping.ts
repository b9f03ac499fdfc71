// What a paused agent hears, where it stopped, and how it goes on. Loaded only while something is paused, or just was.
import { cutAt, escapeLine, plainLine, toText } from "../../core/text.ts";
import { age } from "../../core/time.ts";
import { type Base, type Context, pausableAs } from "../../hook/context.ts";
import type { Outcome } from "../../hook/outcome.ts";
import { endTurn } from "../../mail/store/session-files.ts";
import {
  type Pause,
  pauseOf,
  readStopped,
  removeStopped,
  type Stopped,
  stoppedAt,
  writeStopped,
} from "../../sessions/store/pauses.ts";
import { readSession, withTransition, writeSession } from "../../sessions/store/sessions.ts";
import { readOpenTasks } from "../../tasks/store/select.ts";
import { argumentsFor, pauseText } from "./text.ts";

type ToolCall = Context<Base & { tool_name: string; tool_input: Record<string, unknown> }>;

/** `undefined` where the pause was lifted at this very moment. */
export const refuse = (ctx: ToolCall, pause: Pause): Outcome | undefined =>
  ctx.input.session_id && !noteStop(ctx) ? undefined : refusal(pause);

export function refusal(pause: Pause): Outcome {
  const how = `swarm unpause ${argumentsFor(pause)}`;
  return {
    deny: `${escapeLine(pauseText(pause))}. No tool runs until it is lifted. End your turn now, without another call: nothing is lost, mail and tasks wait, and you are woken when it goes on. (A person lifts it: ${escapeLine(how)})`,
    endsTurn: plainLine(`${pauseText(pause)}. To let it go on: ${how}`),
    rule: "pause",
  };
}

/** False where the pause no longer holds. No Stop follows a turn that ends here, so this also does what Stop would have done. */
function noteStop(ctx: ToolCall): boolean {
  const { paths, input, identity, now } = ctx;
  const { session_id: session, agent_id: agentId } = input;
  const before = readStopped(paths, session, agentId);
  if (!before || before.isReleased) writeStopped(paths, stoppedNow(ctx));
  if (!pauseOf(paths, pausableAs(session, identity))) {
    removeStopped(paths, session, agentId);
    return false;
  }
  const record = readSession(paths, { session, agentId });
  if (record) writeSession(paths, { ...withTransition(record, "turn-end", now), tool: undefined });
  if (!agentId) endTurn(paths, session);
  return true;
}

function stoppedNow(ctx: ToolCall): Stopped {
  const { input, identity, now } = ctx;
  const { kind, team, agent } = identity;
  return {
    session: input.session_id,
    ...(input.agent_id ? { agentId: input.agent_id } : {}),
    kind,
    ...(team ? { team } : {}),
    ...(agent ? { agent } : {}),
    at: now.toISOString(),
    tool: input.tool_name,
    ...optional("about", subjectOf(input.tool_input)),
    ...optional("task", taskOf(ctx)),
  };
}

const optional = <K extends string>(key: K, value: string | undefined) =>
  (value ? { [key]: value } : {}) as { [N in K]?: string };

const LONGEST_SUBJECT = 100;

const subjectOf = (input: Record<string, unknown>): string => {
  const subject =
    input["command"] ?? input["file_path"] ?? input["description"] ?? input["pattern"] ?? input["url"] ?? "";
  return cutAt(plainLine(toText(subject)), LONGEST_SUBJECT);
};

function taskOf({ paths, input, identity }: ToolCall): string | undefined {
  const { team, agent, kind, parent } = identity;
  const list = team ?? input.session_id;
  const owner = team ? (kind === "subagent" ? parent : agent) : undefined;
  const task = readOpenTasks(paths, list, owner === undefined ? {} : { owner }).find(
    ({ status }) => status === "in_progress",
  );
  return task && cutAt(plainLine(`#${task.id} ${task.subject}`), LONGEST_SUBJECT);
}

export const stillPaused = (pause: Pause): Outcome => ({
  context: {
    name: "pause",
    text: `${escapeLine(pauseText(pause))}. No tool runs until it is lifted: wait, without calling one. You are woken when it goes on.`,
    priority: 100,
  },
  notice: plainLine(`${pauseText(pause)}. To let it go on: swarm unpause ${argumentsFor(pause)}`),
});

export const wakeReleased = (ctx: Context): Outcome | undefined => {
  const text = takeRelease(ctx);
  return text ? { wake: text, journal: [{ what: "pause-ended" }] } : undefined;
};

export const released = (ctx: Context): Outcome | undefined => {
  const text = takeRelease(ctx);
  return text
    ? { context: { name: "pause", text, priority: 100 }, journal: [{ what: "pause-ended" }] }
    : undefined;
};

/** Once: who reads the release removes it. */
function takeRelease({ paths, input, now }: Context): string | undefined {
  const stopped = readStopped(paths, input.session_id);
  if (!stopped?.isReleased) return undefined;
  removeStopped(paths, input.session_id);
  return goOnText(stopped, now);
}

export const goOnText = (stopped: Stopped, now: Date): string =>
  `The pause is over. You were stopped ${age(stopped.at, now)} ago at ${escapeLine(stoppedAt(stopped))}; that call did not run. Go on where you were.`;
