import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { namesIn, readHead, readTail, readText, retryTransient, writeJson } from "../../lib/core/files.ts";
import { appendLine, readForeignJson, readJson, updateJson } from "../../lib/core/json.ts";
import { elapsedMs, takeProblems } from "../../lib/core/process.ts";
import { aHome } from "../support/a-home.ts";
import { virtualTime } from "../support/in-no-time.ts";

const schema = z.looseObject({ n: z.number() });
const isRoot = process.getuid?.() === 0;

test("a file that is not there is nothing, not an error", () => {
  const home = aHome();
  expect(readText(home.path("no"))).toBeUndefined();
  expect(readText(home.path("no/deeper"))).toBeUndefined();
  expect(readText(home.path("a\0b"))).toBeUndefined();
  expect(namesIn(home.path("a\0b"))).toEqual([]);
  expect(readJson(home.path("no"), schema)).toBeUndefined();
});

test("a pipe in a file's place does not hang the reader", () => {
  const home = aHome();
  execFileSync("mkfifo", [home.path("pipe")]);
  expect(() => readText(home.path("pipe"))).toThrow("not a regular file");
});

test("a file over the limit is refused by its size", () => {
  const home = aHome();
  expect(() => readText(home.write("big", "x".repeat(11)), 10)).toThrow("more than 10");
});

test("head and tail take only their part", () => {
  const home = aHome();
  const path = home.write("f", "0123456789");
  expect(readTail(path, 3)).toEqual({ text: "789", size: 10 });
  expect(readHead(path, 3)).toEqual({ text: "012", size: 10 });
  expect(readTail(path, 99)?.text).toBe("0123456789");
});

test.each([
  ["half a file", '{"n": 1'],
  ["the wrong shape", '{"n": "one"}'],
  ["an empty file", ""],
])("%s of ours is set aside with its content and reported", (_, content) => {
  const home = aHome();
  takeProblems();
  const path = home.write("d/x.json", content);
  expect(readJson(path, schema)).toBeUndefined();
  const aside = readdirSync(home.path("d"));
  expect(aside).toEqual([expect.stringMatching(/^x\.json\.corrupt-\d{4}-/)]);
  expect(home.read(`d/${aside[0]}`)).toBe(content);
  expect(takeProblems()).toEqual([expect.stringContaining("is damaged")]);
});

test("half a file of the client's is left where it is", () => {
  const home = aHome();
  const path = home.write("x.json", '{"n": 1');
  expect(readForeignJson(path, schema)).toBeUndefined();
  expect(home.read("x.json")).toBe('{"n": 1');
});

