// Calls to the relay that wait for their answer. Task stores are synchronous and the relay's client is not: it runs in a thread, from
// its own bundle, and this thread sleeps until it has answered.
import { join } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { Task } from "../tasks/store.ts";
import type { Change } from "./clock.ts";
import type { Relay } from "./store/relay.ts";
import type { Lead } from "./wire.ts";

/** Longer than everything a call may take on the other side. */
const ANSWER_MS = 20_000;

interface Calls {
  read: () => { changes: Change[]; clockMs: number };
  reserve: () => number;
  commit: (id: string, before: Task | null, after: Task | null) => { present: Task | null } | undefined;
  lead: (lead: Lead, token: number) => number | undefined;
}

export interface Question {
  call: keyof Calls;
  given: unknown[];
}

export type Reply = { value: unknown } | { error: string };

export interface Bridge extends Calls {
  close: () => void;
}

/** Opens no connection yet: the first call does. */
export function openBridge(ownRoot: string, relay: Relay): Bridge {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const part = join(ownRoot, "dist", "lazy", "machines-relay.cjs");
  const worker = new Worker(`require(${JSON.stringify(part)}).serveBridge()`, {
    eval: true,
    workerData: { port: port2, signal, relay },
    transferList: [port2],
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.on("error", () => {}); // seen as an answer that does not come
  worker.unref();
  const noAnswer = () => new Error(`the relay did not answer within ${ANSWER_MS / 1000} s`);
  let isLate = false;
  const ask = <T>(call: keyof Calls, ...given: unknown[]): T => {
    if (isLate) throw noAnswer(); // what comes now is the answer to an earlier call
    Atomics.store(signal, 0, 0);
    port1.postMessage({ call, given } satisfies Question);
    Atomics.wait(signal, 0, 0, ANSWER_MS);
    const reply = receiveMessageOnPort(port1)?.message as Reply | undefined;
    isLate = reply === undefined;
    if (!reply) throw noAnswer();
    if ("error" in reply) throw new Error(reply.error);
    return reply.value as T;
  };
  return {
    read: () => ask("read"),
    reserve: () => ask("reserve"),
    commit: (id, before, after) => ask("commit", id, before, after),
    lead: (lead, token) => ask("lead", lead, token),
    close: () => {
      port1.close();
      void worker.terminate();
    },
  };
}
