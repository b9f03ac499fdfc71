// A step of a script as the Messages API would send it: one JSON message, or the same as server-sent events.
import type { ServerResponse } from "node:http";
import type { Step, ToolCall } from "./script.ts";

type Content = { type: "text"; text: string } | ({ type: "tool_use"; id: string } & ToolCall);

const USAGE = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export function sendJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, status: number, type: string, message: string) {
  sendJson(response, status, { type: "error", error: { type, message } });
}

export function sendStep(
  response: ServerResponse,
  step: Step,
  request: { id: number; model: string; stream: boolean },
) {
  const content = contentOf(step, request.id);
  const stop_reason = step.tools?.length ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${request.id}`,
    type: "message",
    role: "assistant",
    model: request.model,
    stop_sequence: null,
    usage: { ...USAGE, ...step.usage },
  };
  if (!request.stream) return sendJson(response, 200, { ...message, content, stop_reason });

  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  content.forEach((block, index) => {
    send("content_block_start", { index, content_block: opening(block) });
    send("content_block_delta", { index, delta: delta(block) });
    send("content_block_stop", { index });
  });
  const { output_tokens } = message.usage;
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } });
  send("message_stop", {});
  response.end();
}

function contentOf({ text, tools = [] }: Step, id: number): Content[] {
  const words: Content[] = text || !tools.length ? [{ type: "text", text: text || "ok" }] : [];
  return [
    ...words,
    ...tools.map((tool, at) => ({ type: "tool_use" as const, id: `toolu_${id}_${at}`, ...tool })),
  ];
}

const opening = (block: Content) =>
  block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };

const delta = (block: Content) =>
  block.type === "text"
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
