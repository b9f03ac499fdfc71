// A relay whose servers answer too late.
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../lib/machines/connection.ts";
import { aRelay } from "../support/a-relay.ts";

test("a connection that comes about too late is closed", async () => {
  const open = new Set<Socket>();
  const listen = async (greet: (socket: Socket) => void) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      greet(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `nats://127.0.0.1:${(server.address() as { port: number }).port}`;
  };
  const silent = await Promise.all(Array.from({ length: 9 }, () => listen(() => {})));
  let came = 0;
  const answering = await listen((socket) => {
    came++;
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.write(
      `INFO ${JSON.stringify({ server_id: "x", version: "2.10.0", max_payload: 1_000, proto: 1, headers: true })}\r\n`,
    );
    socket.on("data", (data) => data.includes("PING") && socket.write("PONG\r\n"));
  });
  // They are tried in no particular order: until the one that answers comes after the limit.
  for (let isLate = false; !isLate; ) {
    const before = came;
    isLate = await connect(aRelay([...silent, answering].join(","), "laptop"), 100).then(
      (nc) => nc.close().then(() => false),
      () => true,
    );
    while (came === before) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const end = Date.now() + 2_000; open.size > 0 && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(open.size).toBe(0);
});
