// Locks of the processes beside the sessions.
import { mkdirSync, statSync, utimesSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { STALE_AFTER_MS } from "../../lib/core/lock.ts";
import { takeLongLock } from "../../lib/system/long-lock.ts";
import { aHome } from "../support/a-home.ts";

const take = (path: string) => takeLongLock(path, () => {});

test("is one process's until it gives it back", async () => {
  const path = aHome().path("courier");
  const release = await take(path);
  expect(release).toBeDefined();
  expect(await take(path)).toBeUndefined();
  await release?.();
  const again = await take(path);
  onTestFinished(async () => again?.());
  expect(again).toBeDefined();
});

test("where none can be made is an error, not another's lock", async () => {
  await expect(take(aHome().path("nowhere/courier"))).rejects.toThrow("ENOENT");
});

test("made before the clock was set back: it counts from now, and only that one is touched", async () => {
  const home = aHome();
  const [future, fresh] = ["future", "fresh"].map((name) => home.path(name)) as [string, string];
  for (const path of [future, fresh]) mkdirSync(`${path}.lock`);
  const [inAnHour, soon] = [3_600_000, STALE_AFTER_MS / 2].map((ms) => new Date(Date.now() + ms)) as [
    Date,
    Date,
  ];
  utimesSync(`${future}.lock`, inAnHour, inAnHour);
  utimesSync(`${fresh}.lock`, soon, soon);
  for (const path of [future, fresh]) expect(await take(path)).toBeUndefined();
  expect(Math.abs(statSync(`${future}.lock`).mtimeMs - Date.now())).toBeLessThan(60_000);
  expect(statSync(`${fresh}.lock`).mtime).toEqual(soon);
});
