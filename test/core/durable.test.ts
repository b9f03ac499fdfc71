// What is written durably is flushed before it gets its name, and its directory after.
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { expect, test, vi } from "vitest";
import type { WriteOptions } from "../../lib/core/files.ts";
import { aHome } from "../support/a-home.ts";

const done: string[] = [];

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    fsyncSync: (fd: number) => {
      done.push(`flush ${basename(readlinkSync(`/proc/self/fd/${fd}`)).replace(/tmp\..*/, "tmp")}`);
      fs.fsyncSync(fd);
    },
    renameSync: (from: string, to: string) => {
      done.push(`rename to ${basename(to)}`);
      fs.renameSync(from, to);
    },
  };
});

vi.resetModules(); // the setup has loaded it already
const { writeJson } = await import("../../lib/core/files.ts");

test.skipIf(process.platform !== "linux").each<[WriteOptions["durable"], string[]]>([
  [true, ["flush x.json.tmp", "rename to x.json", "flush there"]],
  ["content", ["flush x.json.tmp", "rename to x.json"]],
  [false, ["rename to x.json"]],
  [undefined, ["rename to x.json"]],
])("durable %s", (durable, expected) => {
  const home = aHome();
  home.write("there/y.json", "{}");
  done.length = 0;
  writeJson(home.path("there/x.json"), { n: 1 }, { durable });
  expect(done).toEqual(expected);
  expect(home.json("there/x.json")).toEqual({ n: 1 });
});
