// What the file functions do where the file system refuses, and what they promise about links and places that are no files.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import {
  copyNewFile,
  createDirectory,
  createFile,
  isNoFile,
  namesIn,
  openFile,
  pathFrom,
  readHead,
  readOwnText,
  readRotatedTail,
  readTail,
  readText,
  realPath,
  removeFile,
  rewriteFile,
  sizeOf,
  statIfThere,
  writeJson,
  writeNew,
} from "../../lib/core/files.ts";
import {
  appendLine,
  appendLines,
  appendText,
  parsedLines,
  readForeignJson,
  readJson,
} from "../../lib/core/json.ts";
import { withLock } from "../../lib/core/lock.ts";
import { elapsedMs, takeProblems } from "../../lib/core/process.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { failing, onFileCalls } from "../support/file-calls.ts";

const number = (value: unknown) => Number(value);
const damaged = () => {
  throw new Error("no such shape\nat line 7");
};

/** Each on a path whose directory exists. */
const CALLS: Record<string, (path: string) => unknown> = {
  readText,
  readOwnText,
  namesIn: (path) => namesIn(dirname(path)),
  readTail: (path) => readTail(path, 9),
  readHead: (path) => readHead(path, 9),
  statIfThere,
  readJson: (path) => readJson(path, number),
  "readJson, damaged": (path) => readJson(path, damaged),
  writeJson: (path) => writeJson(path, 1),
  "writeJson, durable": (path) => writeJson(path, 1, { durable: true }),
  writeNew: (path) => writeNew(path, ""),
  appendLine: (path) => appendLine(path, 1),
  appendText: (path) => appendText(path, "x"),
  createFile: (path) => createFile(`${path}.new`),
  removeFile,
  withLock: (path) => withLock(path, () => 1, 50),
};

test.each<[what: keyof typeof CALLS, refused: string, code: string]>([
  ["readText", "openSync", "EACCES"],
  ["readOwnText", "openSync", "EACCES"],
  ["namesIn", "readdirSync", "EACCES"],
  ["readTail", "openSync", "EIO"],
  ["readHead", "openSync", "EIO"],
  ["statIfThere", "statSync", "EIO"],
  ["readJson", "openSync", "EACCES"],
  ["readJson, damaged", "renameSync", "EACCES"],
  ["writeJson", "writeFileSync", "ENOSPC"],
  ["writeJson", "renameSync", "EACCES"],
  ["writeJson, durable", "fsyncSync", "EIO"],
  ["writeNew", "writeFileSync", "EROFS"],
  ["appendLine", "openSync", "EACCES"],
  ["appendText", "writeFileSync", "ENOSPC"],
  ["createFile", "openSync", "EROFS"],
  ["removeFile", "unlinkSync", "EACCES"],
  ["withLock", "mkdirSync", "EACCES"],
  ["withLock", "rmdirSync", "EACCES"],
])("%s: what %s refuses with %s is not taken for an absence", (what, refused, code) => {
  const home = aHome();
  const path = home.write("d/x.json", "1");
  const listed = readdirSync(home.path("d"));
  failing(refused, code);
  expect(() => CALLS[what]?.(path)).toThrow(code);
  if (refused !== "rmdirSync" && refused !== "readdirSync")
    expect(readdirSync(home.path("d")).filter((name) => name !== "x.json.lock")).toEqual(listed);
  if (what !== "writeJson, durable" && what !== "appendText") expect(home.read("d/x.json")).toBe("1");
});

test.each(["appendLine", "writeJson", "withLock"])(
  "%s: a file in a directory's place is named as such",
  (what) => {
    const home = aHome();
    home.write("d", "a file");
    expect(() => CALLS[what]?.(home.path("d/x.json"))).toThrow("ENOTDIR");
  },
);

test.each<[string, (home: Home) => unknown, unknown]>([
  [
    "a directory that we may not enter",
    ({ path }) => during("statSync", "EACCES", () => statIfThere(path("x"))),
    undefined,
  ],
  ["a name with a NUL", ({ path }) => statIfThere(path("a\0b")), undefined],
  ["a file in a directory's place", ({ write }) => namesIn(write("f", "")), []],
  ["the size of no file", ({ path }) => sizeOf(path("no")), 0],
  ["the size of a file", ({ write }) => sizeOf(write("f", "four")), 4],
  [
    "a file that goes before it is read",
    ({ write }) => during("openSync", "ENOENT", () => readTail(write("f", ""), 9)),
    undefined,
  ],
  ["no file to remove", ({ path }) => removeFile(path("no")), undefined],
  [
    "a file that another removes first",
    ({ write }) => during("unlinkSync", "ENOENT", () => removeFile(write("f", ""))),
    undefined,
  ],
])("%s", (_, look, expected) => expect(look(aHome())).toEqual(expected));

