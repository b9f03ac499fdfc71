// A scripted day: how many turns a lead has because of what its two teammates send and finish.
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import * as inbox from "../../lib/mail/hooks/inbox.ts";
import * as reports from "../../lib/mail/hooks/last-reports.ts";
import { appendMessage } from "../../lib/mail/store/inbox.ts";
import { newMessage } from "../../lib/mail/store/message.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { notifyOfCompletion } from "../../lib/tasks/notify.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { aTask } from "../support/a-task.ts";
import { as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";

const ON_SCREEN = { CLAUDE_CODE_ENTRYPOINT: "cli" };

function aDay() {
  const home = aHome();
  aTeam(home, ["team-lead", "ada", "bob"]);
  home.write(".claude/swarm/settings.toml", "[mail]\ngather_ms = 0\n");
  let seconds = 0;
  let turns = 0;
  const now = () => new Date(NOON.getTime() + ++seconds * 1_000);
  const given = (agent: string) => ({ env: as(agent, ON_SCREEN), now: now() });
  const session = (agent: string) => ({
    session_id: agent === "team-lead" ? "lead-session" : `${agent}-session`,
  });

  const begin = (agent: string) => {
    const ctx = aContext(home, events.UserPromptSubmit, { prompt: "go", ...session(agent) }, given(agent));
    sessions.userPromptSubmit(ctx);
    const mail = inbox.userPromptSubmit(ctx);
    if (mail) mail.after?.();
  };
  /** Whether the turn goes on with mail. */
  const end = (agent: string, words: string): boolean => {
    const ctx = aContext(
      home,
      events.Stop,
      { last_assistant_message: words, ...session(agent) },
      given(agent),
    );
    const mail = inbox.stop(ctx) || {};
    ctx.outcomes.push({ ...mail, feature: "inbox" });
    sessions.stop(ctx);
    reports.stop(ctx);
    mail.after?.();
    return mail.context !== undefined;
  };
  const leadLooks = () => {
    const file_path = home.path(inboxOf("team-lead"));
    const change = { file_path, event: "change", ...session("team-lead") };
    const ctx = aContext(home, events.FileChanged, change, given("team-lead"));
    const outcome = inbox.fileChanged(ctx);
    if (!outcome?.wake) return;
    turns++;
    begin("team-lead");
    while (end("team-lead", "I see.")) turns++;
  };
  return {
    begin,
    end,
    leadLooks,
    turns: () => turns,
    unread: () => home.json(inboxOf("team-lead")).filter((one: { read: boolean }) => !one.read).length,
    send: (agent: string, text: string, routine = false) =>
      appendMessage(home.paths, TEAM, "team-lead", newMessage({ from: agent, text, at: now(), routine })),
    finish: (agent: string, id: string) =>
      notifyOfCompletion(
        {
          ...{ paths: home.paths, now: now(), cwd: home.project, env: {}, list: TEAM, team: TEAM },
          ...{ session: `${agent}-session`, settings: aContext(home, events.Stop).settings },
          actor: { name: agent, isLead: false },
        },
        aTask(id, { subject: "a part", status: "completed" }),
      ),
  };
}

/** Ten tasks: progress once each, a task done, a result by mail, last words; two in which the result is only in the last words. */
function play(day: ReturnType<typeof aDay>) {
  day.begin("team-lead");
  day.end("team-lead", "They are at work.");
  for (let round = 0; round < 5; round++) {
    const agents = ["ada", "bob"];
    const together = round % 2 === 0;
    const look = () => (together ? undefined : day.leadLooks());
    for (const agent of agents) day.begin(agent);
    for (const agent of agents) {
      day.send(agent, "half way", true);
      look();
    }
    if (together) day.leadLooks();
    for (const agent of agents) {
      day.finish(agent, String(round + 1));
      look();
      if (round < 4) day.send(agent, "here is the result");
      look();
    }
    if (together) day.leadLooks();
    for (const agent of agents) {
      day.end(agent, "I am done.");
      look();
    }
    if (together) day.leadLooks();
  }
}

test("ten tasks of two teammates cost the lead 7 turns (25 when every message and every stop woke it)", () => {
  const day = aDay();
  play(day);
  expect(day.turns()).toBe(7);
  expect(day.unread()).toBe(0);
});
