// Programs: where they are, which one a running client is, and those that outlive the process that starts them.
import { accessSync, closeSync, constants, readlinkSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { attempt, makeDirectory, openFile } from "../core/files.ts";
import type { Env } from "../core/process.ts";
import { argvOf } from "./processes.ts";

export function findProgram(
  name: string,
  path: string | undefined,
  platform = process.platform,
): string | undefined {
  if (isAbsolute(name)) return isRunnable(name) ? name : undefined;
  if (/[/\\]/.test(name)) return undefined;
  const paths = (path ?? "").split(delimiter).filter(Boolean);
  const names = platform === "win32" ? [`${name}.exe`, name] : [name];
  return paths.flatMap((place) => names.map((one) => join(place, one))).find(isRunnable);
}

const isRunnable = (path: string): boolean =>
  attempt(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }) === true;

/** The client in a process, by /proc; `undefined` where there is none or it is no client. */
export function readClient(pid: number) {
  const argv = argvOf(pid);
  const exe = attempt(() => readlinkSync(`/proc/${pid}/exe`))?.replace(/ \(deleted\)$/, "");
  if (!exe || argv.length === 0) return undefined;
  const isScript = /\/(node|bun|deno)[\d.]*$/.test(exe);
  const script = isScript ? argv.findIndex((word, at) => at > 0 && !word.startsWith("-")) : 0;
  if (script < 0) return undefined;
  /** A script's interpreter and the script, or the program alone. */
  const command = isScript ? [exe, argv[script] ?? ""] : [exe];
  return { command, args: argv.slice(script + 1) };
}

/** A headless client, or a helper that finishes what a hook has no time for. */
interface Background {
  program: string;
  args: string[];
  cwd?: string;
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

/** One of our own verbs, beside the turn. */
export const startHelper = (ownRoot: string, args: string[], cwd: string): number =>
  startInBackground({ program: process.execPath, args: [join(ownRoot, "bin", "swarm"), ...args], cwd });
