// How full an agent's context window is: the use from the tail of its transcript, the size from the first source that knows it,
// the model at last.
// Below `swarm/context/<session>/`:
//   status-line.json       what the status line last saw: only the client's input to it names the window's size
//   voices/<agent>.json    which warnings the agent has had, and where the client was seen to compact by itself
//   due                    there while the main agent is owed a warning
// Only Swarm writes these files and tool calls read them, so core/shape.ts checks them instead of zod.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { namesIn, readTail, removeFile, writeJson, writeWhole } from "../../core/files.ts";
import { asText, parsedLine, readJson, updateJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath, whyNotSegment } from "../../core/paths.ts";
import { sleepSync } from "../../core/process.ts";
import type { Settings } from "../../core/settings.ts";
import { maybeNumber, maybeText, object, someNumber, someText } from "../../core/shape.ts";
import { findSession } from "../../sessions/store/sessions.ts";

export const CONTEXT_FILES: FileKind = {
  name: "context levels",
  path: "swarm/context/<session>/",
  ends: "session",
};

/** The session's own agent, where a file or record is named after the agent. */
export const MAIN = "main";

export const windowReadingPath = (paths: Paths, session: string) =>
  swarmPath(paths, "context", segment(session), "status-line.json");
export const agentContextPath = (paths: Paths, session: string, agent: string) =>
  swarmPath(paths, "context", segment(session), "voices", `${segment(agent)}.json`);
export const dueWarningPath = (paths: Paths, session: string) =>
  swarmPath(paths, "context", segment(session), "due");

const windowReading = object({
  window: someNumber,
  tokens: maybeNumber,
  percent: maybeNumber,
  model: maybeText,
  at: someText,
});
export type WindowReading = ReturnType<typeof windowReading>;

export const readWindowReading = (paths: Paths, session: string): WindowReading | undefined =>
  readJson(windowReadingPath(paths, session), windowReading);

export const writeWindowReading = (paths: Paths, session: string, seen: WindowReading): void =>
  writeJson(windowReadingPath(paths, session), seen);

/** For callers with many sessions: one directory read instead of one file read for each. */
export const sessionsWithReading = (paths: Paths): ReadonlySet<string> =>
  new Set(namesIn(swarmPath(paths, "context")));

const agentContext = object({
  /** The highest warning level already given, counted from 1; 0 for none. */
  said: someNumber,
  /** The use at which the client compacted by itself. */
  compactsAt: maybeNumber,
  remindedAt: maybeText,
  /** Up to when finished work has been summed up. */
  summedUpTo: maybeText,
});
export type AgentContext = ReturnType<typeof agentContext>;

export const readAgentContext = (paths: Paths, session: string, agent: string): AgentContext =>
  readJson(agentContextPath(paths, session, agent), agentContext) ?? { said: 0 };

/** Under the lock: a prompt and a tool call of one session may run at once. `undefined` leaves it as it is. */
export function updateAgentContext(
  paths: Paths,
  session: string,
  agent: string,
  change: (stored: AgentContext) => AgentContext | undefined,
): void {
  updateJson(agentContextPath(paths, session, agent), agentContext, (stored) =>
    change(stored ?? { said: 0 }),
  );
}

export function markDue(paths: Paths, session: string): void {
  if (session) writeWhole(dueWarningPath(paths, session), "");
}

/** Whether a warning was due; removes the mark. */
export function takeDue(paths: Paths, session: string): boolean {
  const isDue = session !== "" && existsSync(dueWarningPath(paths, session));
  if (isDue) removeFile(dueWarningPath(paths, session));
  return isDue;
}

/** A hook's context or a verb's call: its settings and environment may name the window's size. */
export interface Measuring {
  paths: Paths;
  loaded: { values: Pick<Settings, "context.window"> };
  compactWindow: number | undefined;
}

export type Use = NonNullable<ReturnType<typeof contextUse>>;

/**
 * The share is in percent; `undefined` while the use or the window is unknown. `isMeasured` is false where this session has no files
 * here: none are read.
 */
export function contextUse(from: Measuring, input: TranscriptSource, isMeasured = true) {
  const used = input.session_id ? newestUse(transcriptOf(input)) : undefined;
  if (used === undefined) return undefined;
  const window = contextWindow(from, input, isMeasured, used);
  return window ? { tokens: used.tokens, window, share: (100 * used.tokens) / window } : undefined;
}

/** Of the main agent of a session, by its record. */
export const contextOfSession = (
  from: Measuring,
  { session, transcript = "" }: { session: string; transcript?: string },
): Use | undefined => contextUse(from, { session_id: session, transcript_path: transcript });

/** The first source that is not smaller than the use: a smaller one cannot be right. */
function contextWindow(
  { paths, loaded, compactWindow }: Measuring,
  { session_id: session, agent_id: agent = MAIN }: TranscriptSource,
  isMeasured: boolean,
  { tokens, model }: Used,
): number | undefined {
  const sources = [
    () => (isMeasured ? readWindowReading(paths, session)?.window : undefined),
    () => loaded.values["context.window"],
    () => compactWindow,
    () => (isMeasured ? readAgentContext(paths, session, agent).compactsAt : undefined),
    () => windowOfModel(agent === MAIN ? startedWith(paths, session) : undefined, tokens),
    () => windowOfModel(model, tokens),
  ];
  for (const source of sources) {
    const window = source();
    if (window && window >= tokens) return window;
  }
  return undefined;
}

