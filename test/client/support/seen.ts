// What a request showed the model, as one text: prompts, reminders and tool results.
import type { Block, Body, Message } from "./script.ts";

/** Only what is new since the model's last answer. */
export function newsOf({ messages }: Body): string {
  const answered = messages.findLastIndex((message) => message.role === "assistant");
  return textOf(messages.slice(answered + 1));
}

export const textOf = (messages: Message[]) => messages.map(({ content }) => contentText(content)).join("\n");

function contentText(content: string | Block[] = ""): string {
  if (typeof content === "string") return content;
  return content.map(blockText).join("\n");
}

function blockText(block: Block): string {
  if (block.type !== "tool_result") return block.text ?? "";
  return `<result${block.is_error ? " error" : ""}>${contentText(block.content)}</result>`;
}
