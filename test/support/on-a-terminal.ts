// Runs `swarm` on a terminal of its own, by util-linux's `script`, with what a person types.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Home } from "./a-home.ts";
import { cleanEnv, ROOT } from "./run-built.ts";

export const hasTerminal = spawnSync("script", ["--version"]).status === 0;

export function onATerminal(home: Home, args: string[], typed: string): string {
  const command = [process.execPath, join(ROOT, "plugin/bin/swarm"), ...args]
    .map((word) => `'${word}'`)
    .join(" ");
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    input: typed,
    env: { ...cleanEnv(home), TERM: "xterm", SHELL: "/bin/sh" },
    cwd: home.project,
    encoding: "utf8",
    timeout: 30_000,
  });
  return stdout.replaceAll("\r", "");
}
