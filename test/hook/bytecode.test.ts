// The format of cached bytecode, its check and its writer, on files of a few words. What real bytecode does is in loader.slow.test.ts.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { beforeEach, describe, expect, test } from "vitest";
import { decode, encode, isIntact, readWords } from "../../lib/hook/bytecode.ts";
import { checkAllCaches, checkCache } from "../../lib/hook/bytecode-check.ts";
import { keepBytecode } from "../../lib/hook/bytecode-keep.ts";
import type { Part } from "../../lib/hook/loader.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";

const DAY_S = 24 * 60 * 60;
const data = Uint8Array.from({ length: 1_001 }, (_, n) => (n * 7) % 251);
const words = () => encode({ data, tries: 3 }) as Uint32Array;
const changed = (change: (copy: Uint32Array) => void) => {
  const copy = words();
  change(copy);
  return copy;
};

let home: Home;
let place: string;
beforeEach(() => {
  home = aHome();
  place = home.path("bytecode/this-node");
  mkdirSync(place, { recursive: true });
});
const put = (name: string, content: Uint8Array | Uint32Array | string = words(), ageS = 0) => {
  const path = join(place, name);
  writeFileSync(path, content);
  const at = Date.now() / 1000 - ageS;
  utimesSync(path, at, at);
  return path;
};

describe("the format", () => {
  test("gives back the bytes and how often they were refreshed", () =>
    expect(decode(words())).toEqual({ data, tries: 3 }));

  test.each<[string, Uint32Array]>([
    ["nothing", new Uint32Array()],
    ["no length", changed((copy) => copy.fill(0, 0, 1))],
    ["a word too few", words().subarray(0, -1)],
    ["a word too many", Uint32Array.from([...words(), 0])],
    ["a sampled word lost", changed((copy) => copy.fill(1, 4, 5))],
    ["the next sampled word lost", changed((copy) => copy.fill(1, 65, 66))],
    ["zeros", new Uint32Array(300)],
  ])("is refused with %s", (_, given) => expect(decode(given)).toBeUndefined());

  test("a word between the samples is noticed by the whole check alone", () => {
    const damaged = changed((copy) => copy.fill(1, 10, 11));
    expect(decode(damaged)).toBeDefined();
    expect([isIntact(words()), isIntact(damaged)]).toEqual([true, false]);
  });

  test("two megabytes are too much", () =>
    expect(encode({ data: new Uint8Array(2 * 1024 * 1024 - 16), tries: 0 })).toBeUndefined());

  test("a file is read in whole words", () => {
    expect(readWords(put("whole"))).toEqual(words());
    expect(readWords(put("odd", Buffer.alloc(4_001, 1)))).toHaveLength(0);
  });

  test.runIf(process.platform === "linux")("a file is closed again", () => {
    const path = put("one");
    const open = () => readdirSync("/proc/self/fd").length;
    const before = open();
    for (let n = 0; n < 20; n++) readWords(path);
    expect(open()).toBeLessThan(before + 20);
  });
});

describe("the check", () => {
  test("what is whole stays, what is damaged goes and is named", () => {
    const [whole, damaged] = [put("whole"), put("damaged", "no bytecode")];
    mkdirSync(join(place, "directory"));
    const report = checkCache(place);
    expect(report.intact).toBe(1);
    expect(report.damaged.sort()).toEqual([damaged, join(place, "directory")].sort());
    expect([whole, damaged, join(place, "directory")].map(existsSync)).toEqual([true, false, false]);
  });

  test.each([
    ["unused for 29 days", "one", 29 * DAY_S, true],
    ["unused for 31 days", "one", 31 * DAY_S, false],
    ["half-written a minute ago", "one.tmp.1f-0", 60, true],
    ["half-written two hours ago", "one.tmp.1f-0", 7_200, false],
  ])("%s", (_, name, ageS, stays) => {
    const path = put(name, words(), ageS);
    expect(checkCache(place).damaged).toEqual([]);
    expect(existsSync(path)).toBe(stays);
  });

  test("what this build uses is young again, and an empty directory goes", () => {
    const used = put("used", words(), 20 * DAY_S);
    const other = put("other", words(), 20 * DAY_S);
    mkdirSync(home.path("bytecode/another-node"));
    checkCache(place, ["used", "missing"]);
    const ageMs = (path: string) => Date.now() - statSync(path).mtimeMs;
    expect(ageMs(used)).toBeLessThan(60_000);
    expect(ageMs(other)).toBeGreaterThan(60_000);
    expect(readdirSync(home.path("bytecode"))).toEqual(["this-node"]);
  });

  test("a directory that another process removes meanwhile is passed over", () => {
    put("whole");
    const gone = home.path("bytecode/another-node");
    mkdirSync(gone);
    onFileCalls((name, [path]) => {
      if (name === "lstatSync" && path === gone) rmdirSync(gone);
    });
    expect(checkCache(place)).toEqual({ intact: 1, damaged: [] });
    expect(existsSync(gone)).toBe(false);
  });

  test("what a link leads to is left alone", () => {
    const letter = home.write("letters/one", "Dear Ann");
    symlinkSync(home.path("letters"), home.path("bytecode/linked"));
    expect(checkCache(place)).toEqual({ intact: 0, damaged: [] });
    expect(existsSync(letter)).toBe(true);
  });

  test("of all installations: ours below the client's data, and our own cache", () => {
    const at = (directory: string, content: Uint32Array | string) => {
      mkdirSync(home.path(directory), { recursive: true });
      writeFileSync(home.path(`${directory}/one`), content);
    };
    at(".claude/swarm/cache/bytecode/node", words());
    at(".claude/plugins/data/swarm-market/bytecode/node", words());
    at(".claude/plugins/data/swarm-other/bytecode/node", "damaged");
    at(".claude/plugins/data/stranger/bytecode/node", "damaged");
    expect(checkAllCaches(home.path(".claude"))).toEqual({
      intact: 2,
      damaged: [home.path(".claude/plugins/data/swarm-other/bytecode/node/one")],
    });
    expect(home.has(".claude/plugins/data/stranger/bytecode/node/one")).toBe(true);
  });
});