/** Only where it asks for the large window: a transcript leaves that suffix out, and a model can be changed later. */
function startedWith(paths: Paths, session: string): string | undefined {
  const model = findSession(paths, session)?.model;
  return model?.endsWith("[1m]") ? model : undefined;
}

export interface TranscriptSource {
  session_id: string;
  transcript_path: string;
  agent_id?: string;
  agent_transcript_path?: string;
}

/** A subagent or in-process teammate has a transcript of its own, in a folder named like the session's. */
export function transcriptOf(input: TranscriptSource): string {
  const { agent_transcript_path, agent_id, session_id, transcript_path } = input;
  if (agent_transcript_path) return agent_transcript_path;
  if (!agent_id || !transcript_path || whyNotSegment(agent_id) || whyNotSegment(session_id))
    return transcript_path;
  return join(dirname(transcript_path), session_id, "subagents", `agent-${agent_id}.jsonl`);
}

/** The newest figure is mostly within the last few lines; the largest tail is for one giant tool result at the end. */
const TAILS_BYTES = [8 * 1024, 64 * 1024, 4 * 1024 * 1024] as const;
const ANSWER_BYTES = TAILS_BYTES[1];

export const contextTokens = (transcript: string | undefined): number | undefined =>
  newestUse(transcript)?.tokens;

function newestUse(transcript: string | undefined): Used | undefined {
  if (!transcript) return undefined;
  const isAgents = /[\\/]subagents[\\/]/.test(transcript);
  for (const bytes of TAILS_BYTES) {
    const tail = readTail(transcript, bytes);
    const used = useIn(tail?.text ?? "", isAgents);
    if (used !== undefined || !tail || tail.size <= bytes) return used;
  }
  return undefined;
}

const LONGEST_WAIT_MS = 300;
const PAUSE_MS = 5;
const COMPARED_CHARS = 60;

/** The client sends Stop some milliseconds before the answer it is about is in the transcript. */
export function awaitAnswer(transcript: string, answer: string | undefined): void {
  const beginning = JSON.stringify(answer ?? "").slice(1, COMPARED_CHARS);
  const isThere = () =>
    lastAnswer(readTail(transcript, ANSWER_BYTES)?.text ?? "")?.includes(beginning) !== false;
  for (let waited = 0; waited < LONGEST_WAIT_MS && !isThere(); waited += PAUSE_MS) sleepSync(PAUSE_MS);
}

const lastAnswer = (tail: string) => tail.split("\n").findLast((line) => line.includes('"type":"assistant"'));

/** The format is the client's own and may change: what cannot be read counts as missing. */
interface Entry {
  type?: string;
  subtype?: string;
  isSidechain?: boolean;
  message?: { usage?: Record<string, unknown>; model?: unknown };
  compactMetadata?: { postTokens?: unknown };
}

export interface Used {
  tokens: number;
  /** As the newest answer names it. */
  model: string | undefined;
}

const PARTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/**
 * The newest usage figure in the tail of a transcript. In an agent's own transcript every line is a sidechain; in a session's
 * such lines belong to other agents. A compaction after the last figure counts as what it left, or makes the figure unknown.
 */
export function useIn(tail: string, isAgents = false): Used | undefined {
  let compacted: Used | undefined;
  for (const { type, subtype, message, compactMetadata } of newestFirst(tail, isAgents)) {
    const model = asText(message?.model);
    if (compacted) {
      if (type === "assistant") return { ...compacted, model };
    } else if (subtype === "compact_boundary") {
      const tokens = countOf(compactMetadata?.postTokens);
      if (tokens === undefined) return undefined;
      compacted = { tokens, model };
    } else if (type === "assistant") {
      const tokens = sumOf(message?.usage);
      if (tokens > 0) return { tokens, model }; // the client's own error messages carry zeros
    }
  }
  return compacted;
}

function* newestFirst(tail: string, isAgents: boolean): Generator<Entry> {
  for (const line of tail.split("\n").reverse()) {
    const entry = /"usage"|"compact_boundary"/.test(line) ? parsedLine<Entry>(line) : undefined;
    if (entry && (isAgents || entry.isSidechain !== true)) yield entry;
  }
}

const sumOf = (usage: Record<string, unknown> | undefined) =>
  PARTS.reduce((sum, part) => sum + (countOf(usage?.[part]) ?? 0), 0);

const countOf = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;

// The context window of a model, as the client's own catalogue (2.1.325) has it: for a person without a status line, whose input alone
// names the size.
const SMALL = 200_000;
const LARGE = 1_000_000;

/** `[1m]` behind a model's name asks for the large window. Some models with the small one can have the large by the account. */
const NATIVE_LARGE = /claude-(?:opus-4-[78]|(?:haiku|sonnet|opus|fable|mythos)-5)|\[1m\]/i;
const NATIVE_SMALL = /claude-(?:3|haiku-4|sonnet-4|opus-4)/i;

function windowOfModel(model: string | undefined, used: number): number | undefined {
  if (model === undefined) return undefined;
  const size = NATIVE_LARGE.test(model) ? LARGE : NATIVE_SMALL.test(model) ? SMALL : undefined;
  return size === SMALL && used > SMALL ? LARGE : size;
}
