// The three spawn rules of ATM hooks, in their order and with their texts. A rule that lacks a fact lets the spawn pass.

import { asTable, asText } from "../../core/json.ts";
import { escapeLine } from "../../core/text.ts";
import type { TeamPolicy } from "../policy.ts";
import type { SpawnResult } from "../store/spawns.ts";

/** What the gate needs of the Agent tool's input; blank counts as missing. */
export interface Spawn {
  type: string;
  name?: string;
  team?: string;
  model?: string;
}

export interface Caller {
  /** `subagent`: a subagent or in-process teammate, which shares the lead's session. `member`: a teammate with its own process. */
  standing: "lead" | "subagent" | "member" | "other";
  /** A subagent has none: its type is not a member's name. */
  name?: string;
}

/** The team a spawn goes into, where its config says who leads it. */
export interface Target extends TeamPolicy {
  team: string;
  /** Why the lead on record is known to be gone. */
  leadGone?: string;
}

export function spawnOf(input: Record<string, unknown>): Spawn {
  const given = (key: string) => asText(input[key])?.trim() || undefined;
  return {
    type: given("subagent_type") ?? "",
    name: given("name"),
    team: given("team_name"),
    model: given("model"),
  };
}

/** Rule 1: an orchestrator without a name cannot compact and dies at the context limit. */
export function whyUnnamed({ type, name }: Spawn, demand: "setting" | "definition" | undefined) {
  if (!demand || name) return undefined;
  const agent = escapeLine(type);
  const [reason, source] = {
    setting: [
      "is an orchestrator and must be a named teammate.",
      "gate.orchestrators (swarm config gate.orchestrators)",
    ],
    definition: ["requires named teammate spawn policy.", `spawn_policy in .claude/agents/${agent}.md`],
  }[demand];
  const text = `BLOCKED: '${agent}' ${reason}

Correct:
  Task(subagent_type="${agent}", name="sm-sprint-X", team_name="<team>", ...)

Wrong:
  Task(subagent_type="${agent}", run_in_background=true)  # no name = dies at context limit

Set by ${source}.`;
  return { rule: "orchestrator-named", text };
}

/** Rule 2: teammates that spawn teammates exhaust the panes. */
export function whyLeadOnly(spawn: Spawn, caller: Caller, target: Target) {
  if (target.policy === "any-member" || caller.standing === "lead") return undefined;
  if (caller.name !== undefined && target.coLeaders.includes(caller.name)) return undefined;
  if (!spawn.team && caller.standing === "other") return undefined;
  const words = spawn.team ? withTeamName(escapeLine(spawn.team)) : withName(escapeLine(spawn.name ?? ""));
  return { rule: "lead-only", text: [words, "", ...policyLines(caller, target)].join("\n") };
}

const withTeamName = (team: string) => `BLOCKED: Only the team lead can spawn agents with team_name.

You are a teammate. Use background agents:
  Task(subagent_type="...", run_in_background=true, prompt="...")  # no team_name

NOT allowed from teammates:
  Task(..., team_name="${team}", ...)  # creates named teammate = pane exhaustion`;

/** Current clients ignore `team_name`: a name alone makes a teammate. */
const withName = (name: string) => `BLOCKED: Only the team lead can spawn named teammates.

You are a teammate or a subagent. Use background agents:
  Agent(subagent_type="...", prompt="...")  # no name

NOT allowed from teammates:
  Agent(..., name="${name}", ...)  # creates named teammate = pane exhaustion`;

function policyLines(caller: Caller, { team, coLeaders, leadGone }: Target): string[] {
  const policyTeam = escapeLine(team);
  const lines = [
    "SPAWN_UNAUTHORIZED: leaders-only spawn policy violation.",
    `Policy team: ${policyTeam}`,
    `Allowed identities: ${["team-lead", ...coLeaders].map(escapeLine).sort().join(", ")}`,
    `Resolved caller: ${caller.name === undefined ? "<unknown>" : escapeLine(caller.name)}`,
    `Action: let the lead spawn it, or add the caller to [team."${policyTeam}"] co_leaders in your settings.toml.`,
  ];
  if (leadGone && caller.standing === "other")
    lines.push(
      `The lead on record is gone (${escapeLine(leadGone)}). If this session leads now: swarm lead take ${policyTeam}`,
    );
  return lines;
}

/** Rule 3: a spawn into another team would lose its mail. */
export function whyWrongTeam({ team }: Spawn, required: string | undefined) {
  if (!team || !required || team === required) return undefined;
  const text = `BLOCKED: team_name must match .atm.toml core.default_team.

Required team_name: "${escapeLine(required)}"
Got team_name:      "${escapeLine(team)}"`;
  return { rule: "team-match", text };
}

/** `spawn_policy` may be at the top, under `metadata` or under `metadata.atm`. */
export function demandsName(definition: Record<string, unknown> | undefined): boolean {
  const metadata = asTable(definition?.["metadata"]);
  const paths = [definition, metadata, asTable(metadata?.["atm"])];
  return paths.some((place) => place?.["spawn_policy"] === "named_teammate_required");
}

// The result of a spawn by the Agent tool's response (2.1.197 and 2.1.325).
const FATES: Record<string, SpawnResult["fate"]> = {
  teammate_spawned: "teammate",
  async_launched: "background",
  completed: "done",
};

export function spawnResult(response: unknown): SpawnResult | undefined {
  const text = (key: string) => asText(asTable(response)?.[key]);
  const fate = FATES[text("status") ?? ""];
  if (!fate) return undefined;
  const pane = text("tmux_pane_id");
  return {
    fate,
    agentId: text("agentId") ?? text("agent_id"),
    name: text("name"),
    model: text("resolvedModel") ?? text("model"),
    pane: pane?.startsWith("%") ? pane : undefined,
  };
}
