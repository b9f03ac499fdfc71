// A test run that is killed leaves no process and no files of its homes behind.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
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

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State:\tZ";
  }
}
