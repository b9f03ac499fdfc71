// A session's pane shows its status, by the words that tmux would get; and what the end of a session leaves.
import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as events from "../../lib/hook/events.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { subagentPath } from "../../lib/sessions/store/sessions.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam } from "../support/a-team.ts";
import { payload } from "../support/run-built.ts";

let home: Home;
let asked: string[];
beforeEach(() => {
  home = aHome();
  aTeam(home);
  asked = [];
  const start = vi.spyOn(childProcess, "spawn").mockImplementation(((_: string, words: string[]) => {
    asked.push(words.join(" "));
    return Object.assign(new EventEmitter(), { unref: () => {} });
  }) as never);
  onTestFinished(() => start.mockRestore());
});

const PANE = { TMUX: "/s,1,0", TMUX_PANE: "%3", CLAUDE_PID: String(process.pid) };
type Handled = { after?: () => void; journal?: readonly object[] } | undefined | void;
const fire = (handler: (ctx: any) => Handled, event: any, input: object = {}, env = as("bob", PANE)) => {
  const outcome = handler(aContext(home, event, { session_id: "s-1", ...input }, { env }));
  outcome?.after?.();
  return outcome;
};
/** The status, or "plain" where it is none to show, of each call of tmux. */
const shown = () => asked.map((words) => / (working|attention|error)#/.exec(words)?.[1] ?? "plain");
const record = () => home.json(".claude/swarm/sessions/s-1/session.json");
const begin = () => fire(sessions.sessionStart, events.SessionStart, { source: "startup" });
const bash = { tool_name: "Bash", tool_input: {}, tool_use_id: "t1" };

test("it is drawn when the session's own status changes, and plain at the end", () => {
  begin();
  fire(sessions.userPromptSubmit, events.UserPromptSubmit, { prompt: "go" });
  fire(sessions.preToolUse, events.PreToolUse, bash);
  const inside = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
  fire(sessions.postToolUseFailure, events.PostToolUseFailure, { ...bash, ...inside });
  fire(sessions.permissionRequest, events.PermissionRequest, bash);
  fire(sessions.sessionEnd, events.SessionEnd, { reason: "other" });
  expect(shown()).toEqual(["plain", "working", "attention", "plain"]);
});

test("the pane of a session that was killed is plain again", () => {
  const known = { pid: 4_190_000, startedAt: "1", session: "s-0", pane: "%9", tmux: "/s,1,0" };
  home.write(".claude/swarm/processes/4190000.json", known);
  fire(sessions.sessionStart, events.SessionStart, { source: "startup" }, {});
  expect(asked).toEqual([expect.stringContaining("-t %9")]);
  expect(shown()).toEqual(["plain"]);
});

test("the end forgets the process of this session, not of another that has it by now", () => {
  const path = `.claude/swarm/processes/${process.pid}.json`;
  begin();
  home.write(path, { ...home.json(path), session: "s-2" });
  fire(sessions.sessionEnd, events.SessionEnd, { reason: "other" });
  expect(home.has(path)).toBe(true);
  home.write(path, { ...home.json(path), session: "s-1" });
  fire(sessions.sessionEnd, events.SessionEnd, { reason: "other" });
  expect(home.has(path)).toBe(false);
  expect(record()).toMatchObject({ endReason: "other", startedAt: expect.any(String) });
});

test("a permission mode is kept until another is said, and a transcript only where there is one", () => {
  begin();
  expect(record()).not.toHaveProperty("transcript");
  fire(sessions.preToolUse, events.PreToolUse, { ...bash, permission_mode: "plan" });
  expect(record().permissionMode).toBe("plan");
  fire(sessions.postToolUse, events.PostToolUse, bash);
  expect(record().permissionMode).toBe("plan");
  fire(sessions.preToolUse, events.PreToolUse, { ...bash, permission_mode: "default" });
  expect(record().permissionMode).toBe("default");
  fire(sessions.sessionStart, events.SessionStart, { source: "resume", transcript_path: "/t.jsonl" });
  expect(record().transcript).toBe("/t.jsonl");
});

test.each([
  [{ error: "rate_limit" }, "rate_limit"],
  [{}, "unknown"],
])("a turn that fails with %j", (input, failure) => {
  begin();
  const started = fire(sessions.userPromptSubmit, events.UserPromptSubmit, { prompt: "go" });
  expect(started?.journal).toEqual([expect.not.objectContaining({ failure: expect.anything() })]);
  const failed = fire(sessions.stopFailure, events.StopFailure, input);
  expect(failed?.journal).toMatchObject([{ what: "state", state: "failed", failure }]);
  expect(record().failure).toBe(failure);
});

test.each([
  ["permission_prompt", { kind: "permission", tool: "Bash" }],
  ["worker_permission_prompt", { kind: "permission", detail: "Claude asks" }],
  ["elicitation_dialog", { kind: "question", detail: "Claude asks" }],
])("a question that only a notification tells of: %s", (notification_type, prompt) => {
  begin();
  fire(sessions.preToolUse, events.PreToolUse, bash);
  fire(sessions.notification, events.Notification, { notification_type, message: "Claude asks" });
  expect(record().prompt).toEqual({ ...prompt, since: expect.any(String), isReported: true });
});

test("an idle teammate inside a session is noted, and idle is the one that the event names", () => {
  // As an older client sends it, without the id.
  const input = { ...payload("TeammateIdle-teammate-inprocess"), agent_id: undefined, agent_type: undefined };
  const path = (id: string) => subagentPath(home.paths, input.session_id, id).slice(home.root.length + 1);
  const usual = {
    session: input.session_id,
    state: "active",
    status: "working",
    startedAt: "",
    lastSeen: "",
  };
  home.write(path("a1"), { ...usual, agentId: "a1", agent: "alice" });
  home.write(path("b1"), { ...usual, agentId: "b1", agent: "bob" });
  const outcome = fire(sessions.teammateIdle, events.TeammateIdle, input, {});
  expect(outcome?.journal).toMatchObject([
    { what: "state", state: "idle" },
    { what: "teammate-idle", name: "bob" },
  ]);
  expect([home.json(path("a1")).state, home.json(path("b1")).state]).toEqual(["active", "idle"]);
});
