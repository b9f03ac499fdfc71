// The other end of the bridge, in a thread: one connection, one call after the other.
import { type MessagePort, workerData } from "node:worker_threads";
import type { Task } from "../tasks/store.ts";
import type { Question, Reply } from "./bridge.ts";
import { type Engine, openEngine, readAll } from "./engine.ts";
import { commitTask, reserveTask, takeLead } from "./operations.ts";
import type { Relay } from "./store/relay.ts";
import type { Lead } from "./wire.ts";

interface Given {
  port: MessagePort;
  signal: Int32Array;
  relay: Relay;
}

export function serveBridge(): void {
  const { port, signal, relay } = workerData as Given;
  let engine: Promise<Engine> | undefined;
  const reply = async ({ call, given }: Question): Promise<Reply> => {
    try {
      engine ??= openEngine(relay);
      return { value: await answer(await engine, call, given) };
    } catch (error) {
      engine = undefined;
      return { error: (error as Error).message };
    }
  };
  port.on("message", async (question: Question) => {
    port.postMessage(await reply(question));
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
}

async function answer(engine: Engine, call: Question["call"], given: unknown[]): Promise<unknown> {
  if (call === "reserve") return reserveTask(engine);
  if (call === "commit") return commitTask(engine, ...(given as [string, Task | null, Task | null]));
  if (call === "lead") return takeLead(engine, ...(given as [Lead, number]));
  const { changes } = await readAll(engine);
  return { changes, clockMs: engine.clockMs };
}
