// What is written durably is flushed before it gets its name, and its directory after.
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { type WriteOptions, writeJson } from "../../lib/core/files.ts";
import { aHome } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";

test.skipIf(process.platform !== "linux").each<[WriteOptions["durable"], string[]]>([
  [true, ["flush x.json.tmp", "rename to x.json", "flush there"]],
  ["content", ["flush x.json.tmp", "rename to x.json"]],
  [false, ["rename to x.json"]],
  [undefined, ["rename to x.json"]],
])("durable %s", (durable, expected) => {
  const home = aHome();
  home.write("there/y.json", "{}");
  const done: string[] = [];
  onFileCalls((name, args) => {
    if (name === "fsyncSync")
      done.push(`flush ${basename(readlinkSync(`/proc/self/fd/${args[0]}`)).replace(/tmp\..*/, "tmp")}`);
    if (name === "renameSync") done.push(`rename to ${basename(String(args[1]))}`);
  });
  writeJson(home.path("there/x.json"), { n: 1 }, { durable });
  expect(done).toEqual(expected);
  expect(home.json("there/x.json")).toEqual({ n: 1 });
});
