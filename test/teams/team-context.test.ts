import { describe, expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import type { Outcome, Section } from "../../lib/hook/outcome.ts";
import * as inbox from "../../lib/mail/hooks/inbox.ts";
import * as teamContext from "../../lib/teams/hooks.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";

const textOf = (outcome: Outcome | undefined | void) =>
  outcome ? (outcome.context as Section | undefined)?.text : undefined;

const SEED = `<system-reminder>
# Team Context Available

You are in team 'swarm-review'. When spawning subagents via the Task tool, consider:

1. The subagent can use swarm commands if it needs team coordination
2. Team config is at: ~/.claude/teams/swarm-review/config.json
3. Tasks are at: ~/.claude/tasks/swarm-review/

If the subagent should be a full teammate (persistent, with inbox), use \`/swarm-spawn\` instead of the Task tool.
</system-reminder>`;

const spawn = (home: Home, tool_name: string, env: Record<string, string>) =>
  textOf(teamContext.preToolUse(aContext(home, events.PreToolUse, { tool_name }, { env })));

describe("a spawn from inside a team", () => {
  test.each(["Task", "Agent"])(
    "%s gets the reminder of Claude Swarm hooks word for word; the team's name alone is enough",
    (tool) => expect(spawn(aHome(), tool, { CLAUDE_CODE_TEAM_NAME: "swarm-review" })).toBe(SEED),
  );

  const NATIVE = { CLAUDE_CODE_TEAM_NAME: "session-0a1b2c3d", CLAUDE_CODE_AGENT_NAME: "bob" };
  test.each([
    ["another tool", "Bash", as("bob")],
    ["outside a team", "Agent", {}],
    ["in what cannot be a team", "Agent", { CLAUDE_CODE_TEAM_NAME: "../x" }],
    ["in a native team, where Agent itself makes teammates", "Agent", NATIVE],
  ])("%s is silent", (_, tool, env) => expect(spawn(aHome(), tool, env)).toBeUndefined());

  test("names are data, on their line", () => {
    const home = aHome();
    const team = "t&m";
    home.write(`.claude/teams/${team}/config.json`, {
      name: team,
      members: [
        { name: "team-lead" },
        { name: "b<b>" },
        { name: "bob", agentType: "<c>", status: "<d>", lastSeen: "<e>" },
      ],
    });
    home.write(".claude/tasks/t-m/1.json", {
      ...{ id: "1", subject: "<s>", status: "pending", blocks: [], blockedBy: [] },
      metadata: { swarm: { state: "<f>" } },
    });
    const env = (agent: string) => ({ CLAUDE_CODE_TEAM_NAME: team, CLAUDE_CODE_AGENT_NAME: agent });
    const bob = { env: env("bob") };
    const input = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
    const subagent = textOf(teamContext.subagentStart(aContext(home, events.SubagentStart, input, bob)));
    const asLead = { ...env("l&l"), CLAUDE_CODE_AGENT_TYPE: "team-lead" };
    const start = aContext(home, events.SessionStart, { source: "compact" }, { env: asLead });
    const lead = textOf(teamContext.leadContext(start));
    expect(lead).toContain("# Team Role for l&amp;l\n\nYou are l&amp;l, the lead");
    expect(lead).toContain("- Task #1 [&lt;f&gt;]: &lt;s&gt;");
    expect(spawn(home, "Agent", env("bob"))).toContain("in team 't&amp;m'");
    expect(subagent).toContain("in team 't&amp;m'");
    const other = aContext(home, events.SubagentStart, input, { env: env("c&c") });
    expect(textOf(teamContext.subagentStart(other))).toContain("You are a subagent of c&amp;c in team");
    expect(lead).toContain("the lead of team 't&amp;m'");
    for (const text of [subagent, lead]) {
      expect(text).toContain("- b&lt;b&gt;: unknown");
      expect(text).toContain("- bob: &lt;c&gt;, &lt;d&gt;, last seen &lt;e&gt;");
    }
  });

  test("another configuration directory is named as it is", () =>
    expect(spawn(aHome(), "Agent", { ...as("bob"), CLAUDE_CONFIG_DIR: "/srv/claude" })).toContain(
      "/srv/claude/teams/atm-dev/config.json",
    ));
});

function tasks(home: Home, count: number): void {
  for (let id = 1; id <= count; id++) {
    const status = ["pending", "in_progress", "completed"][id % 3];
    const task = { id: String(id), subject: `Subject ${id}`, status, owner: id % 2 ? "bob" : undefined };
    home.write(`.claude/tasks/${TEAM}/${id}.json`, task);
  }
}

describe("a subagent", () => {
  const input = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
  const begin = (home: Home, env: Record<string, string> = as("bob")) =>
    textOf(teamContext.subagentStart(aContext(home, events.SubagentStart, input, { env })));

  test("learns config, members, task summary and channels", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", agentType: "developer", lastSeen: "2026-02-20T11:59:00Z" }]);
    tasks(home, 6);
    expect(begin(home)).toBe(`# Team Context

You are a subagent of bob in team 'atm-dev'.
Config: ~/.claude/teams/atm-dev/config.json
Tasks: ~/.claude/tasks/atm-dev/ (2 pending, 2 in progress)
Channels: \`swarm send <member> "<text>"\` writes to a member in bob's name; mail for bob is not shown to you.

## Members (2)

- team-lead: active
- bob: developer, active, last seen 2026-02-20T11:59:00Z`);
  });

  test.each([
    ["outside a team", {}],
    ["of a team that is not on disk", as("bob")],
  ])("%s hears nothing", (_, env) => expect(begin(aHome(), env)).toBeUndefined());

  test("of a team of two hundred gets what fits", () => {
    const home = aHome();
    aTeam(
      home,
      Array.from({ length: 200 }, (_, n) => `member-${n}`),
    );
    expect(begin(home)?.length).toBeLessThanOrEqual(3_000);
    expect(begin(home)).toMatch(/\nand \d+ more$/);
  });
});

