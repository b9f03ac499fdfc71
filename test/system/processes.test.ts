import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { lifeOf, ownSpace, startOf } from "../../lib/system/processes.ts";

const [namespace = "", boot = "", ...host] = ownSpace().split(".");
const ticks = startOf(process.pid)?.split("@")[0] ?? "";
const NOBODY = 4_190_000;

test.skipIf(!ownSpace()).each([
  ["this process", process.pid, startOf(process.pid), "alive"],
  ["a number that is used again", process.pid, `1@${ownSpace()}`, "gone"],
  ["no such number", NOBODY, `${ticks}@${ownSpace()}`, "gone"],
  [
    "no such number, in another container",
    NOBODY,
    `${ticks}@9${namespace}.${boot}.${host.join(".")}`,
    "unknown",
  ],
  ["the same number in another container", process.pid, `${ticks}@9${namespace}.${boot}.other`, "unknown"],
  ["another machine that shares the home", NOBODY, `${ticks}@${namespace}.00000000.other`, "unknown"],
  [
    "before this machine's last start",
    process.pid,
    `${ticks}@${namespace}.00000000.${host.join(".")}`,
    "gone",
  ],
  ["a record without a place", process.pid, ticks, "alive"],
  ["a pid alone", process.pid, undefined, "unknown"],
] as const)("%s", (_, pid, startedAt, life) => expect(lifeOf({ pid, startedAt })).toBe(life));

test("a process that has ended is gone", async () => {
  const child = spawn("sleep", ["60"]);
  const known = { pid: child.pid, startedAt: startOf(child.pid ?? 0) };
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(lifeOf(known)).toBe("gone");
});
