// Most of what a hook costs is reading and compiling its own code. A run therefore leaves V8's bytecode beside the code it
// was made from, and the next one starts from there. Without it, or where it cannot be written, everything runs, only slower.
import { closeSync, openSync, readSync } from "node:fs";
import type { Script } from "node:vm";

export interface Part {
  path: string;
  script: Script;
  /** How much bytecode there was to start from. */
  bytes: number | undefined;
  /** How often it was looked through in vain for more; the file's last byte. */
  looks: number;
  exports: unknown;
}

/** Functions that no run has needed yet are missing in the bytecode: each run looks for more, and each time that there was
 *  nothing only half as many do, down to one in 256. */
export const MOST_LOOKS = 8;

/** Pids come in a row, or in steps: multiplied, their upper bits are spread evenly. */
export const isDue = ({ looks }: Pick<Part, "looks">, pid: number): boolean =>
  Math.imul(pid, 0x9e3779b1) >>> 24 < 256 >> Math.min(looks, MOST_LOOKS);

/** Several times the largest part; what is not touched of it costs nothing, and all parts are read through it. */
const ROOM_BYTES = 1 << 20;
let room: Uint8Array | undefined;

export interface Parts {
  /** Runs a bundle of this build, once; the lazy parts that it asks for come the same way. */
  load(name: string): unknown;
  /** At the end: leaves what the next process starts from. */
  keep(): void;
}

export function partsOf(dist: string, build: string): Parts {
  const flavour = encodeURIComponent(`${process.version}-${process.arch}${process.execArgv}`);
  const cache = `${dist}/../.cache/${build}/${flavour}`;
  const parts: Record<string, Part> = {};
  const load = (name: string): unknown => {
    parts[name] ??= run(`${dist}/${name}`, `${cache}/${name.replace("/", "-")}`, get);
    return parts[name].exports;
  };
  const builtIns: Record<string, unknown> = {};
  const get = (asked: string) => {
    if (asked.startsWith("../lazy/")) return load(asked.slice("../".length));
    builtIns[asked] ??= require(asked);
    return builtIns[asked];
  };
  const keep = () => {
    const all = Object.values(parts);
    if (all.every((part) => isFine(part) && !isDue(part, process.pid))) return;
    const lazy = require("./keep-bytecode.ts") as typeof import("./keep-bytecode.ts");
    lazy.keep(cache, all);
  };
  return { load, keep };
}

const isFine = ({ bytes, script }: Part) => bytes !== undefined && !script.cachedDataRejected;

function run(file: string, path: string, get: (asked: string) => unknown): Part {
  const source = textOf(read(file));
  const [bytecode, looks] = withLooks(readIfThere(path));
  const vm = require("node:vm") as typeof import("node:vm");
  const script = new vm.Script(source, { filename: file, cachedData: bytecode });
  const module = { exports: {} };
  script.runInThisContext()(get, file.slice(0, file.lastIndexOf("/")), module, module.exports);
  return { path, script, bytes: bytecode?.length, looks, exports: module.exports };
}

const withLooks = (kept: Uint8Array | undefined) =>
  kept ? ([kept.subarray(0, -1), kept.at(-1) ?? 0] as const) : ([undefined, 0] as const);

/** The build writes ASCII only. The short way is not documented, so it may be gone one day. */
function textOf(bytes: Uint8Array): string {
  const { latin1Slice } = Buffer.prototype as { latin1Slice?: (this: Uint8Array) => string };
  return latin1Slice ? latin1Slice.call(bytes) : Buffer.from(bytes).toString("latin1");
}

/** In one read, without asking for the size first: that would cost more than the reading. Good until the next one. */
function read(path: string): Uint8Array {
  room ??= new Uint8Array(ROOM_BYTES);
  const fd = openSync(path, "r");
  const length = readSync(fd, room);
  closeSync(fd);
  return room.subarray(0, length);
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
