// Whose event it is: the seed's order of resolution, for each event and each kind of agent.
import { expect, test } from "vitest";
import type { AnyEvent } from "../../lib/hook/events.ts";
import * as events from "../../lib/hook/events.ts";
import { lifecycleOf } from "../../lib/sessions/lifecycle-relay.ts";
import { lifecycleLine } from "../../lib/sessions/store/lifecycle.ts";
import { aContext } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { payload } from "../support/run-built.ts";

const TOML = '[core]\ndefault_team = "toml-team"\nidentity = "toml-agent"\n';

type RelayEvent = Parameters<typeof lifecycleOf>[1];

function resolved(
  name: RelayEvent,
  input: object,
  { env, toml = TOML }: { env?: Record<string, string>; toml?: string } = {},
): string | undefined {
  const home = aHome();
  home.write("project/.atm.toml", toml);
  const event: AnyEvent = name === "permission_request" ? events.PermissionRequest : events.TeammateIdle;
  const line = lifecycleOf(aContext(home, event, { ...input, cwd: home.project }, { env }), name);
  return line && `${line.agent}@${line.team}`;
}

const ENV = { ATM_TEAM: "env-team", ATM_IDENTITY: "env-agent" };

test.each<[string, object, string | undefined]>([
  ["what the client sends", { teammate_name: "bob", team_name: "t" }, "bob@t"],
  ["teammate_name before name", { teammate_name: "bob", name: "x", agent: "y" }, "bob@env-team"],
  ["name before agent", { name: "x", agent: "y" }, "x@env-team"],
  ["agent before the tool's input", { agent: "y", tool_input: { name: "z" } }, "y@env-team"],
  ["the tool's input before the environment", { tool_input: { name: "z", team_name: "tt" } }, "z@tt"],
  [
    "team_name before the others",
    { name: "x", team_name: "t", team: "u", tool_input: { team_name: "v" } },
    "x@t",
  ],
  ["team before the environment", { name: "x", team: "u" }, "x@u"],
  ["the environment before .atm.toml", {}, "env-agent@env-team"],
  ["blank counts as absent", { teammate_name: " ", team_name: "" }, "env-agent@env-team"],
  ["wrong types count as absent", { name: 7, agent: {}, team: [], tool_input: "x" }, "env-agent@env-team"],
])("teammate_idle: %s", (_, input, who) => expect(resolved("teammate_idle", input, { env: ENV })).toBe(who));

test("an idle teammate without a name gets none from .atm.toml", () => {
  expect(resolved("teammate_idle", {})).toBeUndefined();
  expect(resolved("teammate_idle", { teammate_name: "bob" })).toBe("bob@toml-team");
  expect(resolved("teammate_idle", { teammate_name: "bob" }, { toml: "[core]\n" })).toBeUndefined();
  expect(resolved("teammate_idle", { teammate_name: "bob", session_id: "" })).toBeUndefined();
});

const toolCall = { tool_name: "Bash", tool_input: { name: "Bash" } };
const inProcess = payload("PermissionRequest-Bash-teammate-inprocess");
const subagent = { agent_id: "a95f77ee05c1252a2", agent_type: "reviewer" };

const inTeam = (team: string, agent?: string) => ({
  CLAUDE_CODE_TEAM_NAME: team,
  ...(agent ? { CLAUDE_CODE_AGENT_NAME: agent } : {}),
});

test.each<[string, object, Record<string, string> | undefined, string | undefined]>([
  ["a member speaks for itself", toolCall, inTeam("toml-team", "bob"), "bob@toml-team"],
  ["somebody of the project's team", toolCall, inTeam("toml-team"), "toml-agent@toml-team"],
  ["somebody of another team is not the project's agent", toolCall, inTeam("other"), undefined],
  ["the tool's name is no agent's", toolCall, undefined, "toml-agent@toml-team"],
  ["the environment", toolCall, ENV, "env-agent@env-team"],
  ["an in-process teammate, whatever the environment says", inProcess, ENV, "alice@env-team"],
  ["a subagent's wait is its session's", subagent, undefined, "toml-agent@toml-team"],
])("permission_request: %s", (_, input, env, who) =>
  expect(resolved("permission_request", input, { env })).toBe(who),
);

test("the line has the seed's shape, and the one envelope's additions", () => {
  const home = aHome();
  home.write("project/.atm.toml", TOML);
  const input = { ...payload("TeammateIdle-teammate-inprocess"), cwd: home.project };
  const line = lifecycleOf(aContext(home, events.TeammateIdle, input), "teammate_idle");
  expect(line && lifecycleLine(line)).toEqual({
    type: "teammate-idle",
    agent: "bob",
    team: "session-9563eb94",
    session_id: input.session_id,
    received_at: "2026-02-20T12:00:00Z",
    payload: input,
    source: { kind: "claude_hook" },
    process_id: expect.any(Number),
  });
});
