// The built hook runs what the source says: `tsx hooks/x.ts` and `plugin/dist/hooks/x.cjs` answer alike and write the same files.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf } from "../support/a-team.ts";
import { cleanEnv, payload, ROOT } from "../support/run-built.ts";

const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");

function aMemberWithMail(): Home {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  home.write(inboxOf("bob"), [aMessage("team-lead", "please look at this")]);
  return home;
}

function called(program: string[], name: string) {
  const home = aMemberWithMail();
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    input: JSON.stringify({ ...payload(name), cwd: home.project }),
    env: cleanEnv(home, { ...as("bob"), CLAUDE_PID: String(process.pid) }),
    cwd: home.project,
    encoding: "utf8",
  });
  const files = readdirSync(home.path(".claude"), { recursive: true, encoding: "utf8" }).sort();
  const plain = (text: string) =>
    text.replaceAll(home.root, "~").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
  return { status, stdout: plain(stdout), stderr: plain(stderr), files };
}

test.each([
  ["session-start", "SessionStart-startup"],
  ["user-prompt-submit", "UserPromptSubmit"],
  ["pre-tool-use", "PreToolUse-Bash"],
  ["post-tool-use", "PostToolUse-Edit"],
  ["stop", "Stop"],
  ["session-end", "SessionEnd-other"],
])("%s", (script, name) => {
  const source = called([TSX, join(ROOT, "hooks", `${script}.ts`)], name);
  const built = called([join(ROOT, "plugin/dist/hooks", `${script}.cjs`)], name);
  expect(built).toEqual(source);
  expect(built.status).toBe(0);
  expect(built.files.length).toBeGreaterThan(5);
});
