// What a running client says of itself in `sessions/<pid>.json`, which it keeps up to date (2.1.197 and 2.1.325), and the question it
// shows to a person. Agents inside a session and the client's own pane teammates have no such file.

import { readForeignJson } from "../../core/json.ts";
import { clientStatePath, type Paths } from "../../core/paths.ts";
import { maybeNumber, maybeText, object } from "../../core/shape.ts";
import { shortened, toText } from "../../core/text.ts";
import type { SessionRecord } from "./sessions.ts";

const shape = object({
  sessionId: maybeText,
  /** `idle`, `busy` or `waiting`. */
  status: maybeText,
  /** `permission prompt`, `input needed`, `dialog open`, `sandbox request`, `worker request`. */
  waitingFor: maybeText,
  statusUpdatedAt: maybeNumber,
});
export type ClientState = ReturnType<typeof shape>;

/** Of the client that runs this session now: process ids are reused, and `/clear` gives a process another session. */
export function clientStateOf(paths: Paths, { session, pid }: { session: string; pid?: number }) {
  const state = pid ? readForeignJson(clientStatePath(paths, pid), shape) : undefined;
  return state?.status !== undefined && state.sessionId === session ? state : undefined;
}

export type Prompt = NonNullable<SessionRecord["prompt"]>;

const QUESTIONS = new Set(["AskUserQuestion", "ExitPlanMode"]);
const LONGEST_DETAIL = 200;

/** From a PermissionRequest. */
export function promptFor(tool: string, input: Record<string, unknown>, now: Date): Prompt {
  const subject = input["command"] ?? input["file_path"] ?? input["url"] ?? input["pattern"] ?? "";
  const detail = toText(subject).slice(0, LONGEST_DETAIL);
  const kind = QUESTIONS.has(tool) ? "question" : "permission";
  return { kind, tool, detail: detail || undefined, since: now.toISOString() };
}

/** `Bash(git push)` */
export function promptSubject({ tool, detail }: Pick<Prompt, "tool" | "detail">, longest = LONGEST_DETAIL) {
  if (!tool) return detail?.slice(0, longest);
  return detail ? `${tool}(${shortened(detail, longest)})` : tool;
}

/** The client writes its state a moment after it has fired an event. */
const CLIENT_SAYS_AFTER_MS = 10_000;

/** Whether the client's state is newer than the last event, or the last event so old that the state must be. */
export function isCurrent({ statusUpdatedAt = 0 }: ClientState, lastSign: string | undefined, now: Date) {
  const signed = Date.parse(lastSign ?? "");
  return !(signed > statusUpdatedAt) || now.getTime() - signed > CLIENT_SAYS_AFTER_MS;
}
