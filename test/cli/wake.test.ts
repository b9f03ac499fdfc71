import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { runSwarm } from "../support/run-built.ts";

/** A tmux of its own with one pane in which `cat` repeats what is typed. */
function aPane(home: Home) {
  const socket = home.path("tmux");
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-S", socket, ...words], { encoding: "utf8" }).trim();
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "10", "cat");
  onTestFinished(() => void tmux("kill-server"));
  const [pane = "", pid = ""] = tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}").split(" ");
  return {
    pane,
    pid: Number(pid),
    tmux: `${socket},1,0`,
    screen: () => tmux("capture-pane", "-p", "-t", pane),
  };
}

const record = (home: Home, { session = "s-1", ...more }: { session?: string; [key: string]: unknown }) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    session,
    agent: "bob",
    state: "idle",
    status: "done",
    startedAt: "",
    lastSeen: "",
    ...more,
  });

test("the line is typed into the pane of the idle session", async () => {
  const home = aHome();
  const { pane, pid, tmux, screen } = aPane(home);
  record(home, { pid, pidStartedAt: startOf(pid), pane, tmux });
  expect(runSwarm(home, ["wake", "bob"])).toMatchObject({ exitCode: 0, stdout: `woke s-1 in ${pane}\n` });
  const isEchoed = () => screen().split("Workers complete").length === 3;
  for (let tries = 0; tries < 250 && !isEchoed(); tries++) await pause(20);
  expect(screen()).toContain("[CLAUDE OS SYS: NOTIFICATION]: Workers complete");
  expect(isEchoed()).toBe(true);
});

test.each([
  ["nobody", {}, "there is no running session nobody"],
  ["bbo", {}, "there is no running session bbo; did you mean bob?"],
  ["bob", {}, "it runs in no tmux pane"],
  ["bob", { pid: process.pid, tmux: "/none,1,0" }, "it runs in no tmux pane"],
  ["bob", { pane: "%0", tmux: "/none,1,0" }, "it runs in no tmux pane"],
  ["bob", { pid: 1, pidStartedAt: "0", pane: "%0", tmux: "/none,1,0" }, "its process is gone"],
  ["bob", { pid: process.pid, pane: "%0", tmux: "/none,1,0", state: "tool_active" }, "it is busy"],
  ["bob", { pid: process.pid, pane: "%0", tmux: "/none,1,0" }, "its pane is gone"],
  ["bob", { endedAt: "x" }, "there is no running session bob"],
])("%s with %j: refused, %s", async (who, more, why) => {
  const home = aHome();
  record(home, more);
  expect(await callSwarm(home, ["wake", who])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(why),
  });
});

test("a call that names nobody, or two", async () => {
  const home = aHome();
  record(home, {});
  record(home, { session: "s-2", agent: undefined });
  expect(await callSwarm(home, ["wake"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("wake whom?"),
  });
  expect(await callSwarm(home, ["wake", "s-"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/s- could be s-\d or s-\d/),
  });
  expect((await callSwarm(home, ["wake", "s-2"])).stderr).toContain("it runs in no tmux pane");
});

test("a pane that holds another program is not typed into", () => {
  const home = aHome();
  const { pane, tmux } = aPane(home);
  record(home, { pid: process.pid, pidStartedAt: startOf(process.pid), pane, tmux });
  expect(runSwarm(home, ["wake", "s-1"]).stderr).toContain("its pane holds another program");
});
