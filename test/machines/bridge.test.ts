// The near end of the bridge, before a thread that cannot begin. With a server: server/in-process.test.ts.
import { MessagePort, Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { STALE_AFTER_MS } from "../../lib/core/lock.ts";
import { openBridge } from "../../lib/machines/bridge.ts";
import { aHome } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { until } from "../support/until.ts";

test("the error of a thread that cannot begin ends nobody else", async () => {
  const emit = vi.spyOn(Worker.prototype, "emit");
  onTestFinished(() => emit.mockRestore());
  const bridge = openBridge(aHome().root, aRelay("nats://127.0.0.1:1", "laptop"));
  onTestFinished(bridge.close);
  const error = () => emit.mock.calls.findIndex(([event]) => event === "error");
  await until(() => error() >= 0, { what: "the thread's error" });
  expect(emit.mock.calls[error()]?.[1]).toMatchObject({ code: "MODULE_NOT_FOUND" });
  expect(emit.mock.results[error()]).toEqual({ type: "return", value: true });
});

test("after a call without an answer there is no other: a late answer would be taken for the next one's", () => {
  const waits = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  onTestFinished(() => waits.mockRestore());
  const posted = vi.spyOn(MessagePort.prototype, "postMessage");
  onTestFinished(() => posted.mockRestore());
  const bridge = openBridge(aHome().root, aRelay("nats://127.0.0.1:1", "laptop"));
  onTestFinished(bridge.close);
  for (let asked = 0; asked < 2; asked++)
    expect(() => bridge.reserve()).toThrow("the relay did not answer within 20 s");
  const questions = posted.mock.calls.filter(([message]) => message?.call === "reserve"); // a thread's start is one too
  expect(questions).toHaveLength(1);
});

test("of locks that are held within each other each is renewed", () => {
  const waits = vi.spyOn(Atomics, "wait").mockReturnValueOnce("timed-out").mockReturnValue("not-equal");
  onTestFinished(() => waits.mockRestore());
  const bridge = openBridge(aHome().root, aRelay("nats://127.0.0.1:1", "laptop"));
  onTestFinished(bridge.close);
  const renewed: string[] = [];
  const renew = (name: string) => () => void renewed.push(name);
  const ask = () => expect(() => bridge.read()).toThrow("did not answer");
  bridge.meanwhile(renew("list"), () => bridge.meanwhile(renew("task"), ask));
  expect(renewed).toEqual(["list", "task"]);
});

test("while an answer is awaited what is held is renewed, and whose lock was lost asks no more", () => {
  const waits = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  onTestFinished(() => waits.mockRestore());
  const bridge = openBridge(aHome().root, aRelay("nats://127.0.0.1:1", "laptop"));
  onTestFinished(bridge.close);
  const renewed: number[] = [];
  const lost = () => {
    renewed.push(waits.mock.calls.reduce((sum, [, , , ms = 0]) => sum + ms, 0));
    if (renewed.length === 3) throw new Error("the lock was lost");
  };
  expect(() => bridge.meanwhile(lost, () => bridge.reserve())).toThrow("the lock was lost");
  const gaps = renewed.map((at, n) => at - (renewed[n - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(STALE_AFTER_MS / 2);
  expect(() => bridge.reserve()).toThrow("the relay did not answer"); // its answer may still come
  expect(renewed).toHaveLength(3);
});
