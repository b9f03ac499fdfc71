// PowerShell's own ways to do the same; one command a line.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgePowerShell } from "../../../lib/features/command-guard/engine.ts";
import { aSituation, lines } from "./a-situation.ts";

const read = (name: string) => lines(readFileSync(join(import.meta.dirname, "powershell", name), "utf8"));

test.each(read("denied.txt"))("denied: %s", (command) => {
  expect(judgePowerShell(command, aSituation())).toMatchObject({ rule: expect.any(String) });
});

test.each(read("allowed.txt"))("allowed: %s", (command) => {
  expect(judgePowerShell(command, aSituation())).toBeUndefined();
});
