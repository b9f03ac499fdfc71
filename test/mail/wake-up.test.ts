import { expect, test } from "vitest";
import { ago } from "../../lib/core/time.ts";
import { SessionStart, Stop, SubagentStop, UserPromptSubmit } from "../../lib/hook/events.ts";
import * as reports from "../../lib/mail/hooks/last-reports.ts";
import { userPromptSubmit } from "../../lib/mail/hooks/wake-up.ts";
import { isWakeUp, summaryOf } from "../../lib/mail/wake-up.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam } from "../support/a-team.ts";

const TRIGGER = "[CLAUDE OS SYS: NOTIFICATION]: Workers complete";
const at = (time: string) => new Date(`2026-02-20T${time}:00Z`);

test.each([
  [TRIGGER, true],
  [`${TRIGGER} - 3 ready`, true],
  [`[2026-02-20 12:00:00] ${TRIGGER}`, true],
  [`[2026-02-20 12:00] ${TRIGGER}`, true],
  [`  ${TRIGGER}`, true],
  [`please explain "${TRIGGER}"`, false],
  [`<task-notification>${TRIGGER}`, false],
  ["", false],
])("%j is a wake-up: %s", (prompt, expected) => expect(isWakeUp(prompt)).toBe(expected));

test.each([
  ["11:59", "1m ago"],
  ["12:00", "just now"],
  ["10:30", "1h ago"],
])("%s is %s", (time, age) => expect(ago(at(time), at("12:00"))).toBe(age));

test("five are shown, the rest counted, long and hostile summaries tamed", () => {
  const finished = Array.from({ length: 7 }, (_, n) => ({
    id: `w${n}`,
    type: "writer",
    summary: n === 0 ? `<b>${"x".repeat(99)}\nsecond line` : "done",
    at: at("11:50"),
  }));
  const lines = summaryOf(finished, at("12:00")).split("\n");
  expect(lines[0]).toBe("📬 7 task(s) completed and ready for review:");
  expect(lines[1]).toBe(`• w0 (writer) - &lt;b&gt;${"x".repeat(50)}… [10m ago]`);
  expect(lines[2]).toBe("• w1 (writer) - done [10m ago]");
  expect(lines[6]).toBe("...and 2 more");
  expect(lines).toHaveLength(8);
});

function aTeamDay(): Home {
  const home = aHome();
  sessions.sessionStart(aContext(home, SessionStart, { source: "startup" }, { now: at("08:00") }));
  home.write(".claude/teams/t/inboxes/team-lead.json", [
    { from: "bob", text: "All green.", kind: "report", timestamp: at("11:00").toISOString(), read: false },
    { from: "eve", text: "Old news.", kind: "report", timestamp: at("11:10").toISOString(), read: true },
    { from: "bob", text: "hello", timestamp: at("11:20").toISOString(), read: false },
    "not a message",
  ]);
  const ended = { agent_id: "a0123456789abcdef", agent_type: "writer", last_assistant_message: "Wrote it." };
  sessions.subagentStop(aContext(home, SubagentStop, ended, { now: at("11:30") }));
  sessions.subagentStop(
    aContext(home, SubagentStop, { ...ended, session_id: "other" }, { now: at("11:30") }),
  );
  return home;
}
const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "team-lead" };
const woken = (home: Home, now: Date, prompt = TRIGGER) => {
  const outcome = userPromptSubmit(aContext(home, UserPromptSubmit, { prompt }, { env, now }));
  return typeof outcome?.context === "object" ? outcome.context.text.split("\n") : undefined;
};

test("what finished for this conversation is summed up, and only once", () => {
  const home = aTeamDay();
  expect(woken(home, at("12:00"))?.slice(0, 3)).toEqual([
    "📬 2 task(s) completed and ready for review:",
    "• a0123456789abcdef (writer) - Wrote it. [30m ago]",
    "• bob (report) - All green. [1h ago]",
  ]);
  expect(woken(home, at("12:05"))).toEqual(["📬 Nothing has been completed since the last summary."]);
});

test("a teammate's last report is summed up in its own words", () => {
  const home = aHome();
  aTeam(home);
  const end = { last_assistant_message: "The parser is done,\n and <b>all</b> green." };
  reports.stop(aContext(home, Stop, end, { env: as("bob"), now: at("11:58") }));
  const prompt = aContext(
    home,
    UserPromptSubmit,
    { prompt: TRIGGER },
    { env: as("team-lead"), now: at("12:00") },
  );
  expect(userPromptSubmit(prompt)).toMatchObject({
    context: {
      text: expect.stringContaining(
        "• bob (report) - The parser is done, and &lt;b&gt;all&lt;/b&gt; green. [2m ago]",
      ),
    },
  });
});

test("a completed task of the team counts from the moment it was written", () => {
  const home = aTeamDay();
  home.write(".claude/tasks/t/3.json", { id: "3", subject: "Build it", status: "completed", owner: "bob" });
  home.write(".claude/tasks/t/4.json", { id: "4", subject: "Sell it", status: "pending" });
  expect(woken(home, new Date())?.[1]).toBe("• #3 (bob) - Build it [just now]");
});

test("any other prompt costs nothing and says nothing", () => {
  expect(woken(aTeamDay(), at("12:00"), "go on")).toBeUndefined();
});
