// How the demo plays a story: with scripts that say what they were given. The story itself is played by the slow ring.
import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { demo } from "../../lib/ops/demo/demo.ts";
import type { Step } from "../../lib/ops/demo/story.ts";
import { lifeOf } from "../../lib/system/processes.ts";
import { aCall } from "../support/a-call.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { until } from "../support/until.ts";

const HOOK = `
const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const { CLAUDE_CODE_AGENT_NAME: name = "nobody", CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: pid } = process.env;
console.log(JSON.stringify({
  hookSpecificOutput: {
    permissionDecision: "deny",
    permissionDecisionReason: "because",
    additionalContext: input.session_id + " is " + name + "\\n" + require("node:fs").readFileSync("deep/a.txt", "utf8"),
    watchPaths: ["/a", "/b"],
  },
  decision: "block",
  reason: "why",
  systemMessage: session + " " + pid,
}));`;
const VERB = `
const [exit, ...words] = process.argv.slice(2);
const { CLAUDE_CODE_AGENT_NAME: name = "nobody" } = process.env;
if (words[0] === "say") console.log(name + " says\\nsomething");
else if (words[0] === "fail") console.error("it failed\\nbadly");
process.exitCode = Number(exit);`;

function played(home: Home, story: (string | Step)[], flags: { keep?: boolean; json?: boolean } = {}) {
  home.write("plugin/dist/hooks/session-start.cjs", HOOK);
  home.write("plugin/bin/swarm", VERB);
  let shown = "";
  const call = { ...aCall(home, [], flags), ownRoot: home.path("plugin"), path: process.env["PATH"] ?? "" };
  const answer = demo(call, story, (text) => {
    shown += text;
  });
  return { ...answer, shown: shown.replaceAll(/ {2}\d+ ms\n/g, "  N ms\n") };
}

test("a step shows what went in and what came out; afterwards nothing is left", async () => {
  const home = aHome();
  const step: Step = {
    who: "lead",
    hook: "SessionStart",
    input: { source: "startup", list: [1] },
    files: { "project/deep/a.txt": "from the file" },
  };
  const { shown, ...answer } = played(home, ["Morning", step]);
  expect(shown).toMatch(/^A day with Swarm, in .*swarm-demo-/);
  expect(shown.replace(/\d+$/m, "PID").split("\n").slice(1)).toEqual([
    "",
    "Morning",
    "",
    "  lead   SessionStart  N ms",
    "    in:  source=startup  list=[1]",
    "    out: deny: because",
    "    out: block: why",
    "    out: lead-session is nobody",
    "    out: from the file",
    "    out: watches /a, /b",
    expect.stringMatching(/^ {4}out: to the person: lead-session /),
    "",
  ]);
  expect(answer).toMatchObject({ text: "\n1 steps, all as they should be.", exitCode: 0 });
  expect(readdirSync(home.path("tmp"))).toEqual([]);
  const pid = Number(/lead-session (\d+)$/m.exec(shown)?.[1]);
  expect(pid).toBeGreaterThan(0);
  await until(() => lifeOf({ pid }) === "gone", { what: "the end of the stand-in", ms: 5_000 });
});

test("a hook shows only what it said", () => {
  const home = aHome();
  home.write("plugin/dist/hooks/stop.cjs", 'console.log(JSON.stringify({ systemMessage: "look" }))');
  home.write("plugin/dist/hooks/post-compact.cjs", 'console.log("{}")');
  const { shown } = played(home, [
    { who: "lead", hook: "Stop" },
    { who: "lead", hook: "PostCompact" },
  ]);
  expect(shown.split("\n").slice(1)).toEqual([
    "",
    "  lead   Stop  N ms",
    "    in:  ",
    "    out: to the person: look",
    "",
    "  lead   PostCompact  N ms",
    "    in:  ",
    "    out: (no output)",
    "",
  ]);
});

test("verbs: a teammate by its variables, exit codes as the story tells them, and a home that is kept", () => {
  const home = aHome();
  const { shown, ...answer } = played(
    home,
    [
      { who: "alice", verb: ["0", "say", "two words"] },
      { who: "bob", verb: ["0"] },
      { who: "bob", verb: ["1", "fail"], exitCode: 1 },
      { who: "bob", verb: ["1", "say"] },
    ],
    { keep: true },
  );
  expect(shown.split("\n").slice(1)).toEqual([
    "",
    '  alice  $ swarm 0 say "two words"  N ms',
    "    out: alice says",
    "    out: something",
    "",
    "  bob    $ swarm 0  N ms",
    "    out: (no output)",
    "",
    "  bob    $ swarm 1 fail  N ms",
    "    out: exit code 1",
    "    out: it failed",
    "    out: badly",
    "",
    "  bob    $ swarm 1 say  N ms",
    "    out: bob says",
    "    out: something",
    "    out: exit code 1",
    "",
  ]);
  expect(answer).toEqual({
    text: "\n1 steps did not end as they should.",
    data: { steps: 4, failed: 1 },
    exitCode: 1,
  });
  const [kept = ""] = readdirSync(home.path("tmp"));
  expect(existsSync(home.path("tmp", kept, "project"))).toBe(true);
});

test("with --json nothing is shown beside the answer", () => {
  const home = aHome();
  const story: Step[] = [{ who: "lead", verb: ["0", "say"] }];
  expect(played(home, story, { json: true })).toMatchObject({ shown: "", data: { steps: 1, failed: 0 } });
});
