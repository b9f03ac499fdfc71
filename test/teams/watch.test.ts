// The watch of the status board and the live view: every change that they show is noticed.
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFiles } from "../../lib/teams/status-board/watch.ts";
import { aHome } from "../support/a-home.ts";

const PROCESS = ".claude/swarm/processes/4711.json";
const record = (session: string) => `.claude/swarm/sessions/${session}/session.json`;

test("the record of each session that runs is watched, also after /clear has given it another name", async () => {
  const home = aHome();
  home.write(PROCESS, { pid: 4711, session: "../x" });
  home.write(record("s-0"), "{}");
  let noticed = () => {};
  const watching = watchFiles(home.paths, () => noticed());
  onTestFinished(watching.end);
  /** Sooner than the look every five seconds. */
  const notices = (change: () => void) =>
    Promise.race([
      new Promise<boolean>((resolve) => {
        noticed = () => resolve(true);
        change();
      }),
      pause(3_000, false, { ref: false }),
    ]);
  for (const session of ["s-1", "s-2"]) {
    home.write(record(session), "{}");
    expect(await notices(() => home.write(PROCESS, { pid: 4711, session }))).toBe(true);
    expect(await notices(() => home.write(record(session), "{ }"))).toBe(true);
  }
});

test("after its end nothing is reported, also not what was noticed before", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const changed = vi.fn();
  const watching = watchFiles(aHome().paths, changed);
  vi.advanceTimersByTime(5_200);
  expect(changed).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(4_900); // a change is noticed, and reported a moment later
  watching.end();
  vi.advanceTimersByTime(60_000);
  expect(changed).toHaveBeenCalledOnce();
});