test("what is written is private, whole and leaves nothing beside it", () => {
  const home = aHome();
  const path = home.path("new/dir/x.json");
  writeJson(path, { n: 1 }, { durable: true });
  expect(home.json("new/dir/x.json")).toEqual({ n: 1 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(home.path("new/dir")).mode & 0o777).toBe(0o700);
  expect(readdirSync(home.path("new/dir"))).toEqual(["x.json"]);
});

test("an update keeps keys it does not know, and `undefined` leaves the file alone", () => {
  const home = aHome();
  const path = home.write("x.json", { n: 1, theirs: { deep: [1] } });
  updateJson(path, schema, (stored) => ({ ...stored, n: (stored?.n ?? 0) + 1 }));
  expect(home.json("x.json")).toEqual({ n: 2, theirs: { deep: [1] } });
  const before = statSync(path).mtimeMs;
  expect(updateJson(path, schema, () => undefined)).toBeUndefined();
  expect(statSync(path).mtimeMs).toBe(before);
  expect(home.has("x.json.lock")).toBe(false);
});

test("a failing change keeps the old content and frees the lock", () => {
  const home = aHome();
  const path = home.write("x.json", { n: 1 });
  const explode = () => {
    throw new Error("no");
  };
  expect(() => updateJson(path, schema, explode)).toThrow("no");
  expect(home.json("x.json")).toEqual({ n: 1 });
  expect(readdirSync(home.root).sort()).toEqual(["project", "tmp", "x.json"]);
});

test("a write that cannot be made keeps the old content", () => {
  const home = aHome();
  const path = home.write("d/x.json", { n: 1 });
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  expect(() => writeJson(path, cycle)).toThrow();
  expect(home.json("d/x.json")).toEqual({ n: 1 });
  expect(readdirSync(home.path("d"))).toEqual(["x.json"]);
});

test("a log line is one line, in a private file", () => {
  const home = aHome();
  appendLine(home.path("log/x.jsonl"), { text: "two\nlines" });
  appendLine(home.path("log/x.jsonl"), { text: "next" });
  expect(home.lines("log/x.jsonl")).toEqual([{ text: "two\nlines" }, { text: "next" }]);
  expect(statSync(home.path("log/x.jsonl")).mode & 0o777).toBe(0o600);
});

test("a line that was left torn does not swallow the next", () => {
  const home = aHome();
  home.write("x.jsonl", '{"n":1}\n{"n":');
  appendLine(home.path("x.jsonl"), { n: 2 });
  expect(home.read("x.jsonl").split("\n")).toEqual(['{"n":1}', '{"n":', '{"n":2}', ""]);
});

test("a full log turns over once and keeps the older half", () => {
  const home = aHome();
  for (let n = 0; n < 5; n++) appendLine(home.path("x.jsonl"), { n }, 20);
  expect(home.lines("x.jsonl.1").map((line) => line.n)).toEqual([0, 1, 2]);
  expect(home.lines("x.jsonl").map((line) => line.n)).toEqual([3, 4]);
});

test("a symlink in a log's place is refused, and what it points to stays as it is", () => {
  const home = aHome();
  const victim = home.write("victim", "precious");
  symlinkSync(victim, home.path("x.jsonl"));
  expect(() => appendLine(home.path("x.jsonl"), { n: 1 })).toThrow();
  expect(readFileSync(victim, "utf8")).toBe("precious");
});

test("a symlink in a temp file's place is refused", async () => {
  vi.resetModules(); // the names are counted, so a fresh count can be foreseen
  const { writeJson } = await import("../../lib/core/files.ts");
  const home = aHome();
  const victim = home.write("victim", "precious");
  const path = home.path("x.json");
  symlinkSync(victim, `${path}.tmp.${process.pid.toString(16)}-1`);
  expect(() => writeJson(path, { n: 1 })).toThrow(/EEXIST/);
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(lstatSync(victim).isFile()).toBe(true);
});

test.skipIf(isRoot)("a directory that cannot be written gives an error, not half a file", () => {
  const home = aHome();
  mkdirSync(home.path("ro"));
  writeFileSync(home.path("ro/x.json"), '{"n":1}');
  chmodSync(home.path("ro"), 0o500);
  expect(() => updateJson(home.path("ro/x.json"), schema, () => ({ n: 2 }))).toThrow();
  chmodSync(home.path("ro"), 0o700);
  expect(home.json("ro/x.json")).toEqual({ n: 1 });
});

const failing = (code: string, times: number) => {
  let tries = 0;
  return {
    tries: () => tries,
    work: () => {
      if (++tries <= times) throw Object.assign(new Error(code), { code });
      return "done";
    },
  };
};

test.each<[string, number, string, number, NodeJS.Platform]>([
  ["EBUSY", 3, "done", 4, "linux"],
  ["EBUSY", 9, "done", 10, "linux"],
  ["EBUSY", 10, "EBUSY", 10, "linux"],
  ["ESTALE", 1, "done", 2, "linux"],
  ["EACCES", 1, "EACCES", 1, "linux"],
  ["EACCES", 1, "done", 2, "win32"],
  ["ESTALE", 1, "ESTALE", 1, "win32"],
])("%s, %i times: %s after %i tries, on %s", (code, times, end, expected, platform) => {
  onTestFinished(virtualTime());
  const began = elapsedMs();
  const { work, tries } = failing(code, times);
  const result = () => {
    try {
      return retryTransient(work, platform);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(result()).toBe(end);
  expect(tries()).toBe(expected);
  expect(elapsedMs() - began).toBeGreaterThanOrEqual(15 * (expected - 1));
});

test("a damaged file that another process has already set aside is nothing, not an error", () => {
  const home = aHome();
  const path = home.write("x.json", "{}");
  const reader = () => {
    rmSync(path);
    throw new Error("damaged");
  };
  expect(readJson(path, reader)).toBeUndefined();
});

test.skipIf(!existsSync("/proc/self/fd"))("what is read, written and appended is closed again", () => {
  const home = aHome();
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let n = 0; n < 20; n++) {
    writeJson(home.path("x.json"), { n }, { durable: true });
    readText(home.path("x.json"));
    readTail(home.path("x.json"), 3);
    appendLine(home.path("x.jsonl"), { n });
  }
  expect(open()).toBeLessThan(before + 10);
});

test("a write that fails leaves no temp file", () => {
  const home = aHome();
  const refuse = () => {
    throw new Error("no");
  };
  expect(() => writeJson(home.path("x.json"), {}, { beforeRename: refuse })).toThrow("no");
  expect(readdirSync(home.root).filter((name) => name.startsWith("x.json"))).toEqual([]);
});

test("a line is appended on a line of its own, after a writer that was cut off too", () => {
  const home = aHome();
  appendLine(home.path("new.jsonl"), { n: 1 });
  expect(home.read("new.jsonl")).toBe('{"n":1}\n');
  appendLine(home.path("new.jsonl"), { n: 2 });
  expect(home.read("new.jsonl")).toBe('{"n":1}\n{"n":2}\n');
  home.write("cut.jsonl", '{"n":');
  appendLine(home.path("cut.jsonl"), { n: 3 });
  expect(home.read("cut.jsonl")).toBe('{"n":\n{"n":3}\n');
});

test("what a killed process of our number has left is neither in the way nor ours to remove", () => {
  const home = aHome();
  const left = Array.from(
    { length: 500 },
    (_, n) => `x.json.tmp.${process.pid.toString(16)}-${(n + 1).toString(16)}`,
  );
  for (const name of left) home.write(name, "half");
  writeJson(home.path("x.json"), { n: 1 });
  expect(home.json("x.json")).toEqual({ n: 1 });
  expect(left.filter((name) => home.has(name))).toEqual(left);
});
