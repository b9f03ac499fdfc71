// Windows and macOS: their branches with the platform handed in, no global touched.
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { isTransient, retryTransient } from "../../lib/core/files.ts";
import { isDirectory } from "../../lib/guard/hooks.ts";
import { factsOf, fromPs, fromStat, lifeOf } from "../../lib/system/processes.ts";
import { findProgram } from "../../lib/system/programs.ts";
import { aHome } from "../support/a-home.ts";

const failing = (code: string) => Object.assign(new Error(code), { code });

test.each<[NodeJS.Platform, string, boolean]>([
  ["win32", "EPERM", true],
  ["win32", "EACCES", true],
  ["win32", "EBUSY", true],
  ["win32", "ENOTEMPTY", true],
  ["win32", "ENOENT", false],
  ["linux", "EPERM", false],
  ["linux", "EACCES", false],
  ["linux", "EBUSY", true],
  ["darwin", "ESTALE", true],
  ["darwin", "ENOTEMPTY", false],
  ["linux", "EXDEV", false],
])("%s: %s passes by itself: %s", (platform, code, passes) =>
  expect(isTransient(failing(code), platform)).toBe(passes),
);

test("what passes is tried again, what does not is thrown at once", () => {
  const attempts = (code: string, platform: NodeJS.Platform, failures: number) => {
    let tried = 0;
    const work = () => {
      if (++tried <= failures) throw failing(code);
      return tried;
    };
    try {
      return retryTransient(work, platform);
    } catch (error) {
      return `${(error as Error).message} after ${tried}`;
    }
  };
  expect(attempts("EPERM", "win32", 3)).toBe(4);
  expect(attempts("EPERM", "linux", 3)).toBe("EPERM after 1");
  expect(attempts("EBUSY", "win32", 99)).toBe("EBUSY after 10");
});

test.each([
  [
    "Ss     1 Mon Nov 16 05:43:10 2026\n",
    { isZombie: false, parent: 1, startedAt: "Mon Nov 16 05:43:10 2026" },
  ],
  [
    "Z+  4711 Mon Nov  6 05:43:10 2026",
    { isZombie: true, parent: 4711, startedAt: "Mon Nov 6 05:43:10 2026" },
  ],
  ["", undefined],
  [undefined, undefined],
])("macOS: ps says %j", (line, facts) => expect(fromPs(line)).toEqual(facts));

test("Linux: a program's name may hold brackets and spaces", () => {
  const stat = `42 (a) Z (b) S 7 ${Array.from({ length: 17 }, (_, n) => n).join(" ")} 987 rest`;
  expect(fromStat(stat)).toEqual({ isZombie: false, parent: 7, startedAt: "987" });
});

test("Windows: nothing is known beyond the number, so nothing is proven alive", () => {
  expect(factsOf(process.pid, "win32")).toBeUndefined();
  expect(lifeOf({ pid: process.pid })).toBe("unknown");
});

test("Windows: a program is found by its ending", () => {
  const home = aHome();
  mkdirSync(home.path("bin"));
  chmodSync(home.write("bin/claude.exe", ""), 0o755);
  expect(findProgram("claude", home.path("bin"), "win32")).toBe(home.path("bin", "claude.exe"));
  expect(findProgram("claude", home.path("bin"), "linux")).toBeUndefined();
});

test("a program by its full path, or in the places of PATH; only what can be run", () => {
  const home = aHome();
  const tool = home.write("bin/tool", "");
  home.write("other/tool", "");
  chmodSync(tool, 0o755);
  mkdirSync(home.path("other/dir"));
  const path = `${home.path("other")}:${home.path("bin")}`;
  expect(findProgram("tool", path)).toBe(tool);
  expect(findProgram("dir", path)).toBeUndefined();
  expect(findProgram("tool", undefined)).toBeUndefined();
  expect(findProgram(tool, undefined)).toBe(tool);
  expect(findProgram(home.path("bin/none"), path)).toBeUndefined();
  expect(findProgram("bin/tool", home.root)).toBeUndefined();
});

test.each<NodeJS.Platform>(["linux", "darwin", "win32"])(
  "%s: a directory is distinguished from all else",
  (platform) => {
    const home = aHome();
    mkdirSync(home.path("dir"));
    home.write("file", "");
    symlinkSync("dir", home.path("to-dir"));
    symlinkSync("file", home.path("to-file"));
    symlinkSync("circle", home.path("circle"));
    const names = ["dir", "dir/", "to-dir", "file", "to-file", "circle", "absent", "file/x"];
    const found = names.filter((name) => isDirectory(home.path(name), platform));
    expect(found).toEqual(["dir", "dir/", "to-dir"]);
  },
);
