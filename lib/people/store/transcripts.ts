// One record of a transcript: an answer of a model with its tokens, a call of the Task tools, or what the client says it billed.
// A message has as many records as content blocks, each with the whole usage.

import { readdirSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, ifFile, ifReadable, readText, statIfThere, withFile } from "../../core/files.ts";
import { textIn } from "../../core/journal.ts";
import { fieldsOf, parsedLine } from "../../core/json.ts";
import type { Paths } from "../../core/paths.ts";

const projectsDir = (paths: Paths) => join(paths.base, "projects");

export const TOKENS = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;
export const USAGE = [...TOKENS, "webSearches"] as const;

export type Usage = Record<(typeof USAGE)[number], number>;

export interface Answered extends Usage {
  id: string;
  session: string;
  /** Set inside a session: a subagent or an in-process teammate. */
  agentId: string;
  at: number;
  model: string;
  /** `fast`, `us` or both: priced differently. */
  mode: string;
}

/** What the client says a session has cost so far, in all. */
export interface Billed {
  session: string;
  at: number;
  usd: number;
  models: Record<string, BilledModel>;
}

interface BilledModel extends Usage {
  usd: number;
}

/** A call of the client's own Task tools. */
export interface TaskMove {
  session: string;
  agentId: string;
  at: number;
  task: string;
  status: string;
  owner: string;
}

export interface Named {
  session: string;
  agentId: string;
  team: string;
  name: string;
  type: string;
}

export interface Found {
  answers: Answered[];
  billed: Billed[];
  moves: TaskMove[];
  named: Named[];
}

/** Who a file speaks for where its records do not say so: `<session>.jsonl`, `<session>/subagents/…/agent-<id>.jsonl`. */
export function speakerOf(path: string): { session: string; agentId: string } {
  const stem = basename(path, ".jsonl");
  const parts = dirname(path).split("/");
  const at = parts.indexOf("subagents");
  return at > 0
    ? { session: parts[at - 1] ?? "", agentId: stem.replace(/^agent-/, "") }
    : { session: stem, agentId: "" };
}

export function findIn(text: string, path: string, lastAt: number): Found & { lastAt: number } {
  const found = { answers: [], billed: [], moves: [], named: [], lastAt } as Found & { lastAt: number };
  const own = speakerOf(path);
  for (const line of text.split("\n"))
    if (line.includes('"usage"') || line.includes('"cost-state"')) take(line, own, found);
  return found;
}

function take(
  line: string,
  own: { session: string; agentId: string },
  found: Found & { lastAt: number },
): void {
  const record = parsedLine<Record<string, unknown>>(line) ?? {}; // torn by a crash
  const session = textIn(record, "sessionId") || own.session;
  const at = Date.parse(textIn(record, "timestamp"));
  if (!Number.isNaN(at)) found.lastAt = Math.max(found.lastAt, at);
  if (record["type"] === "cost-state")
    found.billed.push(billedOf(record, session, Math.max(found.lastAt, writtenAt(record))));
  if (record["type"] !== "assistant") return;
  const message = fieldsOf(record["message"]);
  const usage = fieldsOf(message["usage"]);
  const model = textIn(message, "model");
  if (!message["usage"] || model === "<synthetic>") return;
  const speaker = { session, agentId: own.agentId };
  const when = Number.isNaN(at) ? found.lastAt : at;
  const id = textIn(message, "id") || textIn(record, "requestId") || textIn(record, "uuid");
  if (id) found.answers.push({ id, ...speaker, at: when, model, mode: modeOf(usage), ...usageOf(usage) });
  const [name, team] = [textIn(record, "agentName"), textIn(record, "teamName")];
  if (name && !own.agentId) found.named.push({ session, agentId: "", team, name, type: "" });
  if (line.includes('"TaskUpdate"')) found.moves.push(...movesIn(message, speaker, when));
}

const modeOf = (usage: Record<string, unknown>) =>
  [usage["speed"] === "fast" ? "fast" : "", usage["inference_geo"] === "us" ? "us" : ""].join(" ").trim();

/** As the client counts: the one-hour part is at most the whole, and what no detail names is a five-minute write. */
function usageOf(usage: Record<string, unknown>): Usage {
  const detail = fieldsOf(usage["cache_creation"]);
  const [short, long] = [
    positive(detail["ephemeral_5m_input_tokens"]),
    positive(detail["ephemeral_1h_input_tokens"]),
  ];
  const written =
    usage["cache_creation_input_tokens"] === undefined
      ? short + long
      : positive(usage["cache_creation_input_tokens"]);
  const cacheWrite1h = Math.min(long, written);
  return {
    input: positive(usage["input_tokens"]),
    output: positive(usage["output_tokens"]),
    cacheRead: positive(usage["cache_read_input_tokens"]),
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    webSearches: positive(fieldsOf(usage["server_tool_use"])["web_search_requests"]),
  };
}

