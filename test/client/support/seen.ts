// What the model was shown since its last answer, as one text: prompts, reminders and tool results.
import type { Block, Body, Message } from "./script.ts";

export function seenText({ messages }: Body): string {
  const answered = messages.findLastIndex((message) => message.role === "assistant");
  return messages
    .slice(answered + 1)
    .map(messageText)
    .join("\n");
}

const messageText = ({ content }: Message) => contentText(content);

function contentText(content: string | Block[] = ""): string {
  if (typeof content === "string") return content;
  return content.map(blockText).join("\n");
}

function blockText(block: Block): string {
  if (block.type !== "tool_result") return block.text ?? "";
  return `<result${block.is_error ? " error" : ""}>${contentText(block.content)}</result>`;
}
