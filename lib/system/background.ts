// Processes that outlive the one that starts them: a headless client, or a helper that finishes what a hook has no time for.
import { closeSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectory, openFile } from "../core/files.ts";
import type { Env } from "../core/process.ts";

export interface Background {
  program: string;
  args: string[];
  cwd: string;
  env?: Env;
  /** Given on stdin, of any length. */
  input?: string;
  /** Where both outputs go, appended; nowhere by default. */
  log?: string;
}

export function startInBackground({ program, args, cwd, env, input, log }: Background): number {
  const { spawn } = require("node:child_process") as typeof import("node:child_process");
  if (log) makeDirectory(dirname(log));
  const output = log ? openFile(log, "append").fd : "ignore";
  const stdin = input === undefined ? "ignore" : openFile(input, "read").fd;
  try {
    const child = spawn(program, args, {
      cwd,
      stdio: [stdin, output, output],
      detached: true,
      env: env as NodeJS.ProcessEnv | undefined,
    });
    child.on("error", () => {}); // said below: without a pid nothing was started
    child.unref();
    if (!child.pid) throw new Error(`${program} could not be started`);
    return child.pid;
  } finally {
    if (typeof output === "number") closeSync(output);
    if (typeof stdin === "number") closeSync(stdin);
  }
}

/** One of our own scripts. */
export const startHelper = (script: string, args: string[], cwd: string): number =>
  startInBackground({ program: process.execPath, args: [script, ...args], cwd });
