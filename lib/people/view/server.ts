// The server of the live view: on loopback alone, with a random token in its address, for as long as its terminal lives.

import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { isTable } from "../../core/json.ts";
import { withPlainTexts } from "../../core/text.ts";
import { type Feed, MOST_BROWSERS } from "./feed.ts";
import { livePage, POLICY } from "./page.ts";

export interface Given {
  port: number;
  title: string;
  /** How far back the page looks, in words. */
  since: string;
  feed: Feed;
  /** Somebody came: there is a reason to look again. */
  came: () => void;
  /** Throws with a reason where it cannot be sent. */
  send: (team: string, to: string, text: string) => string;
  /** One agent of the table, or all of it. */
  pause: (agent: string | undefined) => string;
  unpause: (agent: string | undefined) => string;
}

export interface Running {
  url: string;
  end: () => Promise<void>;
}

export function startServer(given: Given): Promise<Running> {
  const keys: Keys = { port: 0, token: secret(), csrf: secret() };
  const server = createServer((request, response) => {
    answer(request, response, given, keys).catch(() => fail(response, 500, "it broke"));
  });
  server.maxHeadersCount = 100;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(given.port, "127.0.0.1", () => {
      keys.port = (server.address() as AddressInfo).port;
      resolve({ url: `http://127.0.0.1:${keys.port}/${keys.token}/`, end: () => close(server) });
    });
  });
}

const secret = () => randomBytes(24).toString("base64url");

const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  given: Given,
  keys: Keys,
): Promise<void> {
  const { method = "GET", url = "/", headers } = request;
  const path = admitted({ method, url, headers }, keys);
  if (typeof path !== "string") return fail(response, path.status, path.why);
  if (method === "POST") return change(path, request, response, given);
  if (path === "") return page(response, given, keys);
  if (path === "events" && method === "GET") return events(response, given);
  fail(response, 404, "not found");
}

function page(response: ServerResponse, { title, since }: Given, { csrf }: Keys): void {
  response.writeHead(200, {
    ...HEADERS,
    "content-security-policy": POLICY,
    "content-type": "text/html; charset=utf-8",
  });
  response.end(livePage(title, csrf, since));
}

function events(response: ServerResponse, { feed, came }: Given): void {
  if (feed.browsers() >= MOST_BROWSERS) {
    fail(response, 503, "too many windows are open");
    return;
  }
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" });
  response.write("retry: 2000\n\n");
  came();
  feed.add(response);
}

/** What the page can change. Throws with a reason for the person. */
const CHANGES = new Map<string, (given: Given, body: Record<string, unknown>) => string>([
  [
    "send",
    ({ send }, { team, to, text }) => {
      if (![team, to, text].every((one) => typeof one === "string" && one !== ""))
        throw new Error("team, to and text are needed");
      return send(String(team), String(to), String(text));
    },
  ],
  ["pause", ({ pause }, body) => pause(agentIn(body))],
  ["unpause", ({ unpause }, body) => unpause(agentIn(body))],
]);

/** All of them only where the page says so. */
function agentIn({ agent, all }: Record<string, unknown>): string | undefined {
  if (all === true) return undefined;
  if (typeof agent !== "string" || agent === "") throw new Error("agent is a name, or all is true");
  return agent;
}

async function change(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  given: Given,
): Promise<void> {
  const work = CHANGES.get(path);
  if (!work) return fail(response, 404, "not found");
  const body = await bodyOf(request);
  if (body === undefined) return fail(response, 413, "too long");
  try {
    json(response, 200, { text: work(given, tableIn(body)) });
  } catch (error) {
    json(response, 400, { error: (error as Error).message });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LONGEST_BODY) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function tableIn(body: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(body);
    return isTable(given) ? given : {};
  } catch {
    throw new Error("this is no JSON");
  }
}

const fail = (response: ServerResponse, status: number, error: string): void =>
  json(response, status, { error });

function json(response: ServerResponse, status: number, value: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    ...HEADERS,
    "content-type": "application/json; charset=utf-8",
    connection: "close",
  });
  response.end(JSON.stringify(value, withPlainTexts));
}

// Who may talk to the live view: a browser on this machine that has the address from the terminal. A page of another site has no
// token, and a name that points here (DNS rebinding) is not ours. Pure.
interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

interface Keys {
  port: number;
  /** In the address. */
  token: string;
  /** In the page, sent back with what changes something. */
  csrf: string;
}

interface Refusal {
  status: number;
  why: string;
}

const HOSTS = ["127.0.0.1", "localhost"];
/** The longest text of the page's field, each sign of it as the six bytes that JSON may need, and whom it is for. */
const LONGEST_BODY = 700_000;

const isSame = (a: string, b: string): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** The part of the address behind the token; a refusal says no more than it must. */
function admitted({ method, url, headers }: Asked, keys: Keys): string | Refusal {
  const host = headers.host ?? "";
  if (!HOSTS.some((name) => host === `${name}:${keys.port}`))
    return { status: 421, why: "this is not your host" };
  const own = `http://${host}`;
  if (headers.origin !== undefined && headers.origin !== own) return { status: 403, why: "another origin" };
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return { status: 403, why: "another site" };
  const [, token = "", ...rest] = url.split("?")[0]?.split("/") ?? [];
  if (!isSame(token, keys.token)) return { status: 404, why: "not found" };
  const path = rest.join("/");
  if (method === "GET" || method === "HEAD") return path;
  if (method !== "POST") return { status: 405, why: "no such method" };
  return refusedChange(headers, keys, own) ?? path;
}

function refusedChange(headers: IncomingHttpHeaders, { csrf }: Keys, own: string): Refusal | undefined {
  if (headers.origin !== own) return { status: 403, why: "no origin" };
  if (!isSame(String(headers["x-csrf-token"] ?? ""), csrf)) return { status: 403, why: "not from the page" };
  if (!/^application\/json\b/.test(headers["content-type"] ?? "")) return { status: 415, why: "JSON only" };
  return undefined;
}

const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
