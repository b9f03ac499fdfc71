// One child process from start to end, with nothing but the environment it is given.
import { spawn } from "node:child_process";

export type Ran = { code: number | null; stdout: string; stderr: string };
export type RunOptions = { cwd: string; env: Record<string, string>; timeoutMs?: number };

export function run(
  program: string,
  args: string[],
  { cwd, env, timeoutMs = 60_000 }: RunOptions,
): Promise<Ran> {
  return new Promise((settle, fail) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const ran: Ran = { code: null, stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => (ran.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (ran.stderr += text));
    child.on("error", fail);
    child.on("close", (code) => settle({ ...ran, code }));
  });
}