function during(name: string, code: string, look: () => unknown): unknown {
  failing(name, code);
  return look();
}

const linked = (home: Home): string => {
  symlinkSync(home.write("target", "0123456789"), home.path("link"));
  return home.path("link");
};

test("a link is followed to a person's documents", () => {
  const path = linked(aHome());
  expect([readText(path), readTail(path, 2)?.text, readHead(path, 2)?.text]).toEqual([
    "0123456789",
    "89",
    "01",
  ]);
});

test.each<[string, (path: string, home: Home) => unknown]>([
  ["read as ours", readOwnText],
  ["rewritten", (path) => rewriteFile(path, "x")],
  ["appended to", (path) => appendText(path, "x")],
  ["copied", (path, home) => copyNewFile(path, home.path("copy"))],
  ["copied to", (path, home) => copyNewFile(home.path("target"), path)],
])("a link is not %s", (_, work) => {
  const home = aHome();
  const path = linked(home);
  const error = thrownBy(() => work(path, home));
  expect((error as NodeJS.ErrnoException).code).toMatch(/ELOOP|EEXIST/);
  expect(home.read("target")).toBe("0123456789");
  expect(home.has("copy")).toBe(false);
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each<[string, (home: Home) => unknown, boolean]>([
  ["a link", (home) => openFile(linked(home), "append"), true],
  ["a directory, read", ({ project }) => openFile(project, "read"), true],
  ["a directory, written", ({ project }) => openFile(project, "append"), true],
  ["a pipe", (home) => openFile(aPipe(home), "change"), true],
  ["no file", ({ path }) => openFile(path("no"), "read"), false],
])("%s is no file: %j", (_, open, expected) =>
  expect(isNoFile(thrownBy(() => open(aHome())))).toBe(expected),
);

const aPipe = (home: Home): string => {
  execFileSync("mkfifo", [home.path("pipe")]);
  return home.path("pipe");
};

test("a directory is made once, and only where it can be", () => {
  const home = aHome();
  expect([createDirectory(home.path("d")), createDirectory(home.path("d"))]).toEqual([true, false]);
  expect(statSync(home.path("d")).mode & 0o777).toBe(0o700);
  expect(() => createDirectory(home.path("no/d"))).toThrow("ENOENT");
});

test("a path with its links followed, as far as it exists", () => {
  const home = aHome();
  mkdirSync(home.path("real"));
  symlinkSync(home.path("real"), home.path("way"));
  expect(realPath(home.path("way/a/b"))).toBe(home.path("real/a/b"));
  expect(() => realPath("a\0b")).toThrow();
  expect([pathFrom("/a", "/a/b/c"), pathFrom("/a", "/b"), pathFrom("/a", "/a")]).toEqual(["b/c", "/b", "/a"]);
});

test("a link to what does not exist leads there, save to a stream of the process and in a circle", () => {
  const home = aHome();
  mkdirSync(home.path("real"));
  mkdirSync(home.path("a"));
  symlinkSync("../real/new", home.path("a/on"));
  symlinkSync("a/on", home.path("over"));
  expect(realPath(home.path("over/x"))).toBe(home.path("real/new/x"));
  mkdirSync(home.path("deep/er"), { recursive: true });
  symlinkSync("../deep/er", home.path("a/way"));
  symlinkSync("way/../new", home.path("a/back"));
  expect(realPath(home.path("a/back"))).toBe(home.path("deep/new"));
  symlinkSync("circle", home.path("circle"));
  expect(realPath(home.path("circle/x"))).toBe(home.path("circle/x"));
  symlinkSync("/proc/self/fd/999", home.path("stream"));
  expect(realPath(home.path("stream"))).toBe(home.path("stream"));
});

test("a file is created once, with its text, and rewritten in place", () => {
  const home = aHome();
  const path = home.path("x");
  expect([createFile(path, "first"), createFile(path, "second"), home.read("x")]).toEqual([
    true,
    false,
    "first",
  ]);
  const { ino } = statSync(path);
  rewriteFile(path, "2nd");
  expect([home.read("x"), statSync(path).ino]).toEqual(["2nd", ino]);
  rewriteFile(path, "");
  expect(home.read("x")).toBe("");
});

test("a copy has the bytes, and replaces nothing", () => {
  const home = aHome();
  const bytes = Buffer.from([0xff, 0, 0x80]);
  writeFileSync(home.path("from"), bytes);
  copyNewFile(home.path("from"), home.path("to"));
  expect(statSync(home.path("to")).size).toBe(3);
  expect(() => copyNewFile(home.write("other", "x"), home.path("to"))).toThrow("EEXIST");
  expect(statSync(home.path("to")).size).toBe(3);
});

test("a file of a person's project is made where there is none, and kept where there is one", () => {
  const home = aHome();
  expect([writeNew(home.path("a/b/x"), "1"), writeNew(home.path("a/b/x"), "2")]).toEqual([true, false]);
  expect(home.read("a/b/x")).toBe("1");
});

test.each([
  ["0123456789", "", 4, "6789"],
  ["89", "4567", 4, "456789"],
  ["89", "", 4, "89"],
  ["0123", "4567", 4, "0123"],
  ["", "4567", 2, "67"],
])("of a log that turned over, %j after %j, the last %i bytes are %j", (now, before, bytes, expected) => {
  const home = aHome();
  if (now) home.write("log", now);
  if (before) home.write("log.1", before);
  expect(readRotatedTail(home.path("log"), bytes)).toBe(expected);
});

test("a file of the client's in the middle of a write is read again, three times in a tenth of a second", () => {
  const home = aHome();
  const path = home.write("x.json", "7");
  let reads = 0;
  const began = elapsedMs();
  const onlyAt = (at: number) => (value: unknown) => {
    if (++reads !== at) throw new Error("half");
    return value;
  };
  expect(readForeignJson(path, onlyAt(3))).toBe(7);
  expect(elapsedMs() - began).toBeGreaterThanOrEqual(95);
  reads = 0;
  expect([readForeignJson(path, onlyAt(0)), reads]).toEqual([undefined, 3]);
});

test("what is reported of a damaged file is the first line of why", () => {
  const home = aHome();
  takeProblems();
  readJson(home.write("x.json", "1"), damaged);
  expect(takeProblems()).toEqual([expect.stringContaining("is damaged (no such shape); moved to")]);
});

test("lines are synced only where that was asked for, after they are written", () => {
  const home = aHome();
  const calls: string[] = [];
  onFileCalls((name) => {
    if (name === "writeFileSync" || name === "fsyncSync") calls.push(name);
  });
  appendLines(home.path("x.jsonl"), [1]);
  appendText(home.path("x.jsonl"), "2\n");
  expect(calls).toEqual(["writeFileSync", "writeFileSync"]);
  appendLines(home.path("x.jsonl"), [3], { durable: true });
  expect(calls.slice(2)).toEqual(["writeFileSync", "fsyncSync"]);
});

test("a log of exactly its size is not full yet", () => {
  const home = aHome();
  appendLine(home.path("x.jsonl"), 123456789, 10);
  expect(existsSync(home.path("x.jsonl.1"))).toBe(false);
  appendLine(home.path("x.jsonl"), 1, 10);
  expect(home.read("x.jsonl.1")).toBe("123456789\n1\n");
});

test("a full log that another process rotates at the same moment is no error", () => {
  const home = aHome();
  onFileCalls((name, [path]) => {
    if (name === "renameSync") renameSync(String(path), home.path("rotated"));
  });
  appendLine(home.path("x.jsonl"), 123456789, 5);
  expect([home.read("rotated"), existsSync(home.path("x.jsonl.1"))]).toEqual(["123456789\n", false]);
});

test("of a log the lines that are whole objects are read", () => {
  expect(parsedLines('{"n":1}\n\n[2]\n3\nnull\n{"n":4\n{"n":5}')).toEqual([{ n: 1 }, { n: 5 }]);
});

test.skipIf(!existsSync("/proc/self/fd"))("what is refused is closed again", () => {
  const home = aHome();
  mkdirSync(home.path("d"));
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let n = 0; n < 20; n++) expect(() => readOwnText(home.path("d"))).toThrow("not a regular file");
  expect(open()).toBeLessThan(before + 10);
});
