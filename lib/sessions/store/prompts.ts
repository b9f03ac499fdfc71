// A question that a client shows to a person: which tool it is about, and whether it is still open.
import { toText } from "../../core/text.ts";
import type { ClientState } from "./client-state.ts";
import type { SessionRecord } from "./sessions.ts";

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
  const short = detail && detail.length > longest ? `${detail.slice(0, longest - 1)}…` : detail;
  return short ? `${tool}(${short})` : tool;
}

/** The client writes its state a moment after it has fired an event. */
const CLIENT_SAYS_AFTER_MS = 10_000;

/** Whether the client's state is newer than the last event, or the last event so old that the state must be. */
export const isCurrent = (
  { statusUpdatedAt = 0 }: ClientState,
  lastSign: string | undefined,
  now: Date,
): boolean => {
  const signed = Date.parse(lastSign ?? "");
  return !(signed > statusUpdatedAt) || now.getTime() - signed > CLIENT_SAYS_AFTER_MS;
};