describe("the writer", () => {
  const SOURCE = "1 + 1";
  const aPart = (more: Partial<Part> = {}): Part => ({
    path: join(place, "part"),
    source: SOURCE,
    hash: createHash("sha256").update(SOURCE).digest("hex").slice(0, 16),
    script: new Script(SOURCE),
    kept: undefined,
    module: { exports: {} },
    ...more,
  });
  const left = () => readdirSync(place);
  const rejected = Object.assign(new Script(SOURCE), { cachedDataRejected: true });

  test("leaves a whole file for the owner alone, and no other", () => {
    keepBytecode([aPart()]);
    expect(left()).toEqual(["part"]);
    expect(isIntact(readWords(join(place, "part")))).toBe(true);
    expect(statSync(join(place, "part")).mode & 0o777).toBe(0o600);
  });

  test("makes the directory, for the owner alone", () => {
    keepBytecode([aPart({ path: home.path("new/place/part") })]);
    expect(statSync(home.path("new/place")).mode & 0o777).toBe(0o700);
  });

  test("a part of another build is not kept", () => {
    keepBytecode([aPart({ hash: "0123456789abcdef" })]);
    expect(left()).toEqual([]);
  });

  test.each([
    ["a minute", 60, 3],
    ["two hours", 7_200, 0],
  ])("what V8 rejected is written again after an hour: %s", (_, ageS, tries) => {
    put("part", words(), ageS);
    keepBytecode([aPart({ script: rejected })]);
    expect(decode(readWords(join(place, "part")))?.tries).toBe(tries);
  });

  test.each([
    ["as much as before", 1, 6],
    ["far less before", 0.5, 0],
  ])("%s: the tries are counted or begin again", (_, share, tries) => {
    const script = new Script(SOURCE);
    const bytes = Math.round(script.createCachedData().length * share);
    keepBytecode([aPart({ script, kept: { bytes, tries: 5 } })]);
    expect(decode(readWords(join(place, "part")))?.tries).toBe(tries);
  });

  test.each([
    ["is left alone", 10, false],
    ["was killed a while ago", 3_600, true],
  ])("another process that writes the same %s", (_, ageS, isWritten) => {
    put("part.tmp.0-0", "", ageS);
    keepBytecode([aPart(), aPart({ path: join(place, "another") })]);
    expect(left().includes("part")).toBe(isWritten);
    expect(left()).toContain("another");
  });

  test.each([
    ["this run began from what is there", words(), 0, true],
    ["another has counted one more try", words(), 1, false],
    ["another has kept the first", words(), undefined, false],
    ["it is damaged", "damaged", undefined, true],
  ])("written unless a run beside this one did it meanwhile: %s", (_, content, before, isWritten) => {
    put("part", content, 60);
    const found = typeof content === "string" ? undefined : decode(content);
    const kept =
      found && before !== undefined ? { bytes: found.data.length, tries: found.tries - before } : undefined;
    keepBytecode([aPart({ kept })]);
    expect(statSync(join(place, "part")).mtimeMs > Date.now() - 30_000).toBe(isWritten);
  });
});
