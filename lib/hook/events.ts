// Every event's name and the fields of its input that handlers read. Lenient on purpose: the client adds keys between versions, and a person
// may pipe in only the part that matters, so a missing field takes its default and only a wrong type is an error.
import {
  anything,
  type Fields,
  flag,
  lenient,
  lenientParserOf,
  listOf,
  maybe,
  maybeNumber,
  maybeText,
  type Parsed,
  table,
  text,
} from "../core/schema.ts";

export interface EventOf<Input> {
  name: string;
  /** Our own time limit, well inside the client's: no lock is waited for beyond it. */
  deadlineMs: number;
  /** All handlers together are stopped here: a verdict that comes after the client's limit in hooks.json is ignored. */
  stoppedAfterMs?: number;
  /** Goes on after SIGTERM, until its work is done. */
  finishes?: true;
  parse: (payload: unknown) => Input;
}
// biome-ignore lint/suspicious/noExplicitAny: any event will do here
export type AnyEvent = EventOf<any>;
export type InputOf<E extends AnyEvent> = ReturnType<E["parse"]>;

const base = {
  session_id: text,
  transcript_path: text,
  cwd: text,
  permission_mode: maybeText,
  agent_id: maybeText,
  agent_type: maybeText,
};

// A pure call: each bundle keeps only the event it uses.
function event<F extends Fields>(
  name: string,
  deadlineMs: number,
  fields: () => F,
  limits: Pick<AnyEvent, "stoppedAfterMs" | "finishes"> = {},
): EventOf<Parsed<typeof base & F>> {
  const parse = lenientParserOf(() => ({ ...base, ...fields() }));
  return { name, deadlineMs, ...limits, parse: parse as (payload: unknown) => never }; // zod's types are too deep to compare
}

const tool = { tool_name: text, tool_input: table, tool_use_id: maybeText };
const member = { teammate_name: maybeText, team_name: maybeText };
const task = { task_id: text, task_subject: text };
const lastWords = { stop_hook_active: flag, last_assistant_message: maybeText };

export const SessionStart = /* @__PURE__ */ event("SessionStart", 4_000, () => ({
  source: text,
  model: maybeText,
}));
/** The client sends SIGTERM after 1.5 s and is itself gone 1.4 s later: a hook of a busy machine uses that time too. */
export const SessionEnd = /* @__PURE__ */ event("SessionEnd", 1_300, () => ({ reason: text }), {
  finishes: true,
});
export const UserPromptSubmit = /* @__PURE__ */ event("UserPromptSubmit", 3_000, () => ({ prompt: text }));
export const PreToolUse = /* @__PURE__ */ event("PreToolUse", 2_000, () => tool, { stoppedAfterMs: 30_000 });
export const PermissionRequest = /* @__PURE__ */ event("PermissionRequest", 2_000, () => tool);
export const PostToolUse = /* @__PURE__ */ event("PostToolUse", 3_000, () => ({
  ...tool,
  tool_response: anything,
  duration_ms: maybeNumber,
}));
export const PostToolUseFailure = /* @__PURE__ */ event("PostToolUseFailure", 3_000, () => ({
  ...tool,
  error: anything,
  is_interrupt: flag,
  duration_ms: maybeNumber,
}));
export const Notification = /* @__PURE__ */ event("Notification", 3_000, () => ({
  message: text,
  notification_type: text,
}));
export const SubagentStart = /* @__PURE__ */ event("SubagentStart", 3_000, () => ({}));
export const SubagentStop = /* @__PURE__ */ event("SubagentStop", 3_000, () => ({
  ...lastWords,
  agent_transcript_path: maybeText,
}));
export const Stop = /* @__PURE__ */ event("Stop", 3_000, () => ({
  ...lastWords,
  background_tasks: maybe(listOf(lenient({ status: maybeText }))),
}));
export const StopFailure = /* @__PURE__ */ event("StopFailure", 2_000, () => ({
  error: anything,
  last_assistant_message: maybeText,
}));
export const TeammateIdle = /* @__PURE__ */ event("TeammateIdle", 3_000, () => member);
export const TaskCreated = /* @__PURE__ */ event("TaskCreated", 3_000, () => ({ ...task, ...member }));
/** Long enough for the verify command, whose own limit is a setting. */
export const TaskCompleted = /* @__PURE__ */ event("TaskCompleted", 500_000, () => ({ ...task, ...member }));
export const PreCompact = /* @__PURE__ */ event("PreCompact", 3_000, () => ({ trigger: text }));
export const PostCompact = /* @__PURE__ */ event("PostCompact", 3_000, () => ({ trigger: text }));
export const ConfigChange = /* @__PURE__ */ event("ConfigChange", 2_000, () => ({
  source: text,
  file_path: maybeText,
}));
export const FileChanged = /* @__PURE__ */ event("FileChanged", 4_000, () => ({
  file_path: text,
  event: text,
}));