/** It has no time of its own, but the session's beginning and how long it has lasted. */
const writtenAt = (record: Record<string, unknown>) =>
  positive(record["startTime"]) + positive(record["totalDuration"]);

function billedOf(record: Record<string, unknown>, session: string, at: number): Billed {
  const models = Object.entries(fieldsOf(record["modelUsage"])).map(
    ([model, given]): [string, BilledModel] => {
      const used = fieldsOf(given);
      const written = positive(used["cacheCreationInputTokens"]);
      const long = Math.min(written, positive(used["cacheCreationEphemeral1hInputTokens"]));
      return [
        model,
        {
          input: positive(used["inputTokens"]),
          output: positive(used["outputTokens"]),
          cacheRead: positive(used["cacheReadInputTokens"]),
          cacheWrite5m: written - long,
          cacheWrite1h: long,
          webSearches: positive(used["webSearchRequests"]),
          usd: positive(used["costUSD"]),
        },
      ];
    },
  );
  return { session, at, usd: positive(record["totalCostUSD"]), models: Object.fromEntries(models) };
}

function movesIn(
  message: Record<string, unknown>,
  speaker: { session: string; agentId: string },
  at: number,
): TaskMove[] {
  const content = Array.isArray(message["content"]) ? message["content"] : [];
  return content.map(fieldsOf).flatMap((block) => {
    if (block["type"] !== "tool_use" || block["name"] !== "TaskUpdate") return [];
    const input = fieldsOf(block["input"]);
    const [task, status] = [textIn(input, "taskId"), textIn(input, "status")];
    return task ? [{ ...speaker, at, task, status, owner: textIn(input, "owner") }] : [];
  });
}

const positive = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

// The client's transcripts: where they are, and their text in parts of whole lines.
export interface TranscriptFile {
  /** Below `projects`, with `/` between the parts. */
  path: string;
  size: number;
  ino: number;
  born: number;
}

const MOST_FILES = 200_000;
const DEEPEST = 10;

/** The oldest first, so that a message belongs to the session it was said in and not to a fork of it. */
export function listTranscripts(paths: Paths): TranscriptFile[] {
  const found: TranscriptFile[] = [];
  walk(projectsDir(paths), "", 0, found);
  return found.sort((a, b) => a.born - b.born || (a.path < b.path ? -1 : 1));
}

function walk(root: string, below: string, depth: number, found: TranscriptFile[]): void {
  if (depth > DEEPEST || found.length >= MOST_FILES) return;
  const entries = ifReadable(() => readdirSync(join(root, below), { withFileTypes: true })) ?? [];
  for (const entry of entries) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory()) walk(root, path, depth + 1, found);
    else if (entry.isFile() && entry.name.endsWith(".jsonl")) {
      const stat = statIfThere(join(root, path));
      if (stat) found.push({ path, size: stat.size, ino: stat.ino, born: stat.birthtimeMs });
    }
  }
}

const CHUNK_BYTES = 8 * 1024 * 1024;
/** A record longer than this is passed over: it is no answer of a model. */
const LONGEST_RECORD_BYTES = 256 * 1024 * 1024;

export interface Part {
  text: string;
  /** Where the next part begins. */
  next: number;
}

/** Whole lines from `from` on; `undefined` when no further line is complete, or the file cannot be read any more. */
export function readPart(paths: Paths, path: string, from: number): Part | undefined {
  const read = () =>
    withFile(join(projectsDir(paths), path), "read", (fd, { size }) => partOf(fd, size, from));
  return ifReadable(() => ifFile(read));
}

function partOf(fd: number, size: number, from: number): Part | undefined {
  for (let length = CHUNK_BYTES; from < size; length *= 4) {
    const wanted = Math.min(length, size - from);
    const buffer = Buffer.allocUnsafe(wanted);
    const got = readSync(fd, buffer, 0, wanted, from);
    const end = buffer.subarray(0, got).lastIndexOf(10);
    if (end >= 0) return { text: buffer.toString("utf8", 0, end), next: from + end + 1 };
    if (length >= LONGEST_RECORD_BYTES) return { text: "", next: from + got };
    if (from + got >= size) return undefined;
  }
  return undefined;
}

export function namedByMeta(paths: Paths, path: string): Named | undefined {
  const speaker = speakerOf(path);
  if (!speaker.agentId) return undefined;
  const meta = metaOf(join(projectsDir(paths), path.replace(/\.jsonl$/, ".meta.json")));
  const isTeammate = meta["taskKind"] === "in_process_teammate" || Boolean(meta["name"] && meta["teamName"]);
  return {
    ...speaker,
    team: isTeammate ? textIn(meta, "teamName") : "",
    name: isTeammate ? textIn(meta, "name") : "",
    type: textIn(meta, "agentType"),
  };
}

/** Nothing where it is half-written, or too long to be one. */
const metaOf = (path: string): Record<string, unknown> =>
  attempt(() => parsedLine<Record<string, unknown>>(readText(path, 1024 * 1024) ?? "")) ?? {};
