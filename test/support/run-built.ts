// Runs a built script as the client would: JSON on stdin, a clean environment. `runHook` and `runSwarm` do so in this process, which
// is several times as quick; the others start a process of its own.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "./a-home.ts";
import { type BeforeCall, runInProcess } from "./in-process.ts";

export const ROOT = join(import.meta.dirname, "..", "..");

export interface Ran {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** stdout as JSON, `undefined` when it is empty. */
  reply: any;
}

interface Given {
  env?: Record<string, string>;
  cwd?: string;
}
/** Only in this process. */
interface Watched extends Given {
  beforeCall?: BeforeCall | undefined;
}

export const cleanEnv = (home: Home, env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home.root,
  TMPDIR: home.path("tmp"),
  CLAUDE_PROJECT_DIR: home.project,
  CLAUDE_PLUGIN_DATA: join(ROOT, "node_modules/.cache/swarm"),
  ...env,
});

const asText = (input: unknown) =>
  typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input);

/** `cwd` of the payload defaults to the home's project. */
const asPayload = (home: Home, input: unknown): string | Uint8Array => {
  const isPayload =
    typeof input === "object" && input !== null && !Array.isArray(input) && !(input instanceof Uint8Array);
  return asText(isPayload ? { session_id: "s-1", cwd: home.project, ...input } : input);
};

export const runHook = (
  home: Home,
  script: string,
  input: unknown,
  { beforeCall, ...given }: Watched = {},
): Ran =>
  ran(
    runInProcess({
      name: script,
      args: [],
      input: asPayload(home, input),
      beforeCall,
      ...placed(home, given),
    }),
  );

export const runSwarm = (
  home: Home,
  args: string[],
  { stdin = "", beforeCall, ...given }: Watched & { stdin?: string } = {},
): Ran => ran(runInProcess({ name: "swarm", args, input: stdin, beforeCall, ...placed(home, given) }));

const placed = (home: Home, { env, cwd = home.project }: Given) => ({ env: cleanEnv(home, env), cwd });

const ran = (one: Omit<Ran, "reply">): Ran => ({ ...one, reply: asReply(one.stdout) });

/** `entry` is what hooks.json says behind the script, where one event has two entries. */
export const runHookProcess = (
  home: Home,
  script: string,
  input: unknown,
  { entry, ...given }: Given & { entry?: string } = {},
): Ran =>
  runProcess(
    join(ROOT, "plugin/dist/hooks", `${script}.cjs`),
    entry ? [entry] : [],
    asPayload(home, input),
    placed(home, given),
  );

export const runSwarmProcess = (
  home: Home,
  args: string[],
  { stdin = "", ...given }: Given & { stdin?: string } = {},
): Ran => runProcess(join(ROOT, "plugin/bin/swarm"), args, stdin, placed(home, given));

function runProcess(
  script: string,
  args: string[],
  input: string | Uint8Array,
  place: ReturnType<typeof placed>,
): Ran {
  const done = spawnSync(process.execPath, [script, ...args], {
    input,
    ...place,
    timeout: 30_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return ran({ exitCode: done.status, stdout: done.stdout.toString(), stderr: done.stderr.toString() });
}

function asReply(stdout: string): unknown {
  if (stdout.trim() === "") return undefined;
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}

/** The same without waiting, for tests in which several processes meet. */
export function startHook(home: Home, script: string, input: unknown, env: Record<string, string> = {}) {
  return startScript(join(ROOT, "plugin/dist/hooks", `${script}.cjs`), [], home, asText(input), env);
}

export function startScript(
  script: string,
  args: string[],
  home: Home,
  input: string | Uint8Array,
  env: Record<string, string> = {},
) {
  const child = spawn(process.execPath, [script, ...args], {
    env: cleanEnv(home, env),
    cwd: home.project,
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {}); // it may be killed before it has read everything
  child.stdin.end(input);
  const done = new Promise<Ran>((resolve) =>
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr, reply: asReply(stdout) })),
  );
  return { child, done };
}

export const payload = (name: string): any =>
  JSON.parse(readFileSync(join(ROOT, "test", "payloads", `${name}.json`), "utf8"));
