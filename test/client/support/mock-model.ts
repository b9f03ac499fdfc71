// The Messages API on loopback: answers by script, and remembers every request it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { sendError, sendJson, sendStep } from "./reply.ts";
import { type Body, type Cue, type Cues, cueFor, type Scripts } from "./script.ts";

/** `agent` is the client's own header: empty for a main session and for a teammate in a pane. */
type Request = Cue & { session: string; agent: string; body: Body };

export type MockModel = { url: string; requests: Request[]; close: () => void };

export async function startMockModel(scripts: Scripts, cues: Cues = []): Promise<MockModel> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    answer(request, response, requests, (body) => cueFor(body, scripts, cues)).catch((error) => {
      if (request.complete) throw error; // else a client that ended in the middle of its question
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  log: Request[],
  choose: (body: Body) => Cue,
) {
  const { pathname } = new URL(request.url ?? "/", "http://loopback");
  const text = await textOf(request);
  if (pathname === "/v1/messages/count_tokens") return sendJson(response, 200, { input_tokens: 1000 });
  if (pathname === "/") return response.writeHead(200).end();
  if (pathname !== "/v1/messages")
    return sendError(response, 404, "not_found_error", "the mock has no such page");

  const body: Body = JSON.parse(text);
  const cue = choose(body);
  const id = log.push({ ...cue, ...senderOf(request), body });
  const { delayMs, error } = cue.line;
  if (delayMs) await pause(delayMs);
  if (error) return sendError(response, error.status, error.type, error.message);
  sendStep(response, cue.line, { id, model: body.model, stream: !!body.stream });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const senderOf = ({ headers }: IncomingMessage) => ({
  session: String(headers["x-claude-code-session-id"] ?? ""),
  agent: String(headers["x-claude-code-agent-id"] ?? ""),
});
