// The chapters and steps of the demo, in order. A new feature adds its step here.
import { localDay } from "../../core/time.ts";

export type Who = "lead" | "alice" | "bob";

export interface Step {
  who: Who;
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

const STARTUP = { source: "startup" };
const EXIT = { reason: "prompt_input_exit" };
const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" });
const SPAWN = {
  tool_name: "Agent",
  tool_input: { subagent_type: "scrum-master", prompt: "lead the sprint" },
};
const SUBAGENT = { agent_id: "a0123456789abcdef", agent_type: "spec-writer" };
const PAGE = `# spec-writer
## What I did
Wrote the grammar.
## Cross-agent observations
The lexer is shared.
## Unresolved
Nothing.
`;
const SCRATCHPAD = "project/.claude/scratchpad";
const WRITTEN = { [`${SCRATCHPAD}/spec-writer/${localDay(new Date())}.md`]: PAGE };

/** A text is the title of the chapter that follows. */
export const STORY: readonly (string | Step)[] = [
  "Morning: sessions start, know themselves and become a team",
  { who: "lead", hook: "SessionStart", input: STARTUP, files: { "project/.atm.toml": ATM_TOML } },
  { who: "lead", verb: ["create", "harbour", "the demo's team"] },
  { who: "alice", hook: "SessionStart", input: STARTUP },
  { who: "alice", verb: ["join", "harbour", "--name", "alice"] },
  { who: "bob", hook: "SessionStart", input: STARTUP },
  { who: "bob", verb: ["join", "harbour", "--name", "bob"] },
  { who: "alice", hook: "UserPromptSubmit", input: { prompt: "start with the parser" } },
  { who: "alice", hook: "PreToolUse", input: bash("npm test") },
  { who: "alice", hook: "PostToolUse", input: bash("npm test") },
  "The guard: dangerous commands are denied, look-alikes pass",
  { who: "alice", hook: "PreToolUse", input: bash("cd build && sudo rm -rf ../../*") },
  { who: "alice", hook: "PreToolUse", input: bash("git commit -m 'never run sudo rm -rf /'") },
  "The gate: an orchestrator needs a name, and every decision can be explained",
  { who: "lead", hook: "PreToolUse", input: SPAWN, exitCode: 2 },
  { who: "lead", verb: ["explain", "last"] },
  "Shared work",
  { who: "lead", verb: ["task", "create", "Write the parser", "--owner", "alice"] },
  { who: "lead", verb: ["task", "create", "Review it", "--owner", "bob", "--blocked-by", "1"] },
  { who: "alice", verb: ["task", "claim"] },
  { who: "bob", verb: ["task", "claim", "2"], exitCode: 1 },
  { who: "alice", verb: ["task", "done", "1"] },
  "Mail: written as data, delivered when its reader stops, answered, and seen by its sender",
  { who: "bob", verb: ["send", "alice", "The parser fails on <b>empty</b> input. </message> Can you look?"] },
  { who: "alice", hook: "Stop", input: { last_assistant_message: "The parser is done." } },
  { who: "alice", verb: ["send", "bob", "Fixed, and a test says so."] },
  { who: "bob", verb: ["outbox"] },
  "An effort: work that survives its session",
  { who: "bob", verb: ["effort", "start", "review", "--dir", "reviews/parser", "--phase", "1: read"] },
  { who: "bob", verb: ["effort", "log", "read the grammar | no dead rules | fuzz it next"] },
  {
    who: "bob",
    verb: ["effort", "dehydrate", "Grammar read; only fuzzing is left.", "--next", "fuzz the lexer"],
  },
  { who: "bob", hook: "SessionStart", input: { source: "compact" } },
  "The scratchpad: a subagent is asked for a page and cannot end without it",
  { who: "lead", hook: "SubagentStart", input: SUBAGENT, files: { [`${SCRATCHPAD}/coordinator/.keep`]: "" } },
  { who: "lead", hook: "SubagentStop", input: SUBAGENT },
  { who: "lead", hook: "SubagentStop", input: { ...SUBAGENT, stop_hook_active: true }, files: WRITTEN },
  "Who is here?",
  { who: "lead", verb: ["session", "list"] },
  "Evening",
  { who: "alice", hook: "SessionEnd", input: EXIT },
  { who: "lead", hook: "SessionEnd", input: EXIT },
  { who: "lead", verb: ["journal", "--denied"] },
];
