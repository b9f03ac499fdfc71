import { mkdirSync, symlinkSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { localDay } from "../../lib/core/time.ts";
import {
  createPage,
  firstLines,
  folderOf,
  foldersWithPage,
  lastLines,
  readPage,
} from "../../lib/scratchpad/store.ts";
import { aHome } from "../support/a-home.ts";
import { failure, insteadOfFs } from "../support/instead-of-fs.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([
  ["America/Los_Angeles", "2026-02-19"],
  ["UTC", "2026-02-20"],
  ["Pacific/Kiritimati", "2026-02-20"],
])("the day is the person's own: %s", (zone, day) => {
  vi.stubEnv("TZ", zone);
  expect(localDay(new Date("2026-02-20T03:00:00Z"))).toBe(day);
});

test.each([
  ["spec-writer", "spec-writer"],
  ["my agent", "my agent"],
  ["swarm:reviewer", "swarm-reviewer"],
  ["a/b\\c", "a-b-c"],
  ["../../etc/passwd", "etc-passwd"],
  ["..", "agent"],
  ["::", "agent"],
  ["con", "agent-con"],
  ["-rf", "rf"],
  ["Prüfer:日本", "Prüfer-日本"],
])("the folder of %j is %j", (type, folder) => {
  expect(folderOf(type)).toBe(folder);
});

test("a very long type still fits into a file name", () => {
  expect(Buffer.byteLength(folderOf(`plugin:${"日".repeat(200)}`))).toBeLessThanOrEqual(100);
});

const page = (n: number) => Array.from({ length: n }, (_, at) => `line ${at + 1}`).join("\n");

test("the newest page is the one with the latest date, whatever else lies there", () => {
  const home = aHome();
  home.write("project/.claude/scratchpad/ego/2026-02-18.md", "old");
  home.write("project/.claude/scratchpad/ego/2026-02-19.md", page(30));
  home.write("project/.claude/scratchpad/ego/notes.md", "not a page");
  home.write("project/.claude/scratchpad/ego/2026-99.md", "not a page");
  const first = firstLines(home.project, "ego", 20);
  expect(first?.lines).toHaveLength(20);
  expect(first).toMatchObject({ path: ".claude/scratchpad/ego/2026-02-19.md", more: 10 });
});

test("the last lines are those that say something", () => {
  const home = aHome();
  home.write("project/.claude/scratchpad/ego/2026-02-19.md", "a\nb\n\nc\n  \nd\n\n\n");
  expect(lastLines(home.project, "ego", 3)).toEqual(["b", "c", "d"]);
  expect(lastLines(home.project, "nobody", 3)).toEqual([]);
});

test("a page that is a link out of the project is not shown", () => {
  const home = aHome();
  const secret = home.write("secret.md", "the secret");
  mkdirSync(home.path("project/.claude/scratchpad/ego"), { recursive: true });
  symlinkSync(secret, home.path("project/.claude/scratchpad/ego/2026-02-19.md"));
  expect(firstLines(home.project, "ego", 20)).toBeUndefined();
  expect(lastLines(home.project, "ego", 3)).toEqual([]);
});

test("of a giant page both ends are read, and nothing between", () => {
  const home = aHome();
  const giant = `# first\n${"x".repeat(99)}\n`.padEnd(300_000, "filler\n");
  home.write("project/.claude/scratchpad/a/2026-02-20.md", `${giant}\n# last\n`);
  const text = readPage(home.project, "a", "2026-02-20") ?? "";
  expect(text).toMatch(/^# first\n[\s\S]*\n# last\n$/);
  expect(text.length).toBeLessThan(140_000);
  expect(firstLines(home.project, "a", 2)?.more).toBeUndefined();
});

test("a page between one and two ends long is read whole and once", () => {
  const home = aHome();
  const text = page(12_000);
  expect(text.length).toBeGreaterThan(64 * 1024);
  expect(text.length).toBeLessThan(128 * 1024);
  home.write("project/.claude/scratchpad/a/2026-02-20.md", text);
  expect(readPage(home.project, "a", "2026-02-20")).toBe(text);
});

test("today's pages are found by their folders", () => {
  const home = aHome();
  for (const folder of ["b", "a", "ego"])
    home.write(`project/.claude/scratchpad/${folder}/2026-02-20.md`, "x");
  home.write("project/.claude/scratchpad/late/2026-02-19.md", "x");
  home.write("project/.claude/scratchpad/odd/2026-02-20.md/file", "a folder in the page's place");
  home.write("project/.claude/scratchpad/readme.md", "x");
  symlinkSync("loop", home.path("project/.claude/scratchpad/loop"));
  expect(foldersWithPage(home.project, "2026-02-20")).toEqual(["a", "b", "ego"]);
  expect(foldersWithPage(home.root, "2026-02-20")).toEqual([]);
});

test("a page that exists is never overwritten", () => {
  const home = aHome();
  expect(createPage(home.project, "a", "2026-02-20", "first")).toBe(true);
  expect(createPage(home.project, "a", "2026-02-20", "second")).toBe(false);
  expect(readPage(home.project, "a", "2026-02-20")).toBe("first");
});

test("a type of a megabyte is a folder at once", () => {
  const began = process.cpuUsage();
  expect(folderOf("<x".repeat(500_000)).length).toBeLessThan(120);
  expect(folderOf(`${".".repeat(1_000_000)}x`)).toBe("agent");
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
});

test("a directory or a dead link with a later date hides no page", () => {
  const home = aHome();
  home.write("project/.claude/scratchpad/ego/2026-02-18.md", "calm");
  mkdirSync(home.path("project/.claude/scratchpad/ego/2026-02-19.md"));
  symlinkSync(home.path("nowhere"), home.path("project/.claude/scratchpad/ego/2026-02-20.md"));
  expect(firstLines(home.project, "ego", 20)?.lines).toEqual(["calm"]);
  expect(lastLines(home.project, "ego", 3)).toEqual(["calm"]);
});

test("a page or a folder that may not be read is none", () => {
  const home = aHome();
  home.write("project/.claude/scratchpad/ego/2026-02-18.md", "calm");
  const refuse = () => {
    throw failure("EACCES");
  };
  for (const calls of [{ openSync: refuse }, { readdirSync: refuse }]) {
    expect(insteadOfFs(calls, () => firstLines(home.project, "ego", 20))).toBeUndefined();
    expect(insteadOfFs(calls, () => lastLines(home.project, "ego", 3))).toEqual([]);
  }
});
