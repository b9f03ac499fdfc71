// Tool calls for scripts.
import type { ToolCall } from "./script.ts";

export const bash = (command: string, description = "a test"): ToolCall => ({
  name: "Bash",
  input: { command, description },
});

export const agent = (input: { prompt: string } & Record<string, unknown>): ToolCall => ({
  name: "Agent",
  input: { description: "a test", subagent_type: "general-purpose", ...input },
});

export const sendMessage = (to: string, message: string): ToolCall => ({
  name: "SendMessage",
  input: { to, message, summary: "a test" },
});
