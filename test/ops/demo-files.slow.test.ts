// The files of a whole day: every one of them is declared.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindOf } from "../../lib/ops/file-kinds.ts";
import { aHome } from "../support/a-home.ts";
import { runSwarm } from "../support/run-built.ts";

test("after a whole day of the demo there is no file without a kind", () => {
  const home = aHome();
  expect(runSwarm(home, ["demo", "--keep"]).exitCode).toBe(0);
  const stage = readdirSync(home.path("tmp")).find((name) => name.startsWith("swarm-demo-")) ?? "";
  const base = home.path("tmp", stage, ".claude");
  const files = readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(base, name)).isFile() && !name.startsWith("tasks/"))
    .sort();
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => !kindOf(name))).toEqual([]);
}, 60_000);
