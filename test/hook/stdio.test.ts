import { expect, test, vi } from "vitest";
import { print, readStdin, terminal, writeAll } from "../../lib/hook/environment.ts";
import { failure, insteadOfFs } from "../support/instead-of-fs.ts";

/** Each call of a stream takes the next: bytes or a text, or an error by its code. */
function aStream(steps: (string | { code: string })[]) {
  return () => {
    const step = steps.shift() ?? "";
    if (typeof step !== "string") throw failure(step.code);
    return step;
  };
}

/** As the two calls behave: one takes a piece, the other all of them, and what it has taken before an error is lost. */
function read(...steps: (string | { code: string })[]): string {
  const next = aStream(steps);
  const readSync = (_fd: number, buffer: Buffer, at: number) => buffer.write(next(), at);
  const readFileSync = () => {
    let text = "";
    for (let piece = next(); piece !== ""; piece = next()) text += piece;
    return text;
  };
  return insteadOfFs({ readFileSync, readSync }, readStdin);
}

test("the input comes in one piece or in many", () => {
  expect(read("all of it")).toBe("all of it");
  expect(read("one ", "two ", "three")).toBe("one two three");
});

test.each(["EOF", "EBADF", "ENXIO"])("%s: nobody gave any", (code) => expect(read({ code })).toBe(""));

test("a pipe that is not ready is waited for, at first and between two pieces", () => {
  const later = { code: "EAGAIN" };
  expect(read(later, "one ", { ...later }, { ...later }, "two")).toBe("one two");
  expect(read("one ", later, "two")).toBe("one two");
});

test("anything else is an error", () => {
  expect(() => read({ code: "EIO" })).toThrow("EIO");
  expect(() => read("one", { code: "EIO" })).toThrow("EIO");
});

test("a letter that two pieces share stays whole", () => {
  const bytes = [...Buffer.from("aé")];
  const readSync = (_fd: number, buffer: Buffer, at: number) =>
    Buffer.from(bytes.splice(0, 1)).copy(buffer, at);
  expect(insteadOfFs({ readSync }, readStdin)).toBe("aé");
});

test("too much is refused", () =>
  expect(() => read(...Array<string>(1024).fill("x".repeat(64 * 1024)), "x")).toThrow("67108865 characters"));

/** What arrives where the pipe takes `steps` bytes at a time. */
function written(steps: (number | { code: string })[], write: () => void): string {
  let out = "";
  const writeSync = (_fd: number, bytes: Buffer, at: number) => {
    const step = steps.shift() ?? bytes.length;
    if (typeof step !== "number") throw failure(step.code);
    out += bytes.subarray(at, at + step).toString();
    return Math.min(step, bytes.length - at);
  };
  insteadOfFs({ writeSync }, write);
  return out;
}

test("a full pipe is tried again until everything is out", () =>
  expect(
    written([3, { code: "EAGAIN" }, { code: "EAGAIN" }, 2, { code: "EAGAIN" }], () =>
      writeAll(1, "abcdefgh"),
    ),
  ).toBe("abcdefgh"));

test.each(["EPIPE", "EBADF"])("%s: with no reader left the rest is dropped", (code) =>
  expect(written([3, { code }], () => writeAll(1, "abcdefgh"))).toBe("abc"),
);

test("whether it got out is said", () => {
  const got: boolean[] = [];
  written([3, { code: "EAGAIN" }], () => void got.push(writeAll(1, "abcdefgh"), writeAll(2, "")));
  written([3, { code: "EPIPE" }], () => void got.push(writeAll(1, "abcdefgh")));
  expect(got).toEqual([true, true, false]);
});

test("another failure is an error", () =>
  expect(() => written([{ code: "EIO" }], () => writeAll(2, "abc"))).toThrow("EIO"));

test("what a person reads has nothing hidden", () =>
  expect(written([], () => print(1, "a\u001b[31mb\u200bc"))).toBe("a[31mbc"));

const device = (is: boolean) => ({ fstatSync: () => ({ isCharacterDevice: () => is }) });

test.each<[string, Parameters<typeof insteadOfFs>[0]]>([
  ["a pipe", device(false)],
  ["a closed stream", { fstatSync: aStream([{ code: "EBADF" }]) }],
])("%s is no terminal", (_, calls) =>
  expect(insteadOfFs(calls, terminal)).toEqual({ isTerminal: false, columns: 80, rows: 24 }),
);

test.each<[string, object, object]>([
  ["its own size", { isTTY: true, columns: 132, rows: 50 }, { isTerminal: true, columns: 132, rows: 50 }],
  ["none", { isTTY: true, columns: 0, rows: 0 }, { isTerminal: true, columns: 80, rows: 24 }],
  ["another device", { columns: 132, rows: 50 }, { isTerminal: false, columns: 80, rows: 24 }],
])("the size of a terminal: %s", (_, stdout, expected) => {
  const spy = vi.spyOn(process, "stdout", "get").mockReturnValue(stdout as typeof process.stdout);
  try {
    expect(insteadOfFs(device(true), terminal)).toEqual(expected);
  } finally {
    spy.mockRestore();
  }
});

test("another failure to ask is an error", () =>
  expect(() => insteadOfFs({ fstatSync: aStream([{ code: "EIO" }]) }, terminal)).toThrow("EIO"));
