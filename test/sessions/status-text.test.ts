import { expect, test } from "vitest";
import { SessionStart, UserPromptSubmit } from "../../lib/hook/events.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { statusReminder } from "../../lib/sessions/hooks.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

const REMINDER = `[CLAUDE OS SYS: INFO]: Consider setting a session status with status("what you're working on")`;
const at = (minute: number) => new Date(Date.UTC(2026, 1, 20, 12, minute));

function aSession(env: Record<string, string> = {}) {
  const home = aHome();
  sessions.sessionStart(aContext(home, SessionStart, { source: "startup" }, { env, now: at(0) }));
  return home;
}
const prompt = (home: Home, minute: number, env: Record<string, string> = {}) => {
  const context = statusReminder(aContext(home, UserPromptSubmit, {}, { env, now: at(minute) }))?.context;
  return typeof context === "object" ? context.text.split("\n")[0] : undefined;
};
const env = { CLAUDE_SESSION_ROLE: "chief" };

test("after two minutes without a status it is asked for, once", () => {
  const home = aSession(env);
  expect([1, 2, 3, 9].map((minute) => prompt(home, minute, env))).toEqual([
    undefined,
    REMINDER,
    undefined,
    undefined,
  ]);
});

test("who has a status is not asked", () => {
  const home = aSession(env);
  const { stdout } = runSwarm(home, ["status", "set", "fixing  the", "parser", "--session-id", "s-1"], {
    env: { CLAUDE_CODE_SESSION_ID: "s-1" },
  });
  expect(stdout).toBe("status: fixing the parser\n");
  expect(home.json(".claude/swarm/sessions/s-1/session.json").statusText).toBe("fixing the parser");
  expect(prompt(home, 5, env)).toBeUndefined();
});

test("where nobody looks nobody is asked", () => {
  expect(prompt(aSession(), 5)).toBeUndefined();
  const home = aSession();
  home.write("project/.atm.toml", "");
  expect(prompt(home, 5)).toBe(REMINDER);
});

test("a status survives the next events, and an empty one takes it away", () => {
  const home = aSession();
  runSwarm(home, ["status", "set", "deep work"], { env: { CLAUDE_CODE_SESSION_ID: "s-1" } });
  runHook(home, "user-prompt-submit", { prompt: "go" });
  runHook(home, "stop", {});
  expect(home.json(".claude/swarm/sessions/s-1/session.json")).toMatchObject({
    statusText: "deep work",
    state: "idle",
  });
  runSwarm(home, ["status", "set", ""], { env: { CLAUDE_CODE_SESSION_ID: "s-1" } });
  expect(home.json(".claude/swarm/sessions/s-1/session.json").statusText).toBeUndefined();
});

test.each<[string[], number, string, Record<string, string>?]>([
  [["status", "set"], 2, "what is the status?"],
  [["status", "set", "x"], 2, "call this in the session"],
  [["status", "set", "x", "--session-id", "s-1"], 2, "outside a session you speak as person"],
  [["status", "set", "x"], 1, "there is no session nobody", { CLAUDE_CODE_SESSION_ID: "nobody" }],
])("%j fails with %d: %s", (args, exitCode, why, env = {}) => {
  expect(runSwarm(aHome(), args, { env })).toMatchObject({ exitCode, stderr: expect.stringContaining(why) });
});
