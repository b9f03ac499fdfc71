// An HTTP server on loopback that keeps what it got, and the settings that make it a target of calls.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Home } from "../support/a-home.ts";

export interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A status; nothing where it never answers. */
type Answering = (path: string) => number | undefined | Promise<number>;

export async function aServer(answering: Answering = () => 200) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      got.push({ path: request.url ?? "", headers: request.headers, body });
      const status = await answering(request.url ?? "");
      if (status !== undefined)
        response.writeHead(status, status === 302 ? { location: "/other" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

export async function aClosedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

export const notifySettings = (home: Home, lines: readonly string[]) =>
  home.write(".claude/swarm/settings.toml", `[notify]\n${lines.join("\n")}\n`);
