// A cable between a machine and the relay that can be cut, blocked or slowed, and counts what passes.
import { connect, createServer, type Socket } from "node:net";

export interface Cable {
  port: number;
  /** Both ways, in bytes. */
  bytes: () => number;
  /** `cut` closes what is open and refuses; `blocked` lets nothing pass and closes nothing. */
  set: (state: "whole" | "cut" | "blocked") => void;
  close: () => void;
}

export async function aCable(to: () => number, delayMs = 0): Promise<Cable> {
  let state: "whole" | "cut" | "blocked" = "whole";
  let bytes = 0;
  const open = new Set<Socket>();
  const pass = (from: Socket, into: Socket) => {
    from.on("data", (chunk) => {
      if (state === "blocked") return;
      bytes += chunk.length;
      if (delayMs > 0) setTimeout(() => into.writable && into.write(chunk), delayMs);
      else into.write(chunk);
    });
    from.on("error", () => into.destroy());
    from.on("close", () => {
      open.delete(from);
      into.destroy();
    });
  };
  const server = createServer((near) => {
    if (state === "cut") return near.destroy();
    const far = connect(to(), "127.0.0.1");
    open.add(near).add(far);
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const destroyAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    bytes: () => bytes,
    set: (next) => {
      // What was blocked is lost in the middle of a stream: no connection can go on from there.
      if (next === "cut" || state === "blocked") destroyAll();
      state = next;
    },
    close: () => {
      destroyAll();
      server.close();
    },
  };
}
