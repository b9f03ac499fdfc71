// The built hooks start from bytecode that an earlier run left in the plugin's data directory; whatever is wrong with it costs
// time, never a call.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { decode, encode, isIntact, readWords } from "../../lib/hook/bytecode.ts";
import { checkCache } from "../../lib/hook/bytecode-check.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { cleanEnv, ROOT } from "../support/run-built.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});

interface Options {
  plugin?: string;
  args?: string[];
  node?: string[];
  env?: Record<string, string>;
  uid?: number;
  gid?: number;
}

function startSession({
  plugin = join(ROOT, "plugin"),
  args = [],
  node = [],
  env = {},
  ...who
}: Options = {}) {
  const ran = spawnSync(process.execPath, [...node, join(plugin, "dist/hooks/session-start.cjs"), ...args], {
    env: { ...cleanEnv(home), CLAUDE_PLUGIN_DATA: home.path("data"), ...env },
    cwd: "/",
    input: JSON.stringify({ session_id: "s-1", cwd: home.project, source: "startup" }),
    ...who,
  });
  return { status: ran.status, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() };
}
const checkBytecode = () => startSession({ args: ["beside-turn"] });

const ANSWER = expect.objectContaining({
  status: 0,
  stdout: expect.stringContaining("SESSION_ID=s-1"),
  stderr: "",
});

const filesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, encoding: "utf8" })
        .map((name) => join(directory, name))
        .filter((path) => !statSync(path).isDirectory())
        .sort()
    : [];
const kept = () => filesIn(home.path("data/bytecode"));
const body = () => kept().find((path) => basename(path).startsWith("body-session-start-")) ?? "";
const inode = (path: string) => statSync(path).ino;

