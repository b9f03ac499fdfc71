// If this process dies before it could clean up (a killed test run), a watcher ends what it started in a home, and removes its files.
import { spawn } from "node:child_process";

/** Reads until the other end of its input is gone; then every process with that HOME, or one below it, or that TMPDIR, is ended, as are the files. */
const WATCHER = `cat >/dev/null
for environment in /proc/[0-9]*/environ; do
  grep -qzF -e "HOME=$1" -e "TMPDIR=$1" "$environment" 2>/dev/null || continue
  pid=\${environment#/proc/}
  kill -9 "\${pid%/environ}" 2>/dev/null
done
rm -rf "$2"`;

/** The function it returns says that all is clean. */
export function cleanUpAfterUs(home: string, files: string): () => void {
  const watcher = spawn("sh", ["-c", WATCHER, "sh", home, files], {
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => {}); // no sh: nothing is watched
  watcher.stdin.on("error", () => {});
  watcher.unref();
  (watcher.stdin as unknown as { unref?: () => void }).unref?.();
  return () => void watcher.kill("SIGKILL");
}
