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
/** Well within the time after which a lock counts as abandoned. */
const RENEW_MS = 2_000;

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
  /** `renew` is called again and again while a call within `work` waits: this thread sleeps, and no timer of its runs. */
  meanwhile: <T>(renew: () => void, work: () => T) => T;
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
  let renewHeld = () => {};
  const awaitAnswer = () => {
    for (let waited = 0; waited < ANSWER_MS; waited += RENEW_MS) {
      if (Atomics.wait(signal, 0, 0, RENEW_MS) !== "timed-out") return;
      renewHeld();
    }
  };
  let isOpen = false;
  const ask = <T>(call: keyof Calls, ...given: unknown[]): T => {
    if (isOpen) throw noAnswer(); // what comes now is the answer to an earlier call
    isOpen = true;
    Atomics.store(signal, 0, 0);
    port1.postMessage({ call, given } satisfies Question);
    awaitAnswer();
    const reply = receiveMessageOnPort(port1)?.message as Reply | undefined;
    if (!reply) throw noAnswer();
    isOpen = false;
    if ("error" in reply) throw new Error(reply.error);
    return reply.value as T;
  };
  return {
    read: () => ask("read"),
    reserve: () => ask("reserve"),
    commit: (id, before, after) => ask("commit", id, before, after),
    lead: (lead, token) => ask("lead", lead, token),
    meanwhile: (renew, work) => {
      const renewOthers = renewHeld;
      renewHeld = () => {
        renewOthers();
        renew();
      };
      try {
        return work();
      } finally {
        renewHeld = renewOthers;
      }
    },
    close: () => {
      port1.close();
      void worker.terminate();
    },
  };
}