describe("a lead that lost its memory", () => {
  const start = (home: Home, source: string, agent = "team-lead") => {
    const ctx = aContext(home, events.SessionStart, { source }, { env: as(agent) });
    return [textOf(teamContext.leadContext(ctx)), textOf(inbox.sessionStart(ctx))] as const;
  };

  test.each(["compact", "clear", "resume"])(
    "after %s gets role, roster, open tasks and unread mail back",
    (source) => {
      const home = aHome();
      aTeam(home);
      tasks(home, 3);
      home.write(inboxOf("team-lead"), [aMessage("bob", "done with 2")]);
      const [role, mail] = start(home, source);
      expect(role).toContain("You are team-lead, the lead of team 'atm-dev'");
      expect(role).toContain(
        "## Open Tasks (2)\n\n- Task #1 [in_progress]: Subject 1 (bob)\n- Task #3 [pending]: Subject 3 (bob)",
      );
      expect(role).toContain("- alice: active\n- bob: active");
      expect(mail).toContain("<content>done with 2</content>");
    },
  );

  test("in at most 2,500 tokens, however much there is", () => {
    const home = aHome();
    aTeam(home, ["team-lead", ...Array.from({ length: 200 }, (_, n) => `member-${n}`)]);
    tasks(home, 400);
    const report = (n: number) => aMessage("bob", `report ${n} ${"words ".repeat(20)}`);
    home.write(
      inboxOf("team-lead"),
      Array.from({ length: 500 }, (_, n) => report(n)),
    );
    const [role = "", mail = ""] = start(home, "compact");
    expect(role).toContain("more in ~/.claude/tasks/atm-dev/");
    expect(mail).toContain("more unread");
    // Three characters a token is what dense text comes to; prose has four.
    expect((role.length + mail.length) / 3).toBeLessThanOrEqual(2_500);
  });

  test.each([
    ["a fresh start", "startup", "team-lead"],
    ["a member", "compact", "bob"],
  ])("%s gets no role", (_, source, agent) => {
    const home = aHome();
    aTeam(home);
    expect(start(home, source, agent)[0]).toBeUndefined();
  });
});
