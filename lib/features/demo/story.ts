// The day: who does what, in order. A feature that lands adds its hour here.

export type Who = "lead" | "alice" | "bob";

export interface Step {
  who: Who;
  /** Printed above the step. */
  chapter?: string;
  /** The event whose script runs, with the part of the payload that matters … */
  hook?: string;
  input?: Record<string, unknown>;
  /** … or the words after `swarm`. */
  verb?: string[];
  exitCode?: number;
  /** Files put in place before, relative to the home. */
  files?: Record<string, string>;
}

const ATM_TOML = `[core]
default_team = "harbour"
identity = "team-lead"
welcome-message = "Read docs/project-plan.md before starting"
`;

export const STORY: Step[] = [
  {
    chapter: "Morning: sessions start and know themselves",
    who: "lead",
    files: { "project/.atm.toml": ATM_TOML },
    hook: "SessionStart",
    input: { source: "startup" },
  },
  { who: "alice", hook: "SessionStart", input: { source: "startup" } },
  { who: "bob", hook: "SessionStart", input: { source: "startup" } },
  { who: "alice", hook: "UserPromptSubmit", input: { prompt: "start with the parser" } },
  {
    who: "alice",
    hook: "PreToolUse",
    input: { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_1" },
  },
  {
    who: "alice",
    hook: "PostToolUse",
    input: { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_1" },
  },
  {
    who: "bob",
    hook: "Notification",
    input: { notification_type: "permission_prompt", message: "Bob asks" },
  },
  {
    chapter: "The gate: an orchestrator needs a name, and every decision can be explained",
    who: "lead",
    hook: "PreToolUse",
    input: { tool_name: "Agent", tool_input: { subagent_type: "scrum-master", prompt: "lead the sprint" } },
    exitCode: 2,
  },
  { who: "lead", verb: ["explain", "last"] },
  { chapter: "Who is here?", who: "lead", verb: ["session", "list"] },
  {
    chapter: "Shared work",
    who: "lead",
    verb: ["task", "create", "Write the parser", "--owner", "alice"],
  },
  { who: "lead", verb: ["task", "create", "Review it", "--owner", "bob", "--blocked-by", "1"] },
  { who: "alice", verb: ["task", "claim"] },
  { who: "bob", verb: ["task", "claim", "2"], exitCode: 1 },
  { who: "alice", verb: ["task", "done", "1"] },
  { who: "bob", verb: ["task", "claim"] },
  {
    chapter: "Evening",
    who: "alice",
    hook: "Stop",
    input: { last_assistant_message: "The parser is done." },
  },
  { who: "alice", hook: "SessionEnd", input: { reason: "prompt_input_exit" } },
  { who: "lead", hook: "SessionEnd", input: { reason: "prompt_input_exit" } },
  { who: "lead", verb: ["journal"] },
];
