// Every event's name and input. Lenient on purpose: the client adds keys between versions, and a person
// may pipe in only the part that matters, so a missing field takes its default and only a wrong type is an error.
import * as z from "zod/mini";

export interface EventOf<Shape extends z.core.$ZodLooseShape> {
  name: string;
  /** Our own time limit, well inside the client's. */
  deadlineMs: number;
  schema: () => z.ZodMiniObject<Shape, z.core.$loose>;
}
// biome-ignore lint/suspicious/noExplicitAny: any event will do here
export type AnyEvent = EventOf<any>;
export type InputOf<E extends AnyEvent> = z.output<ReturnType<E["schema"]>>;

const text = () => z._default(z.string(), "");
const maybe = () => z.optional(z.string());
const flag = () => z._default(z.boolean(), false);
const anything = () => z._default(z.record(z.string(), z.unknown()), {});

const base = () => ({
  session_id: text(),
  transcript_path: text(),
  cwd: text(),
  permission_mode: maybe(),
  agent_id: maybe(),
  agent_type: maybe(),
});
type Base = ReturnType<typeof base>;

// A thunk and a pure call: each bundle keeps only the event it uses.
function event<Shape extends z.core.$ZodLooseShape>(
  name: string,
  deadlineMs: number,
  shape: () => Shape,
): EventOf<Base & Shape> {
  return { name, deadlineMs, schema: () => z.looseObject({ ...base(), ...shape() }) };
}

const tool = () => ({ tool_name: text(), tool_input: anything(), tool_use_id: maybe() });
const member = () => ({ teammate_name: maybe(), team_name: maybe() });
const task = () => ({ task_id: text(), task_subject: text(), task_description: maybe(), ...member() });
const lastWords = () => ({ stop_hook_active: flag(), last_assistant_message: maybe() });

const background = () =>
  z.optional(z.array(z.looseObject({ id: maybe(), type: maybe(), status: maybe(), agent_type: maybe() })));

export const SessionStart = /* @__PURE__ */ event("SessionStart", 4_000, () => ({
  source: text(),
  model: maybe(),
  context_tokens: z.optional(z.number()),
}));
export const SessionEnd = /* @__PURE__ */ event("SessionEnd", 900, () => ({ reason: text() }));
export const UserPromptSubmit = /* @__PURE__ */ event("UserPromptSubmit", 3_000, () => ({ prompt: text() }));
export const PreToolUse = /* @__PURE__ */ event("PreToolUse", 2_000, tool);
export const PermissionRequest = /* @__PURE__ */ event("PermissionRequest", 2_000, tool);
export const PostToolUse = /* @__PURE__ */ event("PostToolUse", 3_000, () => ({
  ...tool(),
  tool_response: z.optional(z.unknown()),
  duration_ms: z.optional(z.number()),
}));
export const PostToolUseFailure = /* @__PURE__ */ event("PostToolUseFailure", 3_000, () => ({
  ...tool(),
  error: z.optional(z.unknown()),
  is_interrupt: flag(),
}));
export const Notification = /* @__PURE__ */ event("Notification", 3_000, () => ({
  message: text(),
  notification_type: text(),
}));
export const SubagentStart = /* @__PURE__ */ event("SubagentStart", 3_000, () => ({}));
export const SubagentStop = /* @__PURE__ */ event("SubagentStop", 3_000, () => ({
  ...lastWords(),
  agent_transcript_path: maybe(),
}));
export const Stop = /* @__PURE__ */ event("Stop", 3_000, () => ({
  ...lastWords(),
  background_tasks: background(),
}));
export const StopFailure = /* @__PURE__ */ event("StopFailure", 2_000, () => ({
  error: z.optional(z.unknown()),
  last_assistant_message: maybe(),
}));
export const TeammateIdle = /* @__PURE__ */ event("TeammateIdle", 3_000, member);
export const TaskCreated = /* @__PURE__ */ event("TaskCreated", 3_000, task);
/** Long enough for the verify command, whose own limit is a setting. */
export const TaskCompleted = /* @__PURE__ */ event("TaskCompleted", 500_000, task);
export const PreCompact = /* @__PURE__ */ event("PreCompact", 3_000, () => ({
  trigger: text(),
  custom_instructions: z.optional(z.nullable(z.string())),
}));
export const PostCompact = /* @__PURE__ */ event("PostCompact", 3_000, () => ({
  trigger: text(),
  compact_summary: maybe(),
}));
export const ConfigChange = /* @__PURE__ */ event("ConfigChange", 2_000, () => ({
  source: text(),
  file_path: maybe(),
}));
export const FileChanged = /* @__PURE__ */ event("FileChanged", 4_000, () => ({
  file_path: text(),
  event: text(),
}));
