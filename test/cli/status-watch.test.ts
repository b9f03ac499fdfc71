// `swarm status --watch` on a terminal of 80 columns and 12 lines: right, redrawn when a file changes, and over with Ctrl-C.
import { spawn } from "node:child_process";
import { join } from "node:path";
import stringWidth from "string-width";
import { expect, onTestFinished, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome } from "../support/a-home.ts";
import { hasTerminal } from "../support/on-a-terminal.ts";
import { cleanEnv, ROOT } from "../support/run-built.ts";

const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;

test.skipIf(!hasTerminal)("it follows the files, fits the window and ends with Ctrl-C", async () => {
  const home = aHome();
  aDay(home);
  const running = { pid: process.pid, startedAt: startOf(process.pid), session: "s-bob" };
  home.write(`.claude/swarm/processes/${process.pid}.json`, running);
  const swarm = `'${process.execPath}' '${join(ROOT, "plugin/bin/swarm")}'`;
  const command = `stty cols 80 rows 12; exec ${swarm} status --team ${DAY_TEAM} --watch`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    env: { ...cleanEnv(home), TERM: "xterm", SHELL: "/bin/sh" },
    cwd: home.project,
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let shown = "";
  child.stdout.on("data", (chunk) => {
    shown += String(chunk);
  });
  const screens = () => shown.replaceAll("\r", "").split("\u001b[H").slice(1);
  const last = () => (screens().at(-1) ?? "").replace(ESCAPES, "");
  await expect.poll(last, { timeout: 15_000 }).toContain("AGENT");
  const path = ".claude/swarm/sessions/s-bob/session.json";
  const at = new Date().toISOString();
  const tool = { name: "Bash", since: at };
  home.write(path, { ...home.json(path), state: "tool_active", status: "working", tool, lastSeen: at });
  await expect.poll(last, { timeout: 15_000 }).toMatch(/bob .*working/);
  const lines = last().split("\n");
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(12);
  child.stdin.write("\u0003");
  await ended;
});
