// Built as dist/hooks/<event>.cjs: runs dist/body/<event>.cjs and the lazy parts it asks for, from V8's bytecode where an earlier
// run left some; otherwise they are compiled as `require` would do it. Code that cannot be loaded, as during an update, stops no
// client either.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { Script } from "node:vm";
import { type Bytecode, decode, readWords } from "./bytecode.ts";
import { checkCache } from "./bytecode-check.ts" with { loading: "lazy" };
import { keepBytecode } from "./bytecode-keep.ts" with { loading: "lazy" };
import { BESIDE_TURN, bytecodePlace } from "./environment.ts";

/** By the build: `<name> <content hash>` of every part, a line each. V8 cannot tell two sources of one length apart. One text, since
 *  every call would otherwise make an object of sixty properties to read one or two of them. */
declare const HASHED_NAMES: string;
const hashedNames = HASHED_NAMES;

export interface Part {
  path: string;
  source: string;
  hash: string;
  script: Script;
  /** The bytes and tries of the bytecode it was started from. */
  kept: { bytes: number; tries: number } | undefined;
  module: { exports: unknown };
}

/** Each refresh that adds nothing halves the share of the runs that try the next one, down to 1 in 256. One draw for all parts: with one
 *  for each, a run of twenty parts would nearly always refresh some. */
const drawn = Math.random();
const isDue = ({ kept }: Part) => !kept || drawn < 2 ** -Math.min(kept.tries, 8);

const dist = dirname(__dirname);
const place = bytecodePlace();
const parts = new Map<string, Part>();
const builtIns = new Map<string, unknown>();

/** The build writes it into parts that are dear to copy. */
const WRAPPER = "(function (exports, require, module, __filename, __dirname) {";

const load = (name: string): unknown => (parts.get(name) ?? start(name)).module.exports;

function start(name: string): Part {
  const file = `${dist}/${name}.cjs`;
  const hash = hashOf(name);
  const path = `${place}/${fileName(`${name} ${hash}`)}`;
  const source = readFileSync(file, "utf8");
  const found = bytecodeAt(path);
  const script = new Script(source.startsWith(WRAPPER) ? source : `${WRAPPER}${source}\n})`, {
    filename: file,
    cachedData: found?.data,
  });
  const kept =
    found && !script.cachedDataRejected ? { bytes: found.data.length, tries: found.tries } : undefined;
  const part: Part = { path, source, hash, script, kept, module: { exports: {} } };
  parts.set(name, part);
  script.runInThisContext()(part.module.exports, requirePart, part.module, file, dirname(file));
  return part;
}

const HASH_LENGTH = 16;

function hashOf(name: string): string {
  const at = hashedNames.indexOf(`\n${name} `);
  return at < 0 ? "" : hashedNames.slice(at + name.length + 2).slice(0, HASH_LENGTH);
}

const fileName = (hashedName: string) => hashedName.replace("/", "-").replace(" ", "-");

function requirePart(id: string): unknown {
  if (id.startsWith("../lazy/")) return load(id.slice("../".length, -".cjs".length));
  if (!builtIns.has(id)) builtIns.set(id, require(id));
  return builtIns.get(id);
}

function bytecodeAt(path: string): Bytecode | undefined {
  try {
    return decode(readWords(path));
  } catch {
    return undefined;
  }
}

try {
  if (process.argv[2] === BESIDE_TURN) checkCache(place, hashedNames.trim().split("\n").map(fileName));
  load(`body/${basename(__filename, ".cjs")}`);
  const due = [...parts.values()].filter(isDue);
  if (due.length > 0) keepBytecode(due);
} catch (error) {
  writeFileSync(2, `swarm: this hook could not be loaded: ${(error as Error).message}\n`);
}
