// To start a program, node copies the page tables of its own process: with the hundreds of megabytes of a test worker that takes
// longer than most of the programs. So what a test waits for (`spawnSync` and the like) is started by a small process of the worker.
import programs, { spawn } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";

const STARTER = join(import.meta.dirname, "program-starter.cjs");
const INSTALLED = Symbol.for("swarm.small-forks");
const NAMES = ["spawnSync", "execFileSync", "execSync"] as const;
const real = { spawnSync: programs.spawnSync, execFileSync: programs.execFileSync };

type Options = Record<string, unknown>;
interface Answer {
  value?: { error?: Error };
  error?: object;
  thrown?: object;
}

/** Pipes by name: those that node makes for a child cannot be waited for. */
function aStarter(): (request: object) => Answer {
  const directory = mkdtempSync(join(tmpdir(), "small-forks-"));
  const [requests, answers] = [join(directory, "requests"), join(directory, "answers")];
  real.execFileSync("mkfifo", [requests, answers]);
  const child = spawn(process.execPath, [STARTER, requests, answers], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: undefined }, // it ends with its worker and is not one of a test's programs
  });
  child.unref();
  const to = openSync(requests, "w");
  const from = openSync(answers, "r");
  rmSync(directory, { recursive: true });
  const read = (length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; ) {
      const count = readSync(from, bytes, at, length - at, null);
      if (count === 0) throw new Error("the process that starts programs has ended");
      at += count;
    }
    return bytes;
  };
  return (request) => {
    const body = serialize(request);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    for (const bytes of [head, body]) for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at);
    return deserialize(read(read(4).readUInt32LE()));
  };
}

/** With streams or descriptors of this process it must be started by this process. */
const isPlain = ({ stdio, signal, cwd }: Options): boolean =>
  signal === undefined &&
  (cwd === undefined || typeof cwd === "string") &&
  [stdio].flat().every((one) => one === undefined || typeof one === "string");

const asError = (fields: object): Error => Object.assign(new Error(), fields);

function install(): void {
  // At once: the worker is small now, and no test has changed `process.execPath` yet.
  const ask = aStarter();
  for (const name of NAMES) {
    const own = programs[name] as (...args: unknown[]) => unknown;
    const started = (...args: unknown[]): unknown => {
      const last = args.at(-1);
      const hasOptions = typeof last === "object" && last !== null && !Array.isArray(last);
      const options = (hasOptions ? last : {}) as Options;
      if (!isPlain(options)) return own(...args);
      const { env = process.env, cwd = process.cwd() } = options as { env?: object; cwd?: string };
      const words = hasOptions ? args.slice(0, -1) : args.filter((one) => one !== undefined);
      const answer = ask({ name, args: [...words, { ...options, env: { ...env }, cwd }] });
      if (answer.thrown) throw asError(answer.thrown);
      if (answer.value && answer.error) answer.value.error = asError(answer.error);
      return answer.value;
    };
    Object.assign(programs, { [name]: started });
  }
  syncBuiltinESMExports();
}

const world = globalThis as { [INSTALLED]?: boolean };
if (!world[INSTALLED] && process.platform !== "win32") {
  world[INSTALLED] = true;
  install();
}
