// Programs: where they are, and which one a running client is.
import { accessSync, constants, readlinkSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { attempt } from "../core/files.ts";
import { argvOf } from "./processes.ts";

/** The full path of a program; `undefined` when there is none to run. */
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

export interface RunningClient {
  /** A script's interpreter and the script, or the program alone. */
  command: string[];
  args: string[];
}

/** The client in a process, by /proc; `undefined` where there is none or it is no client. */
export function readClient(pid: number): RunningClient | undefined {
  const argv = argvOf(pid);
  const exe = attempt(() => readlinkSync(`/proc/${pid}/exe`))?.replace(/ \(deleted\)$/, "");
  if (!exe || argv.length === 0) return undefined;
  const isScript = /\/(node|bun|deno)[\d.]*$/.test(exe);
  const script = isScript ? argv.findIndex((word, at) => at > 0 && !word.startsWith("-")) : 0;
  if (script < 0) return undefined;
  const command = isScript ? [exe, argv[script] ?? ""] : [exe];
  return { command, args: argv.slice(script + 1) };
}
