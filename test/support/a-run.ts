// The homes of one run of a ring have a directory of their own. At its end no process that was started in them is left, whatever
// failed, and if the run itself is killed a watcher clears up.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cleanUpAfterUs } from "./after-us.ts";
import { processesBelow } from "./processes-of-a-home.ts";

/** For `globalSetup`; the workers inherit the environment. */
export function aRun(place: string) {
  let root = "";
  let allClean = () => {};
  return {
    setup(): void {
      root = mkdtempSync(join(place, "swarm-ring-"));
      chmodSync(root, 0o755); // some tests run a script as another user
      chmodSync(root, 0o711); // a test runs a hook as another user
      process.env["TMPDIR"] = root;
      allClean = cleanUpAfterUs(root, root);
    },
    teardown(): void {
      for (const pid of processesBelow(root)) {
        console.error(`left behind and ended: process ${pid}, ${commandOf(pid)}`);
        process.kill(pid, "SIGKILL");
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      allClean();
    },
  };
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "gone";
  }
}
