// Runs a built hook or the built `swarm` in this process: the code that ships, without the start of a node, which is most of what a
// run costs. What only a process of its own shows (a kill, a stall, a full pipe, a device) is tested with `run-built.ts`'s processes.
import fs from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { shortWaits } from "./in-no-time.ts";

const DIST = join(import.meta.dirname ?? __dirname, "..", "..", "plugin", "dist");
const require = createRequire(import.meta.url);
const SHARED = Symbol.for("swarm.shared");
const LIMIT_MS = 30_000;

export interface Started {
  name: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  input: string | Uint8Array;
  /** Called before every call of node:fs. */
  beforeCall?: BeforeCall | undefined;
}

export type BeforeCall = (name: string, args: readonly unknown[]) => void;

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

type Part = (
  exports: object,
  require: (id: string) => unknown,
  module: object,
  file: string,
  dir: string,
) => void;
const WRAPPER = "(function (exports, require, module, __filename, __dirname) {";
const compiled = new Map<string, Script>();

function compile(file: string): Script {
  const found = compiled.get(file);
  if (found) return found;
  const source = fs.readFileSync(file, "utf8");
  const script = new Script(source.startsWith(WRAPPER) ? source : `${WRAPPER}${source}\n})`, {
    filename: file,
  });
  compiled.set(file, script);
  return script;
}

export function runInProcess({ name, args, env, cwd, input, beforeCall }: Started): Ended {
  const streams = { stdin: Buffer.from(input as string), out: [[], []] as [Buffer[], Buffer[]] };
  const builtIns: Record<string, unknown> = {
    "node:fs": beforeCall ? watched(withStreams(streams), beforeCall) : withStreams(streams),
    "node:tty": { isatty: () => false },
  };
  const parts = new Map<string, { exports: unknown }>();
  const load = (part: string): unknown => {
    const known = parts.get(part);
    if (known) return known.exports;
    const module = { exports: {} };
    parts.set(part, module);
    const file = join(DIST, `${part}.cjs`);
    (compile(file).runInThisContext() as Part)(module.exports, requirePart, module, file, dirname(file));
    return module.exports;
  };
  const requirePart = (id: string): unknown =>
    id.startsWith("../lazy/") ? load(id.slice("../".length, -".cjs".length)) : (builtIns[id] ?? require(id));
  return asAProcess({ name, args, env, cwd }, () => {
    try {
      (globalThis as { swarmLoad?: () => void }).swarmLoad = () => load(`body/${name}`);
      new Script("swarmLoad()").runInThisContext({ timeout: LIMIT_MS });
    } catch (error) {
      streams.out[1].push(Buffer.from(`swarm: this hook could not be loaded: ${(error as Error).message}\n`));
    }
    if (name === "swarm" && process.exitCode === undefined)
      throw new Error(`swarm ${args[0]} has not answered yet: run it as a process of its own`);
    const [stdout, stderr] = streams.out.map((chunks) => Buffer.concat(chunks).toString()) as [
      string,
      string,
    ];
    return { exitCode: Number(process.exitCode ?? 0), stdout, stderr };
  });
}

/** What a process has of its own: arguments, environment, working directory, exit code, age, and our shared state. */
function asAProcess<T>(
  { name, args, env, cwd }: Pick<Started, "name" | "args" | "env" | "cwd">,
  work: () => T,
): T {
  const world = globalThis as { [SHARED]?: unknown };
  const before = {
    argv: process.argv,
    env: process.env,
    cwd: process.cwd(),
    shared: world[SHARED],
    exitCode: process.exitCode,
  };
  const listeners = process.listeners("SIGTERM");
  process.argv = [process.execPath, join(DIST, "hooks", `${name}.cjs`), ...args];
  process.env = { ...env };
  process.exitCode = undefined;
  const { uptime } = process;
  const began = uptime();
  process.uptime = () => uptime() - began;
  delete world[SHARED];
  const endShortWaits = shortWaits();
  process.chdir(cwd);
  try {
    return work();
  } finally {
    process.argv = before.argv;
    process.env = before.env;
    process.exitCode = before.exitCode;
    process.uptime = uptime;
    endShortWaits();
    world[SHARED] = before.shared;
    process.chdir(before.cwd);
    for (const one of process.listeners("SIGTERM")) if (!listeners.includes(one)) process.off("SIGTERM", one);
  }
}

interface Streams {
  stdin: Buffer;
  out: [Buffer[], Buffer[]];
}

/** node:fs with the file descriptors 0, 1 and 2 of the run. */
function withStreams(streams: Streams): typeof fs {
  const write = (fd: number, data: Uint8Array | string, at = 0): number => {
    if (fd !== 1 && fd !== 2) return fs.writeSync(fd, data as Uint8Array, at);
    const bytes = Buffer.from(typeof data === "string" ? Buffer.from(data) : data.subarray(at));
    streams.out[fd - 1]?.push(bytes);
    return bytes.length;
  };
  const pipe = () => ({ isCharacterDevice: () => false, isFile: () => false, isFIFO: () => true });
  return {
    ...fs,
    writeSync: ((fd: number, data: Uint8Array, ...rest: [number?, ...unknown[]]) =>
      fd === 1 || fd === 2
        ? write(fd, data, rest[0])
        : (fs.writeSync as (...all: unknown[]) => number)(fd, data, ...rest)) as typeof fs.writeSync,
    readSync: ((fd: number, into: Uint8Array, at: number, ...rest: unknown[]) => {
      if (fd !== 0) return (fs.readSync as (...all: unknown[]) => number)(fd, into, at, ...rest);
      const length = streams.stdin.copy(into, at);
      streams.stdin = streams.stdin.subarray(length);
      return length;
    }) as unknown as typeof fs.readSync,
    fstatSync: ((fd: number, ...rest: unknown[]) =>
      fd <= 2
        ? pipe()
        : (fs.fstatSync as (...all: unknown[]) => unknown)(fd, ...rest)) as typeof fs.fstatSync,
  };
}

function watched(real: typeof fs, beforeCall: BeforeCall): typeof fs {
  const calls = Object.entries(real).filter(
    ([name, call]) => typeof call === "function" && name.endsWith("Sync"),
  );
  const wrapped = calls.map(([name, call]) => [
    name,
    Object.assign((...args: unknown[]) => {
      beforeCall(name, args);
      return (call as (...all: unknown[]) => unknown)(...args);
    }, call),
  ]);
  return { ...real, ...Object.fromEntries(wrapped) };
}
