// A project with or without a team, and the Agent call of somebody in it, for the tests of the spawn gate.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as events from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { preToolUse } from "../../lib/teammates/hooks/spawn-gate.ts";
import { aContext } from "./a-context.ts";
import { aHome, type Home } from "./a-home.ts";
import { ROOT } from "./run-built.ts";

export const TOML = '[core]\ndefault_team = "atm-dev"\nidentity = "team-lead"\n';

export interface World {
  toml?: string;
  person?: string;
  /** The config of atm-dev. */
  team?: Record<string, unknown>;
  /** Agent definitions: type, and the lines of its frontmatter. */
  agents?: Record<string, string>;
}

export function aProject({ toml, person, team, agents = {} }: World): Home {
  const home = aHome();
  if (toml) home.write("project/.atm.toml", toml);
  if (person) home.write(".claude/swarm/settings.toml", person);
  if (team) home.write(".claude/teams/atm-dev/config.json", team);
  for (const [type, fields] of Object.entries(agents))
    home.write(`project/.claude/agents/${type}.md`, `---\n${fields}\n---\n\nAgent body\n`);
  return home;
}

let calls = 0;

/** What the gate says to an Agent call; its traces are left as after a real one. */
export function spawn(
  home: Home,
  input: object,
  more: object = {},
  given: { env?: Record<string, string>; now?: Date } = {},
): Outcome & { call: string } {
  const call = { tool_name: "Agent", tool_use_id: `toolu_${++calls}`, tool_input: input, ...more };
  const outcome = preToolUse(aContext(home, events.PreToolUse, call, given)) as Outcome;
  outcome.after?.();
  return { ...outcome, call: call.tool_use_id };
}

export const agent = (subagent_type: string, name = "", team_name = "") => ({
  subagent_type,
  name,
  team_name,
});

/** A native team as the newest client writes it: a lead, alice and bob. */
export function withNativeTeam(home: Home, mode: "inprocess" | "tmux"): any {
  const path = join(ROOT, "test", "fixtures", "native", `config-${mode}-v2.1.325.json`);
  const config = JSON.parse(readFileSync(path, "utf8"));
  home.write(`.claude/teams/${config.name}/config.json`, config);
  return config;
}
