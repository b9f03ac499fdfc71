// How many files one reads to follow a payload. Where a row fails: `npm run walk -- test/payloads/<payload>.json [--team]` lists them.
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesWalked } from "../scripts/walk/files.ts";

const PAYLOADS = join(import.meta.dirname, "payloads");

test.each([
  { payload: "SessionStart-startup", team: true, most: 45 },
  { payload: "Stop", team: true, most: 40 },
  { payload: "PreToolUse-Bash", team: false, most: 30 },
  { payload: "PreToolUse-Read", team: false, most: 22 },
])("$payload (in a team: $team) passes through at most $most files", ({ payload, team, most }) => {
  const files = filesWalked(join(PAYLOADS, `${payload}.json`), { team });
  expect(files[0]).toBe("lib/hook/run.ts");
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});
