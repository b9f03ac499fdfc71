import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import {
  argvOf,
  descendsFrom,
  endGroup,
  lifeOf,
  ownSpace,
  readProcess,
  readProcesses,
  removeProcess,
  signal,
  startOf,
  writeProcess,
} from "../../lib/system/processes.ts";
import { aHome } from "../support/a-home.ts";
import { failing } from "../support/file-calls.ts";

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

/** Nothing is really ended. */
function killed(): unknown[][] {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  return kill.mock.calls;
}

test.each([
  ["none", undefined, "1"],
  ["the first of the system", 1, startOf(1)],
  ["our own", process.pid, startOf(process.pid)],
  ["one that is another by now", process.ppid, "1"],
  ["one whose start is not known", process.ppid, undefined],
  ["one that never was, whose start is not known", NOBODY, undefined],
])("no process is ended: %s", (_, pid, startedAt) => {
  const calls = killed();
  expect(signal({ pid, startedAt }, "SIGTERM")).toBe(false);
  expect(calls.filter(([, name]) => name !== 0)).toEqual([]);
});

test.skipIf(!ownSpace())("the process that is meant is ended", async () => {
  const child = spawn("sleep", ["60"]);
  const known = { pid: child.pid, startedAt: startOf(child.pid ?? 0) };
  expect(startOf(NOBODY)).toBeUndefined();
  expect(signal({ ...known, startedAt: "1" }, "SIGTERM")).toBe(false);
  expect(signal(known, "SIGTERM")).toBe(true);
  const [, name] = await once(child, "exit");
  expect(name).toBe("SIGTERM");
});

test("a group is ended by its leader's number, never everything", () => {
  const calls = killed();
  for (const pid of [-1, 0, 1, 2]) endGroup(pid);
  expect(calls).toEqual([[-2, "SIGKILL"]]);
});

test("an empty group is no error", () => {
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("ESRCH"), { code: "ESRCH" });
  });
  onTestFinished(() => kill.mockRestore());
  expect(() => endGroup(2)).not.toThrow();
});

test.skipIf(!ownSpace())("from whom a process descends, and its words", () => {
  expect(descendsFrom(process.pid, process.pid)).toBe(true);
  expect(descendsFrom(process.pid, process.ppid)).toBe(process.ppid > 1);
  expect(descendsFrom(process.pid, NOBODY)).toBe(false);
  expect(descendsFrom(NOBODY, process.pid)).toBeUndefined();
  expect(argvOf(process.pid)[0]).toContain("node");
  expect(argvOf(NOBODY)).toEqual([]);
});

test("a known process that cannot be read is reported, and the others are read", () => {
  const home = aHome();
  const known = { pid: 7, session: "s-1", team: "t" };
  writeProcess(home.paths, known);
  mkdirSync(home.path(".claude/swarm/processes/8.json"));
  takeProblems();
  expect(readProcesses(home.paths)).toEqual([known]);
  expect(takeProblems()).toEqual([expect.stringContaining("8.json")]);
  failing("readdirSync", "EACCES");
  expect([readProcesses(home.paths), takeProblems()]).toEqual([[], ["EACCES"]]);
});

test("known processes, whatever else is there", () => {
  const home = aHome();
  expect(readProcesses(home.paths)).toEqual([]);
  const known = { pid: 7, session: "s-1", team: "t" };
  writeProcess(home.paths, known);
  home.write(".claude/swarm/processes/x.json", known);
  home.write(".claude/swarm/processes/8.json.tmp", known);
  expect(readProcesses(home.paths)).toEqual([known]);
  expect(readProcess(home.paths, 7)).toEqual(known);
  removeProcess(home.paths, 7);
  expect(readProcess(home.paths, 7)).toBeUndefined();
});
