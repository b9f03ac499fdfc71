// The other end of the bridge, in a thread: one connection, one call after the other.
import { type MessagePort, workerData } from "node:worker_threads";
import type { Task } from "../tasks/store.ts";
import type { Question, Reply } from "./bridge.ts";
import { closeEngine, type Engine, openEngine, readTeamState } from "./engine.ts";
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
  const ask = async ({ call, given }: Question) => {
    engine ??= openEngine(relay);
    return answer(await engine, call, given);
  };
  /** Once more over a new connection: what was stored although its answer was lost is recognised. */
  const reply = async (question: Question, isAgain = false): Promise<Reply> => {
    try {
      return { value: await ask(question) };
    } catch (error) {
      const open = await engine?.catch(() => undefined);
      engine = undefined;
      if (isAgain || !open) return { error: (error as Error).message };
      await closeEngine(open);
      return reply(question, true);
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
  const { changes } = await readTeamState(engine);
  return { changes, clockMs: engine.clockMs };
}
