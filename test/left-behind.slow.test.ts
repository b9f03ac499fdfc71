// A test run that is killed leaves no process and no files of its homes behind.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { processesBelow } from "./support/processes-of-a-home.ts";
import { ROOT } from "./support/run-built.ts";
import { until } from "./support/until.ts";

const TSX = pathToFileURL(join(ROOT, "node_modules/tsx/dist/loader.mjs")).href;

test.skipIf(!existsSync("/proc/self/environ"))("killed with -9", async () => {
  const home = mkdtempSync(join(tmpdir(), "swarm-test-"));
  const script = `
    import { spawn } from "node:child_process";
    import us from ${JSON.stringify(join(ROOT, "test/support/after-us.ts"))};
    us.cleanUpAfterUs(process.argv[1], process.argv[1]);
    const child = spawn("sleep", ["1000"], { env: { ...process.env, HOME: process.argv[1] }, detached: true, stdio: "ignore" });
    console.log(child.pid);
  `;
  const run = spawn(process.execPath, ["--import", TSX, "--input-type=module", "-e", script, home]);
  const sleeper = await new Promise<number>((resolve) =>
    run.stdout.on("data", (text) => resolve(Number(text))),
  );
  const isAlive = () => existsSync(`/proc/${sleeper}`) && !/^State:\tZ/m.test(statusOf(sleeper));
  expect(isAlive()).toBe(true);
  run.kill("SIGKILL");
  await until(() => !isAlive() && !existsSync(home), { what: "the sleeper and its home to be gone" });
});

test.skipIf(!existsSync("/proc/self/environ"))(
  "a program that a test started without a home is found",
  () => {
    const directory = mkdtempSync(join(tmpdir(), "swarm-test-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const env = { PATH: process.env["PATH"], TMPDIR: directory };
    const left = Number(
      execFileSync("sh", ["-c", "sleep 1000 >&- 2>&- & echo $!"], { env, encoding: "utf8" }),
    );
    onTestFinished(() => void process.kill(left, "SIGKILL"));
    const worker = spawn("sleep", ["1000"], { env });
    onTestFinished(() => void worker.kill("SIGKILL"));
    expect(processesBelow(directory)).toEqual([left]);
  },
);

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State:\tZ";
  }
}
