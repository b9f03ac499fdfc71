// The prompts of a teammate: in its system prompt, when it starts, when it is resumed.
import { asWord, escapeLine } from "../core/text.ts";
import { statusOf, type Task } from "../tasks/store.ts";
import type { Launch } from "./client.ts";

type Teammate = Pick<Launch, "team" | "name" | "agentType" | "lead">;

/** Short, since every request pays for it. */
export const systemPrompt = ({ team, name, agentType, lead }: Teammate): string =>
  [
    `You are ${name}${agentType ? ` (${agentType})` : ""}, a teammate in the team ${team}; its lead is ${escapeLine(lead)}.`,
    "You work in a session of your own. Nobody reads your screen: report by mail.",
    `\`swarm send ${escapeLine(asWord(lead))} "…"\` writes to the lead (--routine: it need not act now), \`swarm send <name> "…"\` to a teammate, \`swarm inbox\` shows your mail.`,
    "`swarm task list` shows the work, `swarm task claim <id>` takes it, `swarm task done <id>` finishes it.",
    "The skill swarm-teammate has the rest.",
  ].join(" ");

export const defaultPrompt = ({ team, name, lead }: Teammate): string =>
  `You are ${name} in the team ${team}. Look at your mail (\`swarm inbox\`) and at your tasks (\`swarm task list\`), ` +
  `and begin with what is yours. If nothing is, tell ${escapeLine(lead)} that you are ready.`;

/** A command line has little room: 16 KB in tmux, 128 KB per argument on Linux. */
const LONGEST_PROMPT_BYTES = 4_000;

export const isLong = (prompt: string): boolean => Buffer.byteLength(prompt) > LONGEST_PROMPT_BYTES;

export const filePrompt = (path: string, prompt: string): string =>
  `Your first instructions are in the file ${path} (${Buffer.byteLength(prompt)} bytes). ` +
  "Read all of it, in parts if it is long, and then do what it says.";

export function resumePrompt(
  { team, name, lead }: Teammate,
  { tasks, unread }: { tasks: Task[]; unread: number },
): string {
  const work = tasks.map(
    (task) => `- Task #${task.id} [${escapeLine(statusOf(task))}]: ${escapeLine(task.subject)}`,
  );
  return [
    `The team ${team} goes on, and you are ${name} again.`,
    work.length > 0 ? `Your tasks:\n${work.join("\n")}` : "You have no open task.",
    unread > 0 ? `Unread messages: ${unread} (\`swarm inbox\` shows them).` : "No unread messages.",
    work.length > 0
      ? "Look at what you had begun, and go on with it."
      : `Tell ${escapeLine(lead)} that you are back.`,
  ].join("\n");
}
