// What the demo shows, and the files of its whole day: every one of them is declared.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kindOf } from "../../lib/ops/file-kinds.ts";
import { aHome } from "../support/a-home.ts";
import { runSwarm } from "../support/run-built.ts";

test("after a whole day of the demo there is no file without a kind", () => {
  const home = aHome();
  const { exitCode, stdout } = runSwarm(home, ["demo", "--keep"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^ {2}lead {3}\$ swarm \S.* {2}\d+ ms$/m);
  expect(stdout).toMatch(/^ {2}\w+ +\$ swarm [^"\n]*"[^"]+ [^"]+"/m);
  expect(stdout).toMatch(/^ {2}alice {2}SessionStart {2}\d+ ms\n {4}in: {2}source=startup/m);
  expect(stdout).toMatch(/\n\d+ steps, all as they should be\.\n$/);
  const stage = readdirSync(home.path("tmp")).find((name) => name.startsWith("swarm-demo-")) ?? "";
  const base = home.path("tmp", stage, ".claude");
  const files = readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(base, name)).isFile() && !name.startsWith("tasks/"))
    .sort();
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => !kindOf(name))).toEqual([]);
}, 60_000);