const BLOCK = 4096;
/** What a failing disk or a power cut leaves: each is recognised at the next start. */
const DAMAGES: [string, (path: string) => void][] = [
  ["empty", (path) => truncateSync(path, 0)],
  ["cut in its header", (path) => truncateSync(path, 7)],
  ["cut in the middle", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ["short of its last word", (path) => truncateSync(path, statSync(path).size - 4)],
  ["too long", (path) => writeFileSync(path, Buffer.alloc(4), { flag: "a" })],
  ["garbage", (path) => writeFileSync(path, "no bytecode at all")],
  ["zeros", (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ["zeroed in its second half", (path) => change(path, (bytes) => bytes.fill(0, bytes.length / 2))],
  ["without its first block", (path) => change(path, (bytes) => bytes.fill(0, 0, BLOCK))],
  ["with two blocks exchanged", (path) => change(path, exchangeBlocks)],
];

function change(path: string, how: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(path);
  how(bytes);
  writeFileSync(path, bytes);
}

function exchangeBlocks(bytes: Buffer): void {
  const first = Buffer.from(bytes.subarray(4096, 8192));
  bytes.copy(bytes, 4096, 8192, 12_288);
  first.copy(bytes, 8192);
}

test("the first run leaves its bytecode, and the next starts from it with the same answer", () => {
  expect(startSession()).toEqual(ANSWER);
  const first = kept();
  expect(basename(dirname(body()))).toContain(process.version);
  expect(startSession()).toEqual(ANSWER);
  expect(kept()).toEqual(first);
});

test.each(DAMAGES)("bytecode that is %s is never run, and is written anew", (_, damage) => {
  startSession();
  damage(body());
  const damaged = readFileSync(body());
  expect(startSession()).toEqual(ANSWER);
  expect(readFileSync(body())).not.toEqual(damaged);
  expect(checkCache(dirname(body())).damaged).toEqual([]);
});

describe("of real bytecode", () => {
  const real = () => {
    startSession();
    const { buffer, byteOffset, length } = readFileSync(body());
    return new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
  };

  test("every lost block is noticed at the next start", () => {
    const words = real();
    const step = BLOCK / 4;
    const unnoticed = Array.from({ length: Math.floor(words.length / step) }, (_, n) => n).filter((n) => {
      const copy = words.slice();
      copy.fill(0, n * step, (n + 1) * step);
      return copy.some((word, at) => word !== words[at]) && decode(copy) !== undefined;
    });
    expect(unnoticed).toEqual([]);
  });

  test("every flipped bit is noticed by the whole check", () => {
    const words = real();
    expect(isIntact(words)).toBe(true);
    const flip = (at: number) => {
      words[at] = ((words[at] ?? 0) ^ (1 << (at % 32))) >>> 0;
    };
    const unnoticed: number[] = [];
    for (let at = 4; at < words.length; at += 397) {
      flip(at);
      if (isIntact(words)) unnoticed.push(at);
      flip(at);
    }
    expect(unnoticed).toEqual([]);
  });
});

test("flipped bytes are replaced beside the next session start", () => {
  startSession();
  change(body(), (bytes) => bytes.writeUInt8(bytes.readUInt8(1001) ^ 0x10, 1001));
  expect(isIntact(readWords(body()))).toBe(false);
  expect(checkBytecode()).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(isIntact(readWords(body()))).toBe(true);
  expect(startSession()).toEqual(ANSWER);
});

test.each([
  ["another node", { env: {} }, (place: string) => place.replace(process.version, "v20.0.1")],
  ["another architecture", { env: {} }, (place: string) => place.replace(process.arch, "arm64")],
])("what %s left is not looked at", (_, options, elsewhere) => {
  startSession();
  const place = dirname(body());
  expect(elsewhere(place)).not.toBe(place);
  renameSync(place, elsewhere(place));
  expect(startSession(options)).toEqual(ANSWER);
  expect(existsSync(place)).toBe(true);
});

test.each([
  ["options on the command line", { node: ["--no-opt"] }],
  ["NODE_OPTIONS", { env: { NODE_OPTIONS: "--stack-trace-limit=7" } }],
])("a node with other %s has its own", (_, options) => {
  startSession();
  const first = body();
  const before = inode(first);
  expect(startSession(options)).toEqual(ANSWER);
  const others = kept().filter((path) => basename(path) === basename(first) && path !== first);
  expect(others).toHaveLength(1);
  expect(inode(first)).toBe(before);
});

test("bytecode that V8 rejects is passed over, and written anew only after an hour", () => {
  startSession();
  const other = new Script("1").createCachedData();
  writeFileSync(body(), encode({ data: other, tries: 0 }) as Uint32Array);
  const before = inode(body());
  expect(startSession()).toEqual(ANSWER);
  expect(inode(body())).toBe(before);
  const twoHoursAgo = Date.now() / 1000 - 7_200;
  utimesSync(body(), twoHoursAgo, twoHoursAgo);
  expect(startSession()).toEqual(ANSWER);
  expect(statSync(body()).size).toBeGreaterThan(10_000);
});

test("without a data directory it lies below the client's directory", () => {
  expect(startSession({ env: { CLAUDE_PLUGIN_DATA: "" } })).toEqual(ANSWER);
  expect(filesIn(home.path(".claude/swarm/cache/bytecode")).length).toBeGreaterThan(0);
});

test("a pipe, a directory or a link in its place is not waited for, not followed", () => {
  startSession();
  const path = body();
  for (const put of [
    () => spawnSync("mkfifo", [path]),
    () => mkdirSync(path),
    () => spawnSync("ln", ["-s", "/dev/zero", path]),
  ]) {
    rmSync(path, { recursive: true });
    put();
    expect(startSession()).toEqual(ANSWER);
  }
});

test("a directory that cannot be written works without", () => {
  chmodSync(home.root, 0o755);
  mkdirSync(home.path("data"), { mode: 0o555 });
  const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  cpSync(join(ROOT, "plugin/dist"), home.path("plugin/dist"), { recursive: true });
  expect(startSession({ plugin: home.path("plugin"), ...asNobody })).toEqual(ANSWER);
  expect(kept()).toEqual([]);
});

describe("two versions at once", () => {
  /** Another version, whose answer differs and whose bundle has the same length: V8 cannot tell them apart. */
  function otherVersion(): string {
    const dist = home.path("other/dist");
    cpSync(join(ROOT, "plugin/dist"), dist, { recursive: true });
    const path = join(dist, "body/session-start.cjs");
    const source = readFileSync(path, "utf8");
    const changed = source.replaceAll("SESSION_ID=", "session_id:");
    expect(changed).not.toBe(source);
    writeFileSync(path, changed);
    return home.path("other");
  }

  test("each runs its own code, from its own bytecode", () => {
    const plugin = otherVersion();
    const source = readFileSync(join(plugin, "dist/body/session-start.cjs"));
    const hash = spawnSync("sha256sum", { input: source }).stdout.toString().slice(0, 16);
    const loader = join(plugin, "dist/hooks/session-start.cjs");
    const [, old = ""] = /body\/session-start (\w{16})/.exec(readFileSync(loader, "utf8")) ?? [];
    writeFileSync(loader, readFileSync(loader, "utf8").replace(old, hash));
    for (let round = 0; round < 2; round++) {
      expect(startSession()).toEqual(ANSWER);
      expect(startSession({ plugin }).stdout).toContain("session_id:s-1");
    }
    expect(kept().filter((path) => basename(path).startsWith("body-session-start-"))).toHaveLength(2);
  });

  test("a part of another build, as in the middle of an update, leaves no bytecode", () => {
    expect(startSession({ plugin: otherVersion() }).stdout).toContain("session_id:s-1");
    expect(body()).toBe("");
  });
});

test("what was not used for a month goes, and what is used stays", () => {
  startSession();
  const used = body();
  const place = dirname(used);
  const old = join(place, "body-session-start-0123456789abcdef");
  const halfWritten = `${old}.tmp.1f-0`;
  cpSync(used, old);
  writeFileSync(halfWritten, "");
  const stranger = join(dirname(place), "v18.0.0%20x64", "body-stop-0123456789abcdef");
  mkdirSync(dirname(stranger));
  cpSync(used, stranger);
  const longAgo = Date.now() / 1000 - 31 * 24 * 60 * 60;
  for (const path of [old, halfWritten, stranger]) utimesSync(path, longAgo, longAgo);
  const nearlyAMonth = Date.now() / 1000 - 29 * 24 * 60 * 60;
  utimesSync(used, nearlyAMonth, nearlyAMonth);
  checkBytecode();
  expect([old, halfWritten, dirname(stranger)].filter(existsSync)).toEqual([]);
  expect(Date.now() - statSync(used).mtimeMs).toBeLessThan(60_000);
});

test("code that is gone, as in the middle of an update, stops no client", () => {
  cpSync(join(ROOT, "plugin/dist"), home.path("plugin/dist"), { recursive: true });
  rmSync(home.path("plugin/dist/body"), { recursive: true });
  expect(startSession({ plugin: home.path("plugin") })).toEqual({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^swarm: this hook could not be loaded: ENOENT.*\n$/),
  });
});
